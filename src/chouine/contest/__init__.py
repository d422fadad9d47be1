"""Contests at real tables or on a server, as pure functions; needs the standard library only.

A contest is its log of acts: `fold` computes the `Contest`, `draw` draws the next round, `views` computes what a desk
shows, `check` verifies a log.

    contest = add(None, ContestOpened(FORMULAS["lavardin"], commit(seed)), "entry", now)
    contest = add(contest, Entered(contest.next_number), "entry", now)
    contest = add(contest, draw(contest, "main", seed, "Qh"), "referee", now)
    contest = add(contest, ResultEntered("main", 1, 7, Score.of((2, 1))), "results", now)

`add` raises `ActRefused` for an act that cannot be done; the new log line is `contest.head`. The effects of an act are
`changes(contest, add(contest, act, …))`.
"""

from chouine.contest.acts import (
    Amended,
    Called,
    Changed,
    ContestAct,
    ContestOpened,
    Corrected,
    DealsPlayed,
    Details,
    Ended,
    Entered,
    Erased,
    ListEntered,
    Paid,
    Paired,
    Present,
    PrizesSet,
    ResultEntered,
    Revealed,
    RoundDrawn,
    Settled,
    Swapped,
    TableForfeited,
    Undone,
    Withdrew,
)
from chouine.contest.draw import commit, draw
from chouine.contest.fold import add, after, contest_of
from chouine.contest.formula import FORMULAS, Formula, Stage, formula_for
from chouine.contest.log import LogLine
from chouine.contest.ranking import ranking
from chouine.contest.score import MatchResult, Score
from chouine.contest.state import Contest, Entrant, Round, RoundTable
from chouine.contest.views import changes
from chouine.errors import ActRefused

__all__ = [
    "FORMULAS",
    "ActRefused",
    "Amended",
    "Called",
    "Changed",
    "Contest",
    "ContestAct",
    "ContestOpened",
    "Corrected",
    "DealsPlayed",
    "Details",
    "Ended",
    "Entered",
    "Entrant",
    "Erased",
    "Formula",
    "ListEntered",
    "LogLine",
    "MatchResult",
    "Paid",
    "Paired",
    "Present",
    "PrizesSet",
    "ResultEntered",
    "Revealed",
    "Round",
    "RoundDrawn",
    "RoundTable",
    "Score",
    "Settled",
    "Stage",
    "Swapped",
    "TableForfeited",
    "Undone",
    "Withdrew",
    "add",
    "after",
    "changes",
    "commit",
    "contest_of",
    "draw",
    "formula_for",
    "ranking",
]
