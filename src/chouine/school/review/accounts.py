"""Split a result into fair share + own mistakes + others' mistakes + luck, and measure play without opponents.

The measure is what the mistakes of one's latest parties cost, beside those of the levels. The levels' own costs are in
`levels.json`: each playing itself by the classic rules, judged by the same review. They are measured by `python -m
benchmarks.play`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from chouine.arena.luck import LinearValue, luck_by_source
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.school.review.decisions import Judgement

PLAYED_OUT = ("points", "chouine", "nulle")
UNDECIDED = ("misdeal", "unfinished")


@dataclass(frozen=True, slots=True)
class Account:
    """A seat's result of one or several parties, in shares of a partie.

    `result` = `fair` + `mistakes` + `others` + `luck`. `dealt` and `drawn` are the parts of luck that came with
    cards.
    """

    seat: int
    result: float | None
    """None if the partie was not decided."""
    fair: float
    mistakes: float
    """Loss by own mistakes: 0 or less."""
    small: float
    """The part of it from losses too small to be called mistakes."""
    others: float
    """Gain from the others' mistakes; with more than two seats each gets an even share."""
    luck: float | None
    """None if the partie was not played out: no card caused a concession."""
    dealt: float = 0.0
    drawn: float = 0.0

    @property
    def rest(self) -> float:
        """The rest of the luck, which came with no card of its own: how hidden cards happened to lie."""
        return (self.luck or 0.0) - self.dealt - self.drawn


def accounts(played: State, result: Result, found: Iterable[Judgement]) -> list[Account]:
    """The accounts of all seats; `played` is the state after the last act."""
    seats = range(played.rules.seats)
    costs, small = ([0.0 for _ in seats] for _ in range(2))
    for each in found:
        costs[each.seat] += each.cost
        small[each.seat] += 0.0 if each.label else each.cost
    finished = result.by in PLAYED_OUT
    dealt, drawn = ([0.0 for _ in seats] for _ in range(2))
    if finished:
        dealt, drawn = luck_by_source(played, LinearValue.of(played.rules))
    fair = 1 / len(seats)
    found_accounts = []
    for seat in seats:
        given = (sum(costs) - costs[seat]) / (len(seats) - 1)
        got = share(result, seat, len(seats))
        luck = got - fair + costs[seat] - given if finished and got is not None else None
        own = 0.0 - costs[seat], 0.0 - small[seat]
        found_accounts.append(Account(seat, got, fair, *own, given, luck, dealt[seat], drawn[seat]))
    return found_accounts


def share(result: Result, seat: int, seats: int) -> float | None:
    """A seat's share of a partie; None if it was not decided. A nulle is an even share."""
    if result.by in UNDECIDED:
        return None
    return 1 / seats if result.winner is None else float(seat == result.winner)


def accounts_of(parties: Sequence[Sequence[Account]]) -> list[Account]:
    """Each seat's accounts added up over several parties that were played out; an empty list if there are none."""
    finished = [partie for partie in parties if all(each.luck is not None for each in partie)]
    if not finished:
        return []
    return [sum_accounts([partie[seat] for partie in finished]) for seat in range(len(finished[0]))]


def sum_accounts(own: Sequence[Account]) -> Account:
    """One seat's accounts, added up."""

    def total(values: Iterable[float | None]) -> float:
        return sum(value or 0.0 for value in values)

    return Account(
        own[0].seat,
        total(each.result for each in own),
        total(each.fair for each in own),
        total(each.mistakes for each in own),
        total(each.small for each in own),
        total(each.others for each in own),
        total(each.luck for each in own),
        total(each.dealt for each in own),
        total(each.drawn for each in own),
    )


LATEST, LEAST = 50, 10
"""Parties that the measure is of, at most and at least: with fewer the interval would say nothing."""
WIDTH = 2.0
"""Standard errors on either side: an interval of 95 %."""


class Measure(NamedTuple):
    """The mean cost of a partie's mistakes, in shares of a partie, with its interval, and the number of parties."""

    cost: float
    low: float
    high: float
    parties: int


def measure_of(costs: Sequence[float]) -> Measure | None:
    """The measure of these parties, oldest first; None if they are too few.

    >>> measure_of([0.1, 0.3] * 5)
    Measure(cost=0.2, low=0.133..., high=0.266..., parties=10)
    """
    latest = costs[-LATEST:]
    if len(latest) < LEAST:
        return None
    cost, error = fmean(latest), stdev(latest) / sqrt(len(latest))
    return Measure(cost, max(0.0, cost - WIDTH * error), cost + WIDTH * error, len(latest))


@cache
def level_costs() -> dict[int, float]:
    """The mean cost of the mistakes of each level."""
    found = json.loads((files("chouine.school.review") / "levels.json").read_text(encoding="utf-8"))
    return {int(number): row["cost"] for number, row in found.items()}


def levels_alike(measure: Measure) -> tuple[int, int]:
    """The lowest and the highest level whose cost lies in the interval; twice the nearest if there is none."""
    costs = level_costs()
    alike = [number for number, cost in costs.items() if measure.low <= cost <= measure.high]
    if not alike:
        alike = [min(costs, key=lambda number: abs(costs[number] - measure.cost))]
    return min(alike), max(alike)
