"""How difficult problems are for people: a first try rates the problem and who tried (Weng and Lin's method).

Of a problem its rating and how many tried are kept, never who.
"""

from __future__ import annotations

from math import sqrt

import msgspec

from chouine.school.problems import Problem
from chouine.school.problems.problem import AVERAGE, UNIT

DOUBT = 200.0
"""Standard deviation of what the levels tell of a problem: people are not levels."""
KNOWN, SETTLED = 60.0, 40.0
"""Standard deviations that a person's and a problem's rating keep at least: people learn, and each other person."""
LEAST, MOST = 0.0, 3000.0
"""Ratings, at the ends."""
ENOUGH = 20
"""First tries from which on people tell how difficult a problem is."""
FAMILIAR = 5
"""First tries from which on a person's rating is told."""


class Rated(msgspec.Struct, frozen=True):
    """A person or a problem: the rating, its standard deviation, and how many first tries it comes from."""

    mean: float = AVERAGE
    spread: float = 350.0
    tries: int = 0


def by_levels(problem: Problem) -> Rated:
    """A problem that nobody has tried."""
    return Rated(problem.difficulty, DOUBT)


def tried(person: Rated, problem: Rated, *, right: bool) -> tuple[Rated, Rated]:
    """Both after a first try."""
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(
        mu=AVERAGE, beta=UNIT / sqrt(2), tau=0.0
    )  # `UNIT` points make odds e times as good
    sides = [[model.create_rating([one.mean, one.spread])] for one in (person, problem)]
    (own,), (other,) = model.rate(sides, ranks=[1, 2] if right else [2, 1])
    return after(person, own.mu, max(own.sigma, KNOWN)), after(problem, other.mu, max(other.sigma, SETTLED))


def after(one: Rated, mean: float, spread: float) -> Rated:
    """One more try."""
    return Rated(min(max(mean, LEAST), MOST), spread, one.tries + 1)


def sound(one: Rated) -> bool:
    """Whether a person's rating is one that could have come about."""
    return LEAST <= one.mean <= MOST and KNOWN <= one.spread <= Rated().spread and one.tries >= 0
