"""Levels 7 and 8 computed by WebAssembly, without a compiler, give bit-identical results, hence the same acts."""

from __future__ import annotations

import json
import subprocess
import sys
from array import array
from random import Random

import pytest

from benchmarks.identity import NETWORKS, questions
from chouine.ai import search_native, search_wasm, strongest
from chouine.ai.strongest import NetworkPlayer, StrongestPlayer
from chouine.arena.partie import play_partie
from chouine.partie.deal import Deal
from chouine.players.base import Player
from chouine.rules.options import Rules
from tests.needs import need

PLAYED = """
import json, sys
sys.modules["numba"] = sys.modules["numpy"] = None
from random import Random
from chouine.ai.levels import highest_level
from chouine.arena.partie import play_partie
from chouine.partie.deal import Deal
from chouine.registry import player_of
from chouine.rules.options import Rules
players = [player_of("level:8", seed=5), player_of("level:7")]
state = play_partie(Rules(), Deal.random(Rules(), 0, Random(1)), players).state
print(json.dumps([highest_level(), list(map(str, state.events))]))
"""


@pytest.mark.parametrize("preset", NETWORKS)
def test_webassembly_computes_what_compiled_code_does(preset: str) -> None:
    need("kernels")
    for task, _, words in questions(preset, 2, "desktop"):
        native = search_native.compute(task, preset, words)
        assert array("d", search_wasm.compute(task, preset, words)).tobytes() == array("d", native).tobytes()


def test_without_a_compiler_levels_7_and_8_play_as_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    need("kernels")
    ran = subprocess.run([sys.executable, "-c", PLAYED], check=True, capture_output=True, text=True)
    highest, events = json.loads(ran.stdout)
    monkeypatch.setattr(strongest, "AVAILABLE", False)  # no equilibrium, as there
    players: list[Player] = [StrongestPlayer(Rules(), 5), NetworkPlayer()]
    state = play_partie(Rules(), Deal.random(Rules(), 0, Random(1)), players).state
    assert highest == 8
    assert events == [*map(str, state.events)]
    assert not ran.stderr
