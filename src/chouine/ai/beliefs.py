"""Exact Bayesian ranges: the probability of each hand a seat may hold, given everything it has done.

    tracker = RangeTracker(NoisyModel(model), TEMPERING)
    held = tracker.of(view, 1)                  # the hands that seat b may hold, with probabilities
    sample_worlds(view, 1, held, 256, seed)     # two seats; `opponent_model` samples worlds for more

All orders of the pack are equally likely, and hands are dependent only because they share no card. So a seat's range
depends on that seat's actions alone: it starts uniform; each action multiplies a hand's weight by P(action | hand)
under a model; a drawn card may be any. `tracker.of(public_view(view), seat)` is common knowledge, from which the
equilibrium solver starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, log
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.deduced import hidden, public_view
from chouine.ai.determinization import TALON_PLACES, Worlds
from chouine.ai.likelihood import UNIFORM, ActionModel, ObservedAction
from chouine.ai.subsets import restrict_weights, subsets, weights_after_draw
from chouine.fast.bits import as_int64, low_half, lowest_bit, next_state, scale_to, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.events import Dealt, Declared, Drawn, Event, Exchanged, Played, Shown
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.options import Rules
from chouine.rules.play import au_sept, declare, exchange, lay, start
from chouine.rules.position import NONE, UNKNOWN, Four, Position, put

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements


MIN_LIKELIHOOD = 1e-6
"""Floor for the likelihood of an action that the model considers impossible."""


class Range(NamedTuple):
    """Hands that a seat may hold: `hands: int64[n]` as card sets."""

    hands: Ints
    weights: Floats
    """`float64[n]`: their probabilities; they sum to 1."""
    evidence: float = 0.0
    """log P(all actions of the seat) under the model, up to a constant shared by all models."""


class BeliefState(NamedTuple):
    """How far a range has been tracked. A hand is `known` plus `size` cards of `cards`, indexed as in `ai.subsets`."""

    book: Book
    p: Position
    """The position as an onlooker knows it."""
    played: Four
    """Cards laid by each seat."""
    said: Declaration | None
    """A declaration whose card comes next; not yet in `p`."""
    cards: tuple[int, ...]
    """Cards of unknown origin that may be in the hand."""
    size: int
    """How many of them the hand holds."""
    known: int
    """Cards in the hand that came from the turnup's place."""
    weights: Floats
    untempered: Floats
    """Weights under the untempered model, from which its evidence is computed."""
    evidence: float = 0.0


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
                belief = self.apply_action(belief, rules, seat, Play(card, belief.said))
            case Played() if declines_au_sept(belief):
                belief = self.apply_action(belief, rules, seat, None)
            case Exchanged(seat=who, card=card) if who == seat:
                belief = self.apply_action(belief, rules, seat, Exchange())
                belief = belief._replace(known=belief.known | 1 << card)
            case Drawn(seat=who, card=card, turnup=True) if who == seat and card is not None:
                belief = belief._replace(known=belief.known | 1 << card)
            case Drawn(seat=who) if who == seat:
                total, many = len(belief.cards), belief.size
                belief = map_weights(
                    belief, lambda weights: weights_after_draw(weights, total, many)
                )._replace(size=many + 1)
            case _:
                pass
        return apply_public_event(belief, event)

    def apply_action(self, belief: BeliefState, rules: Rules, seat: int, act: Action | None) -> BeliefState:
        """Bayes' rule for one act; removes the card it plays."""
        observed = ObservedAction(rules, belief.p, seat, belief.played, act)
        card = card_removed(belief, act)
        held = 1 << card if card >= 0 else 0
        if held & belief.known:
            card, belief = NONE, belief._replace(known=belief.known & ~held)
        cards = tuple(each for each in belief.cards if each != card)
        many = belief.size - (card >= 0)
        hands = subsets(cards, many) | belief.known | held
        after = map_weights(
            belief, lambda weights: restrict_weights(weights, belief.cards, cards, many, card)
        )
        weights, untempered, evidence_share = bayes_update(
            after.weights, after.untempered, self.model, self.tempering, observed, hands
        )
        evidence = belief.evidence + log_share(evidence_share, belief.untempered)
        return belief._replace(
            cards=cards, size=many, weights=weights, untempered=untempered, evidence=evidence
        )


def initial_belief(view: View, seat: int) -> BeliefState:
    """The belief after the deal: all hands equally likely."""
    book, turnup = view.book, view.deal.turnup
    p = start(book, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer)
    cards = candidate_cards(view, seat, 1)
    alike = np.ones(comb(len(cards), book.hand))
    return BeliefState(book, p, (0, 0, 0, 0), None, cards, book.hand, 0, alike, alike)


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
    fewer = map_weights(belief, lambda weights: restrict_weights(weights, belief.cards, after, belief.size))
    evidence = belief.evidence + log_share(fewer.untempered.sum(), belief.untempered)
    return fewer._replace(cards=after, evidence=evidence)


def map_weights(belief: BeliefState, change: Callable[[Floats], Floats]) -> BeliefState:
    """Apply one change to both the tempered and the untempered weights."""
    return belief._replace(weights=change(belief.weights), untempered=change(belief.untempered))


def log_share(part: float, weights: Floats) -> float:
    """log(part / sum(weights)), floored at log(`MIN_LIKELIHOOD`)."""
    whole = float(weights.sum())
    return log(max(MIN_LIKELIHOOD, part / whole)) if whole > 0 else 0.0


def card_removed(belief: BeliefState, act: Action | None) -> int:
    """The card that an act removes from a hand, or NONE."""
    if act is None:
        return NONE
    return int(act.card) if isinstance(act, Play) else 8 * belief.p.trump


def bayes_update(
    weights: Floats,
    untempered: Floats,
    model: ActionModel,
    tempering: float,
    observed: ObservedAction,
    hands: Ints,
) -> tuple[Floats, Floats, float]:
    """Posterior weights, tempered and untempered, each summing to 1; and P(act) under the untempered model.

    If the model considers the act impossible, only legality counts and P(act) is 0.
    """
    live = weights > 0
    for each_model in (model, UNIFORM):
        likelihood = np.zeros(len(weights))
        likelihood[live] = each_model.likelihood(observed, hands[live])
        if each_model is not model:
            likelihood = np.sign(likelihood)
        posterior, trusted = weights * likelihood**tempering, untempered * likelihood
        total, evidence_share = float(posterior.sum()), float(trusted.sum())
        if total > 0 and evidence_share > 0 and np.isfinite(total):
            return posterior / total, trusted / evidence_share, evidence_share if each_model is model else 0.0
    return weights, untempered, 0.0


def current_range(view: View, seat: int, belief: BeliefState) -> Range:
    """The range now: hands that contain all cards known to be there. Uniform if a hand-written line is inconsistent."""
    known = view.position.hands[seat]
    hands = subsets(belief.cards, belief.size) | belief.known
    kept = (hands & known == known) & (belief.weights > 0)
    if not kept.any():
        return uniform_range(view, seat)._replace(evidence=belief.evidence)
    weights = belief.weights[kept]
    return Range(hands[kept], weights / weights.sum(), belief.evidence)


def uniform_range(view: View, seat: int) -> Range:
    """Every hand the seat may hold given §8, with equal probability."""
    after = hidden(view)
    free = after.cards & ~after.excluded[seat]
    cards = free if free.bit_count() >= after.vacancies[seat] else after.cards
    unseen = [card for card in range(32) if cards >> card & 1]
    hands = view.position.hands[seat] | subsets(unseen, after.vacancies[seat])
    return Range(hands, np.full(len(hands), 1 / len(hands)))


def sample_worlds(view: View, seat: int, given: Range, many: int, seed: int) -> Worlds:
    """Two seats: `many` worlds, hands by systematic sampling from the range, talons shuffled."""
    after, stream = hidden(view), splitmix64(seed)
    places = (np.arange(many) + (stream >> 11) / 2**53) / max(many, 1)
    rows = np.searchsorted(np.cumsum(given.weights), places * given.weights.sum(), side="right")
    hands, talons = np.zeros((many, 4), np.int64), np.zeros((many, TALON_PLACES), np.int64)
    hands[:, : len(after.hands)] = after.hands
    hands[:, seat] = given.hands[np.minimum(rows, len(given.hands) - 1)]
    shuffle_rest(after.cards, hands[:, seat].copy(), after.drawn, as_int64(next_state(stream)), talons)
    return Worlds(hands, talons)


@compiled
def shuffle_rest(unseen: int, hands: Ints, drawn: int, stream: int, talons: Ints) -> None:
    """Shuffle each row's remaining unseen cards into its talon."""
    for row in range(len(hands)):
        rest, place = unseen & ~hands[row], drawn
        while rest:
            stream = next_state(stream)
            other = drawn + scale_to(low_half(splitmix64(stream)), place - drawn + 1)
            talons[row, place] = talons[row, other]
            talons[row, other] = lowest_bit(rest)
            rest &= rest - 1
            place += 1


def declines_au_sept(belief: BeliefState) -> bool:
    """Whether the next lead means that this seat declined to exchange at "au sept" (§11)."""
    return au_sept(belief.book, belief.p) and belief.p.table == 0


def apply_public_event(belief: BeliefState, event: Event) -> BeliefState:
    """The onlooker's position after an event."""
    book, p = belief.book, belief.p
    match event:
        case Declared(declaration=declaration):
            return belief._replace(said=declaration)
        case Played(seat=seat, card=card):
            p = p if belief.said is None else declare(book, p, belief.said)
            p = lay(book, (UNKNOWN,) * book.hidden, p, card)
            played = put(belief.played, seat, belief.played[seat] | 1 << card)
            return belief._replace(p=p, said=None, played=played)
        case Exchanged(seat=seat):
            return belief._replace(p=exchange(p, NONE if seat is None else seat))
        case Shown(seat=seat, cards=cards) if cards is not None:
            return belief._replace(
                p=p._replace(hands=put(p.hands, seat, p.hands[seat] | cards.mask & ~belief.played[seat]))
            )
        case _:
            return belief
