"""An update while people play: nodes of two versions side by side, replaced one after the other.

The newer version is this program with a migration that it does not have yet (`tests.server.later`): the older one is
then this program as it is, on a schema that is newer by an expansion.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks.server.check import check
from benchmarks.server.generator import Options, ProcessReport
from benchmarks.server.nodes import crowds
from chouine.server.migrations import stored_in
from tests.forked import Program
from tests.needs import need
from tests.patience import PATIENCE, REVIEWED, wait_until
from tests.server.durability.test_proxy import Nodes, load_on, nodes_behind_a_proxy
from tests.server.later import ADDED, serve_later
from tests.server.redis import redis_server
from tests.server.serving import serve_alone

SILENT = {
    "sent again",
    "streams lost",
    "entries jumped",
    "matches finished",
    "refused: 200 table/stale",
    "refused: 409 table/stale",
}
"""What a browser does without a word: repeat a command or a stream, and show the present table after a gap."""


def replace(nodes: Nodes, which: int, program: Program) -> None:
    """Stop a node as systemd does, start one of another version, and wait until it is ready."""
    nodes.end(which, signal.SIGTERM)
    nodes.start(which, program)
    wait_until("the node", lambda: nodes.answers(which))


def play_through(nodes: Nodes, folder: Path, matches: int, versions: Sequence[Program]) -> ProcessReport:
    """Matches of two people each, while both nodes become one version after another."""
    options = Options(
        addresses=[nodes.url],
        matches=matches,
        seconds=REVIEWED,
        pace=1.0 + matches / 50,
        patience=PATIENCE,
        terms={"format": "1x1", "chair-0": "me", "chair-1": "friend"},
        ledger=str(folder / "ledger"),
    )
    with crowds([options], folder) as (crowd,):
        for program in versions:
            for which in (0, 1):
                replace(nodes, which, program)
        return crowd.stop()


NEWER, FORTH_AND_BACK = (serve_later,), (serve_later, serve_alone, serve_later)


POSTS = frozenset({"post", "post too"})
"""Clients of whom a busy machine may refuse a command, which they repeat: the proxy learns late that a node leaves."""


@pytest.mark.parametrize(
    ("matches", "versions"), [(8, NEWER), pytest.param(200, FORTH_AND_BACK, marks=pytest.mark.nightly)]
)
def test_an_update_is_not_noticed(
    matches: int,
    versions: Sequence[Program],
    postgres_database: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """No page is refused, no command given up or lost, no stream misses an entry, and every log replays."""
    need("caddy", "redis")
    with redis_server() as redis, nodes_behind_a_proxy(postgres_database, redis, tmp_path) as nodes:
        with load_on(nodes) as load:
            told = play_through(nodes, tmp_path, matches, versions)
        assert {who for who, _ in load.bad} <= POSTS, load.bad
        assert load.heard == list(range(load.heard[0], load.heard[-1] + 1))
    report = check(postgres_database, [tmp_path / "ledger"])
    record_property("moves", report.acknowledged)
    record_property("seconds", told.seconds)
    record_property("longest wait of a move, seconds", max(told.answered))
    record_property("seen by players", told.counts)
    assert not report.faults
    assert told.counts.keys() <= SILENT, told.counts
    assert not told.stuck
    assert asyncio.run(stored_in(postgres_database)).version == ADDED
    errors = "".join(path.read_text() for path in tmp_path.glob("errors-*"))
    assert not [word for word in ("failure", "damaged", "superseded") if word in errors], errors
