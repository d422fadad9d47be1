"""Entries: at the door, late, absent."""

from __future__ import annotations

from dataclasses import replace

from chouine.tournament import acts
from chouine.tournament.errors import ActRefused
from chouine.tournament.field import pool_pairs
from chouine.tournament.state import Contest, Entrant, RoundTable


def entered(contest: Contest, act: acts.Entered | acts.ListEntered) -> Contest:
    """Add an entry, or all of a list; it is seated at once if round 1 is drawn and open."""
    if isinstance(act, acts.ListEntered):
        return all_entered(contest, act)
    if act.number < 1 or act.number in contest.entrants:
        raise ActRefused("contest/number-taken", number=act.number)
    check_details(act.details)
    if contest.main and round_closed(contest):
        raise ActRefused("contest/entries-closed")
    now = contest.with_entrant(Entrant(act.number, act.details, act.here))
    return seated_late(now, act.number) if contest.main and act.here else now


def amended(contest: Contest, act: acts.Amended | acts.Erased) -> Contest:
    """An entry with other details, named again if its name was erased; or with its name erased."""
    entrant = contest.entrant(act.number)
    if isinstance(act, acts.Erased):
        return contest.with_entrant(replace(entrant, erased=True))
    check_details(act.details)
    return contest.with_entrant(replace(entrant, details=act.details, erased=False))


def all_entered(contest: Contest, act: acts.ListEntered) -> Contest:
    """Add the entries of a list, or raise `ActRefused` for the first that cannot be."""
    if not act.entries or (act.paid and len(act.paid) != len(act.entries)):
        raise ActRefused("contest/details")
    for one in act.entries:
        contest = entered(contest, one)
    for one, cents in zip(act.entries, act.paid, strict=False):
        contest = contest.with_entrant(replace(contest.entrants[one.number], paid=cents))
    return contest


def check_details(details: acts.Details) -> None:
    if min(details.family, details.village, details.meals) < 0:
        raise ActRefused("contest/details")


def present(contest: Contest, number: int, *, here: bool) -> Contest:
    """Mark an entry present: during round 1 it is seated. An entry already drawn cannot be marked absent."""
    entrant = contest.entrant(number)
    if entrant.here == here:
        raise ActRefused("contest/present-already" if here else "contest/absent-already", number=number)
    if contest.main and (not here or round_closed(contest)):
        raise ActRefused("contest/entries-closed" if here else "contest/drawn-already", number=number)
    now = contest.with_entrant(replace(entrant, here=here))
    return seated_late(now, number) if contest.main else now


def round_closed(contest: Contest) -> bool:
    """Whether round 1 takes no more late entries: all its tables are decided, or a later round is drawn."""
    return len(contest.main) > 1 or bool(contest.consolante) or not contest.main[0].open


def seated_late(contest: Contest, number: int) -> Contest:
    """Seat a late entry in the first empty place of round 1, or as its exempt."""
    round_ = contest.main[0]
    now = contest.with_entrant(replace(contest.entrants[number], late=True))
    if contest.pools:
        return into_pool(now, number)
    seats = contest.formula.seats
    places = [
        table
        for table in round_.tables
        if len(table.players) < seats and table.score is None and not table.forfeits
    ]
    if places:
        table = min(places, key=lambda table: len(table.players))
        number_of_table = table.number or max((own.number for own in round_.played), default=0) + 1
        return now.with_table(
            round_, table, replace(table, players=(*table.players, number), number=number_of_table)
        )
    if contest.formula.kind == "tree":
        raise ActRefused("contest/no-place", number=number)
    return now.with_round(replace(round_, tables=(*round_.tables, RoundTable(0, (number,)))))


def into_pool(contest: Contest, number: int) -> Contest:
    """Seat a late entry in the smallest poule, if that has an empty place."""
    size = min(map(len, contest.pools))
    most = max(map(len, contest.pools))
    if size >= most + most % 2:
        raise ActRefused("contest/no-place", number=number)
    nth = next(nth for nth, pool in enumerate(contest.pools) if len(pool) == size)
    pools = tuple((*pool, number) if own == nth else pool for own, pool in enumerate(contest.pools))
    before = contest.main[0]
    tables: list[RoundTable] = []
    free = max((table.number for table in before.played), default=0) + 1
    for players in pool_pairs(pools, most + most % 2, 1):
        old = before.table_of(players[0]) if players[0] != number else before.table_of(players[-1])
        if old is not None and set(old.players) == set(players):
            tables.append(old)
        elif len(players) == 1:
            tables.append(RoundTable(0, players))
        else:
            tables.append(RoundTable(free, players))
    return replace(contest, pools=pools).with_round(replace(before, tables=tuple(tables)))
