"""Nodes and databases killed during play: no acknowledged command is lost or carried out twice."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import monotonic, sleep

import pytest

from benchmarks.server.nodes import Postgres, nodes
from benchmarks.server.player import PERSISTENCE
from tests.faults.playing import COMPUTER, SHORT, SIZES, Size, play_through


@pytest.mark.parametrize("size", SIZES)
def test_the_only_node_is_killed(size: Size, tmp_path: Path) -> None:
    """The node restarts after two seconds, and its players continue by themselves."""
    with nodes(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path) as servers:
        away = []

        def kill() -> None:
            began = monotonic()
            servers[0].kill()
            sleep(2)
            servers[0].start()
            away.append(monotonic() - began)

        told = play_through(servers, tmp_path, size, kill)
    assert told.counts["streams lost"] >= size.matches
    assert told.counts["sent again"] > 0
    assert "given up" not in told.counts or away[0] > PERSISTENCE, "a busy machine may be away for longer"


@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
def test_one_of_two_nodes_is_killed(size: Size, database_server: Postgres, tmp_path: Path) -> None:
    """The killed node's players continue at the other node."""
    with nodes(database_server.url, tmp_path, 2) as servers:
        told = play_through(servers, tmp_path, size, servers[1].kill)
    assert told.counts["streams lost"] > 0
    assert "given up" not in told.counts


@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("at_once", [False, True])
def test_the_database_starts_again(
    size: Size, database_server: Postgres, tmp_path: Path, *, at_once: bool
) -> None:
    """The database restarts after a regular or an immediate shutdown, and the nodes keep running."""
    with nodes(database_server.url, tmp_path, 2) as servers:

        def restart() -> None:
            database_server.stop(at_once=at_once)
            sleep(1)
            database_server.start()

        play_through(servers, tmp_path, size, restart)
        assert all(server.process and server.process.poll() is None for server in servers)


def test_a_thinking_process_is_killed(tmp_path: Path) -> None:
    """Killed thinking processes are replaced, and computers continue to play."""
    with nodes(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path) as (server,):

        def kill() -> None:
            for _ in range(3):
                for child in server.thinking:
                    os.kill(child, signal.SIGKILL)
                sleep(0.7)

        play_through([server], tmp_path, SHORT, kill, COMPUTER)
