"""§11 The seven of trumps, and "au sept"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chouine.cards import Card, CardSet
from chouine.errors import IllegalAction
from chouine.partie import Action, AuSept, Exchange, Exchanged, Play, State
from chouine.rules import Rules
from chouine.rules.combinations import EXCHANGE, MARIAGE
from chouine.rules.explain import explain
from chouine.rules.play import step
from tests.lines import SEATS, action, play
from tests.rules.table import marking_time, may_exchange, partie

SEATED = {"classic": 2, "three": 3, "four": 4}
LAST_WITH_A_DRAW = {"classic": 10, "three": 6, "four": 4}


def why(state: State, seat: int) -> str:
    """The code that refuses a seat the exchange."""
    with pytest.raises(IllegalAction) as refused:
        state.play(Exchange(), seat)
    return refused.value.code


def au_sept(state: State) -> list[int]:
    """The seats that called "au sept"."""
    return [event.seat for event in state.events if isinstance(event, AuSept)]


def lay_something(state: State) -> State:
    """The seat on turn plays a card other than the seven, without a declaration."""
    cards = [act for act in state.legal() if isinstance(act, Play) and act.declaration is None]
    return state.play(next(act for act in cards if act.card != Card("7d")))


def before_the_last_draw(preset: str, holder: int, option: str = "", turnup: str = "Kd") -> State:
    """The trick before the last draw; `holder` has the seven of diamonds.

    With two seats, turnup Kd puts the holder on lead, Qd the other seat.
    """
    hands = "|".join("..7." if seat == holder else "" for seat in range(SEATED[preset]))
    state = partie(f"{preset}{option}", hands, turnup)
    return marking_time(state, LAST_WITH_A_DRAW[preset], keep="7d")


def test_the_seven_is_exchanged_for_the_turnup() -> None:
    """§11: The holder takes the turnup in public; the seven takes its place and is drawn last."""
    state = partie("classic", "..7.|", "Kd")
    after = state.play(Exchange())
    assert after.view(None).turnup == Card("7d")
    assert Card("Kd") in after.view(0).hand
    assert Card("7d") not in after.view(0).hand
    assert after.events[-1] == Exchanged(0, Card("Kd"))
    assert after.view(1).events[-1] == Exchanged(0, Card("Kd"))
    assert CardSet(after.view(1).position.hands[0]) == CardSet("..K.")
    assert after.turn == 0
    assert after.view(None).trump == state.view(None).trump


def test_the_seven_of_spades_lies_there_as_any_other() -> None:
    """§11, §14: The seven of spades, exchanged, is a visible turnup and not an unseen card."""
    view = partie("classic", "7...|", "Ks", actions="7x").view(1)
    assert view.turnup == Card("7s")
    assert Card("7s") not in view.unseen
    assert Card("Ks") in CardSet(view.position.hands[0])


def test_never_compulsory() -> None:
    """§11."""
    state = partie("classic", "..7.|", "Kd")
    assert "7x" in map(str, state.legal())
    assert "7d" in map(str, state.legal())


def test_the_exchanged_turnup_may_make_a_figure() -> None:
    """§11, §9: After an exchange before the card, the turnup may be part of a figure."""
    state = partie("classic", "..Q7.|", "Kd", actions="7x Kd+20d")
    assert state.view(None).points[0] == 40


def test_in_the_holder_s_own_turn() -> None:
    """§11: The holder exchanges in its own turn, on lead or in answer, and in no other's."""
    state = partie("classic", "|..7.", "Kd")
    assert not may_exchange(state, "b")
    assert why(state, 1) == "illegal/not-your-turn"
    assert why(state, 0) == "illegal/no-seven"
    assert may_exchange(play(state, "8s"), "b")
    three = partie("three", "||..7.", "Kd", actions="8s")
    assert not may_exchange(three, "c")
    assert may_exchange(play(three, str(three.legal()[0])), "c")


def test_option_seven() -> None:
    """§11: `seven` allows the exchange in one's `turn`, or only on `lead`."""
    answering = partie("classic;seven=lead", "|..7.", "Kd", actions="8s")
    assert not may_exchange(answering, "b")
    assert why(answering, 1) == "illegal/seven-on-lead"
    assert may_exchange(partie("classic;seven=lead", "..7.|", "Kd"), "a")


def test_never_when_the_turnup_is_the_seven() -> None:
    """§11: If the turnup is the seven, no exchange is legal and "au sept" is not called."""
    state = partie("classic", "|", "7d")
    assert why(state, 0) == "illegal/seven-turned"
    state = marking_time(state, 10)
    assert au_sept(state) == []
    assert why(state, 0) == "illegal/seven-turned"


def test_once_exchanged_it_cannot_be_exchanged_back() -> None:
    """§11: After the exchange the seven is the turnup and cannot be exchanged back."""
    state = partie("classic", "..7.|", "Kd", actions="7x")
    assert why(state, 0) == "illegal/seven-turned"
    assert au_sept(marking_time(state, 10)) == []


def test_before_a_card_not_between_a_declaration_and_its_card() -> None:
    """§11, §9.1: A declaration and its card are one action: no exchange between them."""
    state = partie("classic", ".KQ.7.|", "Kd")
    said = step(state.rule_table, (), state.position, MARIAGE + 1)
    assert explain(state.rule_table, said, 0, EXCHANGE) == "illegal/card-awaited"


@pytest.mark.parametrize("preset", SEATED)
def test_not_once_the_talon_no_longer_serves(preset: str) -> None:
    """§11: The trick of an exchange must be followed by a draw."""
    state = marking_time(before_the_last_draw(preset, 0), LAST_WITH_A_DRAW[preset] + 1, keep="7d")
    assert Card("7d") in state.view(0).hand
    assert not may_exchange(state, "a")
    assert why(state, 0) == "illegal/no-draw-left"


def test_both_cases_are_met() -> None:
    """§11: The fixture gives the seven to the leader and to the answerer."""
    for holder in (0, 1):
        assert before_the_last_draw("classic", holder).turn == holder
        assert before_the_last_draw("classic", holder, turnup="Qd").turn == 1 - holder


@pytest.mark.parametrize("turnup", ["Kd", "Qd"])
@pytest.mark.parametrize(
    ("preset", "holder"), [(preset, seat) for preset, seats in SEATED.items() for seat in range(seats)]
)
def test_au_sept(preset: str, holder: int, turnup: str) -> None:
    """§11: The leader calls "au sept", and the holder of the seven may exchange at once, before the lead."""
    state = before_the_last_draw(preset, holder, turnup=turnup)
    assert au_sept(state) == [state.turn]
    for seat in range(SEATED[preset]):
        assert may_exchange(state, SEATS[seat]) == (seat == holder)
        assert may_exchange(state, SEATS[seat]) == (Exchange() in state.view(seat).legal)
    leader = state.turn
    exchanged = state.play(Exchange())
    assert exchanged.events[-1] == Exchanged(holder, Card(turnup))
    assert exchanged.turn == leader
    assert au_sept(marking_time(exchanged, LAST_WITH_A_DRAW[preset] + 2)) == [leader]


@pytest.mark.parametrize("passes", [False, True])
@pytest.mark.parametrize("preset", SEATED)
def test_whom_au_sept_asks(preset: str, passes: bool) -> None:  # noqa: FBT001  # a parameter of the test
    """§11: The seats that are not to lead are asked first, and the leader after they have let it pass."""
    state, asked = before_the_last_draw(preset, 1, turnup="Qd"), list[int]()
    leader = state.position.turn
    assert leader != 1

    def ask(seat: int) -> Action | None:
        asked.append(seat)
        acts = state.view(seat).legal
        return acts[0] if seat == leader or (acts and not passes) else None

    seat, action = state.next_act(ask)
    assert (seat, action == Exchange()) == ((leader, False) if passes else (1, True))
    assert asked.index(leader) == len(asked) - 1 if passes else leader not in asked
    led = state.play(state.view(leader).legal[0])
    assert led.next_act(lambda seat: led.view(seat).legal[0])[0] == (leader + 1) % SEATED[preset]


@pytest.mark.parametrize("preset", SEATED)
def test_not_after_the_lead(preset: str) -> None:
    """§11: "and not afterwards": after the lead the holder of the seven is refused the exchange."""
    state = before_the_last_draw(preset, 1, turnup="Qd")
    assert state.turn != 1
    while state.turn != 1:
        state = lay_something(state)
        assert "7x" not in map(str, state.legal())
    assert why(state, 1) == "illegal/au-sept-past"


def test_nothing_is_said_once_the_seven_has_been_played() -> None:
    """§11, §14: "au sept" is not called after the seven was played in public."""
    state = marking_time(partie("classic", "..7.|", "Kd", actions="7d"), 10)
    assert au_sept(state) == []


def test_it_is_said_while_the_seven_lies_in_the_talon() -> None:
    """§11, §14: With the seven in the talon "au sept" is called, since nobody knows where it is; nobody exchanges."""
    dealt = partie("classic", "|", "Kd").deal
    others = [card for card in dealt.talon if card != Card("7d")]
    state = marking_time(State.new(Rules(), replace(dealt, talon=(*others, Card("7d")))), 10)
    assert au_sept(state) == [state.turn]
    assert "7x" not in map(str, state.legal())


@pytest.mark.parametrize("preset", SEATED)
def test_option_au_sept(preset: str) -> None:
    """§11: With `au-sept=no` there is no call, and the holder exchanges in its own turn in that trick too."""
    for holder in range(SEATED[preset]):
        state = before_the_last_draw(preset, holder, ";au-sept=no")
        assert au_sept(state) == []
        for _ in range(SEATED[preset]):
            assert ("7x" in map(str, state.legal())) == (state.turn == holder)
            state = lay_something(state)


def test_option_au_sept_with_seven_on_lead() -> None:
    """§11: With `au-sept=no`, `seven=lead` still applies; with "au sept" any holder may exchange."""
    for holder in (0, 1):
        leading = before_the_last_draw("classic", holder, ";seven=lead;au-sept=no")
        assert may_exchange(leading, SEATS[holder])
        waiting = before_the_last_draw("classic", holder, ";seven=lead;au-sept=no", "Qd")
        assert not may_exchange(waiting, SEATS[holder])
        assert why(lay_something(waiting), holder) == "illegal/seven-on-lead"
        window = before_the_last_draw("classic", holder, ";seven=lead", "Qd")
        assert may_exchange(window, SEATS[holder])


@pytest.mark.parametrize("au", ["", ";au-sept=no"])
@pytest.mark.parametrize("preset", SEATED)
def test_option_seven_last(preset: str, au: str) -> None:
    """§11: With `seven-last=no` (J) that trick has no exchange and no call."""
    for holder in range(SEATED[preset]):
        state = before_the_last_draw(preset, holder, f"{au};seven-last=no")
        assert au_sept(state) == []
        assert "7x" not in map(str, state.legal())
        if holder == state.turn:
            assert why(state, holder) == "illegal/seven-too-late"
    earlier = partie(f"{preset}{au};seven-last=no", "..7.|" + "|" * (SEATED[preset] - 2), "Kd")
    assert may_exchange(earlier, "a")


def test_the_turnup_once_drawn_is_out_of_reach() -> None:
    """§11: The exchange needs "the turnup on the table": once drawn it is out of reach."""
    state = marking_time(before_the_last_draw("classic", 0), 11, keep="7d")
    assert state.view(None).turnup is None
    assert action("7x") not in state.legal()
