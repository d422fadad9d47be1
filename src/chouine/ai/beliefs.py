"""What a seat, or an onlooker, can tell of a hand from all that has been done: exactly.

    ranges = Ranges(Wavering(model), TEMPER)
    told = ranges.of(view, 1)            # the hands that seat b may hold, and how likely each is
    sampled(view, 1, told, 256, seed)    # with two seats, worlds drawn from it; `others` draws them with more

Every order of the pack is equally likely, and one seat's cards bind another's only by not being among them. So a
seat's range is worked out from that seat's acts alone: it begins with all hands alike; an act makes each hand as much
likelier as a model says that its holder acts so; a card drawn may be any. `ranges.of(onlooker(view), seat)` is what
everyone knows, which is where the search for an equilibrium begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, log
from typing import NamedTuple

import numpy as np

from chouine.ai.arrays import Floats, Ints
from chouine.ai.likelihood import UNIFORM, Model, Moment
from chouine.ai.subsets import one_more, subsets, taken_over
from chouine.ai.worlds import TALON_PLACES, Worlds, hidden
from chouine.fast.bits import advance, below, low_half, lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.events import Dealt, Declared, Drawn, Event, Exchanged, Played, Shown, redact
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.options import Rules
from chouine.rules.play import au_sept, declare, exchange, lay, start
from chouine.rules.position import NONE, UNKNOWN, Four, Position, put

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled


HARDLY = 1e-6
"""How likely an act is that a model holds for impossible."""


class Range(NamedTuple):
    """Hands that a seat may hold, a row each, the likely and the unlikely."""

    hands: Ints
    weights: Floats
    """How likely each is; together 1."""
    evidence: float = 0.0
    """Logarithm of how likely all that was done is under the model, but for a part that is the same for every model."""


class Stage(NamedTuple):
    """How far a range has been followed. A hand is `fixed` and so many of `cards`, numbered as `subsets` does."""

    book: Book
    p: Position
    """What an onlooker knows."""
    played: Four
    """The cards that each seat has laid."""
    said: Declaration | None
    """A declaration whose card comes next, not in `p` yet."""
    cards: tuple[int, ...]
    """What may be in the hand, nobody having been told where it came from."""
    many: int
    """How many of them are."""
    fixed: int
    """Cards in the hand that came from the turnup's place."""
    weights: Floats
    trusting: Floats
    """The weights if the model were believed wholly, which is what its evidence is told by."""
    evidence: float = 0.0


class Ranges:
    """Ranges under a model of the players, kept along a partie so that each act is weighed once.

    `believed`: the power its likelihoods are raised to; 1 believes them, 0 tells only what may be done.
    """

    def __init__(self, model: Model, believed: float = 1.0) -> None:
        self.model, self.believed = model, believed
        self.kept: dict[tuple[Rules, int | None, int], tuple[tuple[Event, ...], Stage, Range]] = {}

    def of(self, view: View, seat: int) -> Range:
        """The range of a seat whose hand this view does not show, whatever the hands of others."""
        if any(isinstance(event, Exchanged) and event.seat is None for event in view.events):
            return evenly(view, seat)  # a text does not say who holds the turnup now
        key = view.rules, view.observer, seat
        events, stage, found = self.kept.get(key, ((), None, None))
        if found is not None and events == view.events:
            return found
        if stage is None or view.events[: len(events)] != events:
            events, stage = view.events[:1], begun(view, seat)
        stage = restricted(stage, may_hold(view, seat, len(events)))
        for event in view.events[len(events) :]:
            stage = self.after(stage, view.rules, seat, event)
        found = told(view, seat, stage)
        self.kept[key] = view.events, stage, found
        return found

    def in_public(self, view: View) -> tuple[Range, Range]:
        """What everyone knows, with two seats, of the hand of the seat whose view this is, and of the other's."""
        known, seat = onlooker(view), view.observer or 0
        return self.of(known, seat), self.of(known, 1 - seat)

    def after(self, stage: Stage, rules: Rules, seat: int, event: Event) -> Stage:
        """The range once this has happened, and what an onlooker knows then."""
        match event:
            case Played(seat=who, card=card) if who == seat:
                stage = self.acted(stage, rules, seat, Play(card, stage.said))
            case Played() if lets_pass(stage):
                stage = self.acted(stage, rules, seat, None)
            case Exchanged(seat=who, card=card) if who == seat:
                stage = self.acted(stage, rules, seat, Exchange())
                stage = stage._replace(fixed=stage.fixed | 1 << card)
            case Drawn(seat=who, card=card, turnup=True) if who == seat and card is not None:
                stage = stage._replace(fixed=stage.fixed | 1 << card)
            case Drawn(seat=who) if who == seat:
                total, many = len(stage.cards), stage.many
                stage = both(stage, lambda weights: one_more(weights, total, many))._replace(many=many + 1)
            case _:
                pass
        return public(stage, event)

    def acted(self, stage: Stage, rules: Rules, seat: int, act: Action | None) -> Stage:
        """An act: what it took away, and what it tells."""
        moment = Moment(rules, stage.p, seat, stage.played, act)
        card = leaving(stage, act)
        held = 1 << card if card >= 0 else 0
        if held & stage.fixed:
            card, stage = NONE, stage._replace(fixed=stage.fixed & ~held)
        cards = tuple(each for each in stage.cards if each != card)
        many = stage.many - (card >= 0)
        hands = subsets(cards, many) | stage.fixed | held
        left = both(stage, lambda weights: taken_over(weights, stage.cards, cards, many, card))
        weights, trusting, did = weighed(
            left.weights, left.trusting, self.model, self.believed, moment, hands
        )
        evidence = stage.evidence + log_part(did, stage.trusting)
        return stage._replace(cards=cards, many=many, weights=weights, trusting=trusting, evidence=evidence)


def begun(view: View, seat: int) -> Stage:
    """The deal: all hands alike."""
    book, turnup = view.book, view.deal.turnup
    p = start(book, (0, 0, 0, 0), NONE if turnup is None else turnup, view.deal.dealer)
    cards = may_hold(view, seat, 1)
    alike = np.ones(comb(len(cards), book.hand))
    return Stage(book, p, (0, 0, 0, 0), None, cards, book.hand, 0, alike, alike)


def may_hold(view: View, seat: int, since: int) -> tuple[int, ...]:
    """Cards the seat may have held since then that still matter: those it may hold now, and those it let see.

    Less those whose first place was told: an observer's own, the turnup, the other's seven (§11).
    """
    told, seen = 0, 0
    for nth, event in enumerate(view.events):
        match event:
            case Dealt(hands=hands, turnup=turnup):
                told |= sum(hand.known.mask for hand in hands) | (0 if turnup is None else 1 << turnup)
            case Drawn(card=card, turnup=False) if card is not None:
                told |= 1 << card
            case Exchanged(seat=who, card=card) if who != seat:
                told |= 1 << 8 * card.suit
            case Exchanged(card=card) if nth >= since:
                seen |= 1 << 8 * card.suit
            case Played(seat=who, card=card) if who == seat and nth >= since:
                seen |= 1 << card
            case _:
                pass
    cards = (view.unseen.mask | view.position.hands[seat] | seen) & ~told
    return tuple(card for card in range(32) if cards >> card & 1)


def restricted(stage: Stage, cards: Sequence[int]) -> Stage:
    """The same range, less the hands that cannot matter any more."""
    left = tuple(card for card in stage.cards if card in cards)
    fewer = both(stage, lambda weights: taken_over(weights, stage.cards, left, stage.many))
    evidence = stage.evidence + log_part(fewer.trusting.sum(), stage.trusting)
    return fewer._replace(cards=left, evidence=evidence)


def both(stage: Stage, change: Callable[[Floats], Floats]) -> Stage:
    """The weights, and those if the model were believed wholly, changed alike."""
    return stage._replace(weights=change(stage.weights), trusting=change(stage.trusting))


def log_part(part: float, weights: Floats) -> float:
    """The logarithm of so much as a part of all weights; of nothing, as of something hardly likely."""
    whole = float(weights.sum())
    return log(max(HARDLY, part / whole)) if whole > 0 else 0.0


def leaving(stage: Stage, act: Action | None) -> int:
    """The card that an act takes out of a hand."""
    if act is None:
        return NONE
    return int(act.card) if isinstance(act, Play) else 8 * stage.p.trump


def weighed(
    weights: Floats, trusting: Floats, model: Model, believed: float, moment: Moment, hands: Ints
) -> tuple[Floats, Floats, float]:
    """Each hand as much likelier as the model says, so far believed and wholly, together 1.

    And how much of those that trust it wholly did what was done. If the model holds that for impossible, as the rules
    say.
    """
    live = weights > 0
    for judge in (model, UNIFORM):
        likelihood = np.zeros(len(weights))
        likelihood[live] = judge.likelihood(moment, hands[live])
        if judge is not model:
            likelihood = np.sign(likelihood)
        found, trusted = weights * likelihood**believed, trusting * likelihood
        total, did = float(found.sum()), float(trusted.sum())
        if total > 0 and did > 0 and np.isfinite(total):
            return found / total, trusted / did, did if judge is model else 0.0
    return weights, trusting, 0.0


def told(view: View, seat: int, stage: Stage) -> Range:
    """The range now: of hands, those with the cards known to be there. All alike if a text told of what cannot be."""
    known = view.position.hands[seat]
    hands = subsets(stage.cards, stage.many) | stage.fixed
    kept = (hands & known == known) & (stage.weights > 0)
    if not kept.any():
        return evenly(view, seat)._replace(evidence=stage.evidence)
    weights = stage.weights[kept]
    return Range(hands[kept], weights / weights.sum(), stage.evidence)


def evenly(view: View, seat: int) -> Range:
    """Every hand that a seat may hold, having answered as it did (§8), all alike, whatever else was done."""
    left = hidden(view)
    free = left.cards & ~left.barred[seat]
    cards = free if free.bit_count() >= left.rooms[seat] else left.cards
    unseen = [card for card in range(32) if cards >> card & 1]
    hands = view.position.hands[seat] | subsets(unseen, left.rooms[seat])
    return Range(hands, np.full(len(hands), 1 / len(hands)))


def onlooker(view: View) -> View:
    """What everyone knows of what this view tells."""
    return View(view.rules, None, tuple(redact(event, None) for event in view.events))


def sampled(view: View, seat: int, told: Range, many: int, seed: int) -> Worlds:
    """Worlds of two seats: a hand drawn from its range, evenly spread over it, the talon in any order."""
    left, stream = hidden(view), mixed(seed)
    places = (np.arange(many) + (stream >> 11) / 2**53) / max(many, 1)
    rows = np.searchsorted(np.cumsum(told.weights), places * told.weights.sum(), side="right")
    hands, talons = np.zeros((many, 4), np.int64), np.zeros((many, TALON_PLACES), np.int64)
    hands[:, : len(left.hands)] = left.hands
    hands[:, seat] = told.hands[np.minimum(rows, len(told.hands) - 1)]
    shuffle_rest(left.cards, hands[:, seat].copy(), left.drawn, signed(advance(stream)), talons)
    return Worlds(hands, talons)


@compiled
def shuffle_rest(unseen: int, hands: Ints, drawn: int, stream: int, talons: Ints) -> None:
    """Lay what is unseen and not in a row's hand into its talon, any order as likely."""
    for row in range(len(hands)):
        rest, place = unseen & ~hands[row], drawn
        while rest:
            stream = advance(stream)
            other = drawn + below(low_half(mixed(stream)), place - drawn + 1)
            talons[row, place] = talons[row, other]
            talons[row, other] = lowest(rest)
            rest &= rest - 1
            place += 1


def lets_pass(stage: Stage) -> bool:
    """§11: whether another now leads at "au sept", and nobody has exchanged."""
    return au_sept(stage.book, stage.p) and stage.p.table == 0


def public(stage: Stage, event: Event) -> Stage:
    """What an onlooker knows after this."""
    book, p = stage.book, stage.p
    match event:
        case Declared(declaration=declaration):
            return stage._replace(said=declaration)
        case Played(seat=seat, card=card):
            p = p if stage.said is None else declare(book, p, stage.said)
            p = lay(book, (UNKNOWN,) * book.hidden, p, card)
            played = put(stage.played, seat, stage.played[seat] | 1 << card)
            return stage._replace(p=p, said=None, played=played)
        case Exchanged(seat=seat):
            return stage._replace(p=exchange(p, NONE if seat is None else seat))
        case Shown(seat=seat, cards=cards) if cards is not None:
            return stage._replace(
                p=p._replace(hands=put(p.hands, seat, p.hands[seat] | cards.mask & ~stage.played[seat]))
            )
        case _:
            return stage
