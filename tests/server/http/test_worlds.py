"""Hidden information over HTTP (§14): in worlds that an observer cannot distinguish, all answers are equal.

Pages, streams, refusals and log lines are compared byte for byte.

Two servers differ only in the pack dealt. Random form numbers are the same in both; the pack's published digest, which
differs, is replaced by a word.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import httpx
import pytest
from starlette.applications import Starlette
from structlog.testing import capture_logs

from chouine.cards import PACK
from chouine.server.accounts.browsers import Browsers
from chouine.server.accounts.members import Members
from chouine.server.app import Supervisor, application
from chouine.server.circle.company import Company
from chouine.server.circle.people import People
from chouine.server.contest.online import Contests
from chouine.server.daily import DealsOfTheDay
from chouine.server.fair_queue import TurnQueue
from chouine.server.limits import Limits
from chouine.server.migrations import upgrade
from chouine.server.notice_board import NoticeBoard
from chouine.server.order import KeeperActs
from chouine.server.partners import Partners
from chouine.server.programs import Programs
from chouine.server.reviews import Reviews, spare_processes
from chouine.server.services import Services
from chouine.server.site import Site
from chouine.server.slow.rounds import SlowMatches
from chouine.server.store import Append, Store
from chouine.server.tables import Tables
from chouine.server.thinking import FairPool, ThinkerPool
from chouine.server.visitors import Secrets
from chouine.table.entries import Shuffled
from chouine.table.state import Pack, Phase
from tests.patience import PATIENCE
from tests.server.matches import Table, opening
from tests.server.stores import Clock, keep_session
from tests.server.worlds import another_log, told_alike

GAME = "game"
BASE = "http://testserver"
DIGEST = re.compile("[0-9a-f]{64}")
"""A pack's digest: it differs between worlds and reveals nothing."""
MOMENTS = [
    ("classic", 0, 0),
    pytest.param("classic", 1, 9, marks=pytest.mark.nightly),
    ("classic", 3, 25),
    pytest.param("three", 1, 14, marks=pytest.mark.nightly),
    ("four", 0, 9),
    pytest.param("mondoubleau", 1, 15, marks=pytest.mark.nightly),
]
"""Rules, seed (odd: in the match's second partie), number of acts since the deal.

At three seats and in Mondoubleau all routes are asked in `tests/attack/test_worlds.py`.
"""


@pytest.fixture(autouse=True)
def _lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Number the forms in order, from the start for each server."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(LOTS.numbers):0{2 * size}x}")


class LOTS:
    numbers = count(1)


def at(preset: str, seed: int, step: int) -> Table:
    """A table after so many acts of the first or second partie of its match."""
    table = Table.set(opening(preset, "2x1"), seed)
    table.until(lambda table: table.phase is Phase.PLAY and len(table.played) == seed % 2)
    for _ in range(step):
        if table.table.phase is Phase.PLAY:
            table.step()
    return table.until(lambda table: table.phase is Phase.PLAY)


class NoLimits(Limits):
    """Limits that no visitor reaches."""

    def visitor(self, what: str, guest: str) -> None:
        pass


@asynccontextmanager
async def server(folder: Path, table: Table) -> AsyncIterator[Starlette]:
    """A server with only this table and no background tasks."""
    LOTS.numbers = count(1)
    database = f"sqlite+aiosqlite:///{folder / 'chouine.db'}"
    store = Store.at(database)
    first, *others = table.log
    seats = [(seat, f"guest-{seat}") for seat in table.table.seats]
    await store.open(Append(GAME, 0, first[1], None, [first[0]], None, over=False, seats=seats))
    for n, (entry, now) in enumerate(others, 1):
        await store.append(Append(GAME, n, now, None, [entry], None, over=False))
    for guest in ("stranger", *(guest for _, guest in seats)):
        stored = hashlib.sha256(guest.encode()).hexdigest()
        await keep_session(store, stored, guest, b'{"name":"N","language":"fr"}', 0.0)
    app = application(database, per_address=10**6)
    secrets = Secrets("the same key")
    secrets.mask = lambda: bytes(16)  # type: ignore[method-assign]
    clock = Clock(table.now)
    tables, contests = Tables(store, clock), Contests(store, clock)
    services = app.state.services = Services(
        NoLimits(),
        None,
        Site(),
        tables,
        secrets,
        leaving=asyncio.Event(),
        stopping=asyncio.Event(),
        studies=FairPool(1, spare_processes),
        carrying=TurnQueue(1),
        reviews=Reviews(store, 0),
        turns=None,
        contests=contests,
        partners=Partners(store, clock),
        browsers=(browsers := Browsers(tables)),
        members=Members(tables, contests, browsers),
        daily=DealsOfTheDay(tables, FairPool(1, spare_processes), bytes(32), Site().zone),
        people=People(tables),
        company=Company(),
        slow=SlowMatches(tables, None),
        board=NoticeBoard(KeeperActs(tables, contests, secrets)),
        supervisor=Supervisor(),
        thinker=Programs({}, ThinkerPool(1)),
    )
    yield app
    await services.reviews.close()
    await store.close()


async def answers_of(app: Starlette, table: Table, observer: int | None) -> list[object]:
    """All answers that an observer can get from the server without playing."""
    guest = "stranger" if observer is None else f"guest-{observer}"
    n, csrf = table.table.n, "0" * 32 + app.state.services.secrets._sign(f"csrf:{guest}")
    cookies = {f"chouine-{app.state.services.secrets.instance}": guest}
    said: list[object] = []
    plain = {"Accept-Encoding": "identity"}  # compressed lengths depend on the digest
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url=BASE, cookies=cookies, headers=plain
    ) as browser:
        parties = len(table.table.played)
        for path in (
            "/",
            f"/table/{GAME}",
            *(f"/table/{GAME}?as={seat}" for seat in table.table.seats),
            f"/table/{GAME}/links",
            f"/table/{GAME}/events?after={max(1, n - 50)}",
            f"/table/{GAME}/events?after=999",
            f"/match/{GAME}",
            f"/match/{GAME}.cgn",
            f"/match/{GAME}/{parties + 1}",
            f"/match/{GAME}/{parties + 1}.json",
            f"/match/{GAME}/{parties}",
        ):
            answer = await browser.get(path)
            text = DIGEST.sub("digest", answer.text) if path == f"/match/{GAME}" else answer.text
            said.append((path, answer.status_code, answer.headers.raw, text))
        said.append(await read_stream(app, browser, max(1, n - 50)))
        for nth, (verb, fields) in enumerate(refused_commands(table, observer)):
            data = {"csrf": csrf, "seat": str(observer or 0), **fields}
            for accept in ("application/json", "text/html")[: 1 + (nth % 8 == 0)]:
                answer = await browser.post(f"/table/{GAME}/{verb}", data=data, headers={"accept": accept})
                assert answer.status_code >= 400, (verb, fields)
                said.append((verb, fields, answer.status_code, answer.headers.raw, answer.text))
    return said


async def read_stream(app: Starlette, browser: httpx.AsyncClient, after: int) -> str:
    """A stream's text until the server stops."""
    app.state.services = replace(app.state.services, stopping=asyncio.Event())
    asked = asyncio.create_task(browser.get(f"/table/{GAME}/stream?after={after}"))
    async with asyncio.timeout(PATIENCE):
        while not app.state.services.tables._watchers:  # noqa: ASYNC110  # a look from outside
            await asyncio.sleep(0.01)
    app.state.services.stopping.set()
    app.state.services.tables.notify_all()
    return (await asked).text


def refused_commands(table: Table, observer: int | None) -> Iterator[tuple[str, dict[str, str]]]:
    """Commands that are refused now to the observer's seat (for a spectator, to the first)."""
    state = table.table.state
    assert state is not None
    legal = [] if observer is None else [str(action) for action in state.legal(observer)]
    tokens = [
        "7x",
        *map(str, PACK),
        *(f"{card}+{said}" for card in PACK[::5] for said in ("20d", "50", "chh")),
    ]
    for token in tokens:
        if token not in legal or observer is None:
            yield "act", {"token": token}
    for verb in ("go-on", "cut", "pick", "resume", "revanche"):
        yield verb, {"at": "16", "place": "3"}


def normal(said: list[object], table: Table) -> list[str]:
    """The answers as texts, with each pack's digest replaced by a word."""
    digests = [Pack(entry.pack, entry.nonce).digest for entry, _ in table.log if isinstance(entry, Shuffled)]
    texts = []
    for answer in said:
        text = repr(answer)
        for nth, digest in enumerate(digests):
            text = text.replace(digest, f"digest {nth}")
        texts.append(text)
    return texts


@pytest.fixture(scope="module")
def shape(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty migrated database, to copy."""
    folder = tmp_path_factory.mktemp("shape")
    upgrade(f"sqlite+aiosqlite:///{folder / 'chouine.db'}")
    return folder / "chouine.db"


@pytest.mark.parametrize(("preset", "seed", "step"), MOMENTS)
def test_every_world_is_answered_alike(
    preset: str, seed: int, step: int, shape: Path, tmp_path: Path
) -> None:
    table = at(preset, seed, step)

    def answer_all(there: Table, observer: int | None, name: str) -> list[str]:
        return answers(there, observer, shape, tmp_path / name)

    worlds = told_alike(table, (None, *table.table.seats), Random(step), answer_all)
    assert worlds > 1, "hardly any other world was looked at"


def answers(table: Table, observer: int | None, shape: Path, folder: Path) -> list[str]:
    """All answers and log lines of a server with this table, for one observer."""
    folder.mkdir()
    (folder / "chouine.db").write_bytes(shape.read_bytes())

    async def go() -> list[object]:
        async with server(folder, table) as app:
            return await answers_of(app, table, observer)

    with capture_logs() as lines:
        said = asyncio.run(go())
    return normal([*said, lines], table)


def test_the_law_can_fail(shape: Path, tmp_path: Path) -> None:
    """The comparison detects a difference: the owner of a changed hand gets another page."""
    table = at("classic", 1, 7)
    other = another_log(table, 0, Random(1))
    assert other is not None
    seen = [answers(world, 1, shape, tmp_path / str(nth)) for nth, world in enumerate((table, other))]
    assert seen[0] != seen[1]
