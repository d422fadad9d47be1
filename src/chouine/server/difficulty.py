"""How difficult problems are for people, by the Weng–Lin method: a first try rates both the problem and the person.

For a problem its rating and the number of tries are stored, never who tried.
"""

from __future__ import annotations

from math import sqrt

import msgspec

from chouine.school.problems import Problem
from chouine.school.problems.problem import AVERAGE, UNIT

DOUBT = 200.0
"""Initial standard deviation of a problem's rating that was fitted on the levels: people differ from them."""
KNOWN, SETTLED = 60.0, 40.0
"""Least standard deviations of a person's and of a problem's rating: people change, so neither is ever certain."""
LEAST, MOST = 0.0, 3000.0
"""The range of ratings."""
ENOUGH = 20
"""First tries from which a problem's own rating replaces the one fitted on the levels."""
FAMILIAR = 5
"""First tries from which a person's rating is shown."""


class TrialRating(msgspec.Struct, frozen=True):
    """The rating of a person or a problem: mean, standard deviation, and number of first tries."""

    mean: float = AVERAGE
    spread: float = 350.0
    tries: int = 0


def by_levels(problem: Problem) -> TrialRating:
    """The rating of a problem that nobody has tried, as fitted on the levels."""
    return TrialRating(problem.difficulty, DOUBT)


def rate_attempt(
    person: TrialRating, problem: TrialRating, *, right: bool
) -> tuple[TrialRating, TrialRating]:
    """The ratings of person and problem after a first try."""
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(
        mu=AVERAGE, beta=UNIT / sqrt(2), tau=0.0
    )  # `UNIT` points make odds e times as good
    sides = [[model.create_rating([one.mean, one.spread])] for one in (person, problem)]
    (own,), (other,) = model.rate(sides, ranks=[1, 2] if right else [2, 1])
    return after(person, own.mu, max(own.sigma, KNOWN)), after(problem, other.mu, max(other.sigma, SETTLED))


def after(one: TrialRating, mean: float, spread: float) -> TrialRating:
    """A rating with a new mean and standard deviation and one more try."""
    return TrialRating(min(max(mean, LEAST), MOST), spread, one.tries + 1)


def sound(one: TrialRating) -> bool:
    """Whether a person's rating is in the possible range: a file may hold anything."""
    return LEAST <= one.mean <= MOST and KNOWN <= one.spread <= TrialRating().spread and one.tries >= 0
