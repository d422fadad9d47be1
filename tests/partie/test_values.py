"""Values of a partie are immutable, and a view holds no reference to hidden cards."""

from __future__ import annotations

import gc
import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError
from types import FunctionType, ModuleType

import pytest

from chouine.cards import Card, CardSet
from chouine.errors import IllegalAction
from chouine.partie import (
    AuSept,
    Deal,
    Dealt,
    Declaration,
    Drawn,
    Exchange,
    Exchanged,
    Play,
    SeenHand,
    State,
    View,
    redact,
)
from chouine.partie.events import Declared, Shown, figure_shown, played_by_seat, seen_deal, take_action
from chouine.rules import Rules, rule_table_of
from chouine.rules.position import UNKNOWN, put
from tests.lines import action, play
from tests.rules.table import marking_time, partie

OPENING = partie("classic", ".KQ..|...KQ", "9d")


def reachable(value: object) -> list[object]:
    """All objects reachable from a value, except classes, functions and modules."""
    seen: dict[int, object] = {}
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, type | FunctionType | ModuleType):
            continue
        seen[id(found)] = found
        waiting += gc.get_referents(found)
    return list(seen.values())


def test_a_view_has_no_path_to_the_truth() -> None:
    """§14: Neither state nor deal nor another hand can be reached from a view."""
    state = play(OPENING, "Kh+20h 8c")
    for observer in (0, 1, None):
        objects = reachable(state.view(observer))
        assert not [found for found in objects if isinstance(found, State | Deal)]
        hands = [hand for seat, hand in enumerate(state.deal.hands) if seat != observer]
        assert not [found for found in objects if isinstance(found, CardSet) and found in hands]
    assert [found for found in reachable(state) if isinstance(found, Deal)]


def test_values_do_not_change() -> None:
    """§5: Playing returns a new state; the old one does not change."""
    before = repr(OPENING)
    after = OPENING.play(action("Kh+20h"))
    assert repr(OPENING) == before
    assert after.events[: len(OPENING.events)] == OPENING.events
    for value in (OPENING, OPENING.deal, OPENING.view(0), OPENING.events[0], Play(Card("Kh")), Rules()):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            value.position = None  # type: ignore[union-attr, misc]
    hand = OPENING.deal.hands[0]
    with pytest.raises(AttributeError, match="does not change"):
        hand.mask = 0
    with pytest.raises(AttributeError, match="does not change"):
        del hand.mask
    assert pickle.loads(pickle.dumps(OPENING)) == deepcopy(OPENING) == OPENING  # noqa: S301


def test_a_question_writes_nothing_down() -> None:
    """§6: Asking what is legal leaves every part of a state as it was."""
    history = OPENING.play(action("Kh+20h")).history
    state = OPENING._replace(history=history)
    before = [getattr(history, name) for name in history.__slots__]
    assert state.legal()
    assert state.legal(0)
    assert [getattr(history, name) for name in history.__slots__] == before


def test_two_roads_to_the_same_partie_are_equal() -> None:
    """§5: Equal rules, deals and actions give equal states and hashes."""
    state = partie("classic", ".KQ..|...KQ", "9d")
    assert state == OPENING
    assert play(state, "Kh") == play(OPENING, "Kh")
    assert hash(play(state, "Kh")) == hash(play(OPENING, "Kh"))
    assert play(state, "Kh") != play(OPENING, "Qh")
    assert hash(Play(Card("Kh"), Declaration("20h"))) == hash(action("Kh+20h"))


def test_an_action_may_name_its_seat() -> None:
    """§5: An action may name its seat, and is refused if it is another's turn."""
    assert OPENING.play(action("Kh"), 0) == OPENING.play(action("Kh"))
    with pytest.raises(IllegalAction) as refused:
        OPENING.play(action("Kc"), 1)
    assert refused.value.code == "illegal/not-your-turn"


def test_actions_as_text() -> None:
    """§9.1, §11: A card and its declaration are one token."""
    assert str(Play(Card("Qd"))) == "Qd"
    assert str(Play(Card("Qd"), Declaration("20d"))) == "Qd+20d"
    assert str(Exchange()) == "7x"
    assert repr(Play(Card("Qd"), Declaration("20d"))) == (
        "Play(card=Card('Qd'), declaration=Declaration('20d'))"
    )


def test_what_is_redacted() -> None:
    """§14: Redaction removes dealt hands and cards that others draw."""
    dealt = OPENING.events[0]
    assert isinstance(dealt, Dealt)
    seen = redact(dealt, 0)
    assert isinstance(seen, Dealt)
    assert seen.hands == (dealt.hands[0], SeenHand(CardSet(), 5))
    drawn = Drawn(1, Card("Kd"))
    assert (redact(drawn, 0), redact(drawn, 1), redact(drawn, None)) == (
        Drawn(1, None),
        drawn,
        Drawn(1, None),
    )
    turnup = Drawn(1, Card("Kd"), turnup=True)
    assert redact(turnup, 0) == redact(turnup, None) == turnup


def test_events_begin_with_the_deal() -> None:
    """§3: Events without the deal raise `TypeError`."""
    with pytest.raises(TypeError, match="begins with the deal"):
        seen_deal((AuSept(0),))


def test_an_exchange_by_nobody_knows_whom() -> None:
    """§11: If the exchanging seat is unknown, the turnup is in no known hand, and the seven on the table."""
    view = partie("three", "..7.||", "Kd").view(2)
    after, happened = take_action(view.rule_table, (), view.events, view.position, None, Exchange())
    assert happened == (Exchanged(None, Card("Kd")),)
    assert after.turnup == Card("7d")
    assert after.hands == view.position.hands
    told = View(view.rules, 2, (*view.events, *happened))
    assert Card("Kd") in told.unseen
    assert told.turnup == Card("7d")


def test_a_quinte_whose_cards_are_unknown() -> None:
    """§9.5: Under partial knowledge the shown cards may be unknown; hands then stay as they are."""
    rule_table = rule_table_of(Rules())
    said = Declared(1, Declaration("50"), 50)
    assert figure_shown(rule_table, said.declaration, 0) is None
    assert figure_shown(rule_table, said.declaration, CardSet("AT.AT.A.").mask) == CardSet("AT.AT.A.")
    state = partie("classic", "|A.AT.T.A", "9d", actions="8s As+50")
    events = tuple(
        Shown(1, Declaration("50"), None) if isinstance(event, Shown) else event
        for event in state.view(0).events
    )
    assert View(state.rules, 0, events).position.hands[1] == 0
    assert CardSet(state.view(0).position.hands[1]) == CardSet(".AT.T.A")


def test_a_talon_card_unknown_is_drawn_unknown() -> None:
    """§14: Under partial knowledge, an unknown talon card is drawn as unknown."""
    view = play(OPENING, "Kh").view(1)
    talon = (UNKNOWN,) * 21
    after, happened = take_action(view.rule_table, talon, view.events, view.position, 1, action("8c"))
    assert [event.card for event in happened if isinstance(event, Drawn)] == [None, None]
    assert after.hands[0] == 0


def test_hand_sizes_after_a_chouine() -> None:
    """§10, §14: After a chouine's trick nobody draws, so hands are one card short."""
    state = partie("classic", ".ATKQJ..|", "9d", actions="Ah+chh 8s")
    assert [len(state.view(1).held(seat)) for seat in (0, 1)] == [4, 4]
    assert state.view(1).talon == 22


def test_hand_sizes_in_the_last_tricks() -> None:
    """§5, §14: In the last tricks a hand has five cards minus those played."""
    state = marking_time(OPENING, 12)
    assert [len(state.view(None).held(seat)) for seat in (0, 1)] == [4, 4]
    leader = state.turn or 0
    state = state.play(state.legal()[0])
    assert [len(state.view(None).held(seat)) for seat in (leader, 1 - leader)] == [3, 4]


def test_put_replaces_one_seat() -> None:
    """§5: `put` replaces one seat's value of four."""
    assert [put((1, 2, 3, 4), seat, 9) for seat in range(4)] == [
        (9, 2, 3, 4),
        (1, 9, 3, 4),
        (1, 2, 9, 4),
        (1, 2, 3, 9),
    ]


def test_a_view_is_extended_by_redacted_events() -> None:
    """§14: A view extended by redacted events equals the view of the later state."""
    state = play(OPENING, "Kh+20h 8c")
    for observer in (0, 1, None):
        told = [redact(event, observer) for event in state.events[len(OPENING.events) :]]
        assert OPENING.view(observer).then(told) == state.view(observer)


def test_cards_played_are_known_by_seat() -> None:
    """§14"""
    state = play(OPENING, "Kh+20h 8c")
    leader = OPENING.turn
    assert leader is not None
    played = [CardSet(cards) for cards in played_by_seat(state.events)]
    assert played[leader] == CardSet([Card("Kh")])
    assert played[1 - leader] == CardSet([Card("8c")])
