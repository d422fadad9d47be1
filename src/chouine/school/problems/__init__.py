"""Problems: positions in which one act is right, found in self-play and shown to be sound.

problems = choose_problems(shipped_problems(), preset="classic", theme="der", hardest=1500)
today = of_the_day(shipped_problems(), day_of(datetime.now(UTC), None))
today.view, today.line                           # what whoever solves it may see
answer = judge_answer(today, read_action("Th"))  # accepted or not, what the others do then, whether it is solved
"""

from chouine.school.problems.answer import AnswerResult, judge_answer, own_steps
from chouine.school.problems.problem import KINDS, BadProblem, Kind, Problem
from chouine.school.problems.shipped import choose_problems, of_the_day, read, shipped_problems, streak

__all__ = [
    "KINDS",
    "AnswerResult",
    "BadProblem",
    "Kind",
    "Problem",
    "choose_problems",
    "judge_answer",
    "of_the_day",
    "own_steps",
    "read",
    "shipped_problems",
    "streak",
]
