"""Hidden information stays hidden (§14): a view depends only on its seat's redacted events."""

from __future__ import annotations

from random import Random

from hypothesis import given

from chouine.cards import CardSet
from chouine.partie import AllowedView, Drawn, State, View, redact
from chouine.rules.combinations import ACTIONS
from chouine.rules.explain import explain
from chouine.rules.play import legal_for
from chouine.rules.position import Position
from tests.laws.strategies import SEEDS, Partie, moments, parties
from tests.laws.worlds import another_world, hidden_cards


def observers(state: State) -> list[int | None]:
    """All seats and a spectator (None)."""
    return [*range(state.rules.seats), None]


def public(p: Position) -> Position:
    """The position without hands."""
    return p._replace(hands=(0, 0, 0, 0))


@given(parties())
def test_a_view_is_the_fold_of_its_redacted_events(partie: Partie) -> None:
    """§14: A view is built from redacted events, and its public part and own hand equal the true position."""
    for state in (*partie[::5], partie[-1]):
        for observer in observers(state):
            view = View(state.rules, observer, tuple(redact(event, observer) for event in state.events))
            assert view == state.view(observer)
            assert public(view.position) == public(state.position)
            assert view.result == state.result
            assert view.turn == state.turn
            if observer is not None:
                assert view.hand == CardSet(state.position.hands[observer])


@given(parties())
def test_a_view_carried_on_act_by_act_is_the_view(partie: Partie) -> None:
    for observer in observers(partie[0]):
        view = partie[0].view(observer)
        for state in partie[1:]:
            view = view.then([redact(event, observer) for event in state.events[len(view.events) :]])
            assert view == state.view(observer)
            assert view.position == state.view(observer).position


@given(parties())
def test_what_a_view_believes_is_true_and_counts_every_card(partie: Partie) -> None:
    """§14: A view's known cards are right, hand sizes too, and no card is both known and unseen."""
    for state in (*partie[::5], partie[-1]):
        for observer in observers(state):
            view = state.view(observer)
            truly = state.position.hands
            unknown = 0
            for seat in range(state.rules.seats):
                held = view.held(seat)
                assert not held.known - CardSet(truly[seat])
                assert len(held) == truly[seat].bit_count()
                unknown += held.unknown
            face_down = view.talon - (view.turnup is not None)
            assert len(view.unseen) == unknown + face_down


@given(parties())
def test_a_view_lists_its_own_legal_actions_only(partie: Partie) -> None:
    """§14, §11: A view lists its own seat's legal actions; a spectator's lists none."""
    for state in (*partie[::4], partie[-1]):
        for seat in range(state.rules.seats):
            assert state.view(seat).legal == state.legal(seat)
        assert state.view(None).legal == ()


@given(moments())
def test_events_are_the_same_in_number_and_kind_for_all(state: State) -> None:
    """§14: All observers get the same sequence of events, with the cards they may not see removed."""
    for observer in observers(state):
        seen = state.view(observer).events
        assert [type(event) for event in seen] == [type(event) for event in state.events]
        for told, event in zip(seen[1:], state.events[1:], strict=True):
            if isinstance(event, Drawn) and isinstance(told, Drawn) and told != event:
                assert (told.card, told.seat, event.turnup) == (None, event.seat, False)
                assert event.seat != observer
            else:
                assert told == event


@given(moments(), SEEDS)
def test_two_worlds_that_look_alike_give_equal_views(state: State, seed: int) -> None:
    """§14: If hidden cards are redealt and the same actions played, view, screen and refusals are identical."""
    rng = Random(seed)
    for observer in observers(state):
        view = state.view(observer)
        other = another_world(view, rng)
        assert other is not None
        seen = other.view(observer)
        assert seen == view
        assert (repr(seen), repr(seen.position)) == (repr(view), repr(view.position))
        assert (seen.legal, seen.deal, seen.unseen) == (view.legal, view.deal, view.unseen)
        assert repr(AllowedView.of(seen)) == repr(AllowedView.of(view))
        if observer is not None:
            told = [explain(state.rule_table, state.position, observer, action) for action in range(ACTIONS)]
            assert told == [
                explain(other.rule_table, other.position, observer, action) for action in range(ACTIONS)
            ]


@given(moments(), SEEDS)
def test_the_rules_played_on_a_seat_s_knowledge_give_its_own_actions(state: State, seed: int) -> None:
    """§14: The rules evaluated on a view's position give its seat the true legal actions and refusals."""
    for seat in range(state.rules.seats):
        view = state.view(seat)
        told = legal_for(view.rule_table, view.position, seat)
        assert told == legal_for(state.rule_table, state.position, seat)
        for action in range(ACTIONS):
            known = explain(view.rule_table, view.position, seat, action)
            assert known == explain(state.rule_table, state.position, seat, action)


def test_other_worlds_are_truly_other() -> None:
    """§14: The test above is not vacuous: redeals do move hidden cards."""
    from chouine.partie import Deal
    from chouine.rules import Rules

    rng = Random(7)
    rules = Rules()
    state = State.new(rules, Deal.random(rules, 0, rng))
    others = [another_world(state.view(0), rng) for _ in range(20)]
    deals = {str(other.deal) for other in others if other}
    assert len(deals) == 20
    assert len(hidden_cards(state.view(0))) == 26
    assert len(hidden_cards(state.view(None))) == 31
