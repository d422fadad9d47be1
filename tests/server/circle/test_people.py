"""People who know each other, on both backends: who may know what, requests, blocks, erasure."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from chouine.server.accounts.merging import merge_guests, merge_people
from chouine.server.circle.known import HERE, KnownPerson
from chouine.server.circle.people import LINK, USED, PeopleRefused
from chouine.server.contest.online import Contests
from chouine.server.erasure import erase
from chouine.server.order import KeeperActs, KeeperDecision
from chouine.server.partners import pseudonym
from chouine.server.personal import parts_of
from chouine.server.schema import challenge, friendship, invitee, person
from chouine.server.store import Store
from chouine.server.visitors import secrets_of
from tests.server.circle.village import EVENING_TERMS, SLOW_TERMS, Village
from tests.server.stores import store_at, with_store


def test_noting_a_visit_does_not_undo_a_change_of_name(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page of a day notes that its owner is there, while the keeper or another tab gives another name."""

    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle("odette")
        village.clock.now += USED + 1
        execute = store.database.execute

        async def rename_and_execute(statement: sa.UpdateBase) -> int:
            monkeypatch.undo()
            await village.people.change("odette", "Ondine", "", "kh", {})
            return await execute(statement)

        monkeypatch.setattr(store.database, "execute", rename_and_execute)
        assert (await village.people.own("odette", "Odette")).name == "Ondine"
        assert (await village.people.read_own("odette")).name == "Ondine"

    with_store(database, test)


def test_two_tabs_show_the_same_link(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle("odette")
        links = await asyncio.gather(*(village.people.link("odette") for _ in range(4)))
        assert len({*links}) == 1
        fresh = await village.people.link("odette", fresh=True)
        assert fresh not in links
        assert await village.people.link("odette") == fresh

    with_store(database, test)


def test_who_takes_the_asking_back_makes_no_friend(database: str) -> None:
    """At the same moment at which it is accepted: either they are friends, or it comes too late."""

    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle("odette", "basile")
        await village.people.ask("odette", "basile")
        taken_back = village.people.undo("odette", "basile")
        _, accepted = await asyncio.gather(
            taken_back, village.people.accept("basile", "odette"), return_exceptions=True
        )
        if (
            isinstance(accepted, PeopleRefused) or store.database.dialect == "sqlite"
        ):  # which writes in this order
            assert await village.friends("basile") == []

    with_store(database, test)


def test_what_is_not_shown_is_nothing_but_the_name_to_those_one_has_met(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle()
        assert await village.page_seen_by("basile", "odette") is None
        await village.play("odette", "basile")
        seen = await village.page_seen_by("basile", "odette")
        assert seen is not None
        assert (seen.name, seen.village, seen.emblem, seen.since, seen.here) == ("Odette", "", "", 0.0, False)
        assert await village.page_seen_by("clovis", "odette") is None

    with_store(database, test)


@pytest.mark.parametrize("answer", ["nobody", "friends", "everybody"])
def test_each_sees_what_was_chosen(database: str, answer: str) -> None:
    """Who × what × relation."""

    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle()
        await village.show_all("odette", answer)
        await village.befriend("basile", "odette")
        await village.play("odette", "clovis")
        village.people.note_asked("odette")
        await village.people.keep_asked()
        found = {
            each: await village.page_seen_by(each, "odette")
            for each in ("odette", "basile", "clovis", "irma")
        }
        shown = {
            each: one and (one.village, one.emblem, one.since > 0, one.here) for each, one in found.items()
        }
        all_of_it, nothing = ("Thoré", "kh", True), ("", "", False)
        assert shown == {
            "odette": (*all_of_it, False),
            "basile": (*(nothing if answer == "nobody" else all_of_it), True),
            "clovis": (*(all_of_it if answer == "everybody" else nothing), False),
            "irma": (*all_of_it, False) if answer == "everybody" else None,
        }

    with_store(database, test)


def test_blocked_is_as_never_answered(database: str) -> None:
    """Whoever is blocked sees what a stranger would, asks without an answer, and is not heard of."""

    async def test(store: Store) -> None:
        village = Village(store)
        people = village.people
        await village.settle()
        await village.play("odette", "basile")
        await village.befriend("basile", "odette")
        before = await village.page_seen_by("basile", "odette")
        assert before is not None
        assert before.relation == "friend"
        await village.partners.block("odette", "basile", "Basile")
        people.note_asked("odette")
        people.note_asked("basile")
        await people.keep_asked()
        assert await village.friends("basile") == await village.friends("odette") == []
        seen = await village.page_seen_by("basile", "odette")
        await people.undo("clovis", "odette")
        plain = KnownPerson(seen.id, "Odette", "met", may_challenge=True) if seen else None
        assert seen == plain
        await people.ask("basile", "odette")
        asked = await village.page_seen_by("basile", "odette")
        assert asked is not None
        assert asked.asked
        assert await people.askers(await people.bonds("odette")) == []
        _, told = await village.challenges.send("basile", ["odette"], EVENING_TERMS)
        assert told == ()
        assert await village.challenges.offers_to("odette") == []
        assert await village.challenges.count_waiting("odette") == 0
        (sent,) = await village.challenges.offers_by("basile")
        assert sent.state == "open"
        assert await village.refusal(village.challenges.accept("odette", sent.id)) == "people/too-late"
        assert await village.refusal(people.ask("odette", "basile")) == "people/blocked"
        assert (
            await village.refusal(village.challenges.send("odette", ["basile"], EVENING_TERMS))
            == "people/blocked"
        )
        link, _ = await people.link("odette")
        assert await people.inviter("basile", link) is None
        assert await people.opponents("odette", await people.bonds("odette")) == []
        await village.partners.unblock("odette", pseudonym("odette", "basile"))
        assert [one.name for one in await people.askers(await people.bonds("odette"))] == ["Basile"]
        assert await village.friends("odette") == []

    with_store(database, test)


def test_one_asks_once(database: str) -> None:
    """Declined, one is not told, and asking again, or withdrawing and asking again, reaches nobody."""

    async def test(store: Store) -> None:
        village = Village(store)
        people = village.people
        await village.settle()
        await village.play("odette", "basile")
        await people.ask("basile", "odette")
        assert await people.askers(await people.bonds("odette"))
        await people.decline("odette", "basile")
        seen = await village.page_seen_by("basile", "odette")
        assert seen is not None
        assert seen.asked
        for _ in range(2):
            await people.undo("basile", "odette")
            seen = await village.page_seen_by("basile", "odette")
            assert seen is not None
            assert not seen.asked
            await people.ask("basile", "odette")
            assert not await people.askers(await people.bonds("odette"))
        assert await village.refusal(people.accept("odette", "basile")) == "people/not-asked"
        await people.ask("odette", "basile")  # the other way round it is open
        await people.accept("basile", "odette")
        assert await village.friends("odette") == ["Basile"]
        await people.undo("odette", "basile")
        assert await village.friends("basile") == []

    with_store(database, test)


def test_two_who_ask_each_other_are_friends_and_a_link_makes_some(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        people = village.people
        await village.settle()
        await village.play("odette", "basile")
        await asyncio.gather(
            people.ask("odette", "basile"), people.ask("basile", "odette"), return_exceptions=True
        )
        await people.ask("odette", "basile")
        await people.ask("basile", "odette")
        assert await village.friends("odette") == ["Basile"]
        link, until = await people.link("odette")
        assert until == village.clock.now + LINK
        assert (await people.link("odette"))[0] == link
        inviting = await people.inviter("irma", link)
        assert inviting is not None
        assert inviting.name == "Odette"
        assert await people.inviter("odette", link) is None
        await people.accept_link("irma", link)
        assert await village.friends("irma") == ["Odette"]
        fresh, _ = await people.link("odette", fresh=True)
        assert await people.inviter("clovis", link) is None
        village.clock.now += LINK + 1
        assert await people.inviter("clovis", fresh) is None
        assert await people.inviter("clovis", "") is None
        assert await village.refusal(people.accept_link("clovis", fresh)) == "people/link-ended"

    with_store(database, test)


def test_here_is_who_asked_just_now_on_any_node_unless_switched_off(database: str) -> None:
    async def test(store: Store) -> None:
        async with store_at(database) as second:
            village = Village(store)
            other = Village(second, village.clock)
            await village.settle()
            await village.befriend("basile", "odette")

            async def who_is_here() -> list[bool]:
                bonds = await village.people.bonds("basile")
                return [one.here for one in await village.people.friends(bonds)]

            assert await who_is_here() == [False]
            other.people.note_asked("odette")
            await other.people.keep_asked()
            assert await who_is_here() == [True]
            village.clock.now += HERE
            assert await who_is_here() == [False]
            other.people.note_asked("odette")
            await other.people.show_presence("odette", present=False)
            await other.people.keep_asked()
            assert await who_is_here() == [False]
            kept = await store.database.read(
                lambda connection: connection.execute(sa.select(person.c.seen)).all()
            )
            assert {row.seen for row in kept} == {0.0}, "when one was seen is not stored"
            await other.people.show_presence("odette", present=True)
            assert await who_is_here() == [True]

    with_store(database, test)


def test_who_is_erased_vanishes_from_every_list(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        people, challenges = village.people, village.challenges
        await village.settle()
        await village.play("odette", "basile")
        await village.befriend("basile", "odette")
        await challenges.send("odette", ["basile"], EVENING_TERMS)
        await challenges.send("basile", ["odette"], SLOW_TERMS)
        own = await people.own("odette", "")
        await erase(village.tables, Contests(store, village.clock), "odette")
        bonds = await people.bonds("basile")
        assert await people.friends(bonds) == await people.askers(bonds) == []
        assert await people.opponents("basile", bonds) == []
        assert await challenges.offers_to("basile") == []
        assert [one.state for one in await challenges.offers_by("basile")] == ["declined"]
        assert await people.find("basile", own.id) is None

        def rows(connection: sa.Connection) -> list[Any]:
            tables = person, friendship, challenge, invitee
            return [tuple(row) for table in tables for row in connection.execute(sa.select(table))]

        assert "odette" not in str(await store.database.read(rows))

    with_store(database, test)


def test_the_export_names_friends_and_not_who_declined(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle()
        await village.befriend("basile", "odette")
        await village.play("odette", "clovis")
        await village.people.ask("odette", "clovis")
        await village.people.decline("clovis", "odette")
        parts = await parts_of(store, "odette")
        known = {(row["name"], row["state"]) for row in parts["friends"]}
        assert known == {("Basile", "friend"), ("Clovis", "asked")}
        assert parts["page"][0]["name"] == "Odette"
        assert "link" not in parts["page"][0]

    with_store(database, test)


def test_a_new_cookie_keeps_friends(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle()
        await village.befriend("basile", "odette")
        await village.challenges.send("basile", ["odette"], EVENING_TERMS)
        contests = Contests(store, village.tables.clock)
        await merge_guests(village.tables, contests, "odette", "new", "token")
        assert await village.friends("new") == ["Basile"]
        assert await village.friends("basile") == ["Odette"]
        assert len(await village.challenges.offers_to("new")) == 1

    with_store(database, test)


def test_two_guests_of_one_person_become_one(database: str) -> None:
    """Of two bonds with the same person the stronger stays, nobody is bound to themselves, and challenges move."""

    async def test(store: Store) -> None:
        village = Village(store)
        people = village.people
        await village.settle()
        await village.befriend("odette", "basile")
        await village.play("odette", "irma")
        await people.ask("irma", "basile")
        await village.befriend("irma", "odette")
        await village.play("irma", "clovis")
        await people.ask("irma", "clovis")
        await village.partners.block("irma", "odette", "Odette")
        await village.challenges.send("basile", ["odette"], EVENING_TERMS)
        await village.challenges.send("odette", ["basile"], EVENING_TERMS)
        await store.database.write(lambda connection: merge_people(connection, "odette", "irma"))
        assert await village.friends("irma") == ["Basile"]
        assert await village.friends("basile") == ["Irma"]
        bonds = await people.bonds("irma")
        assert bonds.asked == {"clovis"}
        assert not bonds.blocked | bonds.hidden
        assert (
            len(await village.challenges.offers_to("irma"))
            == len(await village.challenges.offers_to("basile"))
            == 1
        )
        own = await people.own("irma", "")
        assert own.name == "Irma"

    with_store(database, test)


def test_the_keeper_renames_a_person_and_clears_a_village(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle("odette")
        await village.show_all("odette", "everybody")
        order = KeeperActs(village.tables, Contests(store, village.clock), await secrets_of(store))
        own = await village.people.own("odette", "")
        words = await order.words_at("people", own.id)
        assert [one.name for one in words] == ["Odette", "Thoré"]
        await order.decide(words[0], KeeperDecision("rename", "rude", "Colette"))
        await order.decide(words[1], KeeperDecision("rename", "rude"))
        own = await village.people.own("odette", "")
        assert (own.name, own.village) == ("Colette", "")

    with_store(database, test)


def test_neighbours_are_those_who_show_their_village(database: str) -> None:
    async def test(store: Store) -> None:
        village = Village(store)
        await village.settle()
        for guest, answer in (("odette", "everybody"), ("basile", "everybody"), ("clovis", "friends")):
            await village.show_all(guest, answer)
        assert await village.people.neighbours("odette") == ("Thoré", frozenset({"basile"}))
        assert await village.people.neighbours("clovis") == ("Thoré", frozenset({"odette", "basile"}))
        assert await village.people.neighbours("irma") == ("", frozenset())
        assert await village.people.neighbours("nobody") == ("", frozenset())

    with_store(database, test)
