"""Results, corrections, forfeits and withdrawals."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from chouine.tournament import acts
from chouine.tournament.errors import ActRefused
from chouine.tournament.formula import Stage
from chouine.tournament.log import LogLine
from chouine.tournament.places import leaving, moved
from chouine.tournament.score import Score, check_score
from chouine.tournament.state import Contest, Round, RoundTable


def played(contest: Contest, line: LogLine, act: acts.ResultEntered) -> Contest:
    """Enter a table's first result, or correct it with a reason; a result is never overwritten without one."""
    round_ = contest.round(act.stage, act.round)
    table = round_.table(act.table)
    if table.decided:
        raise ActRefused("contest/played-already", table=act.table, score=table.score or "0", by=table.by)
    return decide(contest, round_, table, scored(contest, round_, table, act.score, line))


def corrected(contest: Contest, line: LogLine, act: acts.Corrected) -> Contest:
    round_ = contest.round(act.stage, act.round)
    table = round_.table(act.table)
    if not table.decided:
        raise ActRefused("contest/nothing-to-correct", table=act.table)
    return decide(
        contest, round_, table, replace(scored(contest, round_, table, act.score, line), forfeits=())
    )


def scored(contest: Contest, round_: Round, table: RoundTable, score: Score, line: LogLine) -> RoundTable:
    check_score(score, round_.match, len(table.players), contest.formula.members)
    if isinstance(line.act, acts.ResultEntered) and table.players[score.winner] in table.forfeits:
        raise ActRefused("contest/winner-gave-up", number=table.players[score.winner], table=table.number)
    return replace(table, score=score, held=None, at=first_time(table, line), by=line.by)


def first_time(table: RoundTable, line: LogLine) -> int:
    """The time at which a table was first decided, which decides who lost before an hour even after a correction."""
    return line.at if table.at is None else table.at


def forfeited(contest: Contest, line: LogLine, act: acts.TableForfeited) -> Contest:
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
    after = moved(now, round_.stage, round_.number, leaving(contest, now, round_))
    if stranded(after, round_.stage):
        raise ActRefused("contest/nobody-goes-on", round=round_.number + 1)
    return after


def stranded(contest: Contest, stage: Stage) -> bool:
    """Whether an entry advances into a drawn round without a seat there, because the entry it replaces withdrew."""
    if stage == "main" and not contest.formula.knock_out:
        return False
    rounds = contest.rounds(stage)
    return any(
        player not in after.players and not contest.entrants[player].withdrawn
        for before, after in pairwise(rounds)
        for player in before.ahead
    )
