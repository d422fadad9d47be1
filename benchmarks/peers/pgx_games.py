"""pgx: batches of games stepped by JAX on the processor, the nearest of its card games to ours and its smallest."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.bridge_bidding import BridgeBidding
from pgx.experimental.wrappers import auto_reset

from benchmarks.peers.peer import Peer
from chouine.cli.bench import rate

BATCHES = (1_000, 10_000)
STEPS = 20
DEALS = 100_000


def peer() -> Peer:
    games = {"bridge_bidding": bridge_bidding(), "leduc_holdem": pgx.make("leduc_holdem")}
    meters: dict[str, Callable[[], float]] = {}
    for name, game in games.items():
        for batch in BATCHES:
            steps = stepping(game, batch)
            steps(batch * STEPS)  # compiles
            meters[f"pgx_{name}_{batch}_steps_s"] = partial(rate, steps, batch * STEPS)
    return Peer("pgx", meters)


def bridge_bidding() -> Any:
    """Over random deals said to take no trick: pgx publishes a table of solved ones, too large to ship here."""
    owners = np.argsort(np.random.default_rng(1).random((DEALS, 52)), axis=1) % 4
    keys = (owners.reshape(-1, 4, 13) * 4 ** np.arange(12, -1, -1)).sum(axis=2).astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "deals.npy"
        np.save(table, np.stack([keys, np.zeros_like(keys)]))
        return BridgeBidding(str(table))


def stepping(game: Any, batch: int) -> Callable[[int], object]:
    """Steps of a batch, each action drawn among the legal ones, a game that is over dealt anew."""
    step = jax.vmap(auto_reset(game.step, game.init))

    def one(carried: Any, key: Any) -> Any:
        drawn, dealt = jax.random.split(key)
        chances = jnp.where(carried.legal_action_mask, 0.0, -jnp.inf)
        state = step(carried, jax.random.categorical(drawn, chances), jax.random.split(dealt, batch))
        return state, state.observation.sum()  # or the compiler leaves observations out

    many = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, STEPS)))
    state = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(0), batch))
    seeds = count()

    def steps(_: int) -> None:
        nonlocal state
        state, _observed = jax.block_until_ready(many(state, jax.random.key(next(seeds))))

    return steps
