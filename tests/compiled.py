"""Compile in advance what the tests need; the cache on disk serves all test processes and later runs."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from chouine.ai.network import load_shipped, private_copy
from chouine.ai.training import collector
from chouine.ai.training.collector import empty_transitions
from chouine.ai.training.selfplay import generate
from chouine.book.kernel import play
from chouine.cli.warm import environments, first_decision, search
from chouine.compilations import advice_ready, strong_levels_ready
from chouine.envs.dataset import DatasetOptions, shard_of
from chouine.envs.vector import ChouineVectorEnv
from chouine.fast import AVAILABLE
from chouine.fast.warm import parts_for
from chouine.registry import player_of
from chouine.rules import Rules
from chouine.server.thinking import compile_advice, compile_all


def book() -> None:
    """Compile the kernels of `chouine.book`."""
    play("level:1", 4, seed=1, every=1)


def data_sets() -> None:
    """Compile data sets of compiled players, which several processes test at once."""
    shard_of(DatasetOptions(("net",)), range(1))


def determinization() -> None:
    """Compile `pimc`, whose worlds are solved by other rules of play than those of advice."""
    player_of("pimc:2", Rules()).act(first_decision(Rules()))


def environments_of_more_seats() -> None:
    """Compile what plays on in them until the learner is asked."""
    one = ChouineVectorEnv(1, "three")
    seen, _ = one.reset(seed=0)
    one.step(seen["action_mask"].argmax(axis=1))


def training() -> None:
    """Compile what the trainers of networks play."""
    rules, network = Rules(), private_copy(load_shipped("classic"))
    generate(rules, 10, 2, 0.06, seed=1)
    collector.collect(rules, network, collector.workspace_for(rules), 0.0, 1, empty_transitions(rules, 40))
    collector.win_rate(rules, network, collector.workspace_for(rules), 2, seed=1)


def main() -> None:
    """Compile on all processors; do nothing if the cache is complete or numba is missing."""
    if not AVAILABLE or (strong_levels_ready().exists() and advice_ready().exists()):
        return
    parts = [
        compile_all,
        *parts_for(Rules()),
        environments,
        data_sets,
        search,
        book,
        determinization,
        training,
        environments_of_more_seats,
    ]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for done in [pool.submit(part) for part in parts]:
            done.result()
        pool.submit(compile_advice).result()


if __name__ == "__main__":
    main()
