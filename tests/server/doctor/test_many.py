"""Two nodes and a worker over PostgreSQL and Redis, behind Caddy: the doctor finds nothing wrong, inside or outside."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from chouine.server.doctor.inside import Inside
from chouine.server.migrations import upgrade
from tests.needs import need
from tests.patience import wait_until
from tests.ports import free_port
from tests.server.caddy import proxying_https
from tests.server.doctor.test_inside import find, sound
from tests.server.doctor.test_outside import installation_in, sentences, serve_lively
from tests.server.redis import redis_server
from tests.server.serving import serving
from tests.server.tables.test_workers import worker


def test_nothing_is_wrong_with_many_nodes(postgres_database: str, tmp_path: Path) -> None:
    need("redis")
    upgrade(postgres_database)
    installation, ports = installation_in(tmp_path), [free_port(), free_port()]
    with redis_server() as redis, worker(redis.url, tmp_path / "worker"), ExitStack() as stack:
        options = (*installation.options, "--redis", redis.url)
        for port in ports:
            node = serving(
                postgres_database, tmp_path / "errors", port, options=options, program=serve_lively
            )
            stack.enter_context(node)
        settings = replace(sound(postgres_database, tmp_path), redis=redis.url)
        wait_until("a worker is there", lambda: not find(settings))
        stack.enter_context(proxying_https(installation.site, [f"127.0.0.1:{port}" for port in ports]))
        assert sentences(installation.find()) == {}
        states = {one.check: one.state for one in asyncio.run(Inside(settings).look())}
    assert [check for check, state in states.items() if state != "right"] == ["mail", "push services"]
