"""§3 Deal, and §4 misdeals."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from chouine.cards import PACK, Card, CardSet
from chouine.errors import InvalidDeal
from chouine.partie import Deal, Drawn, Result, SeenHand, State
from chouine.rules import PRESETS, Rules, rule_table_of
from tests.lines import SEATS, deal, read
from tests.rules.table import marking_time, names, partie

TOP_FIRST = tuple(Card(rank + suit) for suit in "shdc" for rank in "ATKQJ987")
"""A pack in order: As, Ts, Ks … 7c."""


@pytest.mark.parametrize(
    ("preset", "hand", "turned", "talon"),
    [
        ("classic", 5, 11, 22),
        ("three", 3, 10, 23),
        ("four", 3, 13, 20),
        ("mondoubleau", 5, None, 22),
        ("mondoubleau-three", 3, None, 23),
        ("mondoubleau-four", 3, None, 20),
    ],
)
def test_cards_in_hand_turnup_and_talon(preset: str, hand: int, turned: int | None, talon: int) -> None:
    """§3, §17: 5 cards and the 11th turned up, 3 and the 10th, 3 and the 13th; in Mondoubleau none is turned up."""
    rules = Rules.of_preset(preset)
    dealt = Deal.from_pack(rules, 0, TOP_FIRST)
    assert [len(cards) for cards in dealt.hands] == [hand] * rules.seats
    assert dealt.turnup == (None if turned is None else TOP_FIRST[turned - 1])
    assert State.new(rules, dealt).view(None).talon == talon
    assert len(dealt.talon) + (turned is not None) == talon


def test_one_card_at_a_time_from_the_seat_after_the_dealer() -> None:
    """§3."""
    dealt = Deal.from_pack(Rules(), 0, TOP_FIRST)
    assert names(dealt.hands[1]) == "As Ks Js 8s Ah"
    assert names(dealt.hands[0]) == "Ts Qs 9s 7s Th"
    three = Deal.from_pack(Rules(seats=3), 1, TOP_FIRST)
    assert [names(three.hands[seat]) for seat in (2, 0, 1)] == ["As Qs 8s", "Ts Js 7s", "Ks 9s Ah"]
    assert three.turnup == Card("Th")
    assert names(three.talon[:2]) == "Kh Qh"


@pytest.mark.parametrize(
    ("packets", "first", "second"),
    [
        ("one", "As Ks Js 8s Ah", "Ts Qs 9s 7s Th"),
        ("two-three", "As Ts Js 9s 8s", "Ks Qs 7s Ah Th"),
        ("three-two", "As Ts Ks 8s 7s", "Qs Js 9s Ah Th"),
    ],
)
def test_option_deal(packets: str, first: str, second: str) -> None:
    """§3: `deal` gives packets of two and three, or three and two, in friendly play (W)."""
    rules = Rules.parse("classic" if packets == "one" else f"classic;deal={packets}")
    dealt = Deal.from_pack(rules, 0, TOP_FIRST)
    assert names(dealt.hands[1]) == first
    assert names(dealt.hands[0]) == second
    assert dealt.turnup == Card("Kh")


def test_packets_are_for_two_seats() -> None:
    """§3."""
    with pytest.raises(ValueError, match="two seats"):
        Rules(seats=3, deal="two-three")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_seat_after_the_dealer_leads(preset: str) -> None:
    """§3, §5."""
    rules = Rules.of_preset(preset)
    for dealer in range(rules.seats):
        state = State.new(rules, Deal.random(rules, dealer, Random(dealer)))
        assert state.turn == (dealer + 1) % rules.seats


def test_the_turnup_fixes_trumps_and_is_drawn_last() -> None:
    """§3: The turnup fixes trumps and is the eleventh card drawn by the second to draw."""
    state = read("classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc :")
    assert state.view(None).trump == 2
    assert state.view(None).turnup == Card("Jd")
    end = marking_time(state, 11)
    draws = [event for event in end.events if isinstance(event, Drawn)]
    assert (draws[-1].card, draws[-1].turnup) == (Card("Jd"), True)
    assert not any(event.turnup for event in draws[:-1])
    assert end.view(None).turnup is None
    assert end.view(None).talon == 0


def test_the_same_shuffle_gives_the_same_deal() -> None:
    """§3: The shuffle is the only source of chance."""
    rules = Rules()
    assert Deal.random(rules, 1, Random(3)) == Deal.random(rules, 1, Random(3))
    assert Deal.random(rules, 1, Random(3)) != Deal.random(rules, 1, Random(4))


GOOD = "b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc"


@pytest.mark.parametrize(
    ("wrong", "reasons"),
    [
        (replace(deal(GOOD), dealer=2), ["deal/seat"]),
        (replace(deal(GOOD), hands=(*deal(GOOD).hands, CardSet())), ["deal/seats", "deal/hand-size"]),
        (replace(deal(GOOD), hands=(CardSet("Q.97..8"), deal(GOOD).hands[1])), ["deal/hand-size"]),
        (replace(deal(GOOD), turnup=None), ["deal/turnup"]),
        (replace(deal(GOOD), talon=deal(GOOD).talon[1:]), ["deal/talon-size"]),
        (replace(deal(GOOD), turnup=Card("Qs")), ["deal/card-twice"]),
        (replace(deal(GOOD), talon=(Card("8d"), *deal(GOOD).talon[1:])), ["deal/card-twice"]),
        (replace(deal(GOOD), hands=(deal(GOOD).hands[1],) * 2), ["deal/card-twice"]),
    ],
)
def test_a_deal_that_cannot_be_is_refused_with_every_reason(wrong: Deal, reasons: list[str]) -> None:
    """§3, §4: An incomplete pack, wrong hand sizes and a wrong deal are refused with all reasons."""
    with pytest.raises(InvalidDeal) as refused:
        State.new(Rules(), wrong)
    assert list(refused.value.reasons) == reasons
    assert refused.value.code == reasons[0]
    assert str(refused.value).endswith((", §3.", ", §17.", ", §1: “Qs”.", ", §1: “8d”.", ", §1: “Kh”."))


def test_a_deal_as_a_seat_sees_it_is_checked_as_well() -> None:
    """§3: A deal with hidden cards is checked too, by counts."""
    seen = deal(GOOD).seen_by(0)
    assert str(seen) == f"b Q7.97..8|?5 Jd {'??' * 21}"
    seen.check(Rules())
    with pytest.raises(InvalidDeal) as refused:
        replace(seen, hands=(SeenHand(CardSet("Q..."), 3), seen.hands[1])).check(Rules())
    assert refused.value.reasons == ("deal/hand-size",)
    assert "it must have 5" in str(refused.value)
    assert str(SeenHand(CardSet("..J."), 4)) == "..J.+?4"
    assert str(deal(GOOD).seen_by(None).hands[0]) == "?5"


def test_a_misdeal_scores_for_nobody() -> None:
    """§4: A misdeal has no winner."""
    state = partie("classic", "|", "9d")
    result = Result.misdealt(state.rule_table, state.position)
    assert (result.winner, result.points, result.by, result.text) == (None, (0, 0), "misdeal", "*")
    assert state.end(result).turn is None


def test_a_whole_pack_is_dealt_whatever_the_rules() -> None:
    """§3, §4."""
    for preset in PRESETS:
        rules = Rules.of_preset(preset)
        dealt = Deal.random(rules, rules.seats - 1, Random(1))
        dealt.check(rules)
        cards = [*dealt.talon, *(card for hand in dealt.hands for card in hand)]
        assert sorted(cards + ([] if dealt.turnup is None else [dealt.turnup])) == sorted(PACK)
        assert rule_table_of(rules).hidden == len(dealt.talon)
        assert str(dealt).startswith(SEATS[rules.seats - 1])
