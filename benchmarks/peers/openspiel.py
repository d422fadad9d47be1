"""OpenSpiel: card games in C++ with random playouts and ISMCTS without Python, and single steps from Python."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from benchmarks.peers import Peer
from benchmarks.singly import openspiel_meter
from chouine.cli.bench import rate

GAMES = ("german_whist_foregame", "hearts", "euchre", "skat")
SINGLY = ("hearts", "euchre", "python_block_dominoes")
"""Games stepped from Python; the last is also written in Python, like ours."""
SOURCE = Path(__file__).with_name("playouts.cc")
SIMULATIONS = 2_000


def peer() -> Peer:
    # the loop compiled here links to OpenSpiel's functions only if they are loaded globally
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    import open_spiel.python.games  # noqa: F401  # registers games written in Python
    import pyspiel

    loop = playouts()
    told = Peer("open-spiel", {f"openspiel_{name}_decisions_s": openspiel_meter(name) for name in SINGLY})
    for name in GAMES:
        games, simulations = f"openspiel_{name}_games_s", f"openspiel_{name}_ismcts_sims_s"
        if name not in pyspiel.registered_names():
            told.missing[games] = told.missing[simulations] = "this release has no such game"
            continue
        game = pyspiel.load_game(name)
        told.decisions[games] = mean(decisions(game, Random(seed)) for seed in range(100))
        if loop:
            seeds = count()
            told.meters[games] = partial(games_a_second, loop, name, seeds)
        else:
            told.missing[games] = "needs a C++ compiler"
        search = search_meter(pyspiel, game)
        try:
            search(1)
        except pyspiel.SpielError as error:
            told.missing[simulations] = str(error)
        else:
            told.meters[simulations] = partial(rate, search, SIMULATIONS)
    return told


def playouts() -> Callable[[bytes, int, int], None] | None:
    """OpenSpiel's own playout loop, compiled against the package's headers."""
    compiler = shutil.which("g++") or shutil.which("c++")
    spec = find_spec("open_spiel")
    if not compiler or not spec or not spec.origin:
        return None
    packages = Path(spec.origin).parents[1]
    headers = [packages, packages / "open_spiel/abseil-cpp", packages / "open_spiel/json/include"]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "playouts.so"
        options = ("-std=c++17", "-O3", "-w", "-shared", "-fPIC", *(f"-I{path}" for path in headers))
        subprocess.run([compiler, *options, str(SOURCE), "-o", str(library)], check=True)  # noqa: S603
        loop: Callable[[bytes, int, int], None] = ctypes.CDLL(str(library)).playouts
    return loop


def games_a_second(loop: Callable[[bytes, int, int], None], name: str, seeds: count[int]) -> float:
    return rate(lambda many: loop(name.encode(), many, next(seeds)), 200)


def decisions(game: Any, rng: Random) -> int:
    """Number of player decisions in a random game; chance nodes do not count."""
    state, chosen = game.new_initial_state(), 0
    while not state.is_terminal():
        chosen += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return chosen


def search_meter(pyspiel: Any, game: Any) -> Callable[[int], object]:
    """An ISMCTS search from the first decision of a random deal, for a number of simulations."""
    rng, state = Random(1), game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.ISMCTSBot(1, evaluator, 2.0, SIMULATIONS, -1, policy, False, False)  # noqa: FBT003
    return lambda _: bot.step(state)
