"""Make problems: search a draft for each preset and kind, then rate and pack all drafts of a folder.

An interrupted draft continues: each partie is determined by the seed and its number.

Difficulties are fitted to the share of each level's attempts that solve a problem. A player of ability t and steepness
a solves a problem of difficulty d with probability 1 / (1 + exp(a (d − t))): Birnbaum's model, except that the
steepness belongs to the player, since a noisy player finds hard acts by chance. Endings are fitted separately, since
the upper levels solve them exactly. The handicapped levels do not, and align both scales: their mean ability is fixed
at 0, their mean steepness at 1.

`recheck` verifies shipped problems: endings are solved again, hidden cards are searched in other worlds than at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats
from chouine.ai.search import BATCH
from chouine.jobs import Crew, in_this_process
from chouine.plaintext import split_lines
from chouine.rules.options import Rules
from chouine.school.problems.ending import solve_ending
from chouine.school.problems.mining import ATTEMPTS, HANDICAPPED_LEVELS, mine
from chouine.school.problems.problem import AVERAGE, UNIT, BadProblem, Kind, Problem
from chouine.school.problems.solving import UNIFORM, lead, try_acts

ROUNDS = 100
SPREAD = 1.5
"""Prior standard deviation of difficulties."""
RIDGE = 1e-3
"""Ridge penalty: keeps the fit finite for a player that solves everything."""
STEP = 1.0
"""Largest Newton step."""


class Players(NamedTuple):
    """Ability and steepness of each player: one array element each."""

    ability: Floats
    steepness: Floats

    def expected_shares(self, difficulty: Floats) -> Floats:
        """Predicted shares of solved attempts: `float64[problems, players]`."""
        return sigmoid(self.steepness * (self.ability - difficulty[:, None]))


def fit_difficulty(shares: Floats, attempts: Floats, wavering: int) -> tuple[Players, Floats]:
    """Fit players and difficulties to `shares: float64[problems, players]` of attempts that solved each problem.

    The first `wavering` players are the handicapped ones that fix the scale.
    """
    difficulty, lines = np.zeros(len(shares)), np.tile((0.0, 1.0), (shares.shape[1], 1))
    for _ in range(ROUNDS):
        lines = np.array(
            [line_of(share, difficulty, line) for share, line in zip(shares.T, lines, strict=True)]
        )
        chance = sigmoid(lines[:, 0] - lines[:, 1] * difficulty[:, None])
        slope = (attempts * lines[:, 1] * (shares - chance)).sum(1) + difficulty / SPREAD**2
        weight = (attempts * lines[:, 1] ** 2 * chance * (1 - chance)).sum(1) + 1 / SPREAD**2
        difficulty -= np.clip(slope / weight, -STEP, STEP)
    ability, steepness = lines[:, 0] / lines[:, 1], lines[:, 1]
    middle, scale = ability[:wavering].mean(), steepness[:wavering].mean()
    return Players(scale * (ability - middle), steepness / scale), scale * (difficulty - middle)


def line_of(share: Floats, difficulty: Floats, line: Floats) -> Floats:
    """One Newton step of a player's logistic regression on difficulty."""
    inputs = np.stack((np.ones_like(difficulty), -difficulty), axis=1)
    chance = sigmoid(inputs @ line)
    slope = inputs.T @ (share - chance) / len(share) - RIDGE * (line - (0.0, 1.0))
    weight = (inputs.T * (chance * (1 - chance))) @ inputs / len(share) + RIDGE * np.eye(2)
    after = line + np.clip(np.linalg.solve(weight, slope), -STEP, STEP)
    return np.array((after[0], max(after[1], RIDGE)))


def sigmoid(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


def ratings(difficulty: Floats) -> Sequence[int]:
    """Difficulties converted to integer ratings."""
    return [int(each) for each in np.rint(AVERAGE + UNIT * difficulty)]


SUFFIX = ".draft"


class ProblemBatch(NamedTuple):
    """Problems of one kind under one preset."""

    preset: str
    kind: Kind
    many: int
    """Problems wanted with three acts or more."""
    quick: int = 0
    """Quick problems that are kept at most. None is sought: they are met on the way."""

    @property
    def name(self) -> str:
        return f"{self.preset}-{self.kind}"

    def path(self, folder: Path) -> Path:
        """The file of its draft."""
        return folder / f"{self.name}{SUFFIX}"


PLAN = (
    ProblemBatch("classic", "ending", 1340, 839),
    ProblemBatch("classic", "equilibrium", 120),
    ProblemBatch("classic", "search", 60),
    ProblemBatch("mondoubleau", "ending", 660, 321),
    ProblemBatch("three", "search", 205, 4),
    ProblemBatch("four", "search", 205, 4),
    ProblemBatch("mondoubleau-three", "search", 205, 10),
    ProblemBatch("mondoubleau-four", "search", 205, 17),
)
"""The problems that are shipped."""


class DraftProblem(NamedTuple):
    """A problem, and the number of the partie it is from."""

    number: int
    problem: Problem


def read_draft(path: Path) -> Iterator[DraftProblem]:
    """The problems in a draft file; none if there is no file. A last line that is cut short is passed over."""
    text = whole_lines(path).decode(errors="surrogateescape")  # a line with other bytes is no problem
    for nth, line in enumerate(split_lines(text), 1):
        number, _, rest = line.partition(" ")
        try:
            yield DraftProblem(int(number), Problem.parse(rest))
        except ValueError as error:
            raise BadProblem("problem/draft", file=str(path), line=nth) from error


def whole_lines(path: Path) -> bytes:
    """The lines of a file but for the last, if a search was killed while it wrote it; empty if there is no file."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]


def draft(part: ProblemBatch, path: Path, seed: str, crew: Crew = in_this_process) -> Iterator[int]:
    """Search until a draft holds as many problems as its part wants.

    Yields the number held, quick ones left out, after each partie.
    """
    found = list(read_draft(path))
    first = found[-1].number + 1 if found else 0
    names = {each.problem.id for each in found}
    quick = sum(each.problem.quick for each in found)
    with path.open("a", encoding="utf-8") as out:
        out.truncate(len(whole_lines(path)))
        for number, problem in mine(Rules.of_preset(part.preset), part.kind, seed, first, crew):
            if len(names) - quick >= part.many:
                return
            if problem is not None and problem.id not in names and (quick < part.quick or not problem.quick):
                names.add(problem.id)
                quick += problem.quick
                print(number, problem, file=out, flush=True)
            yield len(names) - quick


def pack_drafts(folder: Path) -> list[Problem]:
    """The problems of a folder's draft files, sorted by id, without duplicates, each with its difficulty."""
    drafts = sorted(folder.glob(f"*{SUFFIX}"))
    problems = {each.problem.id: each.problem for path in drafts for each in read_draft(path)}
    return sorted(rate_problems(problems.values()), key=lambda problem: problem.id)


def rate_problems(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems with difficulties, fitted for endings and for problems with hidden cards separately."""
    endings, hidden = list[Problem](), list[Problem]()
    for problem in problems:
        (endings if problem.kind == "ending" else hidden).append(problem)
    for alike in filter(None, (endings, hidden)):
        shares = np.array([problem.solved for problem in alike])
        _, difficulty = fit_difficulty(shares, np.array(list(ATTEMPTS.values())), len(HANDICAPPED_LEVELS))
        for problem, rating in zip(alike, ratings(difficulty), strict=True):
            yield replace(problem, difficulty=rating)


WORLDS, SEED = 4096, 3
BESIDE = 0.02
"""Every other act must be worse by at least this share of a partie."""
CLEAR, AGAIN = 3.0, 5
"""Within this many standard errors of `BESIDE`, the search is repeated with this many times the worlds."""


def recheck(worlds: int, seed: int, problem: Problem) -> bool:
    """Whether solving a problem again finds the same act, and no other comes near it."""
    if problem.kind == "ending":
        again = solve_ending(problem.state)
        return again is not None and again.best == problem.best and again.gap == problem.gap
    found = lead(try_acts(problem.view, UNIFORM, seed, worlds // BATCH))
    if found and abs(found.gap - BESIDE) < CLEAR * found.error:
        found = lead(try_acts(problem.view, UNIFORM, seed + 1, AGAIN * worlds // BATCH))
    return found is not None and found.best == problem.best and found.gap >= BESIDE
