"""The tables of an online contest: their identifiers, their settings, their results, and what they hide."""

from __future__ import annotations

import hashlib

from chouine.contest import (
    ContestAct,
    DealsPlayed,
    ResultEntered,
    Round,
    RoundTable,
    Score,
    TableForfeited,
)
from chouine.contest.duplicate import RULES, difference_of, numbers_of, sealed_deal
from chouine.match import Forfeit
from chouine.partie.events import Played
from chouine.server.online.contests import Online
from chouine.server.online.naming import LENGTH, TABLE
from chouine.table.entries import Opened, SeatHolder
from chouine.table.state import FinishedPartie, TableState


def table_id_of(online: Online, round_: Round, table: RoundTable) -> str:
    """The identifier of a pair's table: the same whichever node opens it."""
    which = f"{online.id} {online.seed} {round_.stage} {round_.number} {table.number} {table.players}"
    return f"{TABLE}{online.id}-{hashlib.sha256(which.encode()).hexdigest()}"[:LENGTH]


def opening_of(online: Online, round_: Round, table: RoundTable) -> Opened:
    """The settings of a contest table: its match, and the clock by which an absent player forfeits."""
    sitting = [online.players[player] for player in table.players]
    holders = tuple(SeatHolder("person", player.name, player.guest) for player in sitting)
    if round_.deals:
        numbers = numbers_of(round_.number, len(round_.deals))
        deals = tuple(str(sealed_deal(RULES, online.seed, number)) for number in numbers)
        return Opened(str(RULES), f"{len(deals)}x1", holders, online.clock, deals=deals)
    return Opened("classic", str(round_.match), holders, online.clock)


def result_of(round_: Round, table: RoundTable, played: TableState) -> ContestAct:
    """The contest's act for a finished match."""
    if round_.deals:
        return deals_played(round_, table, played)
    where = (round_.stage, round_.number, table.number)
    last = played.match.entries[-1] if played.match.entries else None
    if isinstance(last, Forfeit):
        return TableForfeited(*where, table.players[last.seat])
    parties = tuple(map(sum, zip(*played.match.history, strict=True)))
    return ResultEntered(*where, Score.of(played.match.manches, parties))


def deals_played(round_: Round, table: RoundTable, played: TableState) -> DealsPlayed:
    """What a finished table made of its round's sealed deals.

    Whoever leaves before playing a card of a deal has not played it, and nor has the other.
    """
    last = played.match.entries[-1] if played.match.entries else None
    parties = [one for one in played.played if one.result.by != "forfeit" or has_played(one, one.stopped)]
    missing = len(parties) < len(round_.deals)
    return DealsPlayed(
        round_.number,
        table.number,
        tuple(difference_of(one.result, 0) for one in parties),
        tuple(nth for nth, one in enumerate(parties, 1) if one.stopped is not None),
        table.players[last.seat] if missing and isinstance(last, Forfeit) else 0,
        tuple(one.acts for one in parties),
    )


def has_played(partie: FinishedPartie, seat: int | None) -> bool:
    """Whether a seat laid a card in a finished partie."""
    return any(isinstance(event, Played) and event.seat == seat for event in partie.state.events)


def is_sealed(online: Online, table_id: str) -> bool:
    """Whether a table plays deals that others of its round are still playing, or have not begun."""
    return any(
        table_id_of(online, round_, table) == table_id
        for round_ in online.contest.main
        if round_.deals and round_.open
        for table in round_.played
    )
