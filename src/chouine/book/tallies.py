"""Count events of many parties into arrays that can be added up.

A tally is `float64[..., 3]`: for each cell the number of observations, their sum, and the sum of their squares. All
are seat a's, so that the observations within a cell come from different parties and are independent; dealers
alternate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chouine.book.kernel import DRAWING, HELD, TRICKS, UNLED, UNTURNED, PlayedParties, Trials
from chouine.cards import BRISQUES, POINTS
from chouine.rules.combinations import (
    CHOUINE,
    FIGURE_CARDS,
    MARIAGE,
    QUARTERON,
    QUINTE,
    QUINTE_BRISQUES,
    TIERCE,
)
from chouine.rules.play import DIX_DE_DER

Tallies = dict[str, Any]
FAMILIES = ("mariage", "tierce", "quarteron", "quinte", "chouine")
OF_SUIT = (MARIAGE, TIERCE, QUARTERON)
SHORT_BINS = (0, 1, 10, 20, 30, 37)
"""Lower bounds of the bins for the difference in the short count."""
AGREE, WRONG, NO_SAY, NULLE = range(4)
"""Verdicts of a count that leaves cards out: the right winner · a wrong one · a tie where there is a winner · a
winner where there is a tie."""
SUIT_FIGURE_CARDS = tuple(FIGURE_CARDS[figure - MARIAGE] for figure in (*OF_SUIT, CHOUINE))
"""Cards of a mariage, tierce, quarteron and chouine of spades, the lowest byte (§9)."""
_BRISQUE_POINTS = np.array([POINTS[rank] if BRISQUES >> rank & 1 else 0 for rank in range(8)])


def tally(shape: tuple[int, ...], cells: tuple[Any, ...], values: Any) -> Any:
    """Tally `values` into `float64[*shape, 3]`; `cells` are index arrays, one for each axis."""
    flat = np.ravel_multi_index(cells, shape) if cells else np.zeros(len(values), np.int64)
    size, values = int(np.prod(shape)), values.astype(np.float64)
    sums = [np.bincount(flat, weights, size) for weights in (None, values, values * values)]
    return np.stack(sums, axis=-1).reshape(*shape, 3)


def figures_held(hands: Any) -> Any:
    """Whether each hand holds each of `FAMILIES` in at least one suit (§9): `bool[5, ...]`."""
    hands = hands.astype(np.int64)
    suits = np.stack([hands >> 8 * suit & 0xFF for suit in range(4)])
    held = [((suits & cards) == cards).any(axis=0) for cards in SUIT_FIGURE_CARDS]
    return np.stack([*held[:3], np.bitwise_count(hands & BRISQUES) >= QUINTE_BRISQUES, held[3]])


def tallies_of(played: PlayedParties, trials: Trials) -> Tallies:
    """Every tally of these parties."""
    return {
        **of_results(played),
        **of_declarations(played),
        **of_counts(played),
        **of_last_five(played),
        "trials": of_trials(trials),
    }


def outcomes(played: PlayedParties) -> Any:
    """Seat a's outcome: 1, 0, or ½ for a nulle."""
    return np.where(played.winner < 0, 0.5, (played.winner == 0) * 1.0)


def dealers(played: PlayedParties) -> Any:
    """The seat that dealt."""
    return np.arange(len(played.winner)) & 1


def of_results(played: PlayedParties) -> Tallies:
    """How parties end, what the deal is worth, and what was dealt."""
    dealer, turnup = dealers(played), played.turnup[:, 0].astype(np.int64)
    decided = played.winner >= 0
    final = played.points[:, TRICKS].astype(np.int64) + played.declared[:, TRICKS]
    declared = played.declared[:, TRICKS].sum(axis=1)
    swapped = np.where(played.swapped[:, 1] == 0, played.swapped[:, 0], -1)
    return {
        "nulle": tally((1,), (), ~decided),
        "by_chouine": tally((1,), (), played.chouine >= 0),
        "dealer_wins": tally((1,), (), (played.winner == dealer)[decided]),
        "dealer_margin": tally((1,), (), (final[:, 0] - final[:, 1]) * np.where(dealer == 0, 1, -1)),
        "declared": tally((1,), (), declared),
        "margin": tally((1,), (), np.abs(final[:, 0] - final[:, 1])),
        "turnup": tally((8, 2), (turnup & 7, (dealer == 0) * 1), outcomes(played)),
        "dealt": np.concatenate([tally((1,), (), held) for held in figures_held(played.hands[:, 0, 0])]),
        "dealt_seven": tally((1,), (), (turnup & 7 != 0) & (played.hands[:, 0, 0] >> (turnup & 24) & 1 == 1)),
        "exchanged": tally((1,), (), swapped >= 0),
        "exchanged_at": np.concatenate([tally((1,), (), swapped == trick) for trick in range(DRAWING)]),
    }


def said_by(said: Any, trump: Any) -> Any:
    """`bool[8, n]`: mariage, tierce, quarteron, each plain then in trumps, quinte, chouine said."""
    rows = []
    for first in OF_SUIT:
        in_trumps = said >> (first + trump) & 1
        rows += [(said >> first & 0xF) & ~(1 << trump) != 0, in_trumps != 0]
    return np.stack([*rows, said >> QUINTE & 1 != 0, said >> CHOUINE & 0xF != 0])


def of_declarations(played: PlayedParties) -> Tallies:
    """What is declared in a partie, and how often it is declared as soon as possible."""
    trump = played.turnup[:, 0].astype(np.int64) >> 3
    said = said_by(played.said[:, TRICKS, 0], trump)
    won = outcomes(played)
    ever = np.concatenate([tally((1,), (), each) for each in said])
    winning = np.concatenate([tally((1,), (), won[each]) for each in said])
    at_once = np.zeros((3, 2, DRAWING, 3))
    for trick in range(DRAWING):
        there = played.tricks > trick
        hand = played.hands[there, trick, 0].astype(np.int64)
        before, after = played.said[there, trick, 0], played.said[there, trick + 1, 0]
        for suit in range(4):
            cards, closed = hand >> 8 * suit & 0xFF, before >> (MARIAGE + suit) & 0x111
            held = [cards & figure == figure for figure in SUIT_FIGURE_CARDS]
            best = sum(held[:3])  # each figure holds the one before
            free = (best > 0) & (closed == 0) & ~held[3]
            now = (after & ~before) >> (MARIAGE + suit) & 0x111
            in_trumps = (trump[there] == suit) * 1
            at_once[:, :, trick] += tally((3, 2), (best[free] - 1, in_trumps[free]), now[free] != 0)
    return {"said": ever, "won_when_said": winning, "said_at_once": at_once}


def brisque_points(played: PlayedParties) -> Any:
    """`int64[n, 2]`: points of the brisques that each seat took."""
    cards = played.cards.astype(np.int64)
    pot = _BRISQUE_POINTS[cards & 7].sum(axis=2)
    to_a = np.diff(played.points[:, :, 0].astype(np.int64), axis=1) > 0
    whole = np.arange(TRICKS) < played.tricks[:, None]
    return np.stack([(pot * (to_a & whole)).sum(axis=1), (pot * (~to_a & whole)).sum(axis=1)], axis=1)


def of_counts(played: PlayedParties) -> Tallies:
    """How often a count that leaves cards out names another winner than the full count (§12)."""
    counted = played.tricks == TRICKS
    some = PlayedParties(*(part[counted] for part in played))
    full = (some.points[:, TRICKS].astype(np.int64) + some.declared[:, TRICKS]) @ [1, -1]
    brisques = brisque_points(some) @ [1, -1]
    der = DIX_DE_DER * np.where(some.leader[:, TRICKS] == 0, 1, -1)
    short = brisques + some.declared[:, TRICKS].astype(np.int64) @ [1, -1] + der
    bins = np.digitize(np.abs(short), SHORT_BINS) - 1
    return {
        "short_count": tally((4,), (verdicts(short, full),), np.ones(len(full))),
        "brisques_alone": tally((4,), (verdicts(brisques, full),), np.ones(len(full))),
        "short_by_margin": tally((len(SHORT_BINS),), (bins,), np.sign(short) != np.sign(full)),
    }


def verdicts(count: Any, full: Any) -> Any:
    """The verdict of a count against the full one, `AGREE` to `NULLE`."""
    same = np.sign(count) == np.sign(full)
    return np.where(same, AGREE, np.where(count == 0, NO_SAY, np.where(full == 0, NULLE, WRONG)))


def of_last_five(played: PlayedParties) -> Tallies:
    """What is still held when the last five tricks begin, of all that was ever held, and the win rate with it."""
    there = played.tricks >= DRAWING
    some = PlayedParties(*(part[there] for part in played))
    hands = some.hands[:, : DRAWING + 1, 0]
    ever = np.bitwise_or.reduce(hands, axis=1).astype(np.int64)
    kept, trump = hands[:, DRAWING].astype(np.int64), some.turnup[:, 0].astype(np.int64) >> 3
    keeping = np.zeros((2, 8, 3))
    for suit in range(4):
        for rank in range(8):
            had = ever >> (8 * suit + rank) & 1 == 1
            stays = kept[had] >> (8 * suit + rank) & 1
            keeping[:, rank] += tally((2,), ((trump[had] == suit) * 1,), stays)
    trumps = np.bitwise_count(kept >> 8 * trump & 0xFF).astype(np.int64)
    brisques = np.bitwise_count(kept & BRISQUES).astype(np.int64)
    leads, won = (some.leader[:, DRAWING] == 0) * 1, outcomes(some)
    return {
        "kept": keeping,
        "last_trumps": tally((6, 2), (trumps, leads), won),
        "last_brisques": tally((6,), (brisques,), won),
    }


def of_trials(trials: Trials) -> Any:
    """`float64[kind, what, trump, trick, 4]`: count, sum and sum of squares of a difference, and how many figures grew.

    The difference is (outcome as played − outcome with the choice changed). Its sign is flipped for `HELD` and
    `HASTENED`, where it is thus the gain of holding back, and for `UNLED` and `UNTURNED` where the opponent had the
    lead or the turnup.
    """
    worth = (trials.as_played - trials.changed).astype(np.float64)
    worth[trials.kind == HELD] *= -1
    others = ((trials.kind == UNLED) | (trials.kind == UNTURNED)) & (trials.trump == 0)
    worth[others] *= -1
    has = np.where((trials.kind == UNLED) | (trials.kind == UNTURNED), 1, trials.trump).astype(np.int64)
    cells = (trials.kind.astype(np.int64), trials.what.astype(np.int64), has, trials.trick.astype(np.int64))
    shape = (6, 48, 2, TRICKS)
    counted = tally(shape, cells, worth)
    grown = tally(shape, cells, trials.grew)[..., 1:2]
    return np.concatenate([counted, grown], axis=-1)


def add_tallies(parts: list[Tallies]) -> Tallies:
    """The sum of tallies."""
    return {name: sum(part[name] for part in parts) for name in parts[0]}
