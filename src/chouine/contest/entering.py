"""Entries: at the door, late, absent."""

from __future__ import annotations

from dataclasses import replace

from chouine.contest import acts
from chouine.contest.chance import Chance
from chouine.contest.field import pool_pairs
from chouine.contest.state import Contest, Entrant, RoundTable
from chouine.errors import ActRefused


def enter_player(contest: Contest, act: acts.Entered | acts.ListEntered) -> Contest:
    """Add an entry, or all of a list; it is seated at once if round 1 is drawn and open."""
    if isinstance(act, acts.ListEntered):
        return all_entered(contest, act)
    if act.number < 1 or act.number in contest.entrants:
        raise ActRefused("contest/number-taken", number=act.number)
    check_details(act.details)
    if contest.main and entries_closed(contest):
        raise ActRefused("contest/entries-closed")
    now = contest.with_entrant(Entrant(act.number, act.details, act.here))
    return come_late(now, act.number) if contest.main and act.here else now


def amend_player(contest: Contest, act: acts.Amended | acts.Erased) -> Contest:
    """An entry with other details, named again if its name was erased; or with its name erased."""
    entrant = contest.entrant(act.number)
    if isinstance(act, acts.Erased):
        return contest.with_entrant(replace(entrant, erased=True))
    check_details(act.details)
    return contest.with_entrant(replace(entrant, details=act.details, erased=False))


def all_entered(contest: Contest, act: acts.ListEntered) -> Contest:
    """Add the entries of a list, or raise `ActRefused` for the first that cannot be."""
    if not (act.entries or act.merged) or (act.paid and len(act.paid) != len(act.entries)):
        raise ActRefused("contest/details")
    for one in act.entries:
        contest = enter_player(contest, one)
    for one, cents in zip(act.entries, act.paid, strict=False):
        contest = contest.with_entrant(replace(contest.entrants[one.number], paid=cents))
    for other in act.merged:
        entrant = contest.entrant(other.number)
        check_details(other.details)
        contest = contest.with_entrant(
            replace(entrant, details=other.details, paid=entrant.paid + other.cents)
        )
        if other.here:
            contest = mark_present(contest, acts.Present(other.number, here=True))
    return contest


def check_details(details: acts.Details) -> None:
    if min(details.family, details.village, details.meals) < 0:
        raise ActRefused("contest/details")


def mark_present(contest: Contest, act: acts.Present) -> Contest:
    """Mark an entry present: during round 1 it is seated. Who has been drawn cannot be absent, but may skip a round."""
    number, here = act.number, act.here
    entrant = contest.entrant(number)
    if entrant.here == here:
        raise ActRefused("contest/present-already" if here else "contest/absent-already", number=number)
    if contest.main and (entries_closed(contest) if here else not may_skip(contest, number)):
        raise ActRefused("contest/entries-closed" if here else "contest/drawn-already", number=number)
    details = replace(entrant.details, meals=entrant.details.meals + act.meals)
    check_details(details)
    now = contest.with_entrant(replace(entrant, here=here, paid=entrant.paid + act.cents, details=details))
    return come_late(now, number) if contest.main and here else now


def may_skip(contest: Contest, number: int) -> bool:
    """Whether an entry can skip the next round: all play it, and this one is at no table without a result."""
    playing = (player for round_ in contest.main[-1:] for table in round_.open for player in table.players)
    return contest.formula.all_play and not entries_closed(contest) and number not in playing


def entries_closed(contest: Contest) -> bool:
    """Whether nobody can join: round 1 takes no more entries, or where all play every round, the last is drawn."""
    return len(contest.main) >= contest.formula.rounds if contest.formula.all_play else round_closed(contest)


def come_late(contest: Contest, number: int) -> Contest:
    """Seat who comes after the draw of round 1; once that takes nobody, the entry joins the next round."""
    if not round_closed(contest):
        return seated_late(contest, number)
    return contest.with_entrant(replace(contest.entrants[number], late=True))


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


def latecomer_swap(contest: Contest, number: int, chance: Chance, reason: str) -> acts.Swapped | None:
    """The exchange that gives a latecomer a table of round 1, away from the family; None if none is due or possible.

    Nobody who comes late is exempt while somebody who came in time still plays: one of those, by chance, is instead.
    """
    seat = contest.main[0].table_of(number) if len(contest.main) == 1 and not contest.pools else None
    if seat is None or not (seat.exempt or (not seat.decided and is_clash(contest, seat.players))):
        return None
    free = [
        table for table in contest.main[0].played if table != seat and not (table.decided or table.forfeits)
    ]
    swaps = [
        (player, replace_player(table.players, player, number), replace_player(seat.players, number, player))
        for table in free
        for player in table.players
        if not contest.entrants[player].late
    ]
    apart = [one for one, *tables in swaps if not any(is_clash(contest, table) for table in tables)]
    fit = apart or [one for one, *_ in swaps if seat.exempt]
    return acts.Swapped("main", 1, number, fit[chance.number_below(len(fit))], reason) if fit else None


def replace_player(players: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    return tuple(other if player == one else player for player in players)


def is_clash(contest: Contest, players: tuple[int, ...]) -> bool:
    """Whether two at a table are to be kept apart."""
    details = [contest.entrants[player].details for player in players]
    groups = [[getattr(one, kind) for one in details if getattr(one, kind)] for kind in contest.formula.apart]
    return any(len(set(group)) < len(group) for group in groups)


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
