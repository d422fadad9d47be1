"""The steward runs contests: tables for pairs, results, rounds and forfeits by the clock, also beside other nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Row, Select

from chouine.contest import (
    ActRefused,
    Ended,
    Entered,
    Formula,
    Revealed,
    Withdrew,
    contest_of,
    formula_for,
    ranking,
)
from chouine.contest.check import check_log
from chouine.server.contest.online import Contests, EntryVisitor, Online, table_id_of
from chouine.server.contest.online_pages import enter
from chouine.server.contest.solver import cheapest_matching
from chouine.server.contest.steward import Steward
from chouine.server.erasure import erase
from chouine.server.limits import WIDE
from chouine.server.schema import contest, entrant, entry
from chouine.server.store import Store
from chouine.server.thinking import FairPool
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms
from tests.patience import PATIENCE
from tests.server.matches import is_over
from tests.server.stores import Clock, play_on, present, tables_of, with_store

HERE, ELSEWHERE = "1" * 32, "2" * 32
"""Digests of two addresses."""


class AlwaysAlive:
    """A heartbeat whose database is always reachable."""

    works = True


class Hall:
    """A contest with a given number of players, and one node's steward."""

    def __init__(self, store: Store, seed: int = 0) -> None:
        self.clock = Clock()
        self.tables = tables_of(store, self.clock, seed)
        self.contests = Contests(store, self.clock)
        self.steward = Steward(self.contests, self.tables, FairPool(1, ThreadPoolExecutor), AlwaysAlive())  # type: ignore[arg-type]
        self.which = ""

    async def open(
        self,
        players: int,
        formula: Formula | None = None,
        clock: ClockTerms | None = None,
        owner: str = "owner",
        origin: str = "",
    ) -> None:
        self.which = await self.contests.open(
            formula or formula_for("lavardin", matches=("1x1",), consolante_matches=("1x1",)),
            "Essai", clock or ClockTerms(30, 300), owner, origin,
        )  # fmt: skip
        for n in range(1, players + 1):
            await self.enter(n)

    async def enter(self, n: int) -> None:
        def enter_next(now: Online) -> Entered:
            return Entered(now.contest.next_number)

        await self.contests.do(self.which, enter_next, lambda _: EntryVisitor(f"guest-{n}", f"Nom {n}"))

    async def online(self) -> Online:
        online = await self.contests.get(self.which)
        assert online is not None
        return online

    async def games(self) -> list[str]:
        """The contest's open tables."""
        online = await self.online()
        return [table_id_of(online, r, t) for r in online.contest.all_rounds() for t in r.open]

    async def play_all(self, rng: Random) -> Online:
        """Play all tables at random and return the contest at its end."""
        for _ in range(100):
            await self.steward.look()
            games = await self.games()
            if not games:
                break
            for table_id in games:
                await play_on(self.tables, table_id, is_over, rng)
        return await self.online()


def check(online: Online) -> None:
    report = check_log(list(online.contest.lines), None, cheapest_matching)
    assert report.breaches == ()
    assert online.state == "over"
    assert online.contest.seed == online.seed


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_a_contest_runs_to_its_palmares_by_itself(database: str, players: int) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(players)
        await hall.contests.turn(hall.which, "live")
        online = await hall.play_all(Random(players))
        check(online)
        assert len(ranking(online.contest)) == players
        assert bool(online.contest.consolante) == (players > 3)

    with_store(database, test)


def test_a_contest_is_over_as_soon_as_its_seed_is_revealed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to who began to read it just before, and whatever happens after that line is written."""

    async def test(store: Store) -> None:
        contests = Contests(store, Clock())
        which = await contests.open(formula_for("lavardin"), "Essai", ClockTerms(30, 300), "a", HERE)
        await contests.do(which, lambda _: Ended("rain"))
        read = store.database.rows

        async def reveal_meanwhile(query: Select[Any]) -> Sequence[Row[Any]]:
            found = await read(query)
            monkeypatch.undo()
            online = await contests.do(which, lambda online: Revealed(online.seed))
            assert online.state == "over"
            return found

        monkeypatch.setattr(store.database, "rows", reveal_meanwhile)
        online = await Contests(store, Clock()).get(which)
        assert online is not None
        assert online.contest.seed == online.seed
        assert online.state == "over"
        [row] = await read(sa.select(contest.c.state, contest.c.origin))
        assert tuple(row) == ("over", "")

    with_store(database, test)


def test_whoever_enters_while_a_contest_is_read_is_in_all_of_it_or_in_none(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page has a number without its entry, whichever query the other came after."""

    async def test(store: Store) -> None:
        hall, beside = Hall(store), Hall(store)
        await hall.open(2)
        beside.which, read = hall.which, store.database.rows

        async def enter_meanwhile(query: Select[Any]) -> Sequence[Row[Any]]:
            found = await read(query)
            with monkeypatch.context() as undisturbed:
                undisturbed.setattr(store.database, "rows", read)
                await beside.enter(len((await beside.online()).players) + 1)
            return found

        monkeypatch.setattr(store.database, "rows", enter_meanwhile)
        online = await hall.online()
        assert {*online.players} <= {*online.contest.entrants} == {*online.names}

    with_store(database, test)


def test_nobody_enters_a_contest_that_is_just_being_started(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is the address kept that they came from: the start has erased all."""

    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(2)
        write = store.database.write

        async def start_first(change: Callable[[sa.Connection], Any]) -> Any:
            monkeypatch.undo()
            await hall.contests.turn(hall.which, "live")
            return await write(change)

        monkeypatch.setattr(store.database, "write", start_first)
        with pytest.raises(ActRefused) as refused:
            await enter(hall.contests, await hall.online(), "late", "Tardif", (HERE, 9))
        assert refused.value.code == "contest/started"
        rows = await store.database.rows(sa.select(entrant.c.guest, entrant.c.origin))
        assert sorted(map(tuple, rows)) == [("guest-1", ""), ("guest-2", "")]

    with_store(database, test)


@pytest.mark.parametrize("players", [2, 5])
def test_who_is_erased_while_tables_are_opened_is_named_at_none(
    database: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round has many tables, and their players are read before the first is opened."""

    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(players)
        await hall.contests.turn(hall.which, "live")
        read = hall.contests.table_ids

        async def erase_meanwhile(asked: Collection[str]) -> dict[str, bool]:
            found = await read(asked)
            if asked:
                monkeypatch.undo()
                await erase(hall.tables, hall.contests, (await hall.online()).players[1].guest)
            return found

        monkeypatch.setattr(hall.contests, "table_ids", erase_meanwhile)
        await hall.steward.look()
        assert hall.steward.queued == {hall.which}
        check(await hall.play_all(Random(players)))
        logs = await store.database.rows(sa.select(entry.c.body))
        assert not [row.body for row in logs if b"guest-1" in row.body or b"Nom 1" in row.body]

    with_store(database, test)


def test_swiss_rounds_too(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(5, formula_for("swiss", rounds=3, matches=("1x1",)))
        await hall.contests.turn(hall.which, "live")
        online = await hall.play_all(Random(1))
        check(online)
        assert len(online.contest.main) == 3

    with_store(sqlite, test)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_contest_goes_on_without_an_entrant_who_erases_themselves(database: str, players: int) -> None:
    """Their match is lost, they are drawn no more, and nobody is named in their place."""

    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(players, owner="guest-1")
        await hall.contests.turn(hall.which, "live")
        await hall.steward.look()
        await erase(hall.tables, hall.contests, "guest-1")
        online = await hall.play_all(Random(players))
        check(online)
        assert online.owner == ""
        assert online.names[1] == "n° 1"
        assert online.contest.entrants[1].withdrawn
        assert set(online.players) == {*range(2, players + 1)}

    with_store(database, test)


def test_who_stays_away_forfeits_by_the_clock(sqlite: str) -> None:
    """Players who never come lose by the clock: each table ends by a forfeit, and so does the contest."""

    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(4)
        await hall.contests.turn(hall.which, "live")
        for _ in range(10):
            await hall.steward.look()
            hall.clock.now += 1000
            for table_id in await hall.games():
                await hall.tables.do(table_id, ask.Tick())
        online = await hall.online()
        check(online)
        assert all(table.score is None for r in online.contest.all_rounds() for table in r.played)

    with_store(sqlite, test)


def test_a_match_given_up_is_a_forfeit_of_that_player(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(2)
        await hall.contests.turn(hall.which, "live")
        await hall.steward.look()
        (table_id,) = await hall.games()
        room = await present(hall.tables, table_id)
        online = await hall.online()
        seated = [online.players[number].guest for number in online.contest.main[0].tables[0].players]
        assert [holder.guest for holder in room.holders] == seated
        await hall.tables.do(table_id, ask.ForfeitMatch(1))
        await hall.steward.look()
        online = await hall.online()
        (table,) = online.contest.main[0].tables
        assert table.forfeits == (table.players[1],)
        check(online)

    with_store(sqlite, test)


def test_two_nodes_run_the_same_contest(database: str) -> None:
    """Two nodes set tables, write results and draw rounds of one contest: each is done once."""

    async def test(store: Store) -> None:
        one, other = Hall(store), Hall(store, seed=1)
        await one.open(6)
        other.which = one.which
        await one.contests.turn(one.which, "live")
        for turn in range(40):
            await asyncio.gather(one.steward.look(), other.steward.look())
            for nth, table_id in enumerate(await one.games()):
                await play_on((one, other)[(turn + nth) % 2].tables, table_id, is_over, Random(turn))
            if (await one.online()).state == "over":
                break
        online = await other.online()
        check(online)
        assert online.contest == contest_of(online.contest.lines)

    with_store(database, test)


def test_entries_at_the_same_moment_get_their_own_numbers(database: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(0)
        await asyncio.gather(*(hall.enter(n) for n in range(1, 8)))
        online = await hall.online()
        assert sorted(online.players) == list(range(1, 8))
        assert {player.guest for player in online.players.values()} == {f"guest-{n}" for n in range(1, 8)}

    with_store(database, test)


def test_one_name_entered_twice_at_the_same_moment(database: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(0)
        online = await hall.online()
        await asyncio.gather(*(enter(hall.contests, online, f"guest-{n}", "Odile") for n in range(4)))
        assert len(set((await hall.online()).names.values())) == 4

    with_store(database, test)


def test_a_contest_all_but_one_leave_as_it_starts_is_open_again(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(2)
        stale = await hall.online()
        await hall.contests.turn(hall.which, "live")
        await hall.contests.do(hall.which, lambda _: Withdrew(next(iter(stale.players))))
        await hall.steward.look()
        assert (await hall.online()).state == "open"

    with_store(sqlite, test)


def test_nobody_announces_contests_without_end(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        for _ in range(3):
            await hall.open(0)
        with pytest.raises(ActRefused):
            await hall.open(0)

    with_store(sqlite, test)


def test_only_the_contest_whose_table_ended_is_attended_to(database: str) -> None:
    """Play that begins and matches that end wake their contest, without a look at the others."""

    async def test(store: Store) -> None:
        hall, attended = Hall(store), list[str]()
        which = []
        for nth in range(3):
            await hall.open(2, owner=f"owner-{nth}")
            which.append(hall.which)

        async def attend(contest: str) -> None:
            await Steward.attend(hall.steward, contest)
            attended.append(contest)

        hall.steward.attend = attend  # type: ignore[method-assign, assignment]
        working = asyncio.create_task(hall.steward.run())
        for each in which:
            await hall.contests.turn(each, "live")
        await until(lambda: sorted(attended) == sorted(which))
        attended.clear()
        hall.which = which[1]
        (table_id,) = await hall.games()
        await play_on(hall.tables, table_id, is_over, Random(1))
        await until(lambda: bool(attended))
        check(await hall.online())
        assert attended == [which[1]]
        working.cancel()

    with_store(database, test)


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not reached():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.01)


def test_others_are_served_while_all_contests_are_looked_at(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two contests the event loop goes round, and while a long log is folded too."""
    monkeypatch.setattr("chouine.server.contest.steward.PAUSE", 0)
    monkeypatch.setattr("chouine.server.contest.online.KEPT", 2)

    async def test(store: Store) -> None:
        hall = Hall(store)
        for nth in range(20):
            await hall.open(2, owner=f"owner-{nth}")
            await hall.contests.turn(hall.which, "live")
        await hall.steward.look()
        rounds = 0

        async def count_rounds() -> None:
            nonlocal rounds
            while True:
                await asyncio.sleep(0)
                rounds += 1

        serving = asyncio.create_task(count_rounds())
        await hall.steward.look()
        assert rounds >= 19
        await hall.open(100, owner="large")
        again = Contests(store, hall.clock)
        rounds = 0
        assert await again.get(hall.which)
        assert rounds >= 4
        serving.cancel()

    with_store(sqlite, test)


def test_an_address_has_few_contests_under_way(database: str) -> None:
    """Beyond them it is refused, whoever announces; the digests are forgotten once a contest is over."""
    terms = formula_for("lavardin"), "Essai", ClockTerms(30, 300)

    async def test(store: Store) -> None:
        contests = Contests(store, Clock())

        async def announce(owner: str, origin: str) -> str:
            return await contests.open(*terms, owner, origin, 2)

        first = await announce("a", HERE)
        await announce("b", HERE)
        with pytest.raises(ActRefused) as refused:
            await announce("c", HERE)
        assert refused.value.code == "contest/too-many-here"
        again = await contests.open(*terms, "a", HERE, 2, which=first)
        assert again == first, "the same once more, as a form that was sent twice at once"
        await contests.do(first, lambda _: Ended("rain"))
        await contests.do(first, lambda online: Revealed(online.seed))
        await announce("d", HERE)
        for nth in range(2 * WIDE - 2):
            await announce(f"e-{nth}", HERE[:16] + f"{nth:016}")
        with pytest.raises(ActRefused):
            await announce("f", HERE[:16] + "another of many")
        first_there = await announce("g", ELSEWHERE)
        with pytest.raises(ActRefused):
            await contests.open_to_hall(first_there, HERE, 2)
        await contests.open_to_hall(first_there, ELSEWHERE, 1)
        origins = await store.database.read(lambda c: c.execute(sa.select(contest)).all())
        assert {row.origin for row in origins if row.id == first} == {""}

    with_store(database, test)


def test_no_address_hides_the_contests_of_others(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.server.contest.online.LISTED", 4)

    async def test(store: Store) -> None:
        contests = Contests(store, clock := Clock())
        ours = await contests.open(formula_for("lavardin"), "Fête", ClockTerms(30, 300), "owner", ELSEWHERE)
        for nth in range(6):
            clock.now += 1
            await contests.open(formula_for("lavardin"), "X", ClockTerms(30, 300), f"o{nth}", HERE, 99)
        assert ours in {online.id for online in await contests.listed_contests()}

    with_store(database, test)


def test_one_address_cannot_fill_a_contest(database: str) -> None:
    """Some may enter from any address, all from the hall's; when play begins, from where is forgotten."""

    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(0, origin=HERE)
        online, nth = await hall.online(), iter(range(1000))

        async def enters(origin: str) -> bool:
            try:
                await enter(hall.contests, online, f"guest-{next(nth)}", "", (origin, 3))
            except ActRefused as refused:
                return refused.code != "contest/address-full"
            return True

        assert [await enters(ELSEWHERE) for _ in range(5)] == [True] * 3 + [False] * 2
        assert all([await enters(HERE) for _ in range(20)])
        many = [await enters(ELSEWHERE[:16] + f"{each:016}") for each in range(3 * WIDE)]
        assert many == [True] * (3 * WIDE - 3) + [False] * 3
        await hall.contests.open_to_hall(hall.which, ELSEWHERE)
        assert all([await enters(ELSEWHERE) for _ in range(5)])
        await hall.contests.turn(hall.which, "live")
        assert {player.origin for player in (await hall.online()).players.values()} == {""}

    with_store(database, test)
