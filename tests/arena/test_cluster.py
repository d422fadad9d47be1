"""Jobs on a Ray cluster have the same results as locally."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from chouine.arena.pairs import Duel, Pair, play_pair
from chouine.cli import main
from chouine.envs.dataset import DatasetOptions, write
from chouine.errors import ChouineError
from chouine.jobs import crew
from chouine.jobs.crews import AHEAD
from tests.patience import PATIENCE
from tests.ports import free_port

DUEL = Duel("greedy", "random", recorded=True)


class Remote:
    """The part of Ray's remote functions that duels use; records its calls."""

    def __init__(self, function: Callable[[Callable[[int], Pair], int], Pair]) -> None:
        self.function = function
        self.begun: list[int] = []

    def remote(self, task: Callable[[int], Pair], number: int) -> Callable[[], Pair]:
        self.begun.append(number)
        return lambda: self.function(task, number)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A fake `ray` module; returns the calls it received."""
    asked: list[object] = []
    ray = types.ModuleType("ray")

    def remote(function: Callable[[Callable[[int], Pair], int], Pair]) -> Remote:
        asked.append(Remote(function))
        return asked[-1]  # type: ignore[return-value]

    for name, value in {
        "init": lambda **options: asked.append(options["address"]),
        "remote": remote,
        "get": lambda begun: begun(),
        "cluster_resources": lambda: {"CPU": 2.0},
        "exceptions": types.SimpleNamespace(RayError=RuntimeError, RayTaskError=KeyError),
        "shutdown": lambda: asked.append("shutdown"),
    }.items():
        setattr(ray, name, value)
    monkeypatch.setitem(sys.modules, "ray", ray)
    return asked


def test_pairs_of_a_cluster_come_in_order(calls: list[object]) -> None:
    with crew(1, "local") as playing:
        pairs = list(playing(partial(play_pair, DUEL), range(20)))
    assert [pair.records for pair in pairs] == [play_pair(DUEL, number).records for number in range(20)]
    address, remote, last = calls
    assert (address, last) == ("local", "shutdown")
    assert isinstance(remote, Remote)
    assert remote.begun == list(range(20))


def test_no_more_is_begun_than_the_cluster_can_do(calls: list[object]) -> None:
    with crew(1, "local") as playing:
        next(iter(playing(partial(play_pair, DUEL), range(1000))))
    remote = calls[1]
    assert isinstance(remote, Remote)
    assert len(remote.begun) == 1 + 2 * AHEAD  # one is taken; two processors


def test_a_cluster_that_is_not_there(calls: list[object]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]  # a bound port without a listener
        for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}", "nowhere"):
            with pytest.raises(ChouineError) as raised, crew(1, address):
                pass
            assert raised.value.code == (
                "arena/cluster-address" if ":" not in address else "arena/no-cluster"
            )
            assert address in str(raised.value)
    assert not calls


def test_without_ray_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["duel", "random", "random", "--ray", "local", "--language", "en"]) == 2
    assert "chouine[cluster]" in capsys.readouterr().err


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a local Ray cluster with two workers and its own token."""
    assert find_spec("ray"), "this test needs Ray: pip install 'chouine[cluster]'"
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    port = free_port()
    options = ["--head", "--node-ip-address=127.0.0.1", f"--port={port}", "--num-cpus=2", "--block"]
    options += ["--include-dashboard=false", "--disable-usage-stats"]
    starting = [sys.executable, "-m", "ray.scripts.scripts", "start", *options]
    head = subprocess.Popen(starting, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = monotonic() + 60
        while not listening(port) and monotonic() < until:
            sleep(0.2)
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        head.wait(PATIENCE)


def listening(port: int) -> bool:
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.nightly
def test_a_cluster_of_two_workers_plays_the_same(cluster: str, capfd: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "chouine", "duel", "greedy", "random", "--pairs", "40", "--json"]
    told = []
    for who in (["--ray", cluster], ["--workers", "1"]):
        done = subprocess.run([*command, *who], check=True, capture_output=True, env=dict(os.environ))
        told.append(json.loads(done.stdout))
    assert all(told[0][key] == told[1][key] for key in told[0] if not key.startswith("seconds"))
    assert not capfd.readouterr().err


@pytest.mark.nightly
def test_a_node_lost_in_the_middle_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A data set made on a cluster of two nodes, one of which is killed, is that of this machine, to the byte."""
    assert find_spec("ray"), "this test needs Ray: pip install 'chouine[cluster]'"
    cluster_utils: Any = import_module("ray.cluster_utils")
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    making = DatasetOptions(("greedy", "heuristic"), parties=8_000)
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        node = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()

        def lose(done: int) -> None:
            if done == 2:
                cluster.remove_node(node, allow_graceful=False)

        with crew(1, cluster.address) as computing:
            made = write(tmp_path / "cluster", making, crew=computing, tell=lose)
    finally:
        cluster.shutdown()
    assert write(tmp_path / "here", making) == made
    for path in (tmp_path / "here").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "cluster" / path.relative_to(tmp_path / "here")).read_bytes()


def test_a_lost_item_is_named(calls: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_begun: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(sys.modules["ray"], "get", fail)
    with crew(1, "local") as playing, pytest.raises(ChouineError) as raised:
        list(playing(partial(play_pair, DUEL), [7]))
    assert raised.value.code == "jobs/worker-ended"
    assert raised.value.__notes__ == ["7"]
