"""What the reasons call certain is true with all cards open, of random positions of every preset."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random

import pytest

from chouine.ai.facts import FACTS, Reason, certain_reasons, facts
from chouine.cards import Card, CardSet, Rank
from chouine.notation.tokens import read_action
from chouine.partie.actions import Exchange, Figure, Play
from chouine.partie.events import Declared, Drawn, Taken, TrumpFixed
from chouine.partie.state import State
from tests.laws.worlds import another_world
from tests.partie.random_states import states
from tests.rules.table import partie

BY_DAY, NIGHTLY = 900, 20_000


class FactExample:
    """A fact with the position, all cards open, and the two acts."""

    def __init__(self, state: State, better: Play, worse: Play, number: int) -> None:
        self.state, self.better, self.worse, self.number = state, better, worse, number
        self.seat = state.position.turn

    @property
    def card(self) -> Card:
        return Card(self.number)

    @property
    def laid(self) -> list[Card]:
        return [each.card for each in self.state.view(self.seat).table]

    @property
    def last(self) -> bool:
        return len(self.laid) == self.state.rules.seats - 1

    @property
    def left(self) -> set[Card]:
        """The hand after the better act."""
        return set(CardSet(self.state.position.hands[self.seat])) - {self.better.card}

    @property
    def drawn(self) -> bool:
        """Whether a draw follows this trick."""
        after = self.tricks_after(self.better)[0]
        return any(isinstance(each, Drawn) for each in after.events[len(self.state.events) :])

    @property
    def hidden(self) -> set[Card]:
        """The cards that this seat has not seen."""
        return set(self.state.view(self.seat).unseen)

    def others(self) -> set[Card]:
        hands = (hand for seat, hand in enumerate(self.state.position.hands) if seat != self.seat)
        return {card for hand in hands for card in CardSet(hand)}

    def tricks_after(self, act: Play) -> list[State]:
        """The position after this trick, for several ways to answer the act."""
        found = []
        for seed in range(8):
            rng, after = Random(seed), self.state.play(act)
            while after.result is None and after.position.table:
                after = after.play(rng.choice([each for each in after.legal() if isinstance(each, Play)]))
            found.append(after)
        return found

    def takers(self, act: Play) -> set[int]:
        """Who takes the trick, for several ways to answer the act."""
        ends = (after.events[len(self.state.events) :] for after in self.tricks_after(act))
        return {event.seat for events in ends for event in events if isinstance(event, Taken)}

    def takes(self, act: Play) -> bool:
        return self.takers(act) == {self.seat}

    def beats_what_lies(self, act: Play) -> bool:
        trump = self.state.position.trump
        best = self.laid[0]
        for card in (*self.laid[1:], act.card):
            if (card.suit == best.suit and card > best) or card.suit == trump != best.suit:
                best = card
        return best == act.card

    def offered_after_draw(self, figure: Figure) -> bool:
        """Whether the seat has not closed a figure of the card's suit (§9.4)."""
        said = [
            each.declaration
            for each in self.state.events
            if isinstance(each, Declared) and each.seat == self.seat
        ]
        if figure is Figure.MARIAGE:
            open_figures = (Figure.MARIAGE, Figure.TIERCE, Figure.QUARTERON)
            return all(each.suit != self.worse.card.suit or each.figure not in open_figures for each in said)
        return all(each.figure is not figure for each in said)


def is_spared(told: FactExample) -> bool:
    return told.worse.card.points > told.better.card.points


def brisques(cards: set[Card]) -> int:
    return sum(card.brisque for card in cards)


def counts(told: FactExample, act: Play) -> int:
    after = told.state.play(act)
    said = [event for event in after.events[len(told.state.events) :] if isinstance(event, Declared)]
    return said[0].counts if said else 0


def becomes_trump(told: FactExample) -> bool:
    news = told.state.play(told.better).events[len(told.state.events) :]
    return told.state.position.trump < 0 and [e.suit for e in news if isinstance(e, TrumpFixed)] == [
        told.number
    ]


def misses_one(told: FactExample) -> bool:
    ranks = {Rank.KING, Rank.QUEEN, Rank.JACK} | (
        {Rank.ACE, Rank.TEN} if told.state.rules.seats == 2 else set[Rank]()
    )
    cards = {Card(8 * told.card.suit + rank) for rank in ranks}
    return (
        cards - told.left == {told.card}
        and told.worse.card in cards
        and told.card in told.hidden
        and told.drawn
    )


def has_been_seen(told: FactExample) -> bool:
    """The card was shown, drawn face up or exchanged for, or nothing else is left for the other hand."""
    view = told.state.view(told.seat)
    known = any(
        told.card in CardSet(hand) for seat, hand in enumerate(view.position.hands) if seat != told.seat
    )
    return (
        known
        and told.card in told.others()
        and told.card.suit == told.worse.card.suit
        and told.card > told.worse.card
    )


def is_forced(told: FactExample, suit: int) -> bool:
    after = told.state.play(told.better)
    answers = {each.card.suit for each in after.legal() if isinstance(each, Play)}
    return answers == {suit} and after.position.turn != told.seat


TRUE: dict[str, Callable[[FactExample], bool]] = {
    "declares": lambda at: counts(at, at.better) == at.number > counts(at, at.worse),
    "fixes": becomes_trump,
    "lacks": misses_one,
    "waits": lambda at: (
        at.worse.declaration is not None
        and at.better.declaration is None
        and at.drawn
        and (
            set(at.worse.declaration.cards(at.state.rule_table)) <= at.left
            if at.worse.declaration.suit is not None
            else brisques(at.left) >= (5 if at.state.rules.seats == 2 else 3)
        )
    ),
    "sure": lambda at: at.takes(at.better) and at.card == at.better.card and not at.last,
    "takes-brisque": lambda at: at.takes(at.better) and not at.takes(at.worse) and brisques(set(at.laid)) > 0,
    "takes": lambda at: at.takes(at.better) and not at.takes(at.worse) and brisques(set(at.laid)) == 0,
    "ahead": lambda at: at.beats_what_lies(at.better) and not at.beats_what_lies(at.worse) and not at.last,
    "forces-ruff": lambda at: (
        is_forced(at, at.state.position.trump) and at.better.card.suit != at.state.position.trump
    ),
    "must-lead": lambda at: at.seat not in at.takers(at.better) and at.takes(at.worse) and not at.drawn,
    "draws-trump": lambda at: (
        is_forced(at, at.better.card.suit)
        and at.better.card.suit
        == at.state.play(at.better).position.trump  # it may fix the trump itself (§17)
    ),
    "couple": lambda at: (
        {Card(8 * at.number + Rank.KING), Card(8 * at.number + Rank.QUEEN)} <= at.left
        and at.drawn
        and at.offered_after_draw(Figure.MARIAGE)
    ),
    "quinte": lambda at: brisques(at.left) == 4 and at.drawn and at.offered_after_draw(Figure.QUINTE),
    "trente": lambda at: brisques(at.left) == 2 and at.drawn and at.offered_after_draw(Figure.TRENTE),
    "ace-out": lambda at: at.card in at.hidden and at.card == Card(8 * at.worse.card.suit + Rank.ACE),
    "seen": has_been_seen,
    "spares-brisque": lambda at: at.worse.card.brisque and not at.better.card.brisque,
    "keeps-master": lambda at: (
        at.worse.card in at.left
        and not any(
            card.suit == at.worse.card.suit and card > at.worse.card for card in at.others() | at.hidden
        )
    ),
    "no-brisque": lambda at: brisques(set(at.laid)) == 0 and at.takes(at.worse) and not at.takes(at.better),
    "keeps-trump": lambda at: at.worse.card.suit == at.state.position.trump != at.better.card.suit,
    "only-trump": lambda at: (
        not any(card.suit == at.card.suit and card > at.card for card in at.others() | at.hidden)
    ),
    "suffices": lambda at: at.takes(at.better) and at.takes(at.worse) and at.better.card < at.worse.card,
    "gives-nothing": lambda at: at.card.points == 0 and is_spared(at),
    "gives-less": is_spared,
    "may-come": lambda at: (
        at.card in at.hidden
        and at.drawn
        and {at.card.rank, at.worse.card.rank} == {Rank.KING, Rank.QUEEN}
        and at.offered_after_draw(Figure.MARIAGE)
    ),
}
"""What each fact claims."""


@pytest.mark.parametrize("many", [BY_DAY, pytest.param(NIGHTLY, marks=pytest.mark.nightly)])
def test_every_fact_is_true_with_all_cards_open(many: int) -> None:
    """§14: a fact is known from the seat's view alone."""
    assert set(FACTS) == set(TRUE)
    seed, said = 0, set[str]()
    while many > 0:
        for state in states(seed):
            view = state.view(state.position.turn)
            rng = Random(f"{seed} {many}")
            plays = [act for act in view.legal if isinstance(act, Play)]
            for better, worse in rng.sample(pairs := list(permutations(plays, 2)), min(6, len(pairs))):
                for reason in facts(view, better, worse):
                    said.add(reason.trait)
                    told = FactExample(state, better, worse, int(reason.difference))
                    assert TRUE[reason.trait](told), (reason, str(state), str(better), str(worse))
            many -= 1
        seed += 1
    assert len(said) > len(TRUE) - 4


@pytest.mark.parametrize("many", [BY_DAY, pytest.param(NIGHTLY // 4, marks=pytest.mark.nightly)])
def test_no_fact_depends_on_hidden_cards(many: int) -> None:
    """In a world that the seat cannot tell from this one the same facts are said, and they are true there too."""
    seed, said = 100_000, 0
    while many > 0:
        for state in states(seed):
            view, rng = state.view(state.position.turn), Random(f"{seed} {many}")
            other = another_world(view, rng)
            plays = [act for act in view.legal if isinstance(act, Play)]
            for better, worse in rng.sample(pairs := list(permutations(plays, 2)), min(6, len(pairs))):
                if other is None:
                    break
                found = facts(view, better, worse)
                assert facts(other.view(state.position.turn), better, worse) == found
                for reason in found:
                    told = FactExample(other, better, worse, int(reason.difference))
                    assert TRUE[reason.trait](told), (reason, str(other), str(better), str(worse))
                said += len(found)
            many -= 1
        seed += 1
    assert said


@pytest.mark.parametrize(
    ("line", "better", "worse", "told"),
    [
        ("classic .ATQJ..8| 9d", "8c", "Jh", "lacks gives-nothing"),
        ("classic 8.KQ.T7.| 9d", "8s", "Kh", "couple gives-nothing"),
        ("classic AT.8.A.T| 9d", "8h", "Ts", "quinte gives-nothing"),
        ("mondoubleau KQ.8.97.| -", "Ks+20s", "8h", "declares fixes"),
        ("classic A...|T8.97.8. 9d As", "8s", "Ts", "spares-brisque"),
        ("classic 8...|T9.97.8. 9d 8s", "9s", "Ts", "suffices"),
        ("classic T...|KQ9.9.8. 9d Ts", "9s", "Ks", "couple gives-nothing"),
        ("classic A...|KQ9.9.8. 9d As", "8d", "9h", "takes-brisque"),
        ("classic 8...|9.9.T8. 9d 8s", "9h", "Td", "no-brisque keeps-trump"),
        ("classic KQ.9.8.8| 9d", "9h", "Ks+20s", "waits gives-nothing"),
        ("classic T8.9.8.9| 9d", "8s", "Ts", "ace-out"),
        ("classic T8.9.8.9| 9d", "Ts", "8s", ""),
    ],
)
def test_facts_of_the_table(line: str, better: str, worse: str, told: str) -> None:
    """The reasons that a player gives, in the order of their weight."""
    rules, hands, turnup, *acts = line.split()
    state = partie(rules, hands, turnup, actions=" ".join(acts))
    view = state.view(state.position.turn)
    found = certain_reasons(view, read_action(better), read_action(worse))
    assert " ".join(reason.trait for reason in found) == told


def test_nothing_is_taken_or_drawn_once_a_chouine_is_said() -> None:
    """§10: the trick is completed, nobody takes it, and the partie ends."""
    state = partie("four", "9.A.8.|7..7.8|KQJ...|8..J.Q", "Kh", actions="8c Qs+chs 8s", dealer="a")
    assert facts(state.view(0), read_action("Ah"), read_action("9s")) == []


def test_an_exchange_brings_the_turnup() -> None:
    """§11"""
    view = partie("classic", "8.K9.7.7|", "Qd").view(0)
    assert certain_reasons(view, Exchange(), read_action("8s")) == [Reason("turnup", Rank.QUEEN)]
    assert certain_reasons(view, read_action("8s"), Exchange()) == []
