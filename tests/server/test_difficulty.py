"""Problem ratings from first tries, without personal data."""

from __future__ import annotations

import asyncio
from random import Random

import sqlalchemy as sa

from chouine.school.problems import shipped_problems
from chouine.school.problems.problem import AVERAGE
from chouine.server.difficulty import KNOWN, LEAST, MOST, SETTLED, TrialRating, by_levels, rate_attempt
from chouine.server.schema import difficulty
from chouine.server.store import Store
from tests.server.stores import with_store

PROBLEM = TrialRating(1500, 200)


def test_who_solves_rises_and_the_problem_falls() -> None:
    for right, way in ((True, 1), (False, -1)):
        person, problem = rate_attempt(TrialRating(), PROBLEM, right=right)
        assert (person.mean - AVERAGE) * way > 0
        assert (problem.mean - PROBLEM.mean) * way < 0
        assert person.tries == problem.tries == 1
        assert person.spread < TrialRating().spread


def test_a_newcomers_try_moves_a_problem_less_than_that_of_somebody_known() -> None:
    moved = [rate_attempt(TrialRating(1500, spread), PROBLEM, right=True)[1].mean for spread in (350, 60)]
    assert PROBLEM.mean - moved[0] < PROBLEM.mean - moved[1]


def test_people_find_out_how_difficult_a_problem_is() -> None:
    """Forty first tries bring a problem's rating to its true difficulty when the initial one is wrong."""
    rng = Random(3)
    for true in (1250, 1750):
        found = []
        for _ in range(50):
            problem = PROBLEM
            for _ in range(40):
                able = rng.gauss(1500, 250)
                solves = rng.random() < 1 / (1 + 10 ** ((true - able) / 400))
                problem = rate_attempt(TrialRating(rng.gauss(able, 80), 80), problem, right=solves)[1]
            found.append(problem.mean)
        assert abs(sum(found) / len(found) - true) < 40


def test_no_rating_leaves_its_bounds_or_settles_for_good() -> None:
    person, problem = TrialRating(), PROBLEM
    for answers in ((True,), (False,), (True, False)):
        person, problem = TrialRating(), PROBLEM
        for nth in range(500):
            person, problem = rate_attempt(person, problem, right=answers[nth % len(answers)])
        assert all(LEAST <= one.mean <= MOST for one in (person, problem))
        assert person.spread >= KNOWN
        assert problem.spread >= SETTLED
    assert (person.spread, problem.spread) == (KNOWN, SETTLED), (
        "solved every other time: known as well as can be"
    )


def test_first_tries_are_kept_each_once_and_name_nobody(database: str) -> None:
    """Concurrent first tries are all counted, without any trace of who made them."""

    async def test(store: Store) -> None:
        one = shipped_problems()[0]
        people = await asyncio.gather(
            *(
                store.rate(
                    one.id, by_levels(one), lambda rated: rate_attempt(TrialRating(), rated, right=False)
                )
                for _ in range(8)
            )
        )
        assert {person.tries for person in people} == {1}
        assert await store.difficulties(9) == {}
        assert (await store.difficulties(8))[one.id].tries == 8
        assert (await store.difficulties(8))[one.id].mean > one.difficulty
        assert {column.name for column in difficulty.columns} == {"problem", "mean", "spread", "tries"}
        rows = await store.database.read(lambda connection: connection.execute(sa.select(difficulty)).all())
        assert len(rows) == 1

    with_store(database, test)
