"""The files that a browser takes along for offline play, and the matches it brings back."""

from __future__ import annotations

import asyncio
import gzip
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from zipfile import ZipFile

import httpx
import pytest
from starlette.applications import Starlette

from chouine.cli.databases import ready_database
from chouine.server.app import application
from chouine.server.offline import bundle
from chouine.server.offline.import_match import check_match
from chouine.server.offline.matches import SealedPartie, StoredMatch
from chouine.server.pages.home import Takeaway
from chouine.server.policy import CARRIES_PYTHON, POLICY
from chouine.server.thinking import ThinkerPool
from chouine.table.entries import LogEntry
from chouine.table.state import TableState
from tests.needs import need
from tests.patience import wait_until
from tests.server.offline.playing import Device
from tests.server.serving import RunningServer, serve_alone, serving


def test_all_that_is_taken_along_is_served(served: RunningServer) -> None:
    """All listed files are served, and only the page with Python and its worker may compile WebAssembly."""
    need("pyodide")
    browser = served.visit()
    told = browser.get("/offline/files.json").json()
    assert told["version"] in browser.get("/").text
    assert {"/offline", "/offline/app.zip", "/offline/runtime/pyodide.asm.wasm"} <= set(told["files"])
    for address in told["files"]:
        given = browser.get(address)
        assert given.status_code == 200, address
        carries = address in ("/offline", "/offline/worker.js")
        assert given.headers["content-security-policy"] == (CARRIES_PYTHON if carries else POLICY), address
    names = ZipFile(BytesIO(browser.get("/offline/app.zip").content)).namelist()
    assert {
        "chouine/table/decide.py",
        "chouine/server/templates/table/partie.html",
        "jinja2/__init__.py",
    } <= {*names}
    servers = (
        *("chouine/server/routes/context", "chouine/server/routes/addresses", "chouine/server/store"),
        *("chouine/server/database", "chouine/server/visitors", "chouine/ai/training", "chouine/cli"),
    )
    assert not [name for name in names if name.startswith(servers)], "only what offline play may import"
    assert "unsafe-eval" not in CARRIES_PYTHON.replace("wasm-unsafe-eval", "")


def test_the_image_of_memory_holds_no_compiled_package() -> None:
    """Such as msgspec: its functions would be at other places when Python starts from the image."""
    names = [wheel.name.partition("-")[0] for wheel in bundle.wheels()] or ["msgspec"]
    blocked = "".join(f"sys.modules[{name!r}] = None; " for name in names)
    program = f"import sys; {blocked}import chouine.server.offline.preload"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_first_visitors_share_what_is_computed_for_them() -> None:
    """They come at once where a server was away: on a busy machine none had a page while each had it computed."""
    both, computed = Barrier(2), []

    @bundle.Once
    def compute() -> int:
        computed.append(1)
        with suppress(BrokenBarrierError):
            both.wait(0.5)  # the other one's computation, if there is one
        return len(computed)

    with ThreadPoolExecutor(2) as visitors:
        assert [*visitors.map(lambda _: compute(), range(2))] == [1, 1]


def serve_slowly(arguments: Sequence[str]) -> int:
    """Run `chouine serve`, which works the size of the offline copy out when a file beside the database says so."""
    may_go_on = Path(arguments[arguments.index("--database") + 1].removeprefix("sqlite:///")).with_name("go")
    function = bundle.takeaway.function

    def wait_and_compute() -> Takeaway | None:
        wait_until("the test", may_go_on.exists)
        return function()

    bundle.takeaway = bundle.Once(wait_and_compute)
    return serve_alone(arguments)


def test_the_first_page_does_not_wait_for_the_size_of_the_copy(tmp_path: Path) -> None:
    """It offers the copy as soon as the size is known, and until then says nothing of it."""
    need("pyodide")
    database, errors = f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors"
    with serving(database, errors, program=serve_slowly) as served:
        browser = served.visit()
        assert "takeaway" not in browser.page.text
        with ThreadPoolExecutor(1) as device:
            files = device.submit(served.visit().get, "/offline/files.json")  # who takes it along waits
            assert browser.get("/").status_code == 200
            (tmp_path / "go").touch()
            version = files.result().json()["version"]
        wait_until("the offer", lambda: f'data-version="{version}"' in browser.get("/").text)


def test_what_the_worker_imports_is_taken_along() -> None:
    """Scripts import modules by name, which no search of the Python sources finds."""
    scripts = (bundle.STATIC / "js" / "offline").glob("*.js")
    named = {
        name for path in scripts for name in re.findall(r"from (chouine[\w.]+)", path.read_text("utf-8"))
    }
    assert len(named) > 2
    assert {f"{name.replace('.', '/')}.py" for name in named} <= {name for name, _ in bundle.sources()}


def test_each_source_is_taken_along_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule books too, which lie above the sources in a checkout, and among them where the package is installed."""
    installed = tmp_path / "site-packages" / "chouine"
    installed.mkdir(parents=True)
    rule_tables = {"chouine/REGLES.md", "chouine/RULES.md"}
    assert rule_tables <= {name for name, _ in bundle.sources()}
    for name in rule_tables:
        (installed.parent / name).touch()
    monkeypatch.setattr(bundle, "PACKAGE", installed)
    names = [name for name, _ in bundle.sources()]
    assert rule_tables <= {*names}
    assert len(names) == len({*names})


def test_a_match_is_brought_once_and_marked(served: RunningServer) -> None:
    """Compressed, or by a browser that cannot compress: it is the same match."""
    device = Device()
    table_id = device.set_table(rules="classic", format="1x1", **{"chair-0": "me", "chair-1": "level:1"})
    device.play_out(table_id)
    browser = served.visit()
    csrf = browser.forms()[0].fields["csrf"]
    text = device.matches[table_id].encode()
    sent = {"match": ("match", gzip.compress(text))}
    once, twice = (
        browser.http.post("/offline/carry", data={"csrf": csrf}, files={"match": ("match", body)}).json()
        for body in (gzip.compress(text), text)
    )
    assert once == twice
    page = browser.get("/match/" + once["match"])
    assert "Joué sans réseau" in page.text or "Played without a network" in page.text
    assert browser.get("/").text.count('href="/match/') == 1
    refused = browser.http.post("/offline/carry", data={"csrf": csrf}, files={"match": ("match", b"x")})
    assert refused.status_code == 422
    assert browser.http.post("/offline/carry", data={"csrf": "x"}, files=sent).status_code == 403


def test_a_partie_of_a_past_day_is_brought_once(served: RunningServer) -> None:
    """It is the guest's try, without counting in the tables; one of a day that is not public is refused."""
    need("pyodide")
    anne = served.visit("en")
    csrf = anne.forms()[0].fields["csrf"]
    days = anne.get("/offline/days.json")
    device = Device(days=days.text)
    latest = max(device.site.days)
    assert latest == max(date.fromisoformat(one["date"]) for one in days.json()["days"])
    assert device.post(f"/daily/{latest}", {"partie": "2"}).status == 303
    table_id = f"{latest}-2"
    device.play_out(table_id)
    text = device.matches[table_id]

    def carry(text: str) -> httpx.Response:
        return anne.http.post(
            "/offline/carry", data={"csrf": csrf}, files={"match": ("match", text.encode())}
        )

    tomorrow = str(latest + timedelta(1))
    assert (
        "past deals of the day" in carry(text.replace(f'"{latest}-2"', f'"{tomorrow}-2"')).json()["message"]
    )
    once = carry(text).json()
    assert once["ok"]
    assert carry(text).json() == once
    page = anne.get(f"/daily/{latest}").text
    assert f'/match/{once["match"]}/1/review"' in page
    assert page.count('name="partie"') == 2
    assert anne.post(f"/daily/{latest}", partie="2").headers["location"] == f"/table/{once['match']}"


def test_one_match_at_a_time_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes up to a second; forty threads at once would leave the event loop a fortieth of the processor."""
    device, under_way, most = Device(), [0], [0]
    table_id = device.set_table(rules="classic", format="1x1", **{"chair-0": "me", "chair-1": "level:1"})
    device.play_out(table_id)
    body = gzip.compress(device.matches[table_id].encode())

    def slowly(
        match: StoredMatch, guest: str, now: float, sealed: SealedPartie | None
    ) -> tuple[list[tuple[LogEntry, float]], TableState]:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        time.sleep(0.05)
        under_way[0] -= 1
        return check_match(match, guest, now, sealed)

    async def carry(app: Starlette) -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as browser:
            csrf = re.findall(r'name="csrf" value="([^"]+)"', (await browser.get("/")).text)[0]
            sent = {"match": ("match", body)}
            return (await browser.post("/offline/carry", data={"csrf": csrf}, files=sent)).status_code

    async def test() -> None:
        app = application(database)
        async with app.router.lifespan_context(app):
            assert await asyncio.gather(*(carry(app) for _ in range(5))) == [200] * 5

    monkeypatch.setattr("chouine.server.routes.offline.check_match", slowly)
    monkeypatch.setattr(ThinkerPool, "warm", lambda _: None)
    database = ready_database(f"sqlite:///{tmp_path / 'chouine.db'}")
    asyncio.run(test())
    assert most == [1]
