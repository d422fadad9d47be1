"""§1 Cards."""

from __future__ import annotations

from collections.abc import Callable
from operator import and_, or_, sub
from typing import Any

import pytest

from chouine.cards import ALL_CARDS, BRISQUES, PACK, SUIT_CARDS, Card, CardSet, Rank, Suit
from chouine.rules.play import beats


def test_the_pack_is_32_cards_of_four_suits() -> None:
    """§1."""
    assert len(set(PACK)) == len(PACK) == 32
    assert [sum(card.suit is suit for card in PACK) for suit in Suit] == [8, 8, 8, 8]
    assert sum(SUIT_CARDS) == ALL_CARDS == CardSet(PACK).mask


def test_order_is_ace_ten_king_queen_jack_nine_eight_seven() -> None:
    """§1: The order holds in every suit, trumps included."""
    for suit in Suit:
        assert str(CardSet(SUIT_CARDS[suit])).strip(".") == "ATKQJ987"
        for trump in (*Suit, -1):
            cards = [Card(rank + suit.letter) for rank in "ATKQJ987"]
            for nth, higher in enumerate(cards):
                assert all(beats(higher, lower, trump) for lower in cards[nth + 1 :])
                assert not any(beats(lower, higher, trump) for lower in cards[nth + 1 :])


def test_card_points_are_30_a_suit_and_120_in_all() -> None:
    """§1: The points are 11 10 4 3 2 0 0 0."""
    assert [Card(rank + "h").points for rank in "ATKQJ987"] == [11, 10, 4, 3, 2, 0, 0, 0]
    assert [CardSet(cards).points for cards in SUIT_CARDS] == [30, 30, 30, 30]
    assert CardSet(ALL_CARDS).points == 120


def test_strength_is_the_order_never_the_points() -> None:
    """§1: 9, 8 and 7 all score 0, but one beats the other."""
    assert Card("9d").points == Card("8d").points == Card("7d").points == 0
    assert beats(Card("9d"), Card("8d"), Suit.SPADES)
    assert beats(Card("8d"), Card("7d"), Suit.DIAMONDS)


def test_aces_and_tens_are_brisques() -> None:
    """§1: The pack has eight brisques."""
    assert str(CardSet(BRISQUES)) == "AT.AT.AT.AT"
    assert [str(card) for card in PACK if card.brisque] == ["Ts", "As", "Th", "Ah", "Td", "Ad", "Tc", "Ac"]


def test_a_card_knows_its_suit_rank_and_name() -> None:
    """§1."""
    ten = Card("Td")
    assert (ten.suit, ten.rank, ten.points, str(ten), int(ten)) == (Suit.DIAMONDS, Rank.TEN, 10, "Td", 22)
    assert (ten.suit.letter, ten.suit.symbol, ten.rank.letter) == ("d", "♦", "T")
    assert "".join(suit.symbol for suit in Suit) == "♠♥♦♣"
    assert Card(22) == ten
    assert repr(ten) == "Card('Td')"
    assert f"{ten}|{ten:>4}" == "Td|  Td"


@pytest.mark.parametrize("wrong", ["", "1d", "10d", "Tx", "TD", -1, 32])
def test_what_is_no_card_is_refused(wrong: str | int) -> None:
    """§1."""
    with pytest.raises(ValueError, match="not a card"):
        Card(wrong)


def test_sets_of_cards() -> None:
    """§1: A hand is written suit by suit, strongest first, whatever the input's order."""
    hand = CardSet("A.TA.T.A")
    assert str(hand) == "A.AT.T.A"
    assert [str(card) for card in hand] == ["As", "Ah", "Th", "Td", "Ac"]
    assert (len(hand), hand.points) == (5, 53)
    assert Card("Th") in hand
    assert Card("Ts") not in hand
    hearts = CardSet(".AT..")
    assert (hand & hearts, hand - hearts) == (hearts, CardSet("A..T.A"))
    assert (hand - hearts) | hearts == hand
    assert hash(CardSet(iter(hand))) == hash(hand)
    assert hand != hand.mask
    assert not CardSet()


@pytest.mark.parametrize("wrong", ["", "A.A.A", "A.A.A.A.A", "1...", "a..."])
def test_what_is_no_hand_is_refused(wrong: str) -> None:
    """§1."""
    with pytest.raises(ValueError, match=r"four suits|not a card"):
        CardSet(wrong)


def test_any_int_is_taken_for_a_set_as_by_its_number() -> None:
    class Number:
        """An int that is not Python's, as NumPy has them."""

        def __index__(self) -> int:
            return 0b101

    number: Any = Number()
    assert CardSet(number) == CardSet(0b101)


@pytest.mark.parametrize("wrong", [None, -1, 1.5, "Ks", [], CardSet()])
def test_what_is_no_card_is_in_no_set(wrong: Any) -> None:
    """§1."""
    with pytest.raises(TypeError, match="a card is a Card"):
        assert wrong in CardSet("A.TA.T.A")


@pytest.mark.parametrize("wrong", [None, 1, "A.T.K.", {Card("As")}, Card("As")])
@pytest.mark.parametrize("do", [and_, or_, sub])
def test_sets_are_joined_and_parted_with_sets_alone(do: Callable[[Any, Any], object], wrong: object) -> None:
    """§1."""
    for one, other in ((CardSet("A.TA.T.A"), wrong), (wrong, CardSet("A.TA.T.A"))):
        with pytest.raises(TypeError, match="unsupported operand"):
            do(one, other)
