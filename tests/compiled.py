"""Compile in advance what the tests need; the cache on disk serves all test processes and later runs."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from chouine.book.kernel import play
from chouine.cli.warm import environments, search
from chouine.compilations import advice_ready, strong_levels_ready
from chouine.envs.dataset import DatasetOptions, shard_of
from chouine.fast import AVAILABLE
from chouine.fast.warm import parts_for
from chouine.rules import Rules
from chouine.server.thinking import compile_advice, compile_all


def book() -> None:
    """Compile the kernels of `chouine.book`."""
    play("level:1", 4, seed=1, every=1)


def data_sets() -> None:
    """Compile data sets of compiled players, which several processes test at once."""
    shard_of(DatasetOptions(("net",)), range(1))


def main() -> None:
    """Compile on all processors; do nothing if the cache is complete or numba is missing."""
    if not AVAILABLE or (strong_levels_ready().exists() and advice_ready().exists()):
        return
    parts = [compile_all, *parts_for(Rules()), environments, data_sets, search, book]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for done in [pool.submit(part) for part in parts]:
            done.result()
        pool.submit(compile_advice).result()


if __name__ == "__main__":
    main()
