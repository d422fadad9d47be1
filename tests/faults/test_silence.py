"""Redis, the database, the disk or the server fails for a while: play waits and continues without false answers."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest

from benchmarks.server.nodes import Postgres, nodes
from tests.faults.playing import CLOCKED, SHORT, SIZES, Size, play_through
from tests.needs import need
from tests.server.redis import redis_server


@pytest.mark.parametrize("size", SIZES)
def test_redis_is_killed_and_comes_back(size: Size, database_server: Postgres, tmp_path: Path) -> None:
    """Without Redis the two nodes poll the database; afterwards play is as before."""
    need("redis")
    with (
        redis_server() as redis,
        nodes(database_server.url, tmp_path, 2, {"CHOUINE_REDIS_URL": redis.url}) as servers,
    ):

        def kill() -> None:
            redis.kill()
            sleep(3)
            redis.start()

        play_through(servers, tmp_path, size, kill)


@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
def test_the_database_is_silent(size: Size, database_server: Postgres, tmp_path: Path) -> None:
    """With the database's processes stopped, connections stay open; pending commands are done once or not at all."""
    with nodes(database_server.url, tmp_path, 2) as servers:

        def silence() -> None:
            processes = family(database_server)
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            sleep(7)
            for process in reversed(processes):
                os.kill(process, signal.SIGCONT)

        play_through(servers, tmp_path, size, silence)


def family(server: Postgres) -> list[int]:
    """PostgreSQL's processes, the parent first."""
    assert server.process is not None
    parent = server.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [parent, *map(int, children)]


@contextmanager
def small_disk(folder: Path, kib: int) -> Iterator[Path]:
    """A small temporary disk."""
    need("root")
    folder.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder)]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("root may not mount a disk here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.nightly
def test_the_disk_is_full(tmp_path: Path) -> None:
    """Commands on a full disk are refused, and play continues once the disk has space."""
    with (
        small_disk(tmp_path / "disk", 16 * 1024) as disk,
        nodes(f"sqlite:///{disk / 'chouine.db'}", tmp_path) as servers,
    ):

        def fill() -> None:
            ballast = os.open(disk / "ballast", os.O_WRONLY | os.O_CREAT)
            with suppress(OSError):
                while True:
                    os.write(ballast, b"x" * 4096)
            os.close(ballast)
            sleep(4)
            (disk / "ballast").unlink()

        play_through(servers, tmp_path, SHORT, fill)


@pytest.mark.nightly
def test_time_without_a_server_is_nobodys(tmp_path: Path) -> None:
    """A server that is away longer than a move's time costs no player the match."""
    size = Size(30, 0.5, 2, 25)
    with nodes(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path) as servers:

        def stop_for_a_while() -> None:
            servers[0].kill()
            sleep(18)
            servers[0].start()

        told = play_through(servers, tmp_path, size, stop_for_a_while, CLOCKED)
    assert told.counts.get("matches finished", 0) == 0
