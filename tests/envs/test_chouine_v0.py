"""The PettingZoo environment: its API tests on every preset, action masks, and error messages."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from pettingzoo.test import api_test, seed_test

from chouine.cards import CardSet
from chouine.envs import chouine_v0
from chouine.envs.encode import LET_PASS, encode
from chouine.envs.numbered_partie import NoSuchAction, UnknownRenderMode, numbers_of
from chouine.errors import ChouineError, IllegalAction
from chouine.partie import Deal
from chouine.players import HeuristicPlayer
from chouine.rules import PRESETS, Rules
from chouine.rules.combinations import EXCHANGE, MARIAGE
from chouine.rules.play import lay
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable
from tests.laws.strategies import SEEDS, rules

# PettingZoo's tests warn of every environment with the mask in its observation
WITH_A_MASK = ("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably")


def random_action(mask: list[int], rng: Random) -> int:
    return rng.choice([number for number, one in enumerate(mask) if one])


@pytest.mark.filterwarnings(*WITH_A_MASK)
@pytest.mark.parametrize("preset", PRESETS)
def test_pettingzoo_s_own_tests(preset: str) -> None:
    api_test(chouine_v0.env(preset), num_cycles=200)
    api_test(chouine_v0.raw_env(preset), num_cycles=200)
    seed_test(lambda: chouine_v0.env(preset), num_cycles=100)


@given(rules(), SEEDS)
def test_a_partie_agent_by_agent(chosen_rules: Rules, seed: int) -> None:
    """§14, §12: Only the acting agent has a mask; observations equal the view; rewards sum to 0."""
    env = chouine_v0.raw_env(str(chosen_rules))
    env.reset(seed=seed)
    rng = Random(seed)
    while not any(env.terminations.values()):
        for agent in env.agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"].any() == (agent == env.agent_selection)
            if agent != env.agent_selection:
                view = env.partie.view(env.agents.index(agent))
                assert (observation["observation"] == encode(view)).all()
        env.step(random_action(env.observe(env.agent_selection)["action_mask"].tolist(), rng))
    result = env.partie.state.result
    assert result is not None
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert [env.rewards[agent] > 0 for agent in env.agents] == [
        seat == result.winner for seat in range(chosen_rules.seats)
    ]


def at_au_sept(seed: int) -> chouine_v0.raw_env:
    """An environment in which a seat that is not on turn is asked for the seven."""
    env = chouine_v0.raw_env()
    rng = Random(seed)
    for attempt in range(1000):
        env.reset(seed=attempt)
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"].tolist()
            if mask[LET_PASS]:
                return env
            mask[EXCHANGE] = 0
            env.step(random_action(mask, rng))
    raise AssertionError("never asked")


def test_au_sept_is_asked_of_the_holder_and_shown_to_nobody() -> None:
    """§11: At "au sept" the holder of the seven is asked, and declining changes no other observation."""
    env = at_au_sept(1)
    holder, leader = env.agent_selection, env.agents[env.partie.p.turn]
    assert holder != leader
    before = env.observe(leader)["observation"]
    env.step(LET_PASS)
    assert env.agent_selection == leader
    after = env.observe(leader)
    assert (after["observation"] == before).all()
    assert not after["action_mask"][[EXCHANGE, LET_PASS]].any()
    with pytest.raises(IllegalAction, match=r"no .au sept. to let pass"):
        env.step(LET_PASS)
    env = at_au_sept(2)
    seat, turnup = env.agents.index(env.agent_selection), env.partie.p.turnup
    env.step(EXCHANGE)
    assert env.partie.p.hands[seat] >> turnup & 1
    assert env.agents.index(env.agent_selection) == env.partie.p.turn


def test_what_cannot_be_done_says_why() -> None:
    env = chouine_v0.raw_env()
    env.reset(seed=1)
    not_held = next(card for card in range(32) if not env.observe(env.agent_selection)["action_mask"][card])
    with pytest.raises(IllegalAction) as refused:
        env.step(not_held)
    assert refused.value.code == "illegal/not-held"
    for number in (-1, 52):
        with pytest.raises(NoSuchAction, match=f"There is no action {number}"):
            env.step(number)


def test_an_illegal_action_loses_1_which_the_others_share() -> None:
    env = chouine_v0.env("three")
    env.reset(seed=1)
    loser = env.agent_selection
    observation, *_ = env.last()
    assert observation is not None
    env.step(int((observation["action_mask"] == 0).argmax()))
    assert all(env.terminations.values())
    assert env.rewards[loser] == -1
    assert sum(env.rewards.values()) == 0
    assert "§" in env.infos[loser]["illegal"]


def test_a_deal_may_be_given_and_is_drawn_as_a_spectator_sees_it() -> None:
    deal = Deal.random(Rules(), 1, Random(5))
    env = chouine_v0.raw_env(render_mode="ansi")
    env.reset(options={"deal": deal})
    assert env.partie.state.deal == deal
    assert env.agent_selection == "seat_0"
    rng = Random(1)
    for _ in range(9):
        env.step(random_action(env.observe(env.agent_selection)["action_mask"].tolist(), rng))
    drawing = env.render()
    assert drawing is not None
    assert len(drawing.splitlines()) > 5
    hidden = deal.hands[env.partie.p.turn].mask & env.partie.p.hands[env.partie.p.turn]
    assert str(CardSet(hidden)) not in drawing
    assert chouine_v0.raw_env().render() is None


def test_it_is_printed_for_people_and_any_other_way_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    env = chouine_v0.env(render_mode="human")
    env.reset(seed=1)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert "classic" in capsys.readouterr().out
    with pytest.raises(UnknownRenderMode, match="Known: ansi, human"):
        chouine_v0.env(render_mode="rgb_array")


def test_players_act_there() -> None:
    """A player's acts can be converted to steps."""
    env = chouine_v0.raw_env("four")
    player = HeuristicPlayer()
    for seed in range(3):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            for number in numbers_of(player.act(env.view(env.agent_selection))):
                env.step(number)
        assert env.partie.state.result is not None


def test_views_go_on_and_no_event_is_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Observations need no view; repeated views are updated, processing each card once."""
    laid: list[int] = []

    def laying(rule_table: RuleTable, talon: Sequence[int], p: Position, card: int) -> Position:
        laid.append(card)
        return lay(rule_table, talon, p, card)

    monkeypatch.setattr("chouine.partie.view.lay", laying)
    env, rng = chouine_v0.raw_env("mondoubleau"), Random(1)
    for asking in (False, True):
        env.reset(seed=2)
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"].tolist()
            mask[MARIAGE:] = [0] * (len(mask) - MARIAGE)
            if asking:
                assert env.view(env.agent_selection).legal
            env.step(random_action(mask, rng))
        assert len(laid) == (30 + 31 if asking else 0)


def test_before_the_first_deal_it_is_told_so() -> None:
    env = chouine_v0.raw_env(render_mode="ansi")
    for ask in (env.render, lambda: env.step(0), lambda: env.view("seat_0"), lambda: env.observe("seat_0")):
        with pytest.raises(ChouineError, match=r"call reset\(\) first"):
            ask()
