"""Sentences at the end of a partie, a manche and the match (§12, §13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chouine.cards import PACK
from chouine.cli.terminal.wording import Teller
from chouine.match import Match, Tirage
from chouine.notation.french import declaration_name, face
from chouine.partie import State
from chouine.phrases import Language, say
from chouine.rules.play import DIX_DE_DER
from chouine.table.count import counts_of, tally_of


class CountRow(NamedTuple):
    """One line of the count, a figure a seat; `rule` draws a line above it."""

    label: str
    cells: tuple[int | None, ...]
    rule: bool = False


def count_lines(state: State, names: Sequence[str], language: Language, width: int) -> list[str]:
    """The count of a partie played out."""
    seats = len(names)
    column = max(5, min(10, (width - 16) // seats))
    label = min(24, width - column * seats)
    lines = [" " * label + "".join(name[: column - 1].rjust(column) for name in names)]
    for row in rows(state, language):
        cells = "".join(("" if cell is None else str(cell)).rjust(column) for cell in row.cells)
        lines += ["-" * (label + column * seats)] * row.rule
        lines.append(row.label[: label - 1].ljust(label) + cells)
    return lines


def rows(state: State, language: Language) -> list[CountRow]:
    """Cards by rank, their sum, declarations one by one, the last trick, the total."""
    tally, seats = tally_of(state), range(state.rules.seats)

    def label(code: str, **data: object) -> str:
        return say(f"terminal/count/{code}", language, **data)

    return [
        CountRow(label("cards"), tally.taken),
        *(CountRow(label(line.rank.name.lower(), points=line.each), line.points) for line in tally.ranks),
        CountRow(label("tricks"), tally.cards, rule=True),
        *(
            CountRow(
                declaration_name(event.declaration, language).capitalize(),
                tuple(event.counts if seat == event.seat else None for seat in seats),
            )
            for declared in tally.declared
            for event in declared
        ),
        CountRow(label("der"), tuple(DIX_DE_DER if seat == tally.der else None for seat in seats)),
        CountRow(label("total"), tally.totals, rule=True),
    ]


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
