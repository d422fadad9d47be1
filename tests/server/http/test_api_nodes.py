"""The API over two nodes of one server, on both databases: one match, one stream, one limit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from chouine.server.limits import VISITOR
from tests.needs import need
from tests.server.programs import client_of, close_all, token_of
from tests.server.redis import RedisServer, redis_server
from tests.server.serving import serving


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    need("redis")
    with redis_server() as server:
        yield server
    close_all()


def test_two_programs_at_two_nodes(database: str, redis: RedisServer, tmp_path: Path) -> None:
    """A match to its end, each program at its own node and told of the other's acts by its stream."""
    options = ("--redis", redis.url)
    with (
        serving(database, tmp_path / "one", options=options) as one,
        serving(database, tmp_path / "two", options=options) as two,
    ):
        token = token_of(one, "Aval")
        here, there = client_of(one, token_of(one, "Amont")), client_of(two, token)
        table = here.do("tables", format="1x1")
        there.do("join", link=table["seats"][1]["link"].replace(one.url, two.url))
        rng, told = Random(4), 0
        with here.http.stream("GET", f"/api/1/tables/{table['id']}/events") as answer:
            for line in answer.iter_lines():
                now = json.loads(line)["table"] if line else {"n": 0}
                while now["n"] > told and now["phase"] != "over":
                    told = int(now["n"])
                    state = now
                    for program in (here, there):
                        state = program.get(f"tables/{table['id']}")
                        while state["todo"] != "nothing":
                            state = program.answer(state, rng)
                    now = state
        assert here.get(f"tables/{table['id']}")["winner"] in ("a", "b")
        most = VISITOR["tables"].most
        nodes = [there, client_of(one, token)]
        codes = [
            nodes[nth % 2].post("tables", seats=["me", "level:1"]).status_code for nth in range(most + 1)
        ]
        assert codes == [201] * most + [429]
