"""Update places in rounds already drawn when a result changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chouine.tournament.errors import ActRefused
from chouine.tournament.field import pool_rounds, qualified
from chouine.tournament.formula import Stage
from chouine.tournament.state import Contest, Round, RoundTable


def leaving(before: Contest, now: Contest, round_: Round) -> dict[int, int]:
    """The renaming of entries in later rounds: those that no longer advance and those that do instead, both ways.

    Raises `ActRefused` if a place would stay empty, or an entry finds none because its predecessor withdrew.
    """
    old, new = goes_on(before, round_), goes_on(now, round_)
    leave = [player for player in old if player not in new]
    come = [player for player in new if player not in old]
    later = now.rounds(round_.stage)[max(round_.number, pool_rounds(now)) :]
    if len(leave) != len(come) or (later and not set(leave) <= set(later[0].players)):
        raise ActRefused("contest/nobody-goes-on", round=round_.number + 1)
    pairs = list(zip(leave, come, strict=True))
    return dict(pairs) | {come: leave for leave, come in pairs}


def goes_on(contest: Contest, round_: Round) -> tuple[int, ...]:
    """The entries that advance from a round into rounds already drawn; none if all advance in any case."""
    if round_.stage == "consolante" or contest.formula.knock_out or round_.number > pool_rounds(contest) > 0:
        return contest.round(round_.stage, round_.number).ahead
    if contest.formula.kind == "poules" and len(contest.main) > pool_rounds(contest):
        return tuple(qualified(contest))
    return ()


def moved(contest: Contest, stage: Stage, number: int, names: Mapping[int, int]) -> Contest:
    """The contest with entries renamed in all later rounds, and after a round of the main draw in the consolante."""
    if not names:
        return contest
    first = max(number, pool_rounds(contest)) if stage == "main" else number
    if stage == "consolante":
        return replace(contest, consolante=renamed(contest.consolante, first, names))
    return replace(
        contest, main=renamed(contest.main, first, names), consolante=renamed(contest.consolante, 0, names)
    )


def renamed(rounds: tuple[Round, ...], first: int, names: Mapping[int, int]) -> tuple[Round, ...]:
    """The rounds after `first` with entries renamed."""
    return tuple(
        round_
        if round_.number <= first
        else replace(round_, tables=tuple(with_others(table, names) for table in round_.tables))
        for round_ in rounds
    )


def with_others(table: RoundTable, names: Mapping[int, int]) -> RoundTable:
    """A table with other players: its result is void, and its former winner holds the place until it is replayed."""
    players = tuple(names.get(player, player) for player in table.players)
    if players == table.players:
        return table
    ahead = table.ahead
    return replace(
        table,
        players=players,
        score=None,
        forfeits=tuple(player for player in table.forfeits if player in players and player not in names),
        held=None if ahead is None else names.get(ahead, ahead),
        by="",
    )
