"""A table as one seat knows it, as the API tells it: from that seat's snapshot and view alone (§14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from chouine.notation.lines import disclosures, partie_line
from chouine.partie.deal import SEATS
from chouine.partie.view import View
from chouine.players.pipe import acts
from chouine.server.api import shapes
from chouine.server.decent_names import BOT
from chouine.table import Phase, TableState
from chouine.table.brief import Brief
from chouine.table.entries import SeatHolder
from chouine.table.snapshot import Snapshot, Watcher
from chouine.table.state import FinishedPartie

TODO: Mapping[Phase, Literal["pick", "cut", "act", "go-on"]] = {
    Phase.TIRAGE: "pick",
    Phase.CUT: "cut",
    Phase.PLAY: "act",
    Phase.COUNT: "go-on",
}
"""What an awaited seat does, by phase."""


def table_of(
    table_id: str, table: TableState, seat: int, now: float, links: Mapping[int, str]
) -> shapes.Table:
    """The table as a seat knows it. `links`: those to empty seats; `now`: the time on the tables' clock."""
    seen = Watcher(seat).snapshot(table)
    playing = table.phase is Phase.PLAY and table.state is not None
    view = table.state.view(seat) if playing and table.state is not None else None
    shown, exchanged = disclosures(view) if view else ((), ())
    match, clock = seen.match, table.clock
    return shapes.Table(
        id=table_id,
        n=seen.n,
        seat=SEATS[seat],
        rules=table.opened.rules,
        format=table.opened.format,
        phase=seen.phase.value,
        seats=seats_of(seen.holders, {seat}, links),
        awaited=letters(seen.awaited),
        todo=TODO[seen.phase] if seat in seen.awaited and not seen.paused else "nothing",
        view=partie_line(view) if view else "",
        shown=["?" if cards is None else str(cards) for cards in shown],
        exchanged=["?" if who is None else SEATS[who] for who in exchanged],
        trick=[f"{SEATS[laid.seat]}:{laid.card}" for laid in view.table] if view else [],
        legal=legal_of(view, seen),
        picked=sorted(place for place in seen.picks if place is not None)
        if seen.phase is Phase.TIRAGE
        else [],
        digest=seen.digest or "",
        manche=match.manche,
        partie=match.partie,
        score=match.score_text,
        dealer=None if match.dealer is None else SEATS[match.dealer],
        winner=None if match.winner is None else SEATS[match.winner],
        last=finished_partie(seen.parties[-1]) if seen.parties else None,
        clock=shapes.Clock(clock.move, clock.reserve, [*seen.reserves]) if clock else None,
        seconds=None if table.deadline is None else round(max(0.0, table.deadline - now), 1),
        paused=seen.paused,
        pausing=letters(seen.pausing),
        ready=letters(seen.ready),
        said=shapes.Said(SEATS[seen.said[0]], seen.said[1]) if seen.said else None,
        next=seen.next_table or "",
        unaided=seen.unaided,
    )


def legal_of(view: View | None, seen: Snapshot) -> list[str]:
    """The acts open to the seat now; none while it is not awaited."""
    return sorted(acts(view)) if view and seen.observer in seen.awaited else []


def letters(seats: Iterable[int]) -> list[str]:
    """Seats as letters, in order."""
    return [SEATS[seat] for seat in sorted(seats)]


def seats_of(
    holders: Iterable[SeatHolder], mine: Iterable[int], links: Mapping[int, str]
) -> list[shapes.Seat]:
    """Who holds each seat."""
    own = {*mine}
    return [
        shapes.Seat(SEATS[seat], holder.name, kind_of(holder), seat in own, links.get(seat, ""))
        for seat, holder in enumerate(holders)
    ]


def kind_of(holder: SeatHolder) -> Literal["person", "bot", "computer", "empty"]:
    """What kind of player holds a seat; a bot is known by the mark in its name, which nobody else can have."""
    if holder.player != "person":
        return "computer"
    if holder.guest is None:
        return "empty"
    return "bot" if holder.name.startswith(BOT) else "person"


def finished_partie(partie: FinishedPartie) -> shapes.Finished:
    """A finished partie."""
    result = partie.result
    winner = None if result.winner is None else SEATS[result.winner]
    return shapes.Finished(
        f"{partie.rules} {partie.deal} : {partie.acts}".rstrip(), winner, [*result.points], result.by
    )


def match_of(table_id: str, brief: Brief, guest: str) -> shapes.Match:
    """A finished match in a list."""
    mine = brief.held_by(guest)
    return shapes.Match(
        table_id,
        seats_of(brief.holders, mine, {}),
        SEATS[min(mine, default=0)],
        [*brief.manches],
        [*brief.parties],
        None if brief.winner is None else SEATS[brief.winner],
    )
