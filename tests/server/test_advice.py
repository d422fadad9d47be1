"""The advice computed in a process beside the server."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from chouine.ai import levels, search_wasm
from chouine.ai.levels import UNAIDED, highest_level
from chouine.ai.strongest import NetworkPlayer, StrongestPlayer
from chouine.compilations import advice_ready
from chouine.notation.tokens import read_action
from chouine.partie import Deal, State
from chouine.players.base import Player
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import PRESETS, Rules
from chouine.server import advice
from chouine.server.advice import SEED, advice_on, asked_by
from chouine.table.entries import GivenAdvice
from tests.needs import at_length


def states(preset: str, seed: int) -> list[State]:
    """The positions of a random partie."""
    rules, rng = Rules.parse(preset), Random(seed)
    played = [State.new(rules, Deal.random(rules, 0, rng))]
    while played[-1].result is None:
        played.append(played[-1].play(rng.choice(played[-1].legal())))
    return played[:-1]


@pytest.mark.parametrize("preset", at_length(PRESETS))
def test_what_is_advised_may_be_done(preset: str) -> None:
    for state in states(preset, 1)[::5]:
        assert state.turn is not None
        view = state.view(state.turn)
        advised = advice_on(asked_by(view))
        assert bool(advised.acts) == (highest_level() > UNAIDED and advice_ready().exists())
        assert read_action(advised.best) in view.legal
        assert {each.token for each in advised.acts} <= set(map(str, view.legal))
        assert all(0 <= each.low <= each.win <= each.high <= 1 for each in advised.acts)


def test_nothing_is_advised_to_who_may_do_nothing() -> None:
    state = states("classic", 1)[0]
    assert state.turn is not None
    assert advice_on(asked_by(state.view(1 - state.turn))).best == "-"


def test_the_network_advises_until_all_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHOUINE_CACHE_DIR", str(tmp_path))
    for state in states("classic", 1)[:8]:
        assert state.turn is not None
        view = state.view(state.turn)
        assert advice_on(asked_by(view)) == GivenAdvice(str(NetworkPlayer().act(view)))


@pytest.mark.parametrize(
    ("by_webassembly", "player"), [(False, HeuristicPlayer()), (True, StrongestPlayer(Rules(), SEED))]
)
def test_the_highest_level_advises_where_there_is_no_compiler(
    monkeypatch: pytest.MonkeyPatch, *, by_webassembly: bool, player: Player
) -> None:
    for module in (advice, levels):
        monkeypatch.setattr(module, "looks_ahead", lambda: False)
    monkeypatch.setattr(search_wasm, "available", lambda: by_webassembly)
    for state in states("classic", 1)[:8]:
        assert state.turn is not None
        view = state.view(state.turn)
        assert advice_on(asked_by(view)) == GivenAdvice(str(player.act(view)))
