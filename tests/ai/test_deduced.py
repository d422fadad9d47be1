"""Wins forced by a chouine (§10) hold in every world; players take them and explanations report them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chouine.ai.advice import advise
from chouine.ai.deduced import chouine_decides, winning_declarations
from chouine.ai.determinization import uniform_worlds
from chouine.ai.levels import level, strongest
from chouine.ai.racing import Limit
from chouine.ai.strongest import NetworkPlayer
from chouine.cards import Card, CardSet
from chouine.notation.lines import read_view
from chouine.partie.actions import Action, Figure, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules import PRESETS, Rules
from tests.ai.retold import retold

Q = "?" * 42
TRUMPS_IN_ANSWER = f"classic b ?5|.ATKQJ.. 8h {Q} : Ts"
ANOTHER_SUIT_LED = f"classic b ATKQJ...|?5 8h {Q} :"


def with_a_chouine(rules: Rules, seed: int) -> Deal:
    """A deal with a chouine in one seat's hand, and every second time in another's too."""
    rng = Random(seed)
    deal = Deal.random(rules, seed % rules.seats, rng)
    held = "ATKQJ" if rules.seats == 2 else "KQJ"
    hands, talon = [list(hand) for hand in deal.hands], list(deal.talon)
    seats, suits = rng.sample(range(rules.seats), 1 + seed % 2), rng.sample("shdc", 2)
    for seat, suit in zip(seats, suits, strict=False):
        for nth, card in enumerate(Card(rank + suit) for rank in held):
            if card == deal.turnup:
                break
            lies = next(cards for cards in (*hands, talon) if card in cards)
            lies[lies.index(card)], hands[seat][nth] = hands[seat][nth], card
    return Deal(deal.dealer, tuple(map(CardSet, hands)), deal.turnup, tuple(talon))


def with_chouines(preset: str, parties: int) -> Iterator[State]:
    """States of random parties in which the seat on turn holds a chouine or has one to answer."""
    rules = Rules.parse(preset)
    for seed in range(parties):
        rng = Random(seed)
        state = State.new(rules, with_a_chouine(rules, seed))
        while state.turn is not None:
            said = [act.declaration for act in state.legal() if isinstance(act, Play) and act.declaration]
            if state.position.chouine >= 0 or any(each.figure is Figure.CHOUINE for each in said):
                yield state
            state = state.play(rng.choice(state.legal()))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_comes_true_in_every_world_whatever_the_others_do(preset: str) -> None:
    rng, sure, lost = Random(1), 0, 0
    for state in with_chouines(preset, 150):
        seat = state.turn
        assert seat is not None
        view = state.view(seat)
        acts: dict[Action, bool] = dict.fromkeys(winning_declarations(view), True)
        if chouine_decides(view):
            acts = dict.fromkeys(view.legal, False) | acts
        among = uniform_worlds(view, 4, 1)
        for act, wins in acts.items():
            for hands, talon in zip(among.hands.tolist(), among.talons.tolist(), strict=True):
                there = retold(view, hands, talon)
                assert there is not None
                ended = there.play(act)
                while ended.turn is not None:
                    answers = [a for a in ended.legal() if isinstance(a, Play) and a.declaration]
                    ended = ended.play(rng.choice(answers or ended.legal()))
                assert ended.result is not None
                assert (ended.result.winner == seat) is wins
            sure += wins
            lost += not wins
    assert sure
    assert lost or preset not in ("three", "mondoubleau-three")


@pytest.mark.parametrize("number", [7, 8])
def test_it_is_declared(number: int) -> None:
    view = read_view(TRUMPS_IN_ANSWER, 1)
    for player in (level(number, Rules(), 1), NetworkPlayer()):
        act = player.act(view)
        assert isinstance(act, Play)
        assert act.declaration is not None
        assert act.declaration.figure is Figure.CHOUINE


def test_it_is_reported_as_certain_beside_likely_acts() -> None:
    told = advise(strongest(Rules(), 1), read_view(TRUMPS_IN_ANSWER, 1), Limit(worlds=200))
    best = told.options[0]
    assert (best.low, best.win, best.high) == (1.0, 1.0, 1.0)
    assert isinstance(best.action, Play)
    assert best.action.declaration is not None
    assert {each.action for each in told.options} == set(read_view(TRUMPS_IN_ANSWER, 1).legal)
    assert any(each.high > each.low for each in told.options)


def test_one_that_may_be_answered_is_not_certain() -> None:
    """A chouine led in another suit is not a forced win until a card of the trump chouine is seen."""
    view = read_view(ANOTHER_SUIT_LED, 0)
    assert not winning_declarations(view)
    assert winning_declarations(read_view(ANOTHER_SUIT_LED.replace("8h", "Th"), 0))


def views(state: State) -> list[View]:
    return [state.view(seat) for seat in range(state.rules.seats)]


def test_a_seat_not_on_turn_has_no_forced_win() -> None:
    for state in with_chouines("classic", 100):
        assert not any(
            winning_declarations(view) or chouine_decides(view)
            for view in views(state)
            if view.observer != state.turn
        )
