"""Hands and where they lead: what each seat may hold at each public position, and what it becomes from one to the next.

For a seat, a hand at a public position is an entry. Links go from entry to entry: by an act of the seat itself, which
it chooses and for which regrets are kept, or because the other acted or cards were drawn. Ranges run down along them,
values come up.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import BEST, LEARN
from chouine.ai.subsets import subsets
from chouine.fast.compiler import compiled

f32 = np.float32


class Bundle(NamedTuple):
    """Links out of one position, those from one entry side by side."""

    source: Ints
    edge: Ints
    """Which way out of the position."""
    target: Ints
    """The number of the hand at its end."""
    first: Ints
    """Where the links of each source begin."""


@cache
def hands_with(total: int, many: int, place: int) -> Ints:
    """By what else they hold, the numbers of the hands that hold the card of this place."""
    rest = subsets([each for each in range(total) if each != place], many - 1)
    return np.searchsorted(subsets(range(total), many), rest | 1 << place)


@cache
def hands_without(total: int, many: int, place: int) -> Ints:
    """The numbers of the hands that do not hold the card of this place, in the order of those of the other places."""
    others = subsets([each for each in range(total) if each != place], many)
    return np.searchsorted(subsets(range(total), many), others)


def bundle(sources: list[Ints], targets: list[Ints]) -> Bundle:
    """Links by edge, put in order of their sources."""
    source, target = np.concatenate(sources), np.concatenate(targets)
    edge = np.repeat(np.arange(len(sources)), [len(each) for each in sources])
    order = np.argsort(source, kind="stable")
    return put_in_order(source[order], edge[order], target[order])


def put_in_order(source: Ints, edge: Ints, target: Ints) -> Bundle:
    """Links whose sources come in order."""
    return Bundle(source, edge, target, np.flatnonzero(np.diff(source, prepend=-1)))


@cache
def each_card(total: int, many: int, laying: str) -> Bundle:
    """Every card may be laid, by this seat ("own") or by the other."""
    of = hands_with if laying == "own" else hands_without
    sources = [of(total, many, place) for place in range(total)]
    return bundle(sources, [np.arange(len(each)) for each in sources])


@cache
def drawing(total: int, many: int) -> Bundle:
    """Any card that is not held may be drawn."""
    kept, hands = subsets(range(total), many), subsets(range(total), many + 1)
    source = np.repeat(np.arange(len(kept)), total - many)
    drawn = np.array(
        [1 << place for held in kept.tolist() for place in range(total) if not held >> place & 1]
    )
    edge = np.zeros(len(source), np.int64)
    return put_in_order(source, edge, np.searchsorted(hands, kept[source] | drawn))


class Links:
    """One seat's entries and links, while the positions are laid out."""

    def __init__(self) -> None:
        self.entries = 0
        self.links = 0
        self.parts: list[tuple[Any, Any, Any]] = []
        self.kinds: list[tuple[int, bool]] = []

    def more(self, count: int) -> int:
        """New entries; the first of them."""
        self.entries += count
        return self.entries - count

    def add(self, base: int, by: Bundle, targets: Ints, *, chosen: bool) -> int:
        """Links from the entries at `base` to these; the number of the first link."""
        source = (base + by.source[by.first]).astype(np.int32)
        self.parts.append((source, (self.links + by.first).astype(np.int32), targets.astype(np.int32)))
        self.kinds.append((len(source), chosen))
        self.links += len(targets)
        return self.links - len(targets)

    def laid_out(self) -> Laid:
        if not self.parts:
            none = np.zeros(0, np.int32)
            return Laid(none, np.zeros(1, np.int32), none.astype(np.int8), none)
        source, first, target = (np.concatenate(each) for each in zip(*self.parts, strict=True))
        many, chosen = zip(*self.kinds, strict=True)
        first = np.append(first, np.int32(self.links))
        return Laid(source, first, np.repeat(np.array(chosen, np.int8), many), target)


class Laid(NamedTuple):
    """One seat's links, in order from the root; an entry's are a group."""

    source: Any
    first: Any
    """By group, its first link; then the end."""
    chosen: Any
    """By group, whether its seat chooses among its links."""
    target: Any


def equally(laid: Laid) -> Any:
    """By link, one part in as many as its group has where the seat chooses; 1 elsewhere."""
    return normalised(laid, np.zeros(len(laid.target), f32))


def normalised(laid: Laid, sums: Any) -> Any:
    """By link, its part of its group's sum; equal parts where there is none."""
    parts = np.ones(len(laid.target), f32)
    share_out(laid.first, laid.chosen, sums, parts)
    return parts


@compiled
def share_out(first: Any, chosen: Any, sums: Any, parts: Any) -> None:
    """Write the parts of groups in which the seat chooses."""
    for group in range(len(chosen)):
        if chosen[group]:
            start, end, total = first[group], first[group + 1], f32(0)
            for link in range(start, end):
                total += sums[link]
            for link in range(start, end):
                parts[link] = sums[link] / total if total > 0 else f32(1) / f32(end - start)


@compiled
def run_down(
    source: Any, first: Any, chosen: Any, target: Any, chances: Any, reach: Any, sums: Any, weight: float
) -> None:
    """Ranges from the root down; what is chosen is added up with `weight`."""
    w = f32(weight)
    for group in range(len(source)):
        held = reach[source[group]]
        if held > 0:
            if chosen[group]:
                for link in range(first[group], first[group + 1]):
                    part = held * chances[link]
                    reach[target[link]] += part
                    sums[link] += w * part
            else:
                for link in range(first[group], first[group + 1]):
                    reach[target[link]] += held


@compiled
def come_up(
    source: Any, first: Any, chosen: Any, target: Any, chances: Any, values: Any, regrets: Any, mode: int
) -> None:
    """Values from the last positions up; `mode` as for answers."""
    for group in range(len(source) - 1, -1, -1):
        start, end = first[group], first[group + 1]
        value = f32(0)
        if not chosen[group]:
            for link in range(start, end):
                value += values[target[link]]
        elif mode == BEST:
            value = values[target[start]]
            for link in range(start + 1, end):
                value = max(value, values[target[link]])
        else:
            for link in range(start, end):
                value += chances[link] * values[target[link]]
            if mode == LEARN:
                total = f32(0)
                for link in range(start, end):
                    now = values[target[link]] - value
                    regrets[link] = max(regrets[link] + now, f32(0))
                    chances[link] = max(regrets[link] + now, f32(0))
                    total += chances[link]
                for link in range(start, end):
                    chances[link] = chances[link] / total if total > 0 else f32(1) / f32(end - start)
        values[source[group]] += value


@compiled
def add_apart(hands: Any, others: Any, weights: Any, found: Any) -> None:
    """By hand, the weights of the others that share no card with it."""
    for nth in range(len(hands)):
        total = 0.0
        for other in range(len(others)):
            if hands[nth] & others[other] == 0:
                total += weights[other]
        found[nth] = total
