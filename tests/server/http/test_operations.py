"""Health, readiness and metrics: counts of everything, and no personal or game data."""

from __future__ import annotations

import asyncio
import json
import math
import re
import signal
import threading
from pathlib import Path

import httpx

from tests.patience import PATIENCE, wait_until
from tests.server.serving import Browser, RunningServer, serve_counting_for_long, serving
from tests.server.stores import alter


def test_health_and_readiness(database: str, tmp_path: Path) -> None:
    with serving(database, tmp_path / "errors") as server, httpx.Client(base_url=server.url) as client:
        assert client.get("/health").json() == {"ok": True}
        assert client.get("/ready").json() == {"ok": True}
        asyncio.run(alter(database, "update alembic_version set oldest = '9999'"))
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"ok": False, "why": "another shape"})
        assert client.get("/health").status_code == 200
        assert [client.get("/ready").status_code for _ in range(20)] == [503] * 20
    lines = [json.loads(line) for line in server.errors.read_text().splitlines()]
    (told,) = [line for line in lines if line["event"] == "not ready"]
    assert (told["kind"], told["setting"]) == ("another shape", "--database")


def metrics_of(client: httpx.Client | Browser) -> dict[str, float]:
    """All metrics by name and labels."""
    http = client.http if isinstance(client, Browser) else client
    answer = http.get("/metrics")
    assert answer.status_code == 200
    lines = (line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}


def test_what_happens_is_counted(served: RunningServer, host: Browser, friend: Browser) -> None:
    before = metrics_of(host)
    table_id = host.open()
    friend.sit(host.links(table_id)[1])
    assert host.tell(table_id, "pick", 0, place="3").json()["ok"]
    assert host.tell(table_id, "pick", 0, place="4").status_code == 422
    with host.http.stream("GET", f"/table/{table_id}/stream") as answer:
        chunks = answer.iter_bytes()  # keeps a reference; the connection closes with it
        next(chunks)
        during = metrics_of(friend)
    after = metrics_of(host)

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    assert grown('chouine_commands_total{outcome="done"}') >= 2
    assert grown('chouine_commands_total{outcome="refused"}') >= 1
    assert grown("chouine_entries_total") >= 4
    assert grown("chouine_commit_group_count") >= 2
    assert during["chouine_streams"] >= 1
    assert during["chouine_tables_watched"] >= 1


def test_what_is_kept_and_what_waits_is_measured(database: str, tmp_path: Path) -> None:
    """Browsers, the database's size, the loop's delay, the queue; not a number once the database is gone."""
    with serving(database, tmp_path / "errors") as server:
        browser = server.visit()
        before = metrics_of(browser)
        browser.post("/language", language="en")
        wait_until("the delay is measured", lambda: metrics_of(browser)["chouine_loop_delay_seconds_count"])
        after = metrics_of(browser)
        assert after['chouine_rows{what="sessions"}'] == before['chouine_rows{what="sessions"}'] + 1
        assert (after['chouine_rows{what="push"}'], after['chouine_rows{what="mail"}']) == (0, 0)
        assert after["chouine_database_bytes"] > 50_000
        assert after["chouine_moves_queued"] == 0
        assert after["chouine_workers"] >= 1
        asyncio.run(alter(database, "drop table mailbox"))
        assert math.isnan(metrics_of(browser)["chouine_database_bytes"])


def test_the_figures_name_nobody(host: Browser, friend: Browser) -> None:
    """Metrics contain no table, visitor, address, card or thinking time; label values are words of the program."""
    table_id = host.open(**{"name-0": "Somebody", "chair-1": "heuristic"})
    host.tell(table_id, "pick", 0, place="3")
    text = host.http.get("/metrics").text
    for secret in (table_id, "Somebody", "127.0.0.1", host.cookie, host.csrf, "heuristic"):
        assert secret not in text
    labels = set(re.findall(r'(\w+)="([^"]*)"', text))
    named = {(name, value) for name, value in labels if name not in ("le", "version", "implementation")}
    known = {
        "outcome",
        "method",
        "status",
        "limit",
        "way",
        "what",
        "generation",
        "major",
        "minor",
        "patchlevel",
    }
    assert {name for name, _ in named} <= known
    assert not any("thought_seconds" in line for line in text.splitlines())


def test_the_figures_are_not_for_everybody(served: RunningServer) -> None:
    """Metrics are served to near addresses only, and through no proxy, whatever it says."""
    assert httpx.get(f"{served.url}/metrics").status_code == 200
    for header in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via", "X-Forwarded-Host"):
        for value in ("9.9.9.9", "10.0.0.9", "127.0.0.1", "for=10.0.0.9", ""):
            answer = httpx.get(f"{served.url}/metrics", headers={header: value})
            assert answer.status_code == 404, (header, value)


def test_a_proxy_is_believed_only_where_it_is_trusted(tmp_path: Path) -> None:
    """By default no proxy is trusted: forwarding headers change neither the address nor the cookie."""
    database, program = f"sqlite:///{tmp_path / 'chouine.db'}", serve_counting_for_long
    with serving(database, tmp_path / "errors", per_address=1, options=(), program=program) as server:
        claimed = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "10.0.0.9"}
        assert "secure" not in httpx.get(server.url, headers=claimed).headers["set-cookie"].lower()
        assert httpx.get(f"{server.url}/metrics", headers=claimed).status_code == 404
        assert httpx.get(f"{server.url}/metrics").status_code == 200
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as crowd:
            answers = [
                crowd.get("/nowhere", headers={"X-Forwarded-For": f"192.0.2.{nth % 250}"}).status_code
                for nth in range(300)
            ]
        assert 429 in answers, "sixty requests in ten seconds are one address's"


def test_a_server_that_stops_ends_its_streams_in_good_order(tmp_path: Path) -> None:
    """On shutdown every stream gets its last chunk, so that browsers reconnect at once."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as server:
        host = server.visit()
        table_id = host.open(**{"chair-1": "heuristic"})
        ended: list[bool] = []

        def read() -> None:
            with httpx.stream("GET", f"{server.url}/table/{table_id}/stream", timeout=PATIENCE) as answer:
                for _ in answer.iter_bytes():
                    pass
                ended.append(True)

        readers = [threading.Thread(target=read) for _ in range(5)]
        for reader in readers:
            reader.start()
        while metrics_of(host)["chouine_streams"] < 5:
            pass
        server.stop(signal.SIGTERM)
        for reader in readers:
            reader.join(PATIENCE)
    assert ended == [True] * 5
