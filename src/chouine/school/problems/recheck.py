"""Verify shipped problems: endings are solved again, hidden cards are searched in other worlds than at first."""

from __future__ import annotations

from chouine.school.problems.ending import solved
from chouine.school.problems.problem import Problem
from chouine.school.problems.search import lead, tried, uniform

WORLDS, SEED = 4096, 3
BESIDE = 0.02
"""Every other act must be worse by at least this share of a partie."""
CLEAR, AGAIN = 3.0, 5
"""Within this many standard errors of `BESIDE`, the search is repeated with this many times the worlds."""


def recheck(problem: Problem, worlds: int = WORLDS, seed: int = SEED) -> bool:
    """Whether solving a problem again finds the same act, and no other comes near it."""
    if problem.kind == "ending":
        again = solved(problem.state)
        return again is not None and again.best == problem.best and again.gap == problem.gap
    found = lead(problem.view, tried(problem.view, uniform, worlds, seed))
    if found and abs(found.gap - BESIDE) < CLEAR * found.error:
        found = lead(problem.view, tried(problem.view, uniform, AGAIN * worlds, seed + 1))
    return found is not None and found.best == problem.best and found.gap >= BESIDE
