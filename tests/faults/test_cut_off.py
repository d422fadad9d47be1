"""The network between the nodes and their database is cut: packets are lost, and connections stay open."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest

from benchmarks.server.nodes import nodes, postgres
from tests.faults.playing import CLOCKED, FRIENDS, SIZES, Size, play_through
from tests.needs import need
from tests.server.postgres import owner

NAME = "chouine"
HERE, THERE = "198.51.100.1", "198.51.100.2"


def ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True)


@contextmanager
def far_away() -> Iterator[Callable[[str], None]]:
    """A network namespace behind a virtual cable; yields a function that sets the cable "up" or "down"."""
    need("root", "postgresql")
    try:
        ip(f"netns add {NAME}")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("root may not make a network here")
    try:
        ip(f"link add {NAME}-here type veth peer name {NAME}-there")
        ip(f"link set {NAME}-there netns {NAME}")
        ip(f"addr add {HERE}/30 dev {NAME}-here")
        ip(f"-n {NAME} addr add {THERE}/30 dev {NAME}-there")
        ip(f"link set {NAME}-here up")
        ip(f"-n {NAME} link set {NAME}-there up")
        yield lambda state: ip(f"-n {NAME} link set {NAME}-there {state}")
    finally:
        with suppress(subprocess.CalledProcessError):
            ip(f"link del {NAME}-here")
        ip(f"netns del {NAME}")


@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("terms", [pytest.param(FRIENDS, id="friends"), pytest.param(CLOCKED, id="clocked")])
def test_the_database_is_cut_off(size: Size, terms: dict[str, str], tmp_path: Path) -> None:
    """After seven seconds without network, pending commands are done once or not at all, and no clock has run out."""
    as_owner = ("setpriv", "--reuid", owner() or "", "--regid", owner() or "", "--clear-groups")
    within = ("ip", "netns", "exec", NAME, *as_owner)
    with (
        far_away() as cable,
        postgres(THERE, within) as database,
        nodes(database.url, tmp_path, 2) as servers,
    ):

        def cut() -> None:
            cable("down")
            sleep(7)
            cable("up")

        told = play_through(servers, tmp_path, size, cut, terms)
    assert "given up" not in told.counts
    assert terms is FRIENDS or told.counts.get("matches finished", 0) == 0
