"""Exact Bayesian ranges: the probability of each hand a seat may hold, given everything it has done.

    tracker = RangeTracker(NoisyModel(model), TEMPERING)
    held = tracker.of(view, 1)                  # the hands that seat b may hold, with probabilities

All orders of the pack are equally likely, and hands are dependent only because they share no card. So a seat's range
depends on that seat's actions alone: it starts uniform; each action multiplies a hand's weight by P(action | hand)
under a model; a drawn card may be any. `tracker.of(public_view(view), seat)` is common knowledge, from which the
equilibrium solver starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.deduced import Onlooker, hidden_cards, public_view
from chouine.ai.likelihood import TEMPERING, UNIFORM, ActionModel, NetworkModel, NoisyModel, ObservedAction
from chouine.ai.network import load_shipped, private_copy
from chouine.ai.subsets import restrict_weights, subsets, weights_after_draw
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.events import Dealt, Drawn, Event, Exchanged, Played
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.rules.play import au_sept
from chouine.rules.position import NONE


class Range(NamedTuple):
    """Hands that a seat may hold: `hands: int64[n]` as card sets."""

    hands: Ints
    weights: Floats
    """`float64[n]`: their probabilities; they sum to 1."""


class BeliefState(NamedTuple):
    """How far a range has been tracked. A hand is `known` plus `size` cards of `cards`, indexed as in `ai.subsets`."""

    public: Onlooker
    cards: tuple[int, ...]
    """Cards of unknown origin that may be in the hand."""
    size: int
    """How many of them the hand holds."""
    known: int
    """Cards in the hand that came from the turnup's place."""
    weights: Floats


class RangeTracker:
    """Ranges under an action model, cached along a partie so that each action is processed once.

    `tempering`: the exponent on likelihoods. 1 trusts the model fully, 0 uses legality alone.
    """

    def __init__(self, model: ActionModel, tempering: float = 1.0) -> None:
        self.model, self.tempering = model, tempering
        self.cache: dict[tuple[Rules, int | None, int], tuple[tuple[Event, ...], BeliefState, Range]] = {}

    def of(self, view: View, seat: int) -> Range:
        """The range of a seat whose hand the view does not show."""
        if any(isinstance(event, Exchanged) and event.seat is None for event in view.events):
            return uniform_range(view, seat)  # a partie line does not say who took the turnup
        key = view.rules, view.observer, seat
        events, belief, posterior = self.cache.get(key, ((), None, None))
        if posterior is not None and events == view.events:
            return posterior
        if belief is None or view.events[: len(events)] != events:
            events, belief = view.events[:1], initial_belief(view, seat)
        belief = restrict(belief, candidate_cards(view, seat, len(events)))
        for event in view.events[len(events) :]:
            belief = self.after(belief, view.rules, seat, event)
        posterior = current_range(view, seat, belief)
        self.cache[key] = view.events, belief, posterior
        return posterior

    def public_ranges(self, view: View) -> tuple[Range, Range]:
        """Two seats: the public ranges of the view's own seat and of the other."""
        known, seat = public_view(view), view.observer or 0
        return self.of(known, seat), self.of(known, 1 - seat)

    def after(self, belief: BeliefState, rules: Rules, seat: int, event: Event) -> BeliefState:
        """The belief after one event."""
        match event:
            case Played(seat=who, card=card) if who == seat:
                said = belief.public.said
                act = Play(card, None if said == NONE else Declaration(said))
                belief = self.apply_action(belief, rules, seat, act)
            case Played() if declines_au_sept(belief):
                belief = self.apply_action(belief, rules, seat, None)
            case Exchanged(seat=who, card=card) if who == seat:
                belief = self.apply_action(belief, rules, seat, Exchange())
                belief = belief._replace(known=belief.known | 1 << card)
            case Drawn(seat=who, card=card, turnup=True) if who == seat and card is not None:
                belief = belief._replace(known=belief.known | 1 << card)
            case Drawn(seat=who) if who == seat:
                total, many = len(belief.cards), belief.size
                weights = weights_after_draw(belief.weights, total, many)
                belief = belief._replace(weights=weights, size=many + 1)
            case _:
                pass
        return belief._replace(public=belief.public.after(event))

    def apply_action(self, belief: BeliefState, rules: Rules, seat: int, act: Action | None) -> BeliefState:
        """Bayes' rule for one act; removes the card it plays."""
        observed = ObservedAction(rules, belief.public.p, seat, belief.public.played, act)
        card = card_removed(belief, act)
        held = 1 << card if card >= 0 else 0
        if held & belief.known:
            card, belief = NONE, belief._replace(known=belief.known & ~held)
        cards = tuple(each for each in belief.cards if each != card)
        many = belief.size - (card >= 0)
        hands = subsets(cards, many) | belief.known | held
        after = restrict_weights(belief.weights, belief.cards, cards, many, card)
        weights = bayes_update(after, self.model, self.tempering, observed, hands)
        return belief._replace(cards=cards, size=many, weights=weights)


def tracker_of(rules: Rules, *, tempered: bool = True) -> RangeTracker:
    """Ranges of hands if their holders play as the rules' network: `tempered` where they may differ from it."""
    model = NetworkModel(private_copy(load_shipped(rules.preset)))
    return RangeTracker(NoisyModel(model), TEMPERING) if tempered else RangeTracker(model)


def initial_belief(view: View, seat: int) -> BeliefState:
    """The belief after the deal: all hands equally likely."""
    cards, hand = candidate_cards(view, seat, 1), view.rule_table.hand
    return BeliefState(Onlooker.begin(view), cards, hand, 0, np.ones(comb(len(cards), hand)))


def candidate_cards(view: View, seat: int, since: int) -> tuple[int, ...]:
    """Cards that may be in the hand now, or were seen leaving it since event number `since`.

    Excludes cards whose origin is known: an observer's own, the turnup, another seat's seven (§11).
    """
    given, seen = 0, 0
    for nth, event in enumerate(view.events):
        match event:
            case Dealt(hands=hands, turnup=turnup):
                given |= sum(hand.known.mask for hand in hands) | (0 if turnup is None else 1 << turnup)
            case Drawn(card=card, turnup=False) if card is not None:
                given |= 1 << card
            case Exchanged(seat=who, card=card) if who != seat:
                given |= 1 << 8 * card.suit
            case Exchanged(card=card) if nth >= since:
                seen |= 1 << 8 * card.suit
            case Played(seat=who, card=card) if who == seat and nth >= since:
                seen |= 1 << card
            case _:
                pass
    cards = (view.unseen.mask | view.position.hands[seat] | seen) & ~given
    return tuple(card for card in range(32) if cards >> card & 1)


def restrict(belief: BeliefState, cards: Sequence[int]) -> BeliefState:
    """The belief restricted to hands that can still matter."""
    after = tuple(card for card in belief.cards if card in cards)
    return belief._replace(
        cards=after, weights=restrict_weights(belief.weights, belief.cards, after, belief.size)
    )


def card_removed(belief: BeliefState, act: Action | None) -> int:
    """The card that an act removes from a hand, or NONE."""
    if act is None:
        return NONE
    return int(act.card) if isinstance(act, Play) else 8 * belief.public.p.trump


def bayes_update(
    weights: Floats, model: ActionModel, tempering: float, observed: ObservedAction, hands: Ints
) -> Floats:
    """Posterior weights, which sum to 1. If the model considers the act impossible, only legality counts."""
    live = weights > 0
    for each_model in (model, UNIFORM):
        likelihood = np.zeros(len(weights))
        likelihood[live] = each_model.likelihood(observed, hands[live])
        if each_model is not model:
            likelihood = np.sign(likelihood)
        posterior = weights * likelihood**tempering
        total = float(posterior.sum())
        if total > 0 and np.isfinite(total):
            return np.asarray(posterior / total)
    return weights


def current_range(view: View, seat: int, belief: BeliefState) -> Range:
    """The range now: hands that contain all cards known to be there. Uniform if a hand-written line is inconsistent."""
    known = view.position.hands[seat]
    hands = subsets(belief.cards, belief.size) | belief.known
    kept = (hands & known == known) & (belief.weights > 0)
    if not kept.any():
        return uniform_range(view, seat)
    weights = belief.weights[kept]
    return Range(hands[kept], weights / weights.sum())


def uniform_range(view: View, seat: int) -> Range:
    """Every hand the seat may hold given §8, with equal probability."""
    after = hidden_cards(view)
    free = after.cards & ~after.excluded[seat]
    cards = free if free.bit_count() >= after.vacancies[seat] else after.cards
    unseen = [card for card in range(32) if cards >> card & 1]
    hands = view.position.hands[seat] | subsets(unseen, after.vacancies[seat])
    return Range(hands, np.full(len(hands), 1 / len(hands)))


def declines_au_sept(belief: BeliefState) -> bool:
    """Whether the next lead means that this seat declined to exchange at "au sept" (§11)."""
    return au_sept(belief.public.rule_table, belief.public.p) and belief.public.p.table == 0
