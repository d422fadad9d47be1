"""A server killed after any of its writes: another one goes on, and all comes to the same end.

In each story the database ends after the first write, after the second, and so on. Whoever had no answer by then asks
once more, of a new server. Where it does not end, somebody reads after each write, and finds no half of a change.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import sqlalchemy as sa

from chouine.contest import formula_for
from chouine.contest.check import check_log
from chouine.errors import ChouineError
from chouine.server.accounts.browsers import Browsers
from chouine.server.accounts.members import Credential, Members
from chouine.server.accounts.merging import merge_guests
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.people import People
from chouine.server.contest.online import Contests, Online, open_tables
from chouine.server.contest.online_pages import enter, withdraw
from chouine.server.contest.solver import cheapest_matching
from chouine.server.contest.steward import Steward
from chouine.server.erasure import erase, finish_erasures
from chouine.server.order import KeeperActs, KeeperDecision
from chouine.server.partners import Partners
from chouine.server.saved import SavedState
from chouine.server.schema import (
    browser,
    challenge,
    contest,
    credential,
    entrant,
    entry,
    erasure,
    friendship,
    member,
    person,
    playing_table,
    seat,
    waiting,
)
from chouine.server.slow.holidays import Holidays
from chouine.server.store import Store
from chouine.server.thinking import FairPool
from chouine.server.visitors import Secrets, Visitor
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, SeatHolder
from chouine.table.state import Phase
from tests.server.matches import opening
from tests.server.stores import Clock, present, store_at, tables_of

Value = TypeVar("Value")
NAMES = {"odette": "Odette", "basile": "Basile", "clovis": "Clovis", "irma": "Irma"}
NOBODY_YET = SeatHolder("person", "", None)
MOST = 100
"""More writes than any story has."""


class Death(BaseException):
    """The process has ended: nothing catches that."""


class AlwaysAlive:
    """A heartbeat whose database is always reachable."""

    works = True


class Server:
    """A process with this database, which dies after so many writes."""

    def __init__(
        self, store: Store, dies_after: int = MOST, *, alone: bool = True, observed: bool = False
    ) -> None:
        """`alone`: whether no other process with this database has died. `observed`: whether others read meanwhile."""
        self.left, self.store, self.alone, self.observed = dies_after, store, alone, observed
        self.clock = Clock()
        for name in ("write", "insert"):
            setattr(store.database, name, partial(self.write_and_die, getattr(store.database, name)))
        self.tables = tables_of(store, self.clock)
        self.contests = Contests(store, self.clock)
        self.pool = FairPool(1, ThreadPoolExecutor)
        self.steward = Steward(self.contests, self.tables, self.pool, AlwaysAlive())  # type: ignore[arg-type]
        self.people, self.partners = People(self.tables), Partners(store, self.clock)
        self.challenges = Challenges(self.people)
        self.order = KeeperActs(self.tables, self.contests, Secrets("key"))

    async def write_and_die(self, write: Callable[..., Awaitable[Value]], *args: Any) -> Value:
        if not self.left:
            raise Death
        value = await write(*args)
        self.left -= 1
        if self.observed:
            await check_agreement(self.store)
        if not self.left:
            raise Death
        return value

    async def befriend(self, one: str, other: str) -> None:
        for guest in (one, other):
            await self.people.own(guest, NAMES[guest])
        await self.people.ask(one, other)
        await self.people.accept(other, one)

    async def online(self) -> Online:
        """The only contest."""
        [(which,)] = await self.store.database.rows(sa.select(contest.c.id))
        online = await self.contests.get(which)
        assert online is not None
        return online


async def check_agreement(store: Store) -> None:
    """Check that what is stored in two places is the same, as somebody who reads now sees it."""
    tables, rows = tables_of(store), store.database.rows
    stored = {row.id: row for row in await rows(sa.select(playing_table))}
    for table_id, row in stored.items():
        table = await present(tables, table_id)
        held = await rows(sa.select(seat.c.seat, seat.c.guest).where(seat.c.table_id == table_id))
        sitting = enumerate(holder.guest for holder in table.holders)
        assert {(each.seat, each.guest) for each in held} == {each for each in sitting if each[1]}
        assert row.over == (table.phase is Phase.OVER) == (row.brief is not None)
        assert table.next_table in (None, *stored)
    for row in await rows(sa.select(challenge)):
        assert (row.state == "accepted") == (row.table_id in stored) == bool(row.table_id)
    for row in await rows(sa.select(waiting)):
        assert row.table_id in ("", *stored)
    pairs = {(row.guest, row.other) for row in await rows(sa.select(friendship)) if row.state == "friend"}
    assert pairs == {(other, guest) for guest, other in pairs}
    for row in await rows(sa.select(contest)):
        online = await Contests(store, Clock()).get(row.id)
        assert online is not None
        assert row.state == online.state
        assert (row.state == "over") == (online.contest.seed is not None)
        assert {*online.players} == {n for n, one in online.contest.entrants.items() if not one.withdrawn}
        assert row.state == "open" or not any(player.origin for player in online.players.values())


Step = Callable[[Server], Awaitable[object]]


class Story(NamedTuple):
    """What people do, one step after the other; what is to be seen at the end, always the same; what was before."""

    steps: Sequence[Step]
    end: Step
    before: Step | None = None


def story_of_a_contest() -> Story:
    """Three enter, one of whom withdraws and comes back; the second of every pair forfeits."""

    async def announce(server: Server) -> None:
        if not await server.store.database.rows(sa.select(contest.c.id)):
            formula = formula_for("lavardin", matches=("1x1",), consolante="none")
            await server.contests.open(formula, "Essai", ClockTerms(30, 300), "odette", "here")

    def entering(name: str) -> Step:
        async def step(server: Server) -> None:
            await enter(server.contests, await server.online(), name, NAMES[name], ("there", 9))

        return step

    async def withdraw_clovis(server: Server) -> None:
        await withdraw(server.contests, await server.online(), lambda now: now.number_of("clovis"))

    async def begin(server: Server) -> None:
        await server.contests.turn((await server.online()).id, "live")

    async def play(server: Server) -> None:
        await server.steward.attend((await server.online()).id)
        for table_id, _, _ in open_tables(await server.online()):
            with suppress(ChouineError):  # it was ended before
                await server.tables.do(table_id, ask.ForfeitMatch(1))

    async def end(server: Server) -> object:
        online = await server.online()
        assert check_log(list(online.contest.lines), None, cheapest_matching).breaches == ()
        origins = await server.store.database.rows(sa.select(entrant.c.origin))
        acts = [type(line.act).__name__ for line in online.contest.lines]
        return online.state, online.origin, {row.origin for row in origins}, acts

    entries = map(entering, ("odette", "basile", "clovis"))
    return Story([announce, *entries, withdraw_clovis, entering("clovis"), begin, play, play, play], end)


def story_of_a_revanche() -> Story:
    """Both players of a finished match want another."""

    async def play(server: Server) -> None:
        table_id = await server.tables.open(opening(), set_by=("guest-0", "here"))
        await server.tables.do(table_id, ask.ForfeitMatch(1))

    async def find_finished(server: Server) -> str:
        [over] = await server.store.database.rows(sa.select(playing_table.c.id).where(playing_table.c.over))
        return str(over.id)

    def wanting(seat: int) -> Step:
        async def step(server: Server) -> None:
            await server.tables.do(await find_finished(server), ask.Revanche(seat))

        return step

    async def end(server: Server) -> object:
        following = (await present(server.tables, await find_finished(server))).next_table
        assert following is not None
        return (await present(server.tables, following)).phase

    return Story([wanting(0), wanting(1)], end, play)


def story_of_a_table_with_explanations() -> Story:
    """A table is opened for somebody who wants explanations."""

    async def open_table(server: Server) -> None:
        chairs = SeatHolder("person", "Odette", "odette"), SeatHolder("heuristic", "Heuristic", None)
        if not await server.store.table_ids_of("odette"):
            await server.tables.open(opening(chairs=chairs), explained=True)

    async def end(server: Server) -> object:
        return [
            (await present(server.tables, each)).explained
            for each, _ in await server.store.table_ids_of("odette")
        ]

    return Story([open_table], end)


async def make_three_friends(server: Server) -> None:
    """Odette is a friend of Basile and Clovis."""
    for name in ("basile", "clovis"):
        await server.befriend("odette", name)


def story_of_a_challenge(*answers: str) -> Story:
    """Odette challenges Basile and Clovis, who answer in turn."""

    async def send(server: Server) -> None:
        await server.challenges.send("odette", ["basile", "clovis"], Terms("three", "1x1", 60, 300))

    def answering(name: str, answer: str) -> Step:
        async def step(server: Server) -> None:
            for offer in await server.challenges.offers_to(name):
                how = server.challenges.accept if answer == "yes" else server.challenges.decline
                await how(name, offer.id)

        return step

    async def put_away(server: Server) -> None:
        for offer in await server.challenges.offers_by("odette"):
            if offer.state == "open":
                await server.challenges.drop("odette", offer.id)

    async def end(server: Server) -> object:
        rows = await server.store.database.rows(sa.select(challenge.c.state, challenge.c.told))
        seats = await server.store.database.rows(sa.select(seat.c.guest).order_by(seat.c.guest))
        offers = [await server.challenges.offers_to(name) for name in NAMES]
        return [*map(tuple, rows)], [row.guest for row in seats], offers

    told = [answering(name, answer) for name, answer in zip(("basile", "clovis"), answers, strict=False)]
    return Story([send, *told, *([] if len(answers) == 2 else [put_away])], end, make_three_friends)


def story_of_a_friendship() -> Story:
    """Odette asks, Basile accepts; she blocks him later, and thinks better of it."""

    async def settle(server: Server) -> None:
        for name in ("odette", "basile"):
            await server.people.own(name, NAMES[name])

    async def ask_to(server: Server) -> None:
        await server.people.ask("odette", "basile")

    async def accept(server: Server) -> None:
        await server.people.accept("basile", "odette")

    async def block(server: Server) -> None:
        await server.partners.block("odette", "basile", "Basile")

    async def end(server: Server) -> object:
        return [await server.people.bonds(name) for name in ("odette", "basile")]

    return Story([settle, ask_to, accept, block], end)


async def live_here(server: Server) -> None:
    """Odette plays two matches, has played one, left one before it began, is in a contest, has a friend, waits."""
    for name in ("basile", "clovis", "irma"):
        chairs = (SeatHolder("person", NAMES[each], each) for each in ("odette", name))
        await server.tables.open(opening(chairs=chairs))
    [(over, _)] = await server.store.table_ids_of("irma")
    await server.tables.do(over, ask.ForfeitMatch(0))
    left = await server.tables.open(opening(chairs=(SeatHolder("person", "Irma", "irma"), NOBODY_YET)))
    await server.tables.do(left, ask.Sit(1, "odette", "Odette"))
    await server.tables.do(left, ask.Leave(1))
    formula = formula_for("lavardin", matches=("1x1",), consolante="none")
    await server.contests.open(formula, "Essai", ClockTerms(30, 300), "basile")
    for name in ("odette", "basile"):
        await enter(server.contests, await server.online(), name, NAMES[name])
    await server.befriend("odette", "basile")
    await server.partners.wait("odette", "Odette")


async def guests_left(server: Server) -> object:
    """Who is named where, and in the contest."""
    found = []
    for table in (seat, entrant, friendship, person, waiting, erasure):
        rows = await server.store.database.rows(sa.select(table.c.guest).order_by(table.c.guest))
        found.append([row.guest for row in rows])
    online = await server.online()
    return found, online.contest.head.n, sorted(online.names.values())


def story_of_an_erasure() -> Story:
    """Odette is erased; if the server dies, whoever finishes the erasures does so, and not she."""

    async def erase_odette(server: Server) -> None:
        if not server.alone:
            await finish_erasures(server.tables, server.contests, ())
        else:
            await erase(server.tables, server.contests, "odette")

    async def end(server: Server) -> object:
        logs = await server.store.database.rows(sa.select(entry.c.body))
        assert not any(b"odette" in row.body.lower() for row in logs)
        return await guests_left(server)

    return Story([erase_odette], end, live_here)


def story_of_one_person() -> Story:
    """Odette becomes the guest of an account."""

    async def join(server: Server) -> None:
        await merge_guests(server.tables, server.contests, "odette", "account")

    return Story([join], guests_left, live_here)


def story_of_a_renewed_cookie() -> Story:
    """Odette gets another cookie, and yet another if she had no answer; whichever she had last has all."""
    cookies = count(1)

    async def renew(server: Server) -> None:
        await merge_guests(server.tables, server.contests, "odette", f"cookie-{next(cookies)}")

    async def end(server: Server) -> object:
        seats = await server.store.database.rows(sa.select(seat.c.guest).distinct())
        return sorted(re.sub("[0-9]", "", row.guest) for row in seats)

    return Story([renew], end, live_here)


def story_of_an_account() -> Story:
    """Odette makes a passkey, and signs in by it if the server knows it already."""
    tokens = count(1)

    async def make(server: Server) -> None:
        members = Members(server.tables, server.contests, Browsers(server.tables))
        before = Visitor("token", "odette", SavedState(), new=False)
        row = await members.holder("passkey")
        guest = row.guest if row else await members.begin()
        if row is None:
            await members.add(guest, Credential("passkey", "passkey"))
        await members.sign_in(guest, f"token-{next(tokens)}", "Firefox", before, joins=True)

    async def end(server: Server) -> object:
        [account] = await server.store.database.rows(sa.select(credential.c.guest))
        seats = await server.store.database.rows(sa.select(seat.c.guest))
        return len(seats), sum(row.guest == account.guest for row in seats)

    return Story([make], end, live_here)


def story_of_a_card() -> Story:
    """Odette makes an account by a card, and asks again by the next cookie that she has."""

    async def make(server: Server) -> None:
        members = Members(server.tables, server.contests, Browsers(server.tables))
        before = Visitor("token", "odette", SavedState(), new=False)
        guest = await members.begin(Secrets("key").account("next"))
        await members.add_card(guest)
        await members.sign_in(guest, "next", "Firefox", before, joins=True)

    async def end(server: Server) -> object:
        [account] = await server.store.database.rows(sa.select(member.c.guest))
        cards = await server.store.database.rows(sa.select(credential.c.guest))
        browsers = await server.store.database.rows(sa.select(browser.c.guest))
        seats = await server.store.database.rows(sa.select(seat.c.guest))
        assert [*cards, *browsers] == [account, account]
        return len(seats), sum(row.guest == account.guest for row in seats)

    return Story([make], end, live_here)


def story_of_two_strangers() -> Story:
    """Odette waits, and Basile joins her."""

    async def wait(server: Server) -> None:
        await server.partners.wait("odette", "Odette")

    async def join(server: Server) -> None:
        for one in await server.partners.waiting_list("basile"):
            await server.partners.join(server.tables, "basile", "Basile", one.id)

    async def go(server: Server) -> None:
        own = await server.partners.own("odette")
        if own is not None:
            await server.partners.leave("odette", own.table_id)

    async def end(server: Server) -> object:
        seats = await server.store.database.rows(sa.select(seat.c.guest).order_by(seat.c.guest))
        return [row.guest for row in seats], await server.partners.own("odette")

    return Story([wait, join, go], end)


def story_of_a_holiday() -> Story:
    """Odette goes on holiday from two slow matches, and comes back early; any server then tells the tables."""

    async def play_slowly(server: Server) -> None:
        for name in ("basile", "clovis"):
            chairs = (SeatHolder("person", NAMES[each], each) for each in ("odette", name))
            await server.tables.open(opening(chairs=chairs, clock=ClockTerms(86_400, 172_800)))

    async def leave(server: Server) -> None:
        today = datetime.fromtimestamp(server.clock(), UTC).date()
        await Holidays(server.tables).take("odette", today, today + timedelta(3), UTC)

    async def follow(server: Server) -> None:
        await Holidays(server.tables).follow()

    async def come_back(server: Server) -> None:
        await Holidays(server.tables).end("odette", UTC)

    async def end(server: Server) -> object:
        ids = [table_id for table_id, _ in await server.store.table_ids_of("odette")]
        return [[type(entry).__name__ for entry, _ in await server.store.log(each)] for each in ids]

    return Story([leave, follow, come_back, follow], end, play_slowly)


def story_of_the_keeper() -> Story:
    """A report leads to a bar, which is lifted later."""

    async def be_rude(server: Server) -> None:
        chairs = (SeatHolder("person", NAMES[each], each) for each in ("odette", "basile"))
        table_id = await server.tables.open(opening(chairs=chairs))
        await server.partners.wait("odette", "Odette")
        await server.partners.report(
            "basile", table_id, 0, "Odette", "name", "", place="table", other="odette"
        )

    async def bar(server: Server) -> None:
        for row in await server.partners.reports():
            await server.order.decide(
                await server.order.target(row.id), KeeperDecision("bar", "Non."), row.id
            )

    async def lift(server: Server) -> None:
        for row in await server.order.rulings():
            if row.what == "bar" and row.until:
                await server.order.lift(row.id, "Bon.")

    async def end(server: Server) -> object:
        acts = sorted(row.what for row in await server.order.rulings())
        return acts, [*await server.partners.reports()], await server.partners.own("odette")

    return Story([bar, lift], end, be_rude)


STORIES: dict[str, Callable[[], Story]] = {
    "contest": story_of_a_contest,
    "revanche": story_of_a_revanche,
    "explanations": story_of_a_table_with_explanations,
    "accepted challenge": partial(story_of_a_challenge, "yes", "yes"),
    "declined challenge": partial(story_of_a_challenge, "yes", "no"),
    "dropped challenge": partial(story_of_a_challenge, "yes"),
    "friendship": story_of_a_friendship,
    "erasure": story_of_an_erasure,
    "one person": story_of_one_person,
    "renewed cookie": story_of_a_renewed_cookie,
    "account": story_of_an_account,
    "card": story_of_a_card,
    "strangers": story_of_two_strangers,
    "holiday": story_of_a_holiday,
    "keeper": story_of_the_keeper,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_all_comes_to_the_same_end(story: Callable[[], Story], newest_sqlite: Path, tmp_path: Path) -> None:
    undisturbed, died = asyncio.run(tell(story(), newest_sqlite, tmp_path, MOST))
    assert not died
    for writes in count(1):
        end, died = asyncio.run(tell(story(), newest_sqlite, tmp_path, writes))
        assert end == undisturbed, f"killed after write {writes}"
        if not died:
            return


async def tell(story: Story, newest: Path, folder: Path, dies_after: int) -> tuple[object, bool]:
    """The end of a story whose server dies after so many writes, and whether there were as many."""
    database = f"sqlite+aiosqlite:///{shutil.copy(newest, folder / 'chouine.db')}"
    if story.before is not None:
        async with store_at(database) as store:
            await story.before(Server(store))
    left = [*story.steps]
    async with store_at(database) as store:
        server = Server(store, dies_after, observed=dies_after == MOST)
        with suppress(Death):
            while left:
                await take(left[0], server)
                del left[0]
    async with store_at(database) as store:
        server = Server(store, alone=not left)
        for step in left:
            await take(step, server)
        return await story.end(server), bool(left)


async def take(step: Step, server: Server) -> None:
    """Take a step, which may be refused because it was taken before."""
    with suppress(ChouineError):
        await step(server)
