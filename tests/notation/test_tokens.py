"""Cards, hands, declarations and actions have one written form, and several accepted ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK, Card, CardSet
from chouine.errors import NotationError
from chouine.notation import read_action, read_card, read_cards, read_declaration, read_hand
from chouine.notation.tokens import PASS, read_act, token
from chouine.partie import Declaration, Exchange, Play, SeenHand
from chouine.rules.combinations import ACTIONS, MARIAGE

CARDS = st.sampled_from(PACK)
DECLARATIONS = st.integers(MARIAGE, ACTIONS - 1).map(Declaration)
ANY_ACTION = st.one_of(st.just(Exchange()), st.builds(Play, CARDS, st.none() | DECLARATIONS))


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("Td", "Td"),
        ("10d", "Td"),
        ("10♦", "Td"),
        ("T♦", "Td"),
        ("R♠", "Ks"),
        ("K♠", "Ks"),
        ("D♥", "Qh"),
        ("V♣", "Jc"),
    ],
)
def test_a_card_is_read_in_a_few_forms(text: str, card: str) -> None:
    assert read_card(text) == Card(card)


@pytest.mark.parametrize("text", ["", "d", "Rs", "10", "1d", "td", "TD", "d10", "Td ", "R♤", "R♠♠"])
def test_what_is_no_card_is_not_read_as_one(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_card(text)
    assert (caught.value.code, caught.value.column, caught.value.token) == ("syntax/card", 1, text)


@given(CARDS)
def test_a_card_comes_back(card: Card) -> None:
    assert read_card(str(card)) == card


@given(st.lists(st.none() | CARDS, max_size=22))
def test_a_row_of_cards_comes_back(cards: list[Card | None]) -> None:
    text = "".join("??" if card is None else str(card) for card in cards)
    assert read_cards(text) == tuple(cards)


def test_a_row_of_cards_takes_every_form_of_card() -> None:
    assert read_cards("10dR♠??10♥Ac") == (Card("Td"), Card("Ks"), None, Card("Th"), Card("Ac"))


@given(st.integers(0, 2**32 - 1).map(CardSet), st.integers(0, 9))
def test_a_hand_comes_back(cards: CardSet, unknown: int) -> None:
    hand = SeenHand(cards, unknown)
    assert read_hand(str(hand)) == hand


def test_a_hand_may_be_read_in_any_order() -> None:
    assert str(read_hand("7Q.79..8")) == "Q7.97..8"


@given(DECLARATIONS)
def test_a_declaration_comes_back(declaration: Declaration) -> None:
    assert read_declaration(str(declaration)) == declaration


@given(ANY_ACTION)
def test_an_action_comes_back(action: Play | Exchange) -> None:
    assert read_action(str(action)) == action


def test_what_is_asked_of_a_player_is_written_as_an_answer_is_read() -> None:
    """§11: Passing at "au sept" has its own token."""
    assert token(None) == PASS
    assert read_act(PASS) is None
    assert token(read_act("Qd+20d")) == "Qd+20d"
    assert token(read_action("Kd+20d")) == "Kd+20d"
    assert token(Exchange()) == "7x"


def test_forms_of_cards_and_suits_within_actions() -> None:
    assert read_action("D♦+20♦") == read_action("Qd+20d")
    assert read_action("10♥+50") == Play(Card("Th"), Declaration("50"))
    assert read_action("R♣+ch♣") == Play(Card("Kc"), Declaration("chc"))
