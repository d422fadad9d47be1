"""A match's page: the players and every manche and partie, with links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from chouine.ai.levels import looks_back
from chouine.cards import Suit
from chouine.partie import Declared, Result
from chouine.phrases import N_
from chouine.server.circle.known import others_to_challenge
from chouine.server.pages import wording
from chouine.server.pages.cards import face, sign
from chouine.server.pages.env import render
from chouine.server.pages.help import helped_in_words
from chouine.server.pages.portraits import Mood, portrait
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.records import ImportedTable
from chouine.server.table_ids import brought_as_file, played_offline
from chouine.table import Phase, TableState
from chouine.table.brief import Brief
from chouine.table.state import FinishedPartie


@dataclass(frozen=True, slots=True)
class PartieRow:
    """One partie: its number in the whole match, its number in the manche, how it ended."""

    number: int
    partie: int
    dealer: int
    result: Result
    declared: tuple[Declared, ...]
    trump: Suit | None


@dataclass(frozen=True, slots=True)
class Manche:
    """One manche and its parties. `score` is the parties won, None while it goes on."""

    number: int
    lines: tuple[PartieRow, ...]
    score: tuple[int, ...] | None
    winner: int | None
    under: tuple[int, ...]
    """Seats that passed under the table (§13)."""


def match_page(visit: Visit, table_id: str, table: TableState) -> str:
    """The page of a match: finished parties only."""
    words = words_of(visit)
    standing, unit = standing_of(table)
    return render(
        visit,
        "match.html",
        here=f"/match/{table_id}",
        table_id=table_id,
        table=table,
        **names_shown(table, visit, words)._asdict(),
        manches=manches_of(table),
        tirages=list(zip([tirage.cards for tirage in table.tirages], table.spreads, strict=True)),
        digest=table.pack.digest if table.pack is not None else "",
        over=table.phase is Phase.OVER,
        again=", ".join(others_to_challenge(table.holders, visit.guest).values())
        if table.phase is Phase.OVER and not visit.offline
        else "",
        offline=played_offline(table_id),
        brought=brought_as_file(table_id),
        owned=isinstance(table, ImportedTable) and table.owner == visit.guest,
        helped=helped_in_words(table.helped, words),
        reviewed=looks_back(table.match.rules),
        words=words,
        face=face,
        sign=sign,
        portraits=[portrait(holder, mood_of(table, seat)) for seat, holder in enumerate(table.holders)],
        standing=standing,
        unit=unit,
        wording=wording,
        changed=wording.differences(table.match.rules),
    )


def names_of(table: TableState | Brief, words: Words) -> tuple[str, ...]:
    """Everyone's name."""
    return tuple(words.player(holder.name, seat) for seat, holder in enumerate(table.holders))


class ShownNames(NamedTuple):
    """Names of all seats, labels beside a seat's things, and the seat addressed as "you", if any."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    you: int | None

    def about(self, seat: int, own: str, others: str, **data: object) -> str:
        """A sentence addressed to seat `you`, or about another seat by its `name`."""
        return (own if seat == self.you else others) % {"name": self.names[seat], **data}


def names_shown(table: TableState, visit: Visit, words: Words) -> ShownNames:
    """The names as one browser shows them: "you" if a single person used it at the table."""
    names, held = names_of(table, words), table.held_by(visit.guest)
    you = held[0] if len(held) == 1 else None
    labels = tuple(words.gettext("You") if seat == you else name for seat, name in enumerate(names))
    return ShownNames(names, labels, you)


def standing_of(table: TableState) -> tuple[tuple[int, ...], str]:
    """What each seat has won so far, and of what: manches, parties, or the points of a single partie (§13)."""
    match = table.match
    if match.format.manches > 1 and match.history:
        return match.manches, N_("manches won")
    if match.format.parties > 1:
        return match.history[-1] if match.history else match.score, N_("parties won")
    result = table.played[-1].result if table.played else None
    return (result.points, N_("points")) if result and result.by in ("points", "nulle") else ((), "")


def mood_of(table: TableState, seat: int) -> Mood:
    """The mood of a seat once the match is over."""
    if table.phase is not Phase.OVER or table.match.winner is None:
        return "calm"
    return "pleased" if table.match.winner == seat else "vexed"


def manches_of(table: TableState) -> list[Manche]:
    """The finished parties by manche."""
    numbered = list(enumerate(table.played, 1))
    history = table.match.history
    manches = []
    for manche, played in groupby(numbered, key=lambda pair: pair[1].manche):
        lines = tuple(line_of(number, one) for number, one in played)
        score = history[manche - 1] if manche <= len(history) else None
        winner = score.index(table.match.format.parties) if score else None
        single = table.match.format.parties == 1  # then whoever does not win it has none
        under = tuple(seat for seat, won in enumerate(score or ()) if not won and not single)
        manches.append(Manche(manche, lines, score, winner, under))
    return manches


def line_of(number: int, played: FinishedPartie) -> PartieRow:
    """A finished partie's line."""
    state = played.state
    if state.result is None:
        raise ValueError(f"partie {number} is not over")
    declared = tuple(event for event in state.events if isinstance(event, Declared))
    trump = Suit(state.position.trump) if state.position.trump >= 0 else None
    return PartieRow(number, played.partie, state.deal.dealer, state.result, declared, trump)
