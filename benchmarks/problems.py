"""Quality of the shipped problems: `python -m benchmarks.problems [part] [how many] [seed]`.

- `foretold`: difficulties fitted on levels 1, 3, 5 and 7 predict the rates of 2, 4 and 6, over all problems
- `levels`: levels 1 and 8 solve a random sample again
- `again`: a random sample is solved again, endings by brute force, others in 20 times the worlds
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai.arrays import Floats
from chouine.ai.levels import level
from chouine.ai.search import BATCH
from chouine.partie import Action, State
from chouine.rules.position import Position
from chouine.school.problems import Problem, shipped_problems
from chouine.school.problems.make import ROUNDS, Players, fit_difficulty, line_of, recheck
from chouine.school.problems.mining import ATTEMPTS
from chouine.school.problems.solving import BATCHES, FIRST

WIN, NULLE = 1, 0


def right_acts(state: State) -> list[Action]:
    """The acts that force a win for the seat on turn, of two seats; if there are none, those that force a nulle.

    By brute force on `State.play` alone: slow, and independent of the product's solver.
    """
    acts, seat = state.legal(), state.position.turn
    for target in (WIN, NULLE):
        seen: dict[Position, bool] = {}
        right = [act for act in acts if can_force(state.play(act), seat, target, seen)]
        if right:
            return right
    return list(acts)


def can_force(state: State, seat: int, target: int, seen: dict[Position, bool]) -> bool:
    """Whether a seat can force this result."""
    if state.result is not None:
        return state.result.winner == seat or (target == NULLE and state.result.winner is None)
    if state.position not in seen:
        after = (can_force(state.play(act), seat, target, seen) for act in state.legal())
        seen[state.position] = any(after) if state.position.turn == seat else all(after)
    return seen[state.position]


TIMES = 20
WORLDS = TIMES * BATCH * (FIRST + BATCHES)
"""Number of worlds; most problems are made with `FIRST + BATCHES` batches."""
FITTED = 1, 3, 5, 7
FORETOLD = 2, 4, 6
THIRDS = "easy", "middling", "hard"
PARTS = ["foretold", "levels", "again"]
LEVELS = 1, 8
SEED = 1_000_003
"""Base seed of levels that solve again, different from the seeds used to make problems."""


def agrees(problem: Problem, seed: int) -> bool:
    """Whether another method finds the same single right act."""
    if problem.kind != "ending":
        return recheck(WORLDS, seed, problem)
    return right_acts(problem.state) == [problem.best]


def solved_again(problems: Sequence[Problem], seed: int) -> Iterator[str]:
    """Number of problems that agree, by kind."""
    good: Counter[str] = Counter()
    for nth, problem in enumerate(problems, 1):
        if agrees(problem, seed):
            good[problem.kind] += 1
        else:
            yield f"- {problem.id} ({problem.kind}) does not agree: {problem.line}, {problem.solution[0]}"
        print(f"\r{nth}/{len(problems)}", end="", file=sys.stderr, flush=True)
    asked = Counter(problem.kind for problem in problems)
    listed = ", ".join(f"{kind} {good[kind]} of {many}" for kind, many in sorted(asked.items()))
    yield f"Solved again: {good.total()} of {len(problems)} agree ({listed})"


def asked_anew(problems: Sequence[Problem]) -> Iterator[str]:
    """The rates at which the lowest and the highest level solve, with new seeds."""
    for number in LEVELS:
        right = [
            level(number, problem.rules, SEED + nth).act(problem.view) == problem.best
            for nth, problem in enumerate(problems)
        ]
        yield f"Level {number} solves {np.mean(right):.1%} of {len(problems)}"


def foretold(problems: Sequence[Problem]) -> Iterator[str]:
    """Solving rates of levels, beside the rates predicted from difficulties fitted without these levels.

    A level's ability and slope are fitted on every other problem; the rest are predicted, in thirds by difficulty.
    """
    yield "| problems | level | foretold | solved | apart |\n| --- | ---: | ---: | ---: | ---: |"
    for name, alike in parts(problems):
        shares = np.array([problem.solved for problem in alike])
        attempts = np.array([ATTEMPTS[number] for number in FITTED])
        _, difficulty = fit_difficulty(
            shares[:, [number - 1 for number in FITTED]], attempts, len(FITTED) - 1
        )
        for number in FORETOLD:
            was = shares[:, number - 1]
            told, found = (
                player_of(was[::2], difficulty[::2]).expected_shares(difficulty[1::2])[:, 0],
                was[1::2],
            )
            order = np.argsort(difficulty[1::2])
            for third, rows in zip(
                ("all", *THIRDS), (order, *np.array_split(order, len(THIRDS))), strict=True
            ):
                expect, got = told[rows].mean(), found[rows].mean()
                yield f"| {name}, {third} | {number} | {expect:.1%} | {got:.1%} | {got - expect:+.1%} |"


def player_of(share: Floats, difficulty: Floats) -> Players:
    """Fit a level's ability and slope to its solving rates at known difficulties."""
    line = np.array((0.0, 1.0))
    for _ in range(ROUNDS):
        line = line_of(share, difficulty, line)
    return Players(line[:1] / line[1:], line[1:])


def parts(problems: Sequence[Problem]) -> Iterator[tuple[str, list[Problem]]]:
    """Endings and problems with hidden cards, which are rated separately."""
    yield "endings", [problem for problem in problems if problem.kind == "ending"]
    yield "hidden", [problem for problem in problems if problem.kind != "ending"]


def main() -> None:
    part, many, seed = read_arguments(__doc__, part=("all", *PARTS), how_many=300, seed=5)
    problems = shipped_problems()
    drawn = Random(seed).sample(problems, min(many, len(problems)))
    told = {
        "foretold": lambda: foretold(problems),
        "levels": lambda: asked_anew(drawn),
        "again": lambda: solved_again(drawn, seed),
    }
    for name in PARTS if part == "all" else (part,):
        for line in told[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main()
