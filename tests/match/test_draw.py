"""Tirage and cut (§2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK, Card
from chouine.match import InvalidEntry, Tirage, cut, cut_void, cutter


def tirage(*cards: str) -> Tirage:
    return Tirage(tuple(map(Card, cards)))


def test_the_lowest_rank_deals() -> None:
    """§2: The lowest rank deals, whatever the suits: the nine before the king, the king before the ten."""
    assert tirage("Ks", "9c").dealer == 1
    assert tirage("Ks", "9c").highest == 0
    assert tirage("Th", "Kd").dealer == 1


def test_it_is_rank_that_counts_not_points() -> None:
    """§2: Rank counts, not points: a seven and an eight are not equal."""
    assert tirage("7d", "8d").dealer == 0


def test_equal_lowest_draw_again() -> None:
    """§2"""
    assert tirage("7d", "7s").tied
    assert tirage("7d", "7s").dealer is None
    assert tirage("8d", "Ah", "8s").tied


def test_equal_highest_changes_nothing_for_the_dealer() -> None:
    """§2"""
    drawn = tirage("Ad", "7h", "As")
    assert not drawn.tied
    assert drawn.dealer == 1
    assert drawn.highest is None


@given(st.lists(st.sampled_from(PACK), min_size=2, max_size=4, unique=True))
def test_the_dealer_drew_lower_than_each_other(cards: list[Card]) -> None:
    """§2"""
    drawn = Tirage(tuple(cards))
    ranks = [card.rank for card in cards]
    if drawn.dealer is None:
        assert ranks.count(min(ranks)) > 1
    else:
        assert all(ranks[drawn.dealer] < rank for seat, rank in enumerate(ranks) if seat != drawn.dealer)


def test_the_seat_before_the_dealer_cuts() -> None:
    """§2: The seat before the dealer cuts; with two seats that is the opponent."""
    assert [cutter(dealer, 2) for dealer in range(2)] == [1, 0]
    assert [cutter(dealer, 3) for dealer in range(3)] == [2, 0, 1]
    assert [cutter(dealer, 4) for dealer in range(4)] == [3, 0, 1, 2]


@pytest.mark.parametrize("at", [4, 16, 28])
def test_the_lower_packet_goes_on_top(at: int) -> None:
    """§2"""
    assert not cut_void(at)
    assert cut(PACK, at) == PACK[at:] + PACK[:at]
    assert cut(PACK, at)[0] == PACK[at]


@pytest.mark.parametrize("at", [-5, 0, 3, 29, 32, 40])
def test_fewer_than_four_in_a_packet_is_void(at: int) -> None:
    """§2"""
    assert cut_void(at)
    with pytest.raises(InvalidEntry, match="§2") as caught:
        cut(PACK, at)
    assert caught.value.code == "match/cut-void"
