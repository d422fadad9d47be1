"""Hands and transitions: each seat's entries at each public state, and the links between them.

An entry is one hand of one seat at one public state. Links lead from entry to entry: by an act that the seat chooses,
for which regrets are stored, or because the other seat acts or cards are drawn. Reach propagates down the links, values
back up.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import BEST_RESPONSE, UPDATE
from chouine.ai.subsets import subsets
from chouine.fast.compiler import compiled

f32 = np.float32


class Edges(NamedTuple):
    """Links out of one state, grouped by source hand."""

    source: Ints
    edge: Ints
    """Which act."""
    target: Ints
    """Index of the resulting hand."""
    first: Ints
    """Where each source's links begin."""


@cache
def hands_with(total: int, size: int, place: int) -> Ints:
    """Indices of the hands that contain the card at this place, by the rest they contain."""
    rest = subsets([each for each in range(total) if each != place], size - 1)
    return np.searchsorted(subsets(range(total), size), rest | 1 << place)


@cache
def hands_without(total: int, size: int, place: int) -> Ints:
    """Indices of the hands without the card at this place, in the order of hands over the other places."""
    others = subsets([each for each in range(total) if each != place], size)
    return np.searchsorted(subsets(range(total), size), others)


def edges_by_source(sources: list[Ints], targets: list[Ints]) -> Edges:
    """Links given act by act, sorted by source."""
    source, target = np.concatenate(sources), np.concatenate(targets)
    edge = np.repeat(np.arange(len(sources)), [len(each) for each in sources])
    order = np.argsort(source, kind="stable")
    return sorted_edges(source[order], edge[order], target[order])


def sorted_edges(source: Ints, edge: Ints, target: Ints) -> Edges:
    """Links that are already sorted by source."""
    return Edges(source, edge, target, np.flatnonzero(np.diff(source, prepend=-1)))


@cache
def card_edges(total: int, size: int, laying: str) -> Edges:
    """Any card may be laid, by this seat (`own`) or by the other."""
    of = hands_with if laying == "own" else hands_without
    sources = [of(total, size, place) for place in range(total)]
    return edges_by_source(sources, [np.arange(len(each)) for each in sources])


@cache
def draw_edges(total: int, size: int) -> Edges:
    """Any card not held may be drawn."""
    kept, hands = subsets(range(total), size), subsets(range(total), size + 1)
    source = np.repeat(np.arange(len(kept)), total - size)
    drawn = np.array(
        [1 << place for mass in kept.tolist() for place in range(total) if not mass >> place & 1]
    )
    edge = np.zeros(len(source), np.int64)
    return sorted_edges(source, edge, np.searchsorted(hands, kept[source] | drawn))


class LinkBuilder:
    """One seat's entries and links while the tree is being built."""

    def __init__(self) -> None:
        self.entries = 0
        self.links = 0
        self.parts: list[tuple[Any, Any, Any]] = []
        self.kinds: list[tuple[int, bool]] = []

    def add_entries(self, count: int) -> int:
        """Allocate entries; returns the first index."""
        self.entries += count
        return self.entries - count

    def add(self, base: int, by: Edges, targets: Ints, *, chosen: bool) -> int:
        """Add links from the entries at `base`; returns the first link's index."""
        source = (base + by.source[by.first]).astype(np.int32)
        self.parts.append((source, (self.links + by.first).astype(np.int32), targets.astype(np.int32)))
        self.kinds.append((len(source), chosen))
        self.links += len(targets)
        return self.links - len(targets)

    def arrays(self) -> LinkArrays:
        if not self.parts:
            none = np.zeros(0, np.int32)
            return LinkArrays(none, np.zeros(1, np.int32), none.astype(np.int8), none)
        source, first, target = (np.concatenate(each) for each in zip(*self.parts, strict=True))
        size, chosen = zip(*self.kinds, strict=True)
        first = np.append(first, np.int32(self.links))
        return LinkArrays(source, first, np.repeat(np.array(chosen, np.int8), size), target)


class LinkArrays(NamedTuple):
    """One seat's links in topological order; the links of one entry form a group."""

    source: Any
    first: Any
    """By group, its first link; then the end."""
    chosen: Any
    """By group, whether the seat chooses among its links."""
    target: Any


def uniform_strategy(links: LinkArrays) -> Any:
    """By link, 1 / group size where the seat chooses, else 1."""
    return normalise(links, np.zeros(len(links.target), f32))


def normalise(links: LinkArrays, strategy_sums: Any) -> Any:
    """By link, its share of its group's sum; uniform where the sum is 0."""
    parts = np.ones(len(links.target), f32)
    normalise_groups(links.first, links.chosen, strategy_sums, parts)
    return parts


@compiled
def normalise_groups(first: Any, chosen: Any, strategy_sums: Any, parts: Any) -> None:
    """Write the shares of groups in which the seat chooses."""
    for group in range(len(chosen)):
        if chosen[group]:
            start, end, total = first[group], first[group + 1], f32(0)
            for link in range(start, end):
                total += strategy_sums[link]
            for link in range(start, end):
                parts[link] = strategy_sums[link] / total if total > 0 else f32(1) / f32(end - start)


@compiled
def propagate_reach(links: LinkArrays, strategy: Any, reach: Any, strategy_sums: Any, weight: float) -> None:
    """Propagate reach from the root down; add chosen flow to `strategy_sums` with `weight`."""
    source, first, chosen, target = links
    w = f32(weight)
    for group in range(len(source)):
        mass = reach[source[group]]
        if mass > 0:
            if chosen[group]:
                for link in range(first[group], first[group + 1]):
                    flow = mass * strategy[link]
                    reach[target[link]] += flow
                    strategy_sums[link] += w * flow
            else:
                for link in range(first[group], first[group + 1]):
                    reach[target[link]] += mass


@compiled
def backup_values(links: LinkArrays, strategy: Any, values: Any, regrets: Any, mode: int) -> None:
    """Back values up from the leaves; `mode` as in `answers`. Under UPDATE regrets follow PCFR+."""
    source, first, chosen, target = links
    for group in range(len(source) - 1, -1, -1):
        start, end = first[group], first[group + 1]
        value = f32(0)
        if not chosen[group]:
            for link in range(start, end):
                value += values[target[link]]
        elif mode == BEST_RESPONSE:
            value = values[target[start]]
            for link in range(start + 1, end):
                value = max(value, values[target[link]])
        else:
            for link in range(start, end):
                value += strategy[link] * values[target[link]]
            if mode == UPDATE:
                total = f32(0)
                for link in range(start, end):
                    regret = values[target[link]] - value
                    regrets[link] = max(regrets[link] + regret, f32(0))
                    strategy[link] = max(regrets[link] + regret, f32(0))
                    total += strategy[link]
                for link in range(start, end):
                    strategy[link] = strategy[link] / total if total > 0 else f32(1) / f32(end - start)
        values[source[group]] += value


@compiled
def disjoint_weights(hands: Any, others: Any, weights: Any, found: Any) -> None:
    """By hand, the total weight of the other hands that share no card with it."""
    for nth in range(len(hands)):
        total = 0.0
        for other in range(len(others)):
            if hands[nth] & others[other] == 0:
                total += weights[other]
        found[nth] = total
