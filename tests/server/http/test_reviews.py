"""Review of a finished partie: it fills in, agrees with `analyse`, and its mistakes can be tried again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec
import pytest
from msgspec import structs

from chouine.notation.lines import actions_of
from chouine.notation.reader import read_records
from chouine.notation.records import Comment, Record
from chouine.partie import State
from chouine.partie.actions import Exchange
from chouine.school.review import Judgement, Review, decisions, judge, mistakes_of, state_before
from chouine.server.fair_queue import ComputeAccount
from chouine.server.frame_updates import HELLO
from chouine.server.reviews import MOST_OF_ADDRESS, Reviews, encode
from chouine.server.routes import own_play
from chouine.server.saved import SavedState
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.visitors import secrets_of
from chouine.table import commands as ask
from chouine.table.entries import Acted, Opened, Passed, SeatHolder
from tests.browser.moments import AU_SEPT, CHOUINE, LAVARDIN
from tests.server.serving import Browser, RunningServer, serving
from tests.server.stores import keep_session

if TYPE_CHECKING:
    from chouine.server.routes.context import Context

T = TypeVar("T")
BLUNDER = "Qs 7x Ad"
"""In trick 1 b spends the ace of trumps on a queen; then b gives up. Only three decisions, since each takes time."""

DONE = Review(1, {0: Judgement(1, 1, 0, "Qs", "7s", 0.2, "blunder", 0.5, 0.3, exact=False)})


@dataclass
class Place:
    """A server, and access to its database as another node has it."""

    served: RunningServer
    database: str

    def do(self, work: Callable[[Tables], Coroutine[None, None, T]]) -> T:
        async def go() -> T:
            store = Store.at(self.database)
            try:
                return await work(Tables(store))
            finally:
                await store.close()

        return asyncio.run(go())

    def table(self, deal: str, played: str, gives_up: int | None = None, anne: str = "anne") -> str:
        """Set a table of two people, play these acts and optionally let one concede."""
        holders = (SeatHolder("person", "Anne", anne), SeatHolder("person", "Basile", "basile"))

        async def make(tables: Tables) -> str:
            table_id = await tables.open(Opened("classic", "1x1", holders, deal=deal))
            for token in played.split():
                table = await tables.table(table_id)
                assert table is not None
                assert table.state is not None
                seat = next(seat for seat in table.seats if token in map(str, table.state.legal(seat)))
                await tables.do(table_id, ask.Act(seat, token))
            if gives_up is not None:
                await tables.do(table_id, ask.Concede(gives_up))
            return table_id

        return self.do(make)

    def state(self, table_id: str) -> State:
        """The final state of a match's first partie."""
        table = self.do(lambda tables: tables.table(table_id))
        assert table is not None
        return table.played[0].state


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("reviews")
    with serving(f"sqlite:///{folder / 'chouine.db'}", folder / "errors") as served:
        yield Place(served, f"sqlite+aiosqlite:///{folder / 'chouine.db'}")


@pytest.fixture(scope="module")
def blunder(place: Place) -> str:
    return place.table(LAVARDIN, BLUNDER, gives_up=1)


def complete(browser: Browser, address: str) -> str:
    """The page of the complete review, loaded after its stream has ended: polling would slow the review."""
    if "data-stream" in browser.get(address).text:
        progress(browser, address.partition("?")[0])
    text = browser.get(address).text
    assert "data-stream" not in text
    return with_plain_spaces(text)


def progress(browser: Browser, address: str) -> list[str]:
    """The events of a review's stream up to its end."""
    with browser.http.stream("GET", f"{address}/stream") as answer:
        return [line for line in answer.iter_lines() if line.startswith("data: ")]


def with_plain_spaces(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.first
def test_it_fills_in_and_costs_are_those_of_analyse(place: Place, blunder: str) -> None:
    """The page, the record with comments and `analyse` give the same costs for the same mistakes."""
    browser, state = place.served.visit("en"), place.state(blunder)
    first = browser.get(f"/match/{blunder}/1/review").text
    assert "data-stream" in first
    assert 'http-equiv="refresh"' in first
    page = complete(browser, f"/match/{blunder}/1/review?seat=1")
    found = [judge(each) for each in decisions(State.new(state.rules, state.deal), actions_of(state.events))]
    mistakes = mistakes_of(found)
    assert mistakes
    for each in mistakes:
        assert f"<strong>−{100 * each.cost:.1f}%</strong>" in page
    text = browser.get(f"/match/{blunder}/1/review.cgn").text
    [record] = list(read_records(StringIO(text)))
    assert isinstance(record, Record)
    comments = [item.text for item in record.items if isinstance(item, Comment)]
    told = [text for text in comments if "better" in text]
    assert [re.search(r"−[\d.]+%", with_plain_spaces(text))[0] for text in told] == [  # type: ignore[index]
        f"−{100 * each.cost:.1f}%" for each in mistakes
    ]
    assert "not played out" in page


def test_progress_is_told_until_all_is_found(place: Place) -> None:
    """The page of the whole match starts the reviews and, when they are complete, sums them up."""
    table_id = place.table(CHOUINE.deal, f"{CHOUINE.played} As+chs")
    browser = place.served.visit("en")
    assert "data-every" in browser.get(f"/match/{table_id}/review").text
    assert progress(browser, f"/match/{table_id}/1/review")[-1] == "data: 2"
    page = complete(browser, f"/match/{table_id}/1/review")
    assert "Luck and skill" in page
    assert 'class="of-luck"' in page
    page = browser.get(f"/match/{table_id}/review").text
    assert "data-every" not in page
    assert "Over 1 partie played out" in with_plain_spaces(page)
    assert f"/match/{table_id}/1/review" in page


def test_a_mistake_is_tried_again(place: Place, blunder: str) -> None:
    """In the exercise the act played, an illegal act and unreadable text are wrong; the better act is right."""
    browser = place.served.visit("en")
    complete(browser, f"/match/{blunder}/1/review?seat=1")
    address = re.findall(rf"/match/{blunder}/1/review/\d+(?=\")", browser.page.text)[
        0
    ]  # the own mistakes come first

    def post_answer(token: str) -> str:
        return browser.http.post(address, data={"csrf": browser.csrf, "answer": token}).text

    for wrong in ("Ad", "As", "", "é" * 200):
        assert 'class="again"' in post_answer(wrong)
    assert 'class="good"' in post_answer("Jd")


def test_a_partie_is_gone_on_with(place: Place, blunder: str) -> None:
    """A partie can be continued from before the mistake, with the same cards, against a computer."""
    browser = place.served.visit("en")
    complete(browser, f"/match/{blunder}/1/review?seat=1")
    form = browser.form("/play")
    browser.submit(form)
    assert "/table/" in str(browser.page.url)
    table_id = str(browser.page.url).rpartition("/")[2]
    log = [entry for entry, _ in place.do(lambda tables: tables.store.log(table_id))]
    acted = " ".join(entry.token for entry in log if isinstance(entry, Acted))
    assert BLUNDER.startswith(acted)
    assert acted.split()[-1:] == ["7x"]
    table = place.do(lambda tables: tables.table(table_id))
    assert table is not None
    assert [holder.player == "person" for holder in table.holders] == [False, True]


def test_ones_own_play_is_drawn(place: Place) -> None:
    """The progress page draws complete reviews only, and the costliest mistake links to its exercise."""
    browser = place.served.visit("en")
    assert "Play a partie to its end" in browser.get("/learn/own").text
    table_id = browser.open(**{"chair-1": "level:1"})
    for number, review in ((1, DONE), (2, DONE), (3, Review(5))):
        place.do(lambda tables, n=number, r=review: tables.store.keep_review(table_id, n, encode(r)))  # type: ignore[misc]
    page = with_plain_spaces(browser.get("/learn/own").text)
    assert page.count('class="partie"') == 2
    assert "In your last 2 parties: 20.0% of a partie on average." in page
    assert page.count(f"/match/{table_id}/1/review/0") == 1
    assert f'href="/match/{table_id}/1/review"' in page


def test_ones_own_mistakes_wait_to_be_gone_over(place: Place) -> None:
    """Mistakes enter the repetition queue when the review is first viewed.

    A due one links to its exercise, and answering reschedules it.
    """
    browser = place.served.visit("en")
    browser.get("/learn/count?pile=5")
    token = browser.cookie
    guest = place.do(lambda tables: guest_of(tables.store, token))
    table_id = place.table(LAVARDIN, BLUNDER.split(maxsplit=1)[0], gives_up=1, anne=guest)
    finished = place.state(table_id)
    deal = State.new(finished.rules, finished.deal)
    begun, number = (
        (deal, 1) if deal.turn == 0 else (state_before(deal, list(actions_of(finished.events)), 2)[0], 2)
    )
    best, other = [str(act) for act in begun.view(0).legal if not isinstance(act, Exchange)][:2]
    own = Judgement(
        number, 1, 0, other, best, 0.2, "blunder", 0.5, 0.3, exact=False, options=((best, 0.5), (other, 0.3))
    )
    place.do(lambda tables: tables.store.keep_review(table_id, 1, encode(Review(1, {0: own}))))
    for _ in range(2):
        browser.get(f"/match/{table_id}/1/review")
    [waiting] = browser.get("/learn/progress.json").json()["again"]
    assert waiting["problem"] == f"{table_id}/1/0"
    assert str(browser.get("/learn/problems/again").url).endswith("/learn/problems"), "not due yet"
    place.do(lambda tables: overdue(tables.store, token))
    page = browser.get("/learn/problems/again")
    assert str(page.url).endswith(f"/match/{table_id}/1/review/0")
    assert "Right." in browser.http.post(page.url.path, data={"csrf": browser.csrf, "answer": best}).text
    assert str(browser.get("/learn/problems/again").url).endswith("/learn/problems")


async def guest_of(store: Store, token: str) -> str:
    return (await secrets_of(store)).guest(token)


async def overdue(store: Store, token: str) -> None:
    """Make a browser's whole repetition queue due."""
    key = sha256(token.encode()).hexdigest()
    found = await store.session(key)
    assert found
    saved = msgspec.json.decode(found.settings, type=SavedState)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    again = tuple(structs.replace(one, due=long_ago, last=long_ago) for one in saved.school.again)
    saved = structs.replace(saved, school=structs.replace(saved.school, again=again))
    await keep_session(store, key, found.guest, msgspec.json.encode(saved), 0.0)


@pytest.mark.parametrize("path", ["1/review", "1/review.cgn", "1/review/stream", "1/review/0", "review"])
def test_a_partie_in_progress_is_not_looked_back_on(place: Place, path: str) -> None:
    table_id = place.table(LAVARDIN, BLUNDER)
    assert place.served.visit().get(f"/match/{table_id}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["1/review/99", "2/review", "1/review/99/play"])
def test_there_is_no_such_decision(place: Place, blunder: str, path: str) -> None:
    browser = place.served.visit()
    assert browser.get(f"/match/{blunder}/{path}").status_code in (404, 405)


def test_au_sept_is_let_pass_again_where_it_was(place: Place) -> None:
    """§11: a continued partie's log contains the pass of "au sept" where a real table would have it."""
    holders = (SeatHolder("person", "Anne", "anne"), SeatHolder("person", "Basile", "basile"))
    opened = Opened("classic", "1x1", holders, deal=AU_SEPT.deal)
    turns, state = [], place.do(lambda tables: state_after(tables, opened, []))
    for token in (*AU_SEPT.played.split(), "8s"):
        seat = next(seat for seat in range(2) if token in map(str, state.legal(seat)))
        turns.append((seat, token))
        state = state.play(next(act for act in state.legal(seat) if str(act) == token), seat)
    assert place.do(lambda tables: state_after(tables, opened, turns)) == state
    table_id = place.do(lambda tables: tables.open(opened, played=turns))
    log = [entry for entry, _ in place.do(lambda tables: tables.store.log(table_id))]
    assert [entry for entry in log if isinstance(entry, Passed)] == [Passed(1)]


async def state_after(tables: Tables, opened: Opened, played: list[tuple[int, str]]) -> State:
    table = await tables.table(await tables.open(opened, played=played))
    assert table is not None
    assert table.state is not None
    return table.state


def test_one_address_leaves_room_for_others(place: Place, blunder: str) -> None:
    """The number of simultaneous reviews is limited per address."""
    finished, flood, home = (
        place.state(blunder),
        ComputeAccount(address="flood"),
        ComputeAccount(address="home"),
    )

    async def test() -> None:
        store = Store.at(place.database)
        reviews = Reviews(store, 0)  # reviews never get a process
        for nth in range(MOST_OF_ADDRESS + 1):
            reviews.begin("flood", nth, finished, Review(), flood)
        reviews.begin("home", 1, finished, Review(), home)
        assert len(reviews.making) == MOST_OF_ADDRESS + 1
        assert reviews.is_begun("home", 1)
        assert not reviews.is_begun("flood", MOST_OF_ADDRESS)
        await reviews.close()
        await store.close()

    asyncio.run(test())


def test_a_stream_ends_where_a_review_is_begun_anew_as_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the page opens another one."""

    class Anew:
        """A review that was broken off, and begun by another page before this one heard of it."""

        async def progress(self, *_: object) -> AsyncIterator[Review]:
            yield Review(2, {0: DONE.judged[0]})

        def is_begun(self, *_: object) -> bool:
            return True

    async def test() -> list[bytes]:
        services = SimpleNamespace(reviews=Anew(), stopping=asyncio.Event())
        monkeypatch.setattr(own_play, "services_of", lambda _: services)
        context = cast("Context", SimpleNamespace(request=None))
        return [piece async for piece in own_play.review_progress(context, "table", 1)]

    assert asyncio.run(test()) == [HELLO, b"data: 1\n\n"]
