"""§5 Play, §6 the winner of a trick, §7 play while cards are drawn."""

from __future__ import annotations

import pytest

from chouine.cards import Card, CardSet
from chouine.errors import IllegalAction
from chouine.partie import Drawn, Played, State, Taken
from chouine.rules.play import beats
from tests.lines import SEATS, action, play
from tests.rules.table import endgame, marking_time, names, partie


def takers(state: State) -> str:
    """The seat that took each trick."""
    return "".join(SEATS[event.seat] for event in state.events if isinstance(event, Taken))


def draws(state: State) -> list[str]:
    """Each draw's seat and card, in order."""
    return [f"{SEATS[event.seat]} {event.card}" for event in state.events if isinstance(event, Drawn)]


def test_any_card_may_be_led() -> None:
    """§5."""
    state = partie("classic", "A8.K.7.9|", "9d")
    assert names(act.card for act in state.legal() if hasattr(act, "card")) == "7d 8s 9c As Kh"


def test_a_card_laid_is_played() -> None:
    """§5: A card played leaves the hand at once and lies on the table."""
    state = partie("classic", "A8.K.7.9|", "9d", actions="8s")
    assert Card("8s") not in CardSet(state.position.hands[0])
    assert state.view(None).table == (Played(0, Card("8s")),)
    assert state.turn == 1
    with pytest.raises(IllegalAction) as refused:
        state.play(action("As"), seat=0)
    assert refused.value.code == "illegal/not-your-turn"


def test_the_taker_draws_first_and_leads_next() -> None:
    """§5, two seats."""
    state = partie("classic", "A8.K.7.9|QJ...", "9d", drawn="Kd Qd Jd Td", actions="8s Qs")
    assert draws(state) == ["b Kd", "a Qd"]
    assert state.turn == 1
    state = play(state, "Js As")
    assert draws(state)[2:] == ["a Jd", "b Td"]
    assert (takers(state), state.turn) == ("ba", 0)


def test_the_others_draw_in_order_of_play() -> None:
    """§5: The taker draws first, then the others in order from the taker."""
    state = partie("four", "8...|9...|J...|Q...", "9d", drawn="Kd Qd Jd Td", actions="8s 9s Js Qs")
    assert draws(state) == ["d Kd", "a Qd", "b Jd", "c Td"]
    state = partie("three", "8...|J...|9...", "9d", drawn="Kd Qd Jd", actions="8s Js 9s")
    assert draws(state) == ["b Kd", "c Qd", "a Jd"]
    assert state.turn == 1


def test_the_table_holds_the_trick_in_order() -> None:
    """§5: The table is packed in six bits a card, the lead lowest."""
    state = partie("four", "8...|9...|J...|Q...", "9d", dealer="b", actions="Js Qs 8s")
    laid = [Card((state.position.table >> 6 * place & 63) - 1) for place in range(3)]
    assert names(laid) == "Js Qs 8s"
    assert state.position.table >> 18 == 0


@pytest.mark.parametrize(
    ("rules", "tricks", "last", "left"),
    [
        ("classic", 16, 5, 0),
        ("three", 10, 3, 2),
        ("four", 8, 3, 0),
        ("mondoubleau", 16, 5, 0),
        ("mondoubleau-three", 10, 3, 2),
        ("mondoubleau-four", 8, 3, 0),
    ],
)
def test_one_trick_one_draw_while_the_talon_serves_every_seat(
    rules: str, tricks: int, last: int, left: int
) -> None:
    """§5, §8: Every seat draws after each trick while the talon suffices; the last five or three tricks follow."""
    turnup = "-" if rules.startswith("mondoubleau") else "9d"
    state = partie(rules, "|".join([""] * (3 if "three" in rules else 4 if "four" in rules else 2)), turnup)
    state = marking_time(state, tricks - last)
    assert all(hand.bit_count() == last for hand in state.position.hands[: state.rules.seats])
    assert state.view(None).talon == left
    state = marking_time(state, tricks)
    assert state.result is not None
    assert len(takers(state)) == tricks
    assert len(draws(state)) == state.rules.seats * (tricks - last)


def test_with_three_seats_two_cards_are_never_drawn() -> None:
    """§5: The two cards never drawn, one of them the turnup, score for nobody."""
    state = marking_time(partie("three", "||", "Td"), 10)
    left = state.deal.talon[-1]
    assert state.view(None).turnup == Card("Td")
    assert not any(event.turnup for event in state.events if isinstance(event, Drawn))
    assert state.result is not None
    assert sum(state.result.points) == 130 - 10 - left.points


@pytest.mark.parametrize(
    ("trump", "trick", "taker"),
    [
        ("d", "8s 9s", "b"),
        ("d", "9s 8s", "a"),
        ("d", "Ks Ts", "b"),
        ("d", "7s Ah", "a"),
        ("d", "As 7d", "b"),
        ("d", "7d As", "a"),
        ("d", "8d 7d", "a"),
        ("-", "7s Ad", "a"),
        ("d", "Ks As 7d", "c"),
        ("d", "Ks 8d 7d", "b"),
        ("d", "9s Ah Ts", "c"),
        ("d", "9s Ah Ac", "a"),
        ("-", "9s 9d Js", "c"),
        ("d", "7s 8s 9s Js", "d"),
        ("d", "As 7d Ts 8d", "d"),
        ("d", "7d 8d Ad Td", "c"),
        ("d", "Qs Ah Ac Ks", "d"),
        ("-", "7h Ad As Ac", "a"),
    ],
)
def test_who_takes_the_trick(trump: str, trick: str, taker: str) -> None:
    """§6: The highest trump takes the trick; without a trump, the highest card of the suit led."""
    laid = trick.split()
    rules = {2: "classic", 3: "three", 4: "four"}[len(laid)]
    p = endgame(rules, "|".join(["...7"] * len(laid)), trump, " ".join(laid[:-1]))
    last = Card(laid[-1])
    winner = len(laid) - 1 if beats(last, p.best, p.trump) else p.taker
    assert SEATS[winner] == taker


def test_while_the_talon_serves_any_card_may_be_answered() -> None:
    """§7: While cards are drawn, following and ruffing are not required."""
    state = partie("classic", "A8.K.7.9|KQ.A.8.8", "9d", actions="8s")
    assert [str(act) for act in state.legal(1)] == ["8c", "8d", "Ah", "Ks", "Ks+20s", "Qs", "Qs+20s"]
    assert takers(play(state, "Ah")) == "a"
    assert takers(play(state, "8d")) == "b"


def test_a_card_that_is_not_held_cannot_be_played() -> None:
    """§5: A card not in hand is refused."""
    state = partie("classic", "A8.K.7.9|", "9d")
    with pytest.raises(IllegalAction) as refused:
        state.play(action("Ah"))
    assert (refused.value.code, refused.value.action) == ("illegal/not-held", action("Ah"))
