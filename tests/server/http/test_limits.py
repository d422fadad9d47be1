"""Limits per visitor and per address; exceeding them does not affect others."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import msgspec
import pytest

from chouine.server.limits import (
    ADDRESS,
    DAY,
    PER_ADDRESS,
    STUDIES,
    VISITOR,
    Limits,
    Rate,
)
from chouine.server.pages.visit import Settings
from chouine.server.saved import SavedState, Schooling, encode_saved
from tests.patience import PATIENCE
from tests.server.serving import ROOT, RunningServer, serve_counting_for_long, serving


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that allows eight streams per address."""
    folder: Path = tmp_path_factory.mktemp("strict")
    database, errors = f"sqlite:///{folder / 'chouine.db'}", folder / "errors"
    with serving(database, errors, per_address=8, program=serve_counting_for_long) as server:
        yield server


def test_streams_of_one_address(strict: RunningServer) -> None:
    """Streams beyond the limit are refused, commands still work, and closing a stream makes room for another."""
    host = strict.visit()
    table_id = host.open(**{"chair-1": "heuristic"})
    with httpx.Client(base_url=strict.url, timeout=PATIENCE) as crowd, ExitStack() as held:
        first = held.enter_context(crowd.stream("GET", f"/table/{table_id}/stream"))
        others = [held.enter_context(crowd.stream("GET", f"/table/{table_id}/stream")) for _ in range(7)]
        assert {answer.status_code for answer in (first, *others)} == {200}
        with crowd.stream("GET", f"/table/{table_id}/stream") as beyond:
            assert beyond.status_code == 429
            assert int(beyond.headers["retry-after"]) > 0
        assert host.tell(table_id, "speak", 0, phrase="hello").json()["ok"]
        others.pop().close()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with crowd.stream("GET", f"/table/{table_id}/stream") as again:
                if again.status_code == 200:
                    return
        raise AssertionError("no room was made")


def test_tables_of_one_visitor(strict: RunningServer) -> None:
    """A visitor who sets too many tables is refused with a page that says why, and until when."""
    host, friend = strict.visit("en"), strict.visit()
    new = {"format": "1x1", "chair-0": "me", "chair-1": "friend"}
    codes = [host.post("/new", **new).status_code for _ in range(VISITOR["tables"].most + 1)]
    assert codes == [303] * VISITOR["tables"].most + [429]
    assert re.search(r"try again in 1 minute\.|wait a moment", host.post("/new", **new).text)
    assert friend.post("/new", **new).status_code == 303


def test_a_revanche_is_a_table_too(served: RunningServer) -> None:
    """Who forfeits at once and wants a revanche, again and again, opens no more tables than by the form."""
    host, codes = served.visit(), []
    table_id = host.open(**{"chair-1": "heuristic"})
    for _ in range(VISITOR["tables"].most):
        assert host.tell(table_id, "forfeit", 0).status_code == 200
        codes.append(host.tell(table_id, "revanche", 0).status_code)
        table_id = hashlib.sha256(f"{table_id} revanche".encode()).hexdigest()[:32]
    assert codes == [200] * (VISITOR["tables"].most - 1) + [429]


def test_tables_of_computers_alone(served: RunningServer) -> None:
    """Matches between computers are limited in length and, per visitor, in number."""
    host, most = served.visit("en"), VISITOR["watched"].most
    watched = {"chair-0": "level:1", "chair-1": "level:2", "format": "1x1"}
    endless = host.post("/new", **watched | {"format": "6x2"})
    assert (endless.status_code, "to 5 parties at most" in endless.text) == (422, True)
    assert [host.post("/new", **watched).status_code for _ in range(most + 1)] == [303] * most + [429]
    assert host.post("/new", **watched | {"chair-0": "me", "format": "6x2"}).status_code == 303


def test_uploads_of_one_visitor(served: RunningServer) -> None:
    """Refused matches count too, since they cost the server as much."""
    browser, most = served.visit(), VISITOR["carried"].most
    csrf = browser.forms()[0].fields["csrf"]
    sent = {"match": ("match", b"x")}
    codes = [
        browser.http.post("/offline/carry", data={"csrf": csrf}, files=sent).status_code
        for _ in range(most + 1)
    ]
    assert codes == [422] * most + [429]


@pytest.mark.parametrize(
    ("what", "path", "fields"),
    [
        ("contests", "/contests", {"title": "Essai", "format": "never"}),
        ("entries", "/contests/{contest}", {"what": "enter", "name": "Odile"}),
    ],
)
def test_contests_of_one_visitor(served: RunningServer, what: str, path: str, fields: dict[str, str]) -> None:
    """Refused requests count towards the limit too, since they cost the server as much."""
    owner, most = served.visit(), VISITOR[what].most
    opened = owner.post("/contests", title="Essai", format="1x1", kind="lavardin")
    where = path.format(contest=opened.headers["location"].removeprefix("/contests/"))
    other = served.visit()
    codes = [other.post(where, **fields).status_code for _ in range(most + 1)]
    assert 429 not in codes[:-1]
    assert codes[-1] == 429


def test_commands_of_one_visitor(strict: RunningServer) -> None:
    host = strict.visit()
    friend = strict.visit()
    table_id = friend.open()
    answers = [host.tell(table_id, "pick", 0, place="1") for _ in range(VISITOR["commands"].most + 1)]
    assert [answer.status_code for answer in answers] == [403] * VISITOR["commands"].most + [429]
    assert answers[-1].json()["code"] == "too-fast"
    assert friend.tell(table_id, "speak", 0, phrase="hello").status_code == 200


def test_a_first_visit_is_not_stored(tmp_path: Path) -> None:
    """Visits without a cookie store no session; a remembered name stores one."""
    database = tmp_path / "chouine.db"

    def rows() -> int:
        with closing(sqlite3.connect(database)) as connection:
            return int(connection.execute("select count(*) from session").fetchone()[0])

    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        for _ in range(20):
            served.visit()
        assert rows() == 0
        host = served.visit()
        friend = served.visit()
        table_id = host.open(**{"name-0": "Jean"})
        assert rows() == 1
        friend.sit(host.links(table_id)[1], "Ami")
        assert friend.tell(table_id, "pick", 1, place="3").json()["ok"]
        assert 'value="Jean"' in host.get("/").text


def test_browsers_of_one_address(tmp_path: Path) -> None:
    """An address that has stored many browsers is refused before a form does anything; known browsers are served."""
    database, new = tmp_path / "chouine.db", {"format": "1x1", "chair-0": "me", "chair-1": "friend"}
    most = ADDRESS["sessions"].most
    with (
        serving(f"sqlite:///{database}", tmp_path / "errors", per_address=1) as served,
        closing(sqlite3.connect(database)) as connection,
    ):

        def rows(table: str) -> int:
            return int(connection.execute(f"select count(*) from {table}").fetchone()[0])  # noqa: S608

        csrf = served.visit()
        codes = []
        for nth in range(most + 3):
            csrf.http.cookies.clear()
            page = csrf.get("/settings")
            codes.append(csrf.submit(csrf.form("/settings"), large="on", back="/rules").status_code)
            assert page.status_code == 200, nth
        assert (codes, rows("session")) == ([200] * most + [429] * 3, most)
        fresh = served.visit()
        assert (fresh.post("/new", **new).status_code, rows("game")) == (429, 0)


def test_only_what_differs_from_the_defaults_is_stored() -> None:
    assert encode_saved(SavedState()) == b"{}"
    assert encode_saved(SavedState(name="Jean", level=3)) == b'{"name":"Jean","level":3}'
    for saved in (SavedState(), SavedState(settings=Settings(sound=True), school=Schooling(solved=("a",)))):
        assert msgspec.json.decode(encode_saved(saved), type=SavedState) == saved


def test_a_cookie_of_ones_own_making_is_nobody(tmp_path: Path) -> None:
    """A forged or altered session cookie is replaced and gives no right to a seat."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        host = served.visit()
        table_id = host.open()
        (name,) = host.http.cookies
        own = host.cookie
        for forged in (
            "x" * 43,
            own[:-1] + ("0" if own[-1] != "0" else "1"),
            own.partition(".")[0],
            "." * 200,
        ):
            answer = httpx.get(served.url, cookies={name: forged})
            assert answer.cookies[name] not in (forged, own)
            data = {"csrf": host.csrf, "seat": "0", "place": "3"}
            told = httpx.post(f"{served.url}/table/{table_id}/pick", data=data, cookies={name: forged})
            assert told.status_code == 403


def test_what_is_sent_without_a_token_has_weight(tmp_path: Path) -> None:
    """A form is parsed before its token is known: an address that only sends is refused before that."""
    rubbish, kind = "&" * 64_000, "application/x-www-form-urlencoded"
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", per_address=1) as served:
        browser = served.visit()
        headers = {"content-type": kind, "origin": served.url}
        codes = [
            browser.http.post("/learn/progress", content=rubbish, headers=headers).status_code
            for _ in range(ADDRESS["bytes"].most // len(rubbish) + 1)
        ]
    assert codes == [400] * (len(codes) - 1) + [429]


def test_the_numbers_are_those_that_operators_read() -> None:
    periods = {10: "in 10 seconds", 600: "in 10 minutes", 60: "a minute", 3600: "an hour", DAY: "a day"}
    limits = Limits()

    def limit(rates: dict[str, Rate], what: str, thing: str = "") -> str:
        most, seconds = rates[what]
        return f"{most:,}{thing} {periods[seconds]}"

    page = (ROOT / "docs/security.md").read_text("utf-8")
    for sentence in (
        (
            f"a visitor {limit(VISITOR, 'tables', ' tables')} and {limit(VISITOR, 'commands', ' commands')};"
            f" {limit(VISITOR, 'watched', ' tables of computers alone')}"
        ),
        (
            f"an address {PER_ADDRESS} streams, {limit(limits.address, 'tables', ' tables')},"
            f" {limit(limits.address, 'watched', ' of computers alone')},"
            f" {limit(limits.address, 'carried', ' matches played offline and uploaded')}"
        ),
        (
            f"{limits.address['commands'].most} commands and {limit(limits.address, 'requests', ' requests')},"
            f" and {limits.address['busy'].most // 1000} seconds of the event loop's time"
            f" in {limits.address['busy'].seconds}"
        ),
        (
            f"a visitor announces {limit(VISITOR, 'contests', ' contests')} and enters {limit(VISITOR, 'entries')},"
            f" opens {limit(VISITOR, 'reviews', ' reviews')} and waits for {STUDIES} studies"
        ),
        (
            f"an address announces {limit(limits.address, 'contests', ' contests')} and enters"
            f" {limit(limits.address, 'entries')}, opens {limit(limits.address, 'reviews', ' reviews')},"
            f" and waits for {STUDIES * PER_ADDRESS} studies"
        ),
    ):
        assert sentence in page
