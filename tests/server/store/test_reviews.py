"""Storage of reviews: saved as they grow, resumed, and deleted with their table."""

from __future__ import annotations

from random import Random

from chouine.partie import Deal, State
from chouine.rules import Rules
from chouine.school.review import Judgement, Review
from chouine.server.fair_queue import NOBODY
from chouine.server.retention import Going, remove
from chouine.server.reviews import Reviews, decode, encode
from chouine.server.store import Append, Store
from tests.server.matches import opening
from tests.server.stores import with_store

STATE = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
FOUND = Judgement(
    3,
    2,
    1,
    "Ad",
    "8s",
    0.2,
    "blunder",
    0.55,
    0.35,
    exact=False,
    reasons=(("trumps", 0.5),),
    options=(("8s", 0.55),),
)


def test_what_was_found_is_read_as_it_was_written() -> None:
    review = Review(4, {2: FOUND})
    assert decode(encode(review)) == review
    assert not review.complete
    assert Review(1, {0: FOUND}).complete
    assert not Review().complete


def test_it_is_kept_as_it_comes_and_goes_with_its_table(database: str) -> None:
    async def test(store: Store) -> None:
        for table_id in ("one", "other"):
            await store.open(Append(table_id, 0, 1.0, None, (opening(),), None, over=True))
        await store.keep_review("one", 1, encode(Review(2, {0: FOUND})))
        await store.keep_review("one", 1, encode(Review(2, {0: FOUND, 1: FOUND})))
        await store.keep_review("other", 1, encode(Review(2)))
        assert {n: decode(body) for n, body in (await store.reviews("one")).items()} == {
            1: Review(2, {0: FOUND, 1: FOUND})
        }
        await remove(store, [Going("one", "nobodys", 0.0, 1)])
        assert await store.reviews("one") == {}
        assert list(await store.reviews("other")) == [1]

    with_store(database, test)


def test_a_review_broken_off_is_gone_on_with(sqlite: str) -> None:
    """A resumed review skips the decisions already judged."""

    async def test(store: Store) -> None:
        await store.open(Append("one", 0, 1.0, None, (opening(),), None, over=True))
        await store.keep_review("one", 1, encode(Review(3, {1: FOUND})))
        reviews = Reviews(store, 1)
        so_far = await reviews.of("one", 1)
        reviews.begin("one", 1, STATE, so_far, NOBODY)
        assert reviews.is_begun("one", 1)
        assert await reviews.in_order(("one", 1), STATE, NOBODY) == [0, 2]
        await reviews.close()

    with_store(sqlite, test)
