"""Make problems: search a draft for each preset and kind, then rate and pack all drafts of a folder.

An interrupted draft continues: each partie is determined by the seed and its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chouine.rules.options import Rules
from chouine.school.problems.difficulty import fitted, ratings
from chouine.school.problems.level_rates import ATTEMPTS, HANDICAPPED_LEVELS
from chouine.school.problems.mining import mined
from chouine.school.problems.problem import BadProblem, Kind, Problem

SUFFIX = ".draft"


class Part(NamedTuple):
    """Problems of one kind under one preset, and the number wanted."""

    preset: str
    kind: Kind
    many: int

    @property
    def name(self) -> str:
        return f"{self.preset}-{self.kind}"

    def path(self, folder: Path) -> Path:
        """The file of its draft."""
        return folder / f"{self.name}{SUFFIX}"


PLAN = (
    Part("classic", "ending", 1600),
    Part("classic", "equilibrium", 120),
    Part("classic", "search", 60),
    Part("mondoubleau", "ending", 700),
    Part("three", "search", 155),
    Part("four", "search", 155),
    Part("mondoubleau-three", "search", 155),
    Part("mondoubleau-four", "search", 155),
)
"""The problems that are shipped."""


class Drafted(NamedTuple):
    """A problem, and the number of the partie it is from."""

    number: int
    problem: Problem


def drafted(path: Path) -> Iterator[Drafted]:
    """The problems in a draft file; none if there is no file."""
    if not path.exists():
        return
    with path.open(encoding="utf-8") as lines:
        for nth, line in enumerate(lines, 1):
            number, _, text = line.partition(" ")
            try:
                yield Drafted(int(number), Problem.parse(text))
            except ValueError as error:
                raise BadProblem("problem/draft", file=str(path), line=nth) from error


def draft(part: Part, path: Path, seed: str) -> Iterator[int]:
    """Search until a draft holds as many problems as its part wants. Yields the number held after each partie."""
    found = list(drafted(path))
    first = found[-1].number + 1 if found else 0
    names = {each.problem.id for each in found}
    with path.open("a", encoding="utf-8") as out:
        for number, problem in mined(Rules.of_preset(part.preset), part.kind, seed, first):
            if len(names) >= part.many:
                return
            if problem is not None and problem.id not in names:
                names.add(problem.id)
                print(number, problem, file=out, flush=True)
            yield len(names)


def packed(folder: Path) -> list[Problem]:
    """The problems of a folder's draft files, sorted by id, without duplicates, each with its difficulty."""
    drafts = sorted(folder.glob(f"*{SUFFIX}"))
    problems = {each.problem.id: each.problem for path in drafts for each in drafted(path)}
    return sorted(rated(problems.values()), key=lambda problem: problem.id)


def rated(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems with difficulties, fitted for endings and for problems with hidden cards separately."""
    endings, hidden = list[Problem](), list[Problem]()
    for problem in problems:
        (endings if problem.kind == "ending" else hidden).append(problem)
    for alike in filter(None, (endings, hidden)):
        shares = np.array([problem.solved for problem in alike])
        _, difficulty = fitted(shares, np.array(list(ATTEMPTS.values())), len(HANDICAPPED_LEVELS))
        for problem, rating in zip(alike, ratings(difficulty), strict=True):
            yield replace(problem, difficulty=rating)
