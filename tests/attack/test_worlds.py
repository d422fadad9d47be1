"""Hidden information in everything that leaves the server (§14): routes, log lines, metrics, jobs and failures.

In worlds that an observer cannot distinguish they are the same; all routes of the program are compared.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import httpx
import prometheus_client
import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from structlog.testing import capture_logs

from chouine.notation.lines import partie_line
from chouine.server.forms import VERBS
from chouine.server.routes import api_events
from chouine.server.routes.addresses import routes
from chouine.server.routes.api import ENDPOINTS
from chouine.server.routes.failures import PROGRAMS
from chouine.server.thinking import ThoughtRequest, encode
from chouine.server.tokens import SCOPES, Tokens
from tests.night import is_night
from tests.patience import PATIENCE
from tests.server.addresses import address_at
from tests.server.http.test_worlds import BASE, DIGEST, GAME, LOTS, at, normal, read_stream, server, shape
from tests.server.matches import Table
from tests.server.worlds import another_log, told_alike

__all__ = ["shape"]
BY_DAY = ("classic", "three", "mondoubleau")
"""The rules of three tables. Each of their observers asks every third route, so that any two of the three meet."""
MOMENTS = [
    ("classic", 1, 9),
    pytest.param("classic", 2, 20, marks=pytest.mark.nightly),
    ("three", 1, 14),
    pytest.param("four", 3, 9, marks=pytest.mark.nightly),
    ("mondoubleau", 0, 12),
]
QUERIES = (
    "",
    "?as=0",
    "?as=1",
    "?as=9",
    "?after=1",
    "?after=999",
    "?trick=1",
    "?trick=99",
    "?back=/table/game",
)
OF_TABLES = ("{table_id", "{which")
ELSEWHERE = ("", "?back=/table/game")
"""Queries for routes without a table."""


@pytest.fixture(autouse=True)
def _lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Number random tokens in order, from the start for each server."""
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(LOTS.numbers):0{2 * size}x}")
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"{next(LOTS.numbers):0{size}x}")


@pytest.fixture(autouse=True)
def _no_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no reviews: they fill in at their own pace."""
    monkeypatch.setattr("chouine.server.reviews.MOST", 0)


@pytest.fixture(autouse=True)
def _quick_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the streams of the API end soon after the server stops."""
    monkeypatch.setattr(api_events, "LOOK", 0.02)


def addresses(route: Route, table: Table) -> Iterator[str]:
    """A route's addresses for this table, with valid and invalid numbers."""
    parties = len(table.table.played)
    for seat in table.table.seats if "{seat" in route.path else [0]:
        for number in range(parties + 3) if "{number" in route.path else [0]:
            for verb in VERBS if "{verb" in route.path else [""]:
                for secret in ("wrong", "0" * 32) if "{secret" in route.path else [""]:
                    yield address_at(
                        route.path_format, GAME, seat=seat, number=number, verb=verb, secret=secret
                    )


def queries_of(route: Route) -> Sequence[str]:
    """The queries with which a route is asked; the table's stream is read once, as its page reads it."""
    if route.path == "/table/{table_id}/stream":
        return ("",)
    return QUERIES if any(name in route.path for name in OF_TABLES) else ELSEWHERE


def routes_for(observer: int | None, preset: str) -> list[Route]:
    """The routes that this observer asks at a table; all at night, and for a third player, who is at one table only."""
    if is_night() or observer == 2 or preset not in BY_DAY:
        return routes
    turn = BY_DAY.index(preset) + (0 if observer is None else observer + 1)
    return routes[turn % 3 :: 3]


async def answers_of(
    app: Starlette, table: Table, observer: int | None, asked: Sequence[Route]
) -> list[object]:
    """The answers of these routes to an observer, for requests that do not continue the match; and of the API."""
    guest = "stranger" if observer is None else f"guest-{observer}"
    csrf = "0" * 32 + app.state.services.secrets._sign(f"csrf:{guest}")
    told: list[object] = []
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    plain = {"Accept-Encoding": "identity"}
    cookies = {f"chouine-{app.state.services.secrets.instance}": guest}
    async with httpx.AsyncClient(
        transport=transport, base_url=BASE, cookies=cookies, headers=plain
    ) as browser:
        for route in asked:
            for address in addresses(route, table):
                if "GET" in (route.methods or ()):
                    queries = queries_of(route)
                    told += [await answer_at(app, browser, address + query) for query in queries]
                if "POST" in (route.methods or ()) and not moves(address, observer):
                    data = {"csrf": csrf, "seat": str(observer or 0), "token": "x", "place": "99", "at": "99"}
                    told.append(answer_of(await browser.post(address, data=data)))
                told.append(answer_of(await browser.request("OPTIONS", address)))
    return [*told, *await said_to_a_program(app, observer)]


BODIES = {
    "pick": {"place": 31},
    "cut": {"at": 99},
    "act": {"act": "x"},
    "speak": {"phrase": "x"},
    "join": {"link": "x"},
}
"""What a program posts that does not continue the match; nothing, where it would."""


async def said_to_a_program(app: Starlette, observer: int | None) -> list[object]:
    """The answers of the whole API to a program of an observer's, the lines of its streams among them."""
    guest = "stranger" if observer is None else f"guest-{observer}"
    tables = app.state.services.tables
    token = await Tokens(tables.store, tables.clock).make(guest, "Program", SCOPES)
    told: list[object] = []
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    headers = {"Accept-Encoding": "identity", "Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        for endpoint in ENDPOINTS:
            address = PROGRAMS + endpoint.path.format(table_id=GAME)
            verb = address.rpartition("/")[2]
            queries = ("", "?seat=a", "?seat=b", "?seat=z") if endpoint.by_seat else ("",)
            for query in queries:
                if endpoint.streams:
                    told.append(await lines_of(app, client, address + query, told=observer is not None))
                elif endpoint.method == "GET":
                    told.append(answer_of(await client.get(address + query)))
                elif verb in BODIES or (observer is None and verb != "tables"):
                    told.append(answer_of(await client.post(address + query, json=BODIES.get(verb, {}))))
    return told


async def lines_of(app: Starlette, client: httpx.AsyncClient, address: str, *, told: bool) -> object:
    """A stream's answer until the server stops, once it has `told` of a table, if it will."""
    services = app.state.services
    app.state.services = replace(services, stopping=asyncio.Event())
    asked = asyncio.create_task(client.get(address))
    async with asyncio.timeout(PATIENCE):
        while told and not asked.done() and not services.tables._watchers:  # noqa: ASYNC110  # a look from outside
            await asyncio.sleep(0.01)
    app.state.services.stopping.set()
    return answer_of(await asked)


def moves(address: str, observer: int | None) -> bool:
    """Whether a post to this address would change the table or the observer's cookie, and so what follows."""
    verb = address.rpartition("/")[2]
    if verb in ("forget", "mine"):
        return True
    return observer is not None and verb in ("concede", "forfeit", "pause", "pass", "speak")


async def answer_at(app: Starlette, browser: httpx.AsyncClient, address: str) -> object:
    if address.startswith(f"/table/{GAME}/stream"):
        return await read_stream(app, browser, 1)
    answer = await browser.get(address)
    return (
        answer.status_code if address.startswith("/metrics") else answer_of(answer)
    )  # `metrics_now` compares the metrics


def answer_of(answer: httpx.Response) -> object:
    """The answer without a pack's digest, which differs between worlds until the partie is over."""
    assert answer.status_code != 500, f"{answer.request.method} {answer.request.url} failed"
    return answer.status_code, answer.headers.raw, DIGEST.sub("digest", answer.text)


def world(table: Table, observer: int | None, shape: Path, folder: Path, asked: Sequence[Route]) -> list[str]:
    """All answers, log lines and metrics of a server with this table, for one observer who asks these routes."""
    folder.mkdir()
    (folder / "chouine.db").write_bytes(shape.read_bytes())

    async def go() -> list[object]:
        async with server(folder, table) as app:
            return await answers_of(app, table, observer, asked)

    before = metrics_now()
    with capture_logs() as lines:
        told = asyncio.run(go())
    after = metrics_now()
    grown = {name: value - before.get(name, 0) for name, value in after.items() if is_counter(name)}
    present = {name: value for name, value in after.items() if not is_counter(name)}
    return normal([*told, lines, grown, present], table)


def is_counter(name: str) -> bool:
    """Whether a metric is a counter, which accumulates over this process's servers."""
    return name.partition(" ")[0].endswith(("_total", "_count"))


def metrics_now() -> dict[str, float]:
    """All metrics except durations, which differ between runs."""
    found = {}
    for metric in prometheus_client.REGISTRY.collect():
        for sample in metric.samples:
            timed = sample.name.endswith(("_sum", "_bucket", "_created"))
            if sample.name.startswith("chouine") and not timed:
                found[f"{sample.name} {sorted(sample.labels.items())}"] = sample.value
    return found


@pytest.mark.parametrize(("preset", "seed", "step"), MOMENTS)
def test_every_route_answers_every_world_alike(
    preset: str, seed: int, step: int, shape: Path, tmp_path: Path
) -> None:
    table = at(preset, seed, step)

    def answers(there: Table, observer: int | None, name: str) -> list[str]:
        return world(there, observer, shape, tmp_path / name, routes_for(observer, preset))

    worlds = told_alike(table, (None, *table.table.seats), Random(step), answers)
    assert worlds > 1, "hardly any other world was looked at"


def test_every_table_s_routes_get_every_query() -> None:
    """The names in the routes are those that are looked for."""
    for name in OF_TABLES:
        assert [route for route in routes if name in route.path and "GET" in (route.methods or ())], name


def test_the_law_can_fail(shape: Path, tmp_path: Path) -> None:
    """The comparison detects a difference: the owner of a changed hand gets other answers."""
    table = at("classic", 1, 9)
    other = another_log(table, 0, Random(1))
    assert other is not None
    page = [route for route in routes if route.path == "/table/{table_id}"]
    assert world(table, 1, shape, tmp_path / "0", page) != world(other, 1, shape, tmp_path / "1", page)


def test_any_two_of_route_observer_and_table_meet() -> None:
    observers, every = (None, 0, 1), set(map(id, routes))
    asked = [
        (rules, who, id(route)) for rules in BY_DAY for who in observers for route in routes_for(who, rules)
    ]
    assert {(rules, route) for rules, _, route in asked} == set(product(BY_DAY, every))
    assert {(who, route) for _, who, route in asked} == set(product(observers, every))


@pytest.mark.parametrize(("preset", "seed", "step"), MOMENTS)
def test_a_job_holds_what_its_seat_knows(preset: str, seed: int, step: int) -> None:
    """A job for a worker is the same, byte for byte, in all worlds that its seat cannot distinguish."""
    table = at(preset, seed, step)

    def jobs(there: Table, seat: int | None, _: str) -> list[str]:
        assert there.table.state is not None
        return [encode(ThoughtRequest.of("heuristic", there.table.state.view(seat), 0)).decode()]

    assert told_alike(table, table.table.seats, Random(step), jobs)


def test_a_program_is_told_its_own_hand(shape: Path, tmp_path: Path) -> None:
    """What is compared holds the table's states, from lists, answers and streams."""
    table = at("classic", 1, 9)
    assert table.table.state is not None
    told = "\n".join(world(table, 0, shape, tmp_path / "0", ()))
    assert told.count(f'"view":"{partie_line(table.table.state.view(0))}"') >= 5
