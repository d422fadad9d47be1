"""Copies and pickles in the middle of a partie go on as the original would."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import chouine
import chouine.envs.spiel  # registers its games
from chouine.arena.partie import play_partie
from chouine.envs import chouine_v0
from chouine.envs.opponents import OpponentPool, PolicyPlayer
from chouine.envs.single import ChouineEnv
from chouine.envs.vector import ChouineVectorEnv
from chouine.errors import IllegalAction, NotationError
from chouine.fast.batch import PartieBatch
from chouine.match import Format, Match
from chouine.partie import Deal, State
from chouine.players import HeuristicPlayer
from chouine.registry import player_of
from chouine.rules import Rules


def pickle_copy(given: Any) -> Any:
    return pickle.loads(pickle.dumps(given))  # noqa: S301  # our own


COPIES = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle_copy])
Copy = Callable[[Any], Any]


def first_legal(_: Any, masks: Any) -> Any:
    """A policy."""
    return masks.argmax(1)


def last_open(mask: Any) -> int:
    return int(np.flatnonzero(mask)[-1])


def single_steps(env: ChouineEnv, many: int) -> list[Any]:
    told = list[Any]()
    for _ in range(many):
        seen, reward, over, _, info = env.step(last_open(env.action_masks()))
        told.append((seen["observation"].tolist(), seen["action_mask"].tolist(), reward, over, info))
        if over:
            told.append(env.reset()[0]["observation"].tolist())
    return told


OPPONENTS: list[Any] = [
    "random",
    "heuristic",
    "level:2",
    "light",
    "full:2",
    HeuristicPlayer,
    first_legal,
    OpponentPool("random", "pimc:2"),
]


@COPIES
@pytest.mark.parametrize("nth", range(len(OPPONENTS)))
def test_gymnasium(copied: Copy, nth: int) -> None:
    env = ChouineEnv(opponent=copy.deepcopy(OPPONENTS[nth]))
    env.reset(seed=3)
    single_steps(env, 3)
    twin = copied(env)
    assert np.shares_memory(twin.row.batch.words, twin.row.batch.numbers)
    assert single_steps(twin, 12) == single_steps(env, 12)
    twin.close()


@COPIES
def test_through_gymnasium_s_wrappers(copied: Copy) -> None:
    env = gymnasium.make("chouine/Chouine-v0", rules="three")
    env.reset(seed=3)
    twin = copied(env)
    if copied is not copy.copy:  # a wrapper's shallow copy wraps the same environment
        own = [single_steps(each.unwrapped, 20) for each in (twin, env)]  # type: ignore[arg-type]
        assert own[0] == own[1]


def vector_steps(env: ChouineVectorEnv, many: int) -> list[Any]:
    told = list[Any]()
    for _ in range(many):
        masks = env.sight()["action_mask"]
        seen, rewards, over, _, infos = env.step(np.array([last_open(mask) for mask in masks]))
        ended = [infos["final_info"]["points"][row].tolist() for row in np.flatnonzero(over)]
        told.append((seen["observation"].tolist(), seen["action_mask"].tolist(), rewards.tolist(), ended))
    return told


@COPIES
@pytest.mark.parametrize("threads", [1, 2])
def test_many_at_once(copied: Copy, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.envs.vector.FEWEST", 1)
    env = ChouineVectorEnv(5, "four", OpponentPool("random", HeuristicPlayer), threads=threads)
    env.reset(seed=3)
    vector_steps(env, 4)
    twin = copied(env)
    mask = np.array([True, False, True, False, False])
    told = [
        (
            vector_steps(each, 8),
            each.reset(options={"reset_mask": mask})[0]["observation"].tolist(),
            vector_steps(each, 8),
        )
        for each in (twin, env)
    ]
    assert told[0] == told[1]
    env.opponents.add("eager")
    assert len(twin.opponents.opponents) == 2
    twin.close()
    vector_steps(env, 1)


def agents_steps(env: Any, many: int) -> list[Any]:
    told = list[Any]()
    for _ in range(many):
        seen, reward, over, _, info = env.last()
        told.append((env.agent_selection, seen["observation"].tolist(), reward, over, info))
        if over:
            env.reset()
            continue
        env.step(last_open(seen["action_mask"]))
    return told


@COPIES
def test_pettingzoo(copied: Copy) -> None:
    env = chouine_v0.raw_env("three;declare=any")
    env.reset(seed=3)
    agents_steps(env, 7)
    env.view("seat_1")
    twin = copied(env)
    assert agents_steps(twin, 60) == agents_steps(env, 60)
    wrapped = chouine_v0.env()
    wrapped.reset(seed=3)
    agents_steps(wrapped, 5)
    if copied is not copy.copy:  # as above
        assert agents_steps(copied(wrapped), 60) == agents_steps(wrapped, 60)


@COPIES
def test_openspiel(copied: Copy) -> None:
    game = copied(pyspiel.load_game("chouine", {"preset": "mondoubleau"}))
    state, rng = game.new_initial_state(), Random(3)
    while not state.is_terminal():
        twin = copied(state)
        assert str(twin) == str(state)
        assert twin.history() == state.history()
        assert twin.legal_actions() == state.legal_actions()
        if not state.is_chance_node():
            assert twin.information_state_string() == state.information_state_string()
            assert twin.observation_tensor() == state.observation_tensor()
        action = rng.choice(state.legal_actions())
        for each in (state, twin):
            each.apply_action(action)
        assert str(twin) == str(state)
        assert twin.returns() == state.returns()


@COPIES
def test_batches(copied: Copy) -> None:
    batch = PartieBatch.random(Rules(), 10, seed=1)
    for seed in range(6):
        batch.step(batch.sample(seed))
    twin = copied(batch)
    assert twin.cells.strides == batch.cells.strides
    before = batch.legal.tolist()
    twin.step(twin.sample(7))
    assert batch.legal.tolist() == before
    batch.step(batch.sample(7))
    assert (twin.cells == batch.cells).all()
    assert (twin.legal == batch.legal).all()


def some_state() -> State:
    state, rng = State.new(Rules(), Deal.random(Rules(), 0, Random(1))), Random(2)
    for _ in range(7):
        state = state.play(rng.choice(state.legal()))
    return state


STATE = some_state()
DONE = play_partie(Rules(), Deal.random(Rules(), 1, Random(1)), [player_of("random"), player_of("greedy")])
VALUES: list[Any] = [
    Rules.parse("three;head=always"),
    STATE,
    STATE.view(0),
    STATE.view(None),
    STATE.deal,
    STATE.position,
    STATE.legal(),
    STATE.events,
    DONE.state.result,
    chouine.CardSet(3),
    chouine.Record.of(DONE.state),
    Match.new(Rules(), Format.parse("5x2")),
]


@COPIES
@pytest.mark.parametrize("nth", range(len(VALUES)))
def test_values(copied: Copy, nth: int) -> None:
    assert copied(VALUES[nth]) == VALUES[nth]


@COPIES
@pytest.mark.parametrize(
    "error", [IllegalAction("Qd", "illegal/not-your-turn"), NotationError("token/card", 3, 4, "Zz")]
)
def test_errors(copied: Copy, error: Any) -> None:
    assert vars(copied(error)) == vars(error)


PLAYERS = [
    "random",
    "eager",
    "greedy",
    "heuristic",
    "level:3",
    "mc:8",
    "pimc:4",
    "ismcts:20",
    "light",
    "full:4",
]


SHARING = {"random", "eager", "level:3"}
"""Players whose shallow copy shares their random generator, as `copy.copy` shares every attribute."""


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        (name, copied)
        for name in (*PLAYERS, "policy")
        for copied in (copy.copy, copy.deepcopy, pickle_copy)
        if copied is not copy.copy or name not in SHARING
    ],
)
def test_players(copied: Copy, name: str) -> None:
    """A player that has acted chooses the same act as its copy."""
    player: Any = PolicyPlayer(first_legal) if name == "policy" else player_of(name, Rules(), 1)
    seat = STATE.position.turn
    player.act(STATE.view(seat))
    later = STATE.play(STATE.legal()[0]).play(STATE.play(STATE.legal()[0]).legal()[0])
    view = later.view(later.position.turn)
    assert copied(player).act(view) == player.act(view)
