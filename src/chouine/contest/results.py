"""Results, corrections, forfeits and withdrawals, the places that they change, and the referee's changes to a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from chouine.contest import acts
from chouine.contest.duplicate import WHOLE
from chouine.contest.field import pool_rounds, qualified_places
from chouine.contest.formula import Stage
from chouine.contest.log import LogLine
from chouine.contest.score import Score, check_score
from chouine.contest.state import Contest, Round, RoundTable
from chouine.errors import ActRefused


def replacements(before: Contest, now: Contest, round_: Round) -> dict[int, int]:
    """Who changes places in later rounds: each entry that no longer advances with the one that does instead, both ways.

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
        return tuple(qualified_places(contest))
    return ()


def move_players(contest: Contest, stage: Stage, number: int, names: Mapping[int, int]) -> Contest:
    """The contest with entries renamed in all later rounds, and after a round of the main draw in the consolante."""
    if not names:
        return contest
    first = max(number, pool_rounds(contest)) if stage == "main" else number
    if stage == "consolante":
        return replace(contest, consolante=rename_rounds(contest.consolante, first, names))
    return replace(
        contest,
        main=rename_rounds(contest.main, first, names),
        consolante=rename_rounds(contest.consolante, 0, names),
    )


def rename_rounds(rounds: tuple[Round, ...], first: int, names: Mapping[int, int]) -> tuple[Round, ...]:
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


def enter_result(contest: Contest, line: LogLine, act: acts.ResultEntered) -> Contest:
    """Enter a table's first result, or correct it with a reason; a result is never overwritten without one."""
    round_ = contest.round(act.stage, act.round)
    table = round_.table(act.table)
    if table.decided:
        raise played_already(table)
    return decide(contest, round_, table, score_table(contest, round_, table, act.score, line))


def played_already(table: RoundTable) -> ActRefused:
    """The refusal to change a table that has a result; its text names the result."""
    score = table.score.of_table() if table.score else "IMPs" if table.made else "0"
    return ActRefused("contest/played-already", table=table.number, score=score, by=table.by)


def enter_deals(contest: Contest, line: LogLine, act: acts.DealsPlayed) -> Contest:
    """Enter what a table made of its round's sealed deals: of all of them, or of those before an entry left."""
    round_ = contest.round("main", act.round)
    table, deals, played = round_.table(act.table), len(round_.deals), len(act.differences)
    if table.decided:
        raise played_already(table)
    whole = played == deals if act.left == 0 else act.left in table.players and played < deals
    given_up = all(
        1 <= nth <= played and abs(act.differences[nth - 1]) == WHOLE for nth in act.given_up
    ) and list(act.given_up) == sorted(set(act.given_up))
    in_bounds = all(abs(difference) <= WHOLE for difference in act.differences)
    if not (deals and whole and given_up and in_bounds and len(act.courses) in (0, played)):
        raise ActRefused("contest/deals-played", table=act.table, deals=deals)
    return contest.with_table(round_, table, replace(table, made=act, at=first_time(table, line), by=line.by))


def correct_result(contest: Contest, line: LogLine, act: acts.Corrected) -> Contest:
    round_ = contest.round(act.stage, act.round)
    table = round_.table(act.table)
    if not table.decided:
        raise ActRefused("contest/nothing-to-correct", table=act.table)
    return decide(
        contest, round_, table, replace(score_table(contest, round_, table, act.score, line), forfeits=())
    )


def score_table(
    contest: Contest, round_: Round, table: RoundTable, score: Score, line: LogLine
) -> RoundTable:
    if round_.deals:
        raise ActRefused("contest/deals-played", table=table.number, deals=len(round_.deals))
    check_score(score, round_.match, len(table.players), contest.formula.members)
    if isinstance(line.act, acts.ResultEntered) and table.players[score.winner] in table.forfeits:
        raise ActRefused("contest/winner-gave-up", number=table.players[score.winner], table=table.number)
    return replace(table, score=score, held=None, at=first_time(table, line), by=line.by)


def first_time(table: RoundTable, line: LogLine) -> int:
    """The time at which a table was first decided, which decides who lost before an hour even after a correction."""
    return line.at if table.at is None else table.at


def forfeit_table(contest: Contest, line: LogLine, act: acts.TableForfeited) -> Contest:
    round_ = contest.round(act.stage, act.round)
    table = round_.table(act.table)
    if table.decided or act.number not in table.left:
        raise ActRefused("contest/no-forfeit", table=act.table, number=act.number)
    return give_up(contest, round_, act.number, line)


def give_up(contest: Contest, round_: Round, player: int, line: LogLine) -> Contest:
    """Forfeit an entry's table. Raises `ActRefused` unless the table is still in play."""
    round_ = contest.round(round_.stage, round_.number)
    table = round_.table_of(player)
    if table is None or table.decided or player in table.forfeits:
        return contest
    now = replace(table, forfeits=(*table.forfeits, player))
    if now.decided:
        now = replace(now, at=first_time(table, line), by=line.by, held=None)
    return decide(contest, round_, table, now)


def withdrew(contest: Contest, line: LogLine, number: int) -> Contest:
    entrant = contest.entrant(number)
    if entrant.withdrawn:
        raise ActRefused("contest/withdrawn-already", number=number)
    now = contest.with_entrant(replace(entrant, withdrawn=True, here=entrant.here and bool(contest.main)))
    for round_ in contest.all_rounds():
        now = give_up(now, round_, number, line)
    return now


def decide(contest: Contest, round_: Round, old: RoundTable, new: RoundTable) -> Contest:
    """Decide a table; if the winner changes and a later round is drawn, its places change too."""
    now = contest.with_table(round_, old, new)
    later = now.rounds(round_.stage)[round_.number :]
    if not later and (old.ahead is None or round_.stage == "consolante"):
        return now
    after = move_players(now, round_.stage, round_.number, replacements(contest, now, round_))
    if is_stranded(after, round_.stage):
        raise ActRefused("contest/nobody-goes-on", round=round_.number + 1)
    return after


def is_stranded(contest: Contest, stage: Stage) -> bool:
    """Whether an entry advances into a drawn round without a seat there, because the entry it replaces withdrew."""
    if stage == "main" and not contest.formula.knock_out:
        return False
    rounds = contest.rounds(stage)
    return any(
        player not in after.players and not contest.entrants[player].withdrawn
        for before, after in pairwise(rounds)
        for player in before.ahead
    )


def swap_players(contest: Contest, stage: Stage, number: int, one: int, other: int) -> Contest:
    """Swap two entries of the last round drawn, at tables still in play."""
    round_ = contest.round(stage, number)
    if number != len(contest.rounds(stage)) or (contest.pools and number <= pool_rounds(contest)):
        raise ActRefused("contest/no-swap-here", round=number)
    tables = round_.table_of(one), round_.table_of(other)
    if one == other or tables[0] is None or tables[1] is None or tables[0] == tables[1]:
        raise ActRefused("contest/no-swap", one=one, other=other)
    for table in tables:
        if table is not None and not table.exempt and (table.decided or table.forfeits):
            raise played_already(table)
    return contest.with_round(exchange_names(round_, {one: other, other: one}))


def exchange_names(round_: Round, names: dict[int, int]) -> Round:
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


def pair_players(contest: Contest, stage: Stage, number: int, one: int, other: int) -> Contest:
    """The second swaps places with the first's opponent; if the first is exempt, it takes that place itself."""
    round_ = contest.round(stage, number)
    table = round_.table_of(one)
    if table is None:
        raise ActRefused("contest/no-swap", one=one, other=other)
    opposite = next((player for player in table.players if player != one), None)
    if opposite is not None:
        return swap_players(contest, stage, number, opposite, other)
    far = round_.table_of(other)
    place = next((player for player in far.players if player != other), None) if far else None
    if place is None:
        raise ActRefused("contest/no-swap", one=one, other=other)
    return swap_players(contest, stage, number, place, one)
