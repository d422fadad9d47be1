"""`explain` and `legal` implement the same rules: they agree on all 51 actions for every seat."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK, Card
from chouine.errors import IllegalAction
from chouine.partie import Action, Declaration, Exchange, Play, State
from chouine.partie.actions import refusal, spell_actions
from chouine.phrases import PHRASES
from chouine.rules.combinations import ACTIONS, CHOUINE, MARIAGE
from chouine.rules.explain import explain
from chouine.rules.play import legal, legal_for, step
from tests.laws.strategies import SEEDS, Partie, moments, parties

DECLARATIONS = [Declaration(number) for number in range(MARIAGE, ACTIONS)]


def every_action() -> list[Action]:
    """All valid actions: 32 cards, alone or with 18 declarations, and the exchange."""
    acts: list[Action] = [Play(card, said) for card in PACK for said in (None, *DECLARATIONS)]
    return [*acts, Exchange()]


EVERY_ACTION = every_action()


@given(parties())
def test_nothing_is_explained_away_and_nothing_is_unexplained(partie: Partie) -> None:
    """§5-§11: An action has a refusal code, with a sentence, if and only if it is illegal."""
    for state in partie:
        rule_table, p = state.rule_table, state.position
        for seat in range(rule_table.seats):
            open_now = legal_for(rule_table, p, seat)
            for action in range(ACTIONS):
                code = explain(rule_table, p, seat, action)
                assert (code is None) == bool(open_now >> action & 1), (seat, action, code)
                assert code is None or code in PHRASES


@given(moments())
def test_between_a_declaration_and_its_card_nothing_else_may_happen(state: State) -> None:
    """§9.3: After a declaration the same seat plays one card of the figure (by option any playable card)."""
    rule_table, p = state.rule_table, state.position
    talon = [int(card) for card in state.deal.talon]
    for declaration in range(MARIAGE, ACTIONS):
        if not legal(rule_table, p) >> declaration & 1:
            continue
        after = step(rule_table, talon, p, declaration)
        assert after.turn == p.turn
        assert legal(rule_table, after)
        for seat in range(rule_table.seats):
            for action in range(ACTIONS):
                allowed = explain(rule_table, after, seat, action) is None
                assert allowed == bool(legal_for(rule_table, after, seat) >> action & 1)
                assert not allowed or (seat == p.turn and action < 32)


@given(moments(), SEEDS)
def test_a_token_is_accepted_if_and_only_if_it_is_listed(state: State, seed: int) -> None:
    """§9.1: `play` accepts exactly the listed actions; a refused one raises with its reason and changes nothing."""
    listed = set(state.legal())
    for act in Random(seed).sample(EVERY_ACTION, 40):
        if act in listed:
            assert len(state.play(act).events) > len(state.events)
        else:
            with pytest.raises(IllegalAction) as refused:
                state.play(act)
            assert refused.value.action == act
            assert refused.value.code.startswith("illegal/")
            assert str(refused.value)


@given(moments(), st.integers(0, 3))
def test_a_seat_may_do_what_its_list_says(state: State, seat: int) -> None:
    """§5, §11: For every seat, the actions without refusal are the listed ones."""
    seat %= state.rules.seats
    if state.result:
        return
    rule_table, p = state.rule_table, state.position
    listed = {act for act in EVERY_ACTION if refusal(rule_table, p, seat, act) is None}
    assert listed == set(state.legal(seat)) == set(spell_actions(rule_table, legal_for(rule_table, p, seat)))
    assert [str(act) for act in state.legal()] == sorted(str(act) for act in state.legal())


@given(moments())
def test_with_cards_in_hand_some_card_may_always_be_played(state: State) -> None:
    """§7, §8, §9.1: A seat on turn always has a card to play without a declaration."""
    if state.turn is None:
        return
    legal_now = state.legal(state.turn)
    assert [act for act in legal_now if isinstance(act, Play) and act.declaration is None]
    assert all(act.card in state.view(state.turn).hand for act in legal_now if isinstance(act, Play))


def test_action_numbers_are_51() -> None:
    """§9: There are 51 actions: 32 cards, one exchange, four suits of four figures, quinte and trente."""
    assert CHOUINE + 4 == ACTIONS == 32 + 1 + 4 * 4 + 2
    assert len({str(said) for said in DECLARATIONS}) == 18
    assert Card(0) == 0
