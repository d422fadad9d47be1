"""Monte Carlo players: their estimates, their dependence on the view alone, and play under all rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from chouine.ai.levels import LEVELS, HandicappedPlayer, UnknownLevel, level
from chouine.ai.macro_actions import legal_acts
from chouine.ai.montecarlo import MonteCarloPlayer, PimcPlayer, evaluate, rank_by_mean
from chouine.ai.racing import certain_first, exact_values
from chouine.notation.lines import read_view
from chouine.partie.actions import Exchange
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import Player, RandomPlayer, UnknownPlayer
from chouine.registry import player_of
from chouine.rules.options import PRESETS, Rules
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable
from tests.laws.strategies import SEEDS, rules
from tests.players.table import play_out

FACE_DOWN = "??" * 21


@given(rules(), SEEDS)
@settings(max_examples=25)
def test_every_act_is_judged_and_the_best_done(chosen: Rules, seed: int) -> None:
    """Each legal action has one estimate, best first, with probabilities in [0, 1]; the player takes the first."""
    state = State.new(chosen, Deal.random(chosen, 0, Random(seed)))
    rng = Random(seed)
    while state.result is None:
        for seat in range(chosen.seats):
            view = state.view(seat)
            if not view.legal:
                continue
            judged = certain_first(view, evaluate(view, 8, seed))
            actions = {each.action for each in judged} - {None}
            assert actions == set(view.legal)
            chances = [each.win for each in judged]
            assert chances == sorted(chances, reverse=True)
            assert all(0 <= chance <= 1 + 1e-9 for chance in chances)
            assert MonteCarloPlayer(8, seed - 1).act(view) == judged[0].action
        state = state.play(rng.choice(state.legal()))


def test_10_a_chouine_in_hand_is_said() -> None:
    view = read_view(f"classic b ATKQJ...|?5 7d {FACE_DOWN} :", 0)
    best = evaluate(view, 50, 1)[0]
    assert str(best.action).endswith("+chs")
    assert best.win == pytest.approx(1)


def test_11_letting_au_sept_pass_is_judged_too() -> None:
    assert [act & 63 for act in legal_acts(*au_sept_asked())] == [63, 63]


def au_sept_asked() -> tuple[RuleTable, Position, int]:
    """A position in which a seat not on turn may exchange the seven."""
    rng = Random(1)
    for number in range(400):
        state = State.new(Rules(), Deal.random(Rules(), number % 2, rng))
        while state.result is None:
            for seat in range(2):
                view = state.view(seat)
                if view.legal == (Exchange(),):
                    return view.rule_table, view.position, seat
            others = [act for act in state.legal() if act != Exchange()]
            state = state.play(rng.choice(others))
    raise AssertionError("no au sept in so many parties")


def test_a_hundred_worlds_play_better_than_level_1() -> None:
    """Monte Carlo with 100 worlds wins more than 1.8 times as many parties as level 1."""
    won = lost = 0
    for number in range(60):
        players: list[Player] = [MonteCarloPlayer(100, number), level(1, Rules(), number)]
        chairs = players if number % 2 else players[::-1]
        result = play_out(Rules(), Deal.random(Rules(), 0, Random(number)), chairs).result
        if result and result.winner is not None:
            won += chairs[result.winner] is players[0]
            lost += chairs[result.winner] is players[1]
    assert won > 1.8 * lost


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", [1, 3, 5, 6, 7])
def test_levels_play_all_rules(preset: str, number: int) -> None:
    chosen = Rules.parse(preset)
    chairs: list[Player] = [level(number, chosen, seat) for seat in range(chosen.seats)]
    assert play_out(chosen, Deal.random(chosen, 0, Random(7)), chairs).result


def test_there_is_no_ninth_level() -> None:
    with pytest.raises(UnknownLevel):
        level(LEVELS[-1] + 1, Rules(), 1)


def test_a_frail_player_is_the_same_all_along() -> None:
    """A handicapped player never remembers a forgotten card again, and repeats its act for a repeated view."""
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(3)))
    player = level(2, Rules(), 5)
    assert isinstance(player, HandicappedPlayer)
    before = 0
    for _ in range(20):
        view = state.view(state.turn)
        assert player.act(view) == player.act(view)
        forgotten = player.cards_in_play(view) & ~view.unseen.mask
        assert before & ~view.unseen.mask & ~view.hand.mask & ~forgotten == 0
        before = forgotten
        state = state.play(view.legal[0])


@pytest.mark.parametrize("worlds", [1, 3, 50])
def test_worlds_that_agree_do_not_make_a_gap_certain(worlds: int) -> None:
    best, other = rank_by_mean([1, 2], np.array([[1.0] * worlds, [0.0] * worlds]))
    assert best.gap_error == 0
    assert other.gap_error == pytest.approx(1 / worlds)


CLASSIC = Rules()


def test_where_one_world_is_left_it_is_exact() -> None:
    """Values are exact from the moment that a single world is left, in the last trick with a hidden card."""
    chairs: list[Player] = [RandomPlayer(Random(1)), RandomPlayer(Random(2))]
    state = State.new(CLASSIC, Deal.random(CLASSIC, 0, Random(3)))
    while exact_values(view := state.view(state.turn)) is None:
        told = PimcPlayer(20, seed=1).evaluate(view)
        assert {act.action for act in told} <= set(view.legal)
        assert all(0 <= act.win <= 1 for act in told)
        action = chairs[view.observer or 0].act(view)
        assert action is not None
        state = state.play(action)
    assert PimcPlayer(20, seed=1).evaluate(view) == exact_values(view)


def test_it_plays_better_than_by_chance() -> None:
    won = 0
    for number in range(6):
        chairs: list[Player] = [PimcPlayer(20, number), RandomPlayer(Random(number))]
        result = play_out(CLASSIC, Deal.random(CLASSIC, 0, Random(number)), chairs).result
        won += result is not None and result.winner == 0
    assert won >= 4


def test_it_plays_with_two_seats() -> None:
    with pytest.raises(UnknownPlayer):
        player_of("pimc:10", Rules.parse("four"), 1)
