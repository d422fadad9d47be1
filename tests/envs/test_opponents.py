"""Opponents of a learner: compiled players act like the players of the same name."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from chouine.ai.levels import HANDICAPS, HandicappedPlayer
from chouine.arena.partie import play_partie
from chouine.cards import PACK
from chouine.envs.compiled_players import History, forgotten_cards, handicapped_choice, rival
from chouine.envs.numbered_partie import NumberedPartie
from chouine.envs.opponents import OpponentPool, PolicyPlayer, UnknownOpponent
from chouine.envs.rows import KIND
from chouine.envs.vector import ChouineVectorEnv
from chouine.fast import AVAILABLE
from chouine.fast.soa_layout import compiled_position
from chouine.partie import Deal, Play, View
from chouine.players import HeuristicPlayer, Player, RandomPlayer
from chouine.players.process import EngineFault
from chouine.players.simple import GreedyPlayer
from chouine.registry import player_of
from chouine.rules import Rules

STEPS, ROWS = 40, 20


def play_randomly(env: ChouineVectorEnv, steps: int = STEPS, seed: int = 2) -> list[list[Any]]:
    """The observations and rewards of a learner that acts randomly."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    told = []
    for _ in range(steps):
        masks = seen["action_mask"]
        seen, rewards, over, _, _ = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        told.append([seen["observation"].tolist(), rewards.tolist(), over.tolist()])
    return told


@pytest.mark.timeout(900)  # its kernels are compiled once
@pytest.mark.skipif(not AVAILABLE, reason="the network needs numba")
@pytest.mark.parametrize("name", ["greedy", "heuristic", "net"])
@pytest.mark.parametrize("preset", ["classic", "three", "four;head=always", "mondoubleau"])
def test_a_compiled_player_is_the_player_of_its_name(name: str, preset: str) -> None:
    compiled = ChouineVectorEnv(ROWS, preset, name)
    asked = ChouineVectorEnv(ROWS, preset, player_of(name, Rules.parse(preset)))
    assert asked.players
    assert not compiled.players
    assert play_randomly(compiled) == play_randomly(asked)


@pytest.mark.parametrize("level", [1, 4])
def test_a_compiled_level_forgets_and_wavers_as_often(level: int) -> None:
    """A compiled level chooses with the same frequencies as the player of that level."""
    rules, many, rng = Rules(), 1500, Random(5)
    partie = NumberedPartie(rules, Deal.random(rules, 0, rng))
    while partie.p.tricks < 6:
        partie.act(min(number for number in range(52) if partie.actions >> number & 1))
    seat, view = partie.deciding, partie.view(partie.deciding)
    ours, theirs = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    handicapped, acts = rival(0, f"level:{level}", rules), partie.acts
    stream = 7
    for nth in range(many):
        history = History(acts, len(acts), rng.getrandbits(62))
        forgotten = forgotten_cards(partie.rule_table, partie.p, history, handicapped.forgetting)
        card, said, stream = handicapped_choice(
            partie.rule_table, handicapped, compiled_position(partie.p), partie.seen, forgotten, stream
        )
        ours[card, said] += 1
        act = HandicappedPlayer(HANDICAPS[level], nth).act(view)
        assert isinstance(act, Play)
        theirs[int(act.card), -1 if act.declaration is None else int(act.declaration)] += 1
    assert seat == partie.p.turn
    for choice in ours | theirs:
        share = (ours[choice] + theirs[choice]) / (2 * many)
        assert abs(ours[choice] - theirs[choice]) <= 5 * (2 * many * share * (1 - share)) ** 0.5 + 1


def random_policy(seen: Any, masks: Any) -> Any:
    return (np.random.default_rng(len(seen)).random(masks.shape) * masks).argmax(axis=1)


def test_a_policy_is_a_player() -> None:
    """A policy can play in a duel; declarations come with their cards."""
    rules, rng = Rules(), Random(1)
    rewards = []
    for dealer in (0, 1):
        players: list[Player] = [PolicyPlayer(random_policy), RandomPlayer(rng)]
        done = play_partie(rules, Deal.random(rules, dealer, rng), players)
        rewards.append(done.state.result)
    assert all(rewards)


def test_of_a_pool_an_opponent_is_drawn_for_each_partie() -> None:
    """A pool draws an opponent for each partie by weight; one added later plays in later parties."""
    pool = OpponentPool("random", HeuristicPlayer, random_policy, weights=(2, 1, 1))
    env = ChouineVectorEnv(400, opponent=pool)
    env.reset(seed=1)
    kinds = Counter(env.batch.cells[KIND].tolist())
    assert abs(kinds[0] - 200) < 50
    assert abs(kinds[1] - 100) < 45
    pool.add("eager", 1000)
    play_randomly(env, 20)
    assert Counter(env.batch.cells[KIND].tolist())[3] > 300


def test_a_pool_is_the_same_again_by_its_seed() -> None:
    def env() -> ChouineVectorEnv:
        return ChouineVectorEnv(12, opponent=OpponentPool("random", "eager", GreedyPlayer))

    assert play_randomly(env()) == play_randomly(env())


@pytest.mark.parametrize("wrong", ["strong", "level:9", 3, None])
def test_what_is_no_opponent_is_refused(wrong: Any) -> None:
    with pytest.raises(UnknownOpponent, match="is no opponent: random, eager"):
        ChouineVectorEnv(2, opponent=wrong)


def test_a_pool_needs_opponents_and_a_weight_for_each() -> None:
    for given, weights in (((), None), (("random",), (1, 2)), (("random",), (0,))):
        with pytest.raises(UnknownOpponent):
            OpponentPool(*given, weights=weights)


def test_names_that_are_not_compiled_play_too() -> None:
    env = ChouineVectorEnv(2, opponent="python:chouine.players:HeuristicPlayer")
    assert play_randomly(env, 10) == play_randomly(ChouineVectorEnv(2, opponent=HeuristicPlayer()), 10)
    assert isinstance(player_of("python:chouine.players:HeuristicPlayer"), HeuristicPlayer)


class Illegal:
    """A player of the user's that plays what it may not."""

    def act(self, view: View) -> Play:
        return next(act for act in map(Play, PACK) if act not in view.legal)


@pytest.mark.parametrize("opponent", [Illegal, Illegal(), f"python:{__name__}:Illegal"])
def test_a_class_of_yours_is_at_fault_as_in_a_duel(opponent: Any) -> None:
    with pytest.raises(EngineFault, match="which is not legal"):
        play_randomly(ChouineVectorEnv(2, opponent=opponent), 10)
