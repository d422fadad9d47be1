"""Challenges of people who know each other, on both backends: sent, answered, and offered again."""

from __future__ import annotations

import asyncio

from chouine.server.circle import challenges as of_challenges
from chouine.server.circle.challenges import EVENING, OFTEN, SLOW, Terms
from chouine.server.store import Store
from tests.server.circle.village import EVENING_TERMS, SLOW_TERMS, Village
from tests.server.stores import present, store_at, with_store


def test_a_challenge_opens_a_table_once_accepted(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        challenges = village.challenges
        await village.settle()
        assert (
            await village.refusal(challenges.send("odette", ["basile"], EVENING_TERMS))
            == "people/not-challenged"
        )
        await village.befriend("basile", "odette")
        which, told = await challenges.send("odette", ["basile"], EVENING_TERMS)
        assert told == ("basile",)
        assert await village.refusal(challenges.send("odette", ["basile"], SLOW_TERMS)) == "people/challenged"
        assert await village.refusal(challenges.accept("clovis", which)) == "people/too-late"
        assert await village.refusal(challenges.accept("odette", which)) == "people/too-late"
        (received,) = await challenges.offers_to("basile")
        assert (received.names, received.until) == (("Odette",), village.clock.now + EVENING)
        done = await asyncio.gather(
            challenges.accept("basile", which), challenges.accept("basile", which), return_exceptions=True
        )
        table_ids = {one[0] for one in done if isinstance(one, tuple)} - {""}
        assert len(table_ids) == 1
        (table_id,) = table_ids
        table = await present(village.tables, table_id)
        assert [(holder.name, holder.guest) for holder in table.holders] == [
            ("Odette", "odette"),
            ("Basile", "basile"),
        ]
        assert (await challenges.offers_by("odette"))[0].table_id == table_id
        assert await challenges.opened_for("odette", 0.0) == table_id
        await challenges.drop("odette", which)
        assert await challenges.offers_by("odette") == []
        assert await challenges.offers_to("basile") == []

    with_store(database, test)


def test_the_challenger_learns_of_no_and_of_silence_and_cannot_press(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        challenges = village.challenges
        await village.settle()
        await village.befriend("basile", "odette")
        which, _ = await challenges.send("odette", ["basile"], SLOW_TERMS)
        await challenges.decline("clovis", which)
        assert (await challenges.offers_by("odette"))[0].state == "open"
        await challenges.decline("basile", which)
        assert (await challenges.offers_by("odette"))[0].state == "declined"
        await challenges.drop("odette", which)
        which, _ = await challenges.send("odette", ["basile"], SLOW_TERMS)
        village.clock.now += SLOW
        assert (await challenges.offers_by("odette"))[0].state == "expired"
        assert await challenges.offers_to("basile") == []
        assert await village.refusal(challenges.accept("basile", which)) == "people/too-late"
        for _ in range(OFTEN):
            which, _ = await challenges.send("odette", ["basile"], EVENING_TERMS)
            await challenges.drop("odette", which)
        assert (
            await village.refusal(challenges.send("odette", ["basile"], EVENING_TERMS)) == "people/too-often"
        )
        await village.people.change("basile", "Basile", "", "", {"challenged_by": "nobody"})
        village.clock.now += of_challenges.DAY
        assert (
            await village.refusal(challenges.send("odette", ["basile"], EVENING_TERMS))
            == "people/not-challenged"
        )

    with_store(database, test)


def test_three_play_again_once_all_want_it(database: str) -> None:
    """Whoever taps after another accepts what that one offers; the last opens the table, at whichever node."""

    async def test(store: Store) -> None:
        async with store_at(database) as second:
            village = Village(store)
            other = Village(second, village.clock)
            await village.settle()
            await village.play("odette", "basile", "clovis")
            terms = Terms("three", "3x1", 0, 0)
            first = await village.challenges.offer_again("odette", ["basile", "clovis"], terms)
            assert first == ("", ("basile", "clovis"))
            found = await asyncio.gather(
                village.challenges.offer_again("basile", ["odette", "clovis"], terms),
                other.challenges.offer_again("clovis", ["basile", "odette"], terms),
            )
            (table_id,) = {table_id for table_id, _ in found} - {""}
            table = await present(village.tables, table_id)
            assert [holder.guest for holder in table.holders] == ["odette", "basile", "clovis"]
            few = Terms("classic", "3x1", 0, 0)
            refused = village.challenges.send("odette", ["basile", "clovis"], few)
            assert await village.refusal(refused) == "people/other-seats"

    with_store(database, test)
