"""Properties of every state of every partie: cards, points, results."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import ALL_CARDS, POINTS, CardSet
from chouine.notation.lines import actions_of
from chouine.partie import Declared, Ended, Exchanged, Shown, State, Taken, TrumpFixed
from chouine.partie.events import current_trick, played_by_seat
from chouine.rules import Rules, rule_table_of
from chouine.rules.play import legal, legal_for, step
from chouine.rules.position import Position
from tests.laws.strategies import Partie, moments, parties


def talon_left(state: State) -> int:
    """The undrawn talon, turnup included, as a card mask."""
    rule_table, p = state.rule_table, state.position
    drawn = min(p.tricks, rule_table.drawing) * rule_table.seats
    left = sum(1 << card for card in state.deal.talon[drawn:])
    return left | (1 << p.turnup if p.turnup >= 0 else 0)


@given(parties())
def test_every_card_is_in_one_place(partie: Partie) -> None:
    """§1, §5: Each of 32 cards is in exactly one hand, in the talon, or played."""
    for state in partie:
        places = [*state.position.hands, talon_left(state), *played_by_seat(state.events)]
        assert sum(cards.bit_count() for cards in places) == 32
        assert sum(places) == ALL_CARDS


@given(parties())
def test_points_add_up(partie: Partie) -> None:
    """§12: Points add up to 130 plus declarations; with three seats minus the two undrawn cards (§5)."""
    end = partie[-1]
    assert end.result is not None
    taken = sum(event.points for event in end.events if isinstance(event, Taken))
    declared = sum(event.counts for event in end.events if isinstance(event, Declared))
    if end.result.by == "chouine":
        declared -= sum(event.counts for event in current_trick(end.events) if isinstance(event, Declared))
        assert sum(end.result.points) == taken + declared
        return
    left = sum(POINTS[card & 7] for card in range(32) if talon_left(end) >> card & 1)
    assert (left == 0) or end.rules.seats == 3
    assert taken == 130 - left
    assert sum(end.result.points) == taken + declared


@given(parties())
def test_the_result_follows_from_the_points_or_the_chouine(partie: Partie) -> None:
    """§10, §12: Most points win, equal highest points are a nulle, a chouine overrides both."""
    result = partie[-1].result
    assert result is not None
    top = [seat for seat, points in enumerate(result.points) if points == max(result.points)]
    sayers = {
        event.seat
        for event in partie[-1].events
        if isinstance(event, Declared) and event.declaration.figure.value == "chouine"
    }
    if sayers:
        assert result.by == "chouine"
        assert result.winner in sayers
    elif len(top) > 1:
        assert (result.by, result.winner) == ("nulle", None)
    else:
        assert (result.by, result.winner) == ("points", top[0])
    assert result.text.split("-") == [
        "1" if seat == result.winner else "0" for seat in range(len(result.points))
    ]
    assert partie[-1].events[-1] == Ended(result)
    assert not any(isinstance(event, Ended) for event in partie[-1].events[:-1])


@given(parties())
def test_a_partie_ends_and_offers_nothing_more(partie: Partie) -> None:
    """§12: A seat can act until the end, and none after it."""
    for state in partie[:-1]:
        assert state.result is None
        assert state.turn is not None
        assert state.legal(state.turn)
    assert partie[-1].turn is None
    assert partie[-1].legal() == ()


@given(parties())
def test_what_is_said_is_shown_when_the_trick_is_complete(partie: Partie) -> None:
    """§9.5: At the end of a trick each declaration is shown in order, with its declarer's cards."""
    waiting: list[tuple[Declared, CardSet]] = []
    for before, after in pairwise(partie):
        for event in after.events[len(before.events) :]:
            if isinstance(event, Declared):
                waiting.append((event, before.view(event.seat).hand))
            elif isinstance(event, Shown):
                said, hand = waiting.pop(0)
                assert (event.seat, event.declaration) == (said.seat, said.declaration)
                assert event.cards
                assert event.cards & hand == event.cards
            elif isinstance(event, Taken | Ended):
                assert waiting == []


@given(parties())
def test_declared_points_are_those_of_the_events(partie: Partie) -> None:
    """§9: A seat's declared points are the sum over its declaration events, unless a chouine ends the partie (§10)."""
    for state in partie[:-1]:
        told = [0] * state.rules.seats
        for event in state.events:
            if isinstance(event, Declared):
                told[event.seat] += event.counts
        assert state.position.declared[: state.rules.seats] == tuple(told)


@given(parties(("mondoubleau", "mondoubleau-three", "mondoubleau-four")))
def test_trump_is_fixed_at_most_once_and_never_changes(partie: Partie) -> None:
    """§17: Trump is fixed at most once, by a leader's mariage, tierce or quarteron, and never changes."""
    fixed = [event for event in partie[-1].events if isinstance(event, TrumpFixed)]
    assert len(fixed) <= 1
    assert not any(isinstance(event, Exchanged) for event in partie[-1].events)
    trumps = [state.position.trump for state in partie]
    assert trumps == sorted(trumps, key=lambda trump: trump >= 0)
    if fixed:
        before = partie[-1].events[partie[-1].events.index(fixed[0]) - 1]
        assert isinstance(before, Declared)
        assert before.declaration.suit == fixed[0].suit == partie[-1].position.trump


@given(parties(("classic", "three", "four")))
def test_the_seven_is_exchanged_once_at_most(partie: Partie) -> None:
    """§11: There is at most one exchange, and its event names the original turnup."""
    exchanges = [event for event in partie[-1].events if isinstance(event, Exchanged)]
    assert len(exchanges) <= 1
    for event in exchanges:
        assert event.card == partie[0].deal.turnup


@given(moments())
def test_step_changes_nothing_it_was_given(state: State) -> None:
    """`step` changes neither the position nor the talon that it gets."""
    rule_table, p = state.rule_table, state.position
    talon = [int(card) for card in state.deal.talon]
    before, cards = Position(*p), list(talon)
    for action in range(51):
        if legal(rule_table, p) >> action & 1:
            after = step(rule_table, talon, p, action)
            assert after != p
    assert (p, talon) == (before, cards)


@given(moments(), st.integers(0, 3))
def test_conceding_loses_the_partie(state: State, seat: int) -> None:
    """§16: A seat that concedes does not win; points stay."""
    seat %= state.rules.seats
    if state.result:
        return
    conceded = state.concede(seat)
    assert conceded.result is not None
    assert conceded.result.by == "concede"
    assert conceded.result.winner != seat
    assert conceded.result.points == state.view(None).points
    assert (conceded.turn, conceded.legal()) == (None, ())
    if state.rules.seats == 2:
        assert conceded.result.winner == 1 - seat


@given(moments())
def test_the_seats_legal_actions_make_up_the_whole(state: State) -> None:
    """§5, §11: The seats' legal actions are disjoint and add up to all legal actions."""
    rule_table, p = state.rule_table, state.position
    each = [legal_for(rule_table, p, seat) for seat in range(rule_table.seats)]
    whole = 0
    for actions in each:
        assert whole & actions == 0
        whole |= actions
    assert whole == legal(rule_table, p)


def test_the_book_fits_the_pack() -> None:
    """§3, §5: Hands, talon and draws account for 32 cards; with three seats two remain."""
    for preset, left in {
        "classic": 0,
        "three": 2,
        "four": 0,
        "mondoubleau": 0,
        "mondoubleau-three": 2,
    }.items():
        rule_table = rule_table_of(Rules.of_preset(preset))
        assert rule_table.seats * rule_table.tricks + left == 32
        assert rule_table.seats * rule_table.hand + rule_table.hidden + rule_table.turned == 32


@given(parties())
def test_events_do_not_depend_on_when_they_are_read(partie: Partie) -> None:
    """Events are computed lazily, and do not depend on when they are read."""
    acts = [*actions_of(partie[-1].events)]
    at_once = at_last = State.new(partie[0].rules, partie[0].deal)
    for act in acts:
        at_once = at_once.play(act)
        assert at_once.events
        at_last = at_last.play(act)
    assert at_last.history.act, "not told so far"
    assert at_last == at_once
    assert at_last.events == at_once.events
    assert not at_last.history.act, "told: the states that led here are let go"
