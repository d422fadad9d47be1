"""Contests of people at real tables or at the server's: pure, the standard library only.

A contest is its log of acts; `fold` makes the `Contest` of it, `draw` makes the next round, `views` and `timing` say
what a desk shows, `check` holds a log against its rules.

    contest = add(None, Opened(FORMULAS["lavardin"], commit(seed)), "entry", now)
    contest = add(contest, Entered(contest.next_number), "entry", now)
    contest = add(contest, draw(contest, "main", seed, "Qh"), "referee", now)
    contest = add(contest, Played("main", 1, 7, Score.of((2, 1))), "results", now)

Each `add` refuses (`Refused`) what cannot be done, and its line is `contest.head`. What an act would change is
`changes(contest, add(contest, act, …))`.
"""

from chouine.tournament.acts import (
    Act,
    Amended,
    Called,
    Corrected,
    Details,
    Drawn,
    Entered,
    Forfeited,
    Opened,
    Paid,
    Paired,
    Played,
    Present,
    Revealed,
    Settled,
    Swapped,
    Undone,
    Withdrew,
)
from chouine.tournament.draw import commit, draw
from chouine.tournament.errors import Refused
from chouine.tournament.fold import add, after, contest_of
from chouine.tournament.formula import FORMULAS, Formula, Stage, formula_for
from chouine.tournament.log import Line
from chouine.tournament.ranking import ranking
from chouine.tournament.score import Board, Score
from chouine.tournament.state import Contest, Entrant, Round, Table
from chouine.tournament.views import changes, palmares

__all__ = [
    "FORMULAS",
    "Act",
    "Amended",
    "Board",
    "Called",
    "Contest",
    "Corrected",
    "Details",
    "Drawn",
    "Entered",
    "Entrant",
    "Forfeited",
    "Formula",
    "Line",
    "Opened",
    "Paid",
    "Paired",
    "Played",
    "Present",
    "Refused",
    "Revealed",
    "Round",
    "Score",
    "Settled",
    "Stage",
    "Swapped",
    "Table",
    "Undone",
    "Withdrew",
    "add",
    "after",
    "changes",
    "commit",
    "contest_of",
    "draw",
    "formula_for",
    "palmares",
    "ranking",
]
