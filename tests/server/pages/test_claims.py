"""What a hint, a warning or an explanation states is true of the position beside it.

Each claim is looked up here by its sentence and worked out anew, from the events or by playing on, with all cards open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import pytest

from chouine.cards import PACK, Card, CardSet, Rank
from chouine.notation.tokens import PASS
from chouine.partie import Figure, Play, State, View
from chouine.partie.actions import Action, Declaration, Exchange
from chouine.partie.events import Drawn, Played, Taken, TrumpFixed
from chouine.school.exercises import taker
from chouine.school.guide import FRIEND, LEARNER, MOMENTS, Moment, moment, warning_about
from chouine.school.problems import shipped_problems
from chouine.server.pages.advising import HINTS, idea
from chouine.server.pages.help import obligation, reason, trump_before
from chouine.server.pages.school import last_trick
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.routes.problems import gap_sentence, other_hand
from tests.partie.random_states import states
from tests.rules.table import partie

NIGHTLY, BY_DAY = 10_000, 400
"""Number of positions."""


class Place(NamedTuple):
    """A decision: the truth, what the seat knows, and an act taken for the best; None lets "au sept" pass."""

    state: State
    view: View
    best: Action | None

    @property
    def seat(self) -> int:
        assert self.view.observer is not None
        return self.view.observer

    @property
    def card(self) -> Card:
        assert isinstance(self.best, Play)
        return self.best.card

    @property
    def laid(self) -> list[Card]:
        return [played.card for played in self.view.table]

    @property
    def takes(self) -> bool:
        return bool(self.laid) and taker((*self.laid, self.card), self.view.trump) == len(self.laid)

    @property
    def fallen(self) -> set[Card]:
        return {event.card for event in self.state.events if isinstance(event, Played)}

    @property
    def drawn(self) -> bool:
        """Whether no card will be drawn, whatever is played."""
        after, rng = self.state, Random(1)
        while after.result is None:
            acts = [each for each in after.legal() if isinstance(each, Play) and each.declaration is None]
            after = after.play(rng.choice(acts))
        return not any(isinstance(event, Drawn) for event in after.events[len(self.state.events) :])

    @property
    def hidden(self) -> set[Card]:
        """The cards that this seat has not seen."""
        turned = set() if self.view.turnup is None else {self.view.turnup}
        return set(PACK) - self.fallen - set(self.view.hand) - turned

    def holds(self, declaration: Declaration, hand: CardSet) -> bool:
        """Whether a hand has the cards of a figure."""
        if declaration.suit is None:
            return sum(card.brisque for card in hand) >= (5 if declaration.figure is Figure.QUINTE else 3)
        return set(declaration.cards(self.view.rule_table)) <= set(hand)


def ends_by_chouine(place: Place) -> bool:
    """Whether the partie ends by it once the trick is complete."""
    assert place.best is not None
    after = place.state.play(place.best, place.seat)
    while after.result is None and after.position.table:
        after = after.play(next(each for each in after.legal() if isinstance(each, Play)))
    return after.result is not None and after.result.by == "chouine"


def something_waits(place: Place) -> bool:
    left = CardSet(card for card in place.view.hand if card != place.card)
    offered = [each.declaration for each in place.view.legal if isinstance(each, Play)]
    return bool(left) and any(said is not None and place.holds(said, left) for said in offered)


def is_free_to_ruff(place: Place) -> bool:
    others = {each.card.suit for each in place.view.legal if isinstance(each, Play)} - {place.view.trump}
    on_table = any(card.suit == place.view.trump for card in place.laid)
    return place.takes and place.card.suit == place.view.trump and not on_table and bool(others)


TRUE: dict[str, Callable[[Place], bool]] = {
    "Nothing has to be done here.": lambda at: at.best is None and at.view.turn != at.seat,
    "Look at the turnup: what is it worth beside your seven?": lambda at: (
        at.view.turnup is not None and Card(8 * at.view.turnup.suit) in at.view.hand
    ),
    "You have no choice: only one move is legal.": lambda at: (
        len(at.view.legal) == 1 and at.view.turn == at.seat
    ),
    "Chouine! Finish the trick: does another chouine answer?": lambda at: (
        bool(at.laid) and ends_by_chouine(at)
    ),
    "Look at your hand, suit by suit: this partie can end here.": ends_by_chouine,
    "You hold something to declare: is this the moment?": lambda at: (
        isinstance(at.best, Play)
        and at.best.declaration is not None
        and at.holds(at.best.declaration, at.view.hand)
    ),
    "What you could declare may wait: think of the trick first.": something_waits,
    "Is this trick worth a trump?": is_free_to_ruff,
    "This trick can be yours.": lambda at: at.takes and not ends_by_chouine(at),
    "Let this trick go, and give as little as you can.": lambda at: (
        bool(at.laid) and not at.takes and not at.card.points and not ends_by_chouine(at)
    ),
    "You cannot keep everything: which card can you spare?": lambda at: isinstance(at.best, Play),
    "The talon is used up: which trumps are still out?": lambda at: (
        at.drawn and at.card.suit == at.view.trump and any(card.suit == at.view.trump for card in at.hidden)
    ),
    "The talon is used up: which of your cards is the highest left of its suit?": lambda at: (
        at.drawn
        and all(
            at.card >= card
            for hand in at.state.position.hands
            for card in CardSet(hand)
            if card.suit == at.card.suit
        )
    ),
    "What would a trump do here?": lambda at: at.card.suit == at.view.trump,
    "Who can still take a brisque of yours?": lambda at: at.card.rank in (Rank.ACE, Rank.TEN),
    "You need not win this trick: which card can you lead and not miss?": lambda at: (
        not at.laid and not at.card.points and at.card.suit != at.view.trump
    ),
    "Keep what may still make a combination: which card of yours can no longer?": lambda at: (
        not at.laid and bool({Card(8 * at.card.suit + rank) for rank in (Rank.KING, Rank.QUEEN)} & at.fallen)
    ),
}
"""What each hint of the advice claims."""


def places(many: int) -> Iterator[Place]:
    """Decisions with each of their acts, from so many positions."""
    seed = 0
    while many > 0:
        for state in states(seed):
            for seat in range(state.rules.seats):
                view = state.view(seat)
                if view.legal:
                    many -= 1
                    asked = [None] if view.turn != seat else []
                    yield from (Place(state, view, best) for best in (*view.legal, *asked))
        seed += 1


@pytest.mark.parametrize("many", [BY_DAY, pytest.param(NIGHTLY, marks=pytest.mark.nightly)])
def test_every_hint_is_true_of_the_act_advised(many: int) -> None:
    """§14: a hint knows the seat's view alone, and is true with all cards open."""
    assert {hint.sentence for hint in HINTS} == set(TRUE)
    said = set()
    for place in places(many):
        sentence = idea(place.view, place.best)
        said.add(sentence)
        assert TRUE[sentence](place), (sentence, str(place.state), str(place.best))
    assert len(said) > len(TRUE) - 3


def test_in_answer_to_a_chouine_no_trick_is_spoken_of() -> None:
    """§10: nobody takes the trick that it ends."""
    state = partie("four", "9.A.8.|7..7.8|KQJ...|8..J.Q", "Kh", actions="8c Qs+chs 8s", dealer="a")
    view = state.view(0)
    assert {idea(view, act) for act in view.legal} == {
        "Chouine! Finish the trick: does another chouine answer?"
    }


@pytest.mark.parametrize("many", [BY_DAY, pytest.param(NIGHTLY, marks=pytest.mark.nightly)])
def test_what_must_be_answered_is_what_may_be(many: int) -> None:
    """§8: the duty explained leaves exactly the legal cards."""
    for place in places(many):
        laid, view = place.laid, place.view
        if view.turn != place.seat or not laid or not isinstance(place.best, Play):
            continue
        if view.position.tricks < view.rule_table.drawing:
            assert {each.card for each in view.legal if isinstance(each, Play)} == set(view.hand)
            continue
        said, led = obligation(view, laid[0].suit), laid[0].suit
        best = laid[taker(laid, view.trump)]
        over = [card for card in view.hand if card.suit == best.suit and card > best]
        suit = [card for card in view.hand if card.suit == led]
        ruffs = [card for card in view.hand if card.suit == view.trump]
        expected = {
            "The talon is used up: follow suit, and head the trick.": over,
            "The talon is used up: follow suit.": suit,
            "You cannot follow suit: ruff, above the trump that lies there.": over,
            "You cannot follow suit: ruff.": ruffs,
            "You can neither follow suit nor ruff: any card will do.": list(view.hand),
        }[said]
        assert {each.card for each in view.legal if isinstance(each, Play)} == set(expected), said


WHY: dict[str, Callable[[list[Card], Card, object], bool]] = {
    "%(card)s is the highest trump": lambda cards, card, trump: (
        card == max(each for each in cards if each.suit == trump)
    ),
    "%(card)s ruffs": lambda cards, card, trump: (
        card.suit == trump != cards[0].suit and [each for each in cards if each.suit == trump] == [card]
    ),
    "%(card)s is the only card of the suit led, and nobody played a trump": lambda cards, card, trump: (
        [each for each in cards if each.suit == cards[0].suit] == [card]
        and not any(each.suit == trump for each in cards)
    ),
    "%(card)s is the only trump": lambda cards, card, trump: (
        [each for each in cards if each.suit == trump] == [card]
    ),
    "%(card)s is the highest of the suit led": lambda cards, card, trump: (
        card == max(each for each in cards if each.suit == cards[0].suit)
        and (cards[0].suit == trump or not any(each.suit == trump for each in cards))
    ),
}
"""What each reason for a trick claims."""


@pytest.mark.parametrize("seed", range(40))
def test_why_a_trick_was_taken_is_true_of_its_trumps(seed: int) -> None:
    """§6, §17: also of a trick taken before a declaration has made trumps, whenever it is told."""
    state = list(states(seed))[-1]
    trump = None if state.rules.preset.startswith("mondoubleau") else state.view(0).trump
    for event in state.events:
        trump = event.suit if isinstance(event, TrumpFixed) else trump
        if isinstance(event, Taken):
            assert trump_before(state.view(0), event) == trump
            card = event.cards[(event.seat - event.leader) % state.rules.seats]
            assert WHY[reason(event.cards, card, trump)](list(event.cards), card, trump)


def test_an_ending_shows_both_hands_and_what_is_left_in_the_talon_is_there() -> None:
    """§14: what the pages of problems say of their positions, for a part of those shipped."""
    for problem in shipped_problems()[::10]:
        state, view = problem.state, problem.state.view(problem.seat)
        if problem.kind == "ending":
            assert (state.rules.seats, view.talon) == (2, 0)
            assert CardSet(state.position.hands[1 - problem.seat]) == other_hand(view)
        left = state.rules.seats * (state.rule_table.drawing - state.position.tricks)
        assert view.talon == max(left, 0) + (2 if state.rules.seats == 3 else 0)


def test_what_the_next_best_move_loses_is_the_nearest_that_is_said() -> None:
    """A twentieth of the parties, or so many tenths; no problem loses less."""
    words, steps = words_of(Visit("en", "", "guest")), (0.05, *(tenths / 10 for tenths in range(1, 11)))
    said = {gap_sentence(words, step): step for step in steps}
    assert len(said) == len(steps)
    assert said["The next best move wins about one partie in twenty fewer."] == 0.05
    assert said["The next best move wins about 2 parties in ten fewer."] == 0.2
    for problem in shipped_problems():
        if problem.kind != "ending":
            off = abs(said[gap_sentence(words, problem.gap)] - problem.gap)
            assert off == pytest.approx(min(abs(step - problem.gap) for step in steps))


# The guided partie

NOTE: dict[str, Callable[[Moment], bool]] = {
    "aim": lambda now: now.view.trump == Card("Qd").suit,
    "seven": lambda now: Card("7d") in now.view.hand and now.view.turnup == Card("Qd"),
    "au-sept": lambda now: now.view.talon == 2 and now.view.turnup == Card("Qd"),
    "empty": lambda now: now.view.talon == 0 and now.view.result is None,
    "bound": lambda now: len({str(each)[:2] for each in now.view.legal}) < len(now.view.hand),
    "last": lambda now: len(now.view.hand) == 1 and now.view.result is None,
    "count": lambda now: now.view.result is not None and now.view.result.by in ("points", "nulle"),
    "chouine": lambda now: now.view.result is not None and now.view.result.by == "chouine",
    "values": lambda now: now.view.turn == LEARNER,
    "declaring": lambda now: any("+" in str(each) for each in now.view.legal),
    "declared": lambda now: bool(now.view.position.declared[LEARNER]) and bool(now.view.tricks),
    "drawing": lambda now: now.view.talon > 0 and bool(now.view.tricks),
    "free": lambda now: [each.seat for each in now.view.table] == [FRIEND] and now.view.talon > 0,
    "taking": lambda now: [each.seat for each in now.view.table] == [FRIEND],
}
"""What each note of the guided partie claims."""

WARNED: dict[str, Callable[[View, Play], bool]] = {
    "guide/silent": lambda view, act: any(
        isinstance(each, Play) and each.declaration and act.card in each.declaration.cards(view.rule_table)
        for each in view.legal
    ),
    "guide/seven-away": lambda view, act: (
        act.card.rank == Rank.SEVEN and act.card.suit == view.trump and Exchange() in view.legal
    ),
    "guide/brisque-away": lambda view, act: (
        act.card.points >= 10 and taker((view.table[0].card, act.card), view.trump) == 0
    ),
}
"""What each warning of the guided partie claims."""


def guided_moments(seed: int) -> Iterator[Moment]:
    """The moments of a guided partie with random acts."""
    rng, now = Random(seed), moment(())
    yield now
    while not now.view.result:
        acts = [str(act) for act in now.view.legal] + [PASS] * (now.view.turn != LEARNER)
        now = moment((*now.acts, rng.choice(acts)))
        yield now


def test_the_guide_says_what_is_so() -> None:
    assert set(NOTE) == set(MOMENTS)
    for seed in range(20):
        for now in guided_moments(seed):
            for note in now.notes:
                assert NOTE[note.name](now), (note.name, now.acts)
            for act in now.view.legal:
                code = warning_about(now.view, act)
                assert code is None or (isinstance(act, Play) and WARNED[code](now.view, act))


WITH_CHOUINE = "7x Qd Ks Qh 9d Ts 8c Th 8h 8d 7h Js Ac+chc"
"""A course of the guided partie in which the learner collects a chouine of clubs."""


def test_a_chouine_in_the_guide_is_not_counted() -> None:
    """§10: nothing is said of points that decide, where none do."""
    end = moment(WITH_CHOUINE.split())
    assert end.view.result is not None
    assert [note.name for note in end.notes] == ["chouine"]
    assert NOTE["chouine"](end)


def test_the_last_trick_names_dix_de_der() -> None:
    """§12: a trick of an eight and a seven is not worth ten by itself."""
    for seed in range(5):
        *_, end = guided_moments(seed)
        trick = last_trick(Visit("en", "", ""), end)
        assert trick
        points = sum(card.points for _, card in trick.cards)
        assert f"({points + 10}, dix de der included)" in trick.why
