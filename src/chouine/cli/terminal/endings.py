"""Sentences at the end of a partie, a manche and the match (§12, §13)."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.cards import PACK
from chouine.cli.terminal.count import count_lines
from chouine.cli.terminal.wording import Teller
from chouine.match import Match, Tirage
from chouine.notation.french import face
from chouine.partie import State
from chouine.phrases import Language
from chouine.table.count import counts_of

BY_COUNT = ("points", "nulle")


def partie_lines(state: State, names: Sequence[str], language: Language, width: int) -> list[str]:
    """The count, if the partie was played out, and the winner."""
    result = state.result
    if result is None:
        raise ValueError("the partie is not over")
    teller, lines = Teller(names, None, language), []
    if result.by in BY_COUNT:
        lines += count_lines(state, names, language, width)
        short = (str(count.short) for count in counts_of(state))
        lines.append(teller.phrase("short-count", points=" – ".join(short)))
    code = "nulle" if result.winner is None else f"partie-won/{result.by}"
    return [*lines, "", teller.phrase(code, result.winner)]


def manche_lines(before: Match, after: Match, names: Sequence[str], language: Language) -> list[str]:
    """The manche that this partie has ended: its score, and who goes under the table."""
    if len(after.history) == len(before.history):
        return []
    teller = Teller(names, None, language)
    score = after.history[-1]
    winner = score.index(after.format.parties)
    result = "–".join(map(str, sorted(score, reverse=True)))
    lines = [teller.phrase("manche-won", winner, manche=len(after.history), score=result)]
    lines += [teller.phrase("sous-la-table", seat) for seat in after.sous_la_table]
    if after.belle and after.needs_draw:
        lines.append(teller.phrase("to-the-belle"))
    return lines


def match_lines(match: Match, names: Sequence[str], language: Language) -> list[str]:
    """The winner of the match."""
    teller = Teller(names, None, language)
    if match.winner is None:
        return [teller.phrase("match-shared")]
    manches = " · ".join("–".join(map(str, score)) for score in match.history)
    return [
        teller.phrase("match-won", match.winner),
        *([teller.phrase("manches", scores=manches)] if manches else []),
    ]


def tirage_lines(tirage: Tirage, names: Sequence[str], language: Language) -> list[str]:
    """The cards drawn, and who deals (§2)."""
    teller = Teller(names, None, language)
    lines = [
        teller.phrase("picked", seat, card=face(card, language)) for seat, card in enumerate(tirage.cards)
    ]
    return [*lines, teller.phrase("tied" if tirage.dealer is None else "will-deal", tirage.dealer)]


def spread_lines(picks: Sequence[int | None]) -> list[str]:
    """The places of the spread pack, eight a line, without those already drawn."""
    places = [" ··" if place - 1 in picks else f"{place:3}" for place in range(1, len(PACK) + 1)]
    return [" ".join(places[start : start + 8]) for start in range(0, len(PACK), 8)]
