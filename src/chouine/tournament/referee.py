"""The referee's changes to a round before it is played."""

from __future__ import annotations

from dataclasses import replace

from chouine.tournament.errors import ActRefused
from chouine.tournament.field import pool_rounds
from chouine.tournament.formula import Stage
from chouine.tournament.state import Contest, Round


def swapped(contest: Contest, stage: Stage, number: int, one: int, other: int) -> Contest:
    """Swap two entries of the last round drawn, at tables still in play."""
    round_ = contest.round(stage, number)
    if number != len(contest.rounds(stage)) or (contest.pools and number <= pool_rounds(contest)):
        raise ActRefused("contest/no-swap-here", round=number)
    tables = round_.table_of(one), round_.table_of(other)
    if one == other or tables[0] is None or tables[1] is None or tables[0] == tables[1]:
        raise ActRefused("contest/no-swap", one=one, other=other)
    for table in tables:
        if table is not None and not table.exempt and (table.decided or table.forfeits):
            raise ActRefused(
                "contest/played-already", table=table.number, score=table.score or "0", by=table.by
            )
    return contest.with_round(exchanged(round_, {one: other, other: one}))


def exchanged(round_: Round, names: dict[int, int]) -> Round:
    """The round with entries replaced, also where they hold a place until a replay."""

    def other(player: int) -> int:
        return names.get(player, player)

    return replace(
        round_,
        tables=tuple(
            replace(
                table,
                players=tuple(map(other, table.players)),
                held=None if table.held is None else other(table.held),
            )
            for table in round_.tables
        ),
    )


def paired(contest: Contest, stage: Stage, number: int, one: int, other: int) -> Contest:
    """The second swaps places with the first's opponent; if the first is exempt, it takes that place itself."""
    round_ = contest.round(stage, number)
    table = round_.table_of(one)
    if table is None:
        raise ActRefused("contest/no-swap", one=one, other=other)
    opposite = next((player for player in table.players if player != one), None)
    if opposite is not None:
        return swapped(contest, stage, number, opposite, other)
    far = round_.table_of(other)
    place = next((player for player in far.players if player != other), None) if far else None
    if place is None:
        raise ActRefused("contest/no-swap", one=one, other=other)
    return swapped(contest, stage, number, place, one)
