"""pgx: batches of games stepped by JAX on the CPU: the card game most similar to ours, and the smallest."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.bridge_bidding import BridgeBidding
from pgx.experimental.wrappers import auto_reset

from benchmarks.peers import Peer
from chouine.cli.bench import steps_a_second

BATCHES = (1_000, 10_000)
DEALS = 100_000


def peer() -> Peer:
    games = {"bridge_bidding": bridge_bidding(), "leduc_holdem": pgx.make("leduc_holdem")}
    meters: dict[str, Callable[[], float]] = {}
    for name, game in games.items():
        for batch in BATCHES:
            meters[f"pgx_{name}_{batch}_steps_s"] = meter(game, batch)
    return Peer("pgx", meters)


def bridge_bidding() -> Any:
    """Bridge bidding on random deals with all results zero: pgx's table of solved deals is too large to ship."""
    owners = np.argsort(np.random.default_rng(1).random((DEALS, 52)), axis=1) % 4
    keys = (owners.reshape(-1, 4, 13) * 4 ** np.arange(12, -1, -1)).sum(axis=2).astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "deals.npy"
        np.save(table, np.stack([keys, np.zeros_like(keys)]))
        return BridgeBidding(str(table))


def meter(game: Any, batch: int) -> Callable[[], float]:
    """Steps a second of a batch with random legal actions; finished games restart."""
    step = jax.jit(jax.vmap(auto_reset(game.step, game.init)))
    draw = jax.jit(partial(draw_actions, batch))
    state = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(0), batch))
    seeds = count()

    def draw_all() -> Any:
        return jax.block_until_ready(draw(state.legal_action_mask, jax.random.key(next(seeds))))

    def step_all(actions_and_keys: Any) -> None:
        nonlocal state
        state = jax.block_until_ready(step(state, *actions_and_keys))

    step_all(draw_all())  # compiles
    return partial(steps_a_second, draw_all, step_all, batch, process_time)


def draw_actions(batch: int, masks: Any, key: Any) -> Any:
    """An action for each game of a batch, and random keys for new games."""
    drawing, dealing = jax.random.split(key)
    chances = jnp.where(masks, 0.0, -jnp.inf)
    return jax.random.categorical(drawing, chances), jax.random.split(dealing, batch)
