"""Ratings after one match: of two by Glicko-2, of three and four at a table by the Weng–Lin method.

Glicko-2 is M. Glickman's ("Example of the Glicko-2 system", 2013) for one match at a time. Steps and letters are the
paper's: μ and φ are mean and spread on its inner scale, σ is the volatility, here `wander`. Weng–Lin is OpenSkill's
Bradley–Terry model of neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

SCALE, MIDDLE = 173.7178, 1500.0
"""Points to a unit of the inner scale, and the rating of whoever is new."""
WIDEST, NARROWEST = 350.0, 45.0
"""Bounds of the spread: that of a newcomer, and the least, so that who improves is seen to."""
TAU = 0.5
"""How far the volatility may change; the paper advises 0.3 to 1.2."""
PERIOD = 30 * 24 * 3600.0
"""Seconds without a match that widen the spread by one step of the volatility."""
NEAR = 1e-6
"""Precision of the volatility."""


class Rating(NamedTuple):
    """A rating: `mean` and `spread` (a standard deviation) in points, and the volatility."""

    mean: float = MIDDLE
    spread: float = WIDEST
    wander: float = 0.06


def widen(one: Rating, seconds: float) -> Rating:
    """The rating after so long without a match: less certain (step 6, for time passed instead of whole periods)."""
    phi = one.spread / SCALE
    wider = sqrt(phi * phi + max(0.0, seconds) / PERIOD * one.wander**2)
    return one._replace(spread=min(WIDEST, wider * SCALE))


def weight(spread: float) -> float:
    """g(φ): how much a result tells against somebody with this spread."""
    phi = spread / SCALE
    return 1 / sqrt(1 + 3 * phi * phi / pi**2)


def chance(one: Rating, other: Rating) -> float:
    """The probability that `one` wins a match against `other`, their uncertainty counted.

    >>> round(chance(Rating(1500, 50), Rating(1500, 200)), 2), round(chance(Rating(1600, 0), Rating(1500, 0)), 2)
    (0.5, 0.64)
    """
    spread = sqrt(one.spread**2 + other.spread**2)
    return 1 / (1 + exp(-weight(spread) * (one.mean - other.mean) / SCALE))


def update(one: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """The rating after these matches of one period, as (opponent, result): 1 won, 0 lost, 0.5 undecided."""
    mu, phi = (one.mean - MIDDLE) / SCALE, one.spread / SCALE
    precision = gain = 0.0
    for other, result in results:  # steps 3 and 4
        g = weight(other.spread)
        expected = 1 / (1 + exp(-g * (mu - (other.mean - MIDDLE) / SCALE)))
        precision += g * g * expected * (1 - expected)
        gain += g * (result - expected)
    wander = volatility(phi, one.wander, 1 / precision, gain / precision)
    phi = 1 / sqrt(1 / (phi * phi + wander * wander) + precision)  # steps 6 and 7
    return Rating((mu + phi * phi * gain) * SCALE + MIDDLE, phi * SCALE, wander)


def volatility(phi: float, wander: float, v: float, delta: float) -> float:
    """The new volatility (step 5), by the Illinois method."""
    start = log(wander * wander)

    def slope(x: float) -> float:
        grown = exp(x)
        total = phi * phi + v + grown
        return grown * (delta * delta - total) / (2 * total * total) - (x - start) / TAU**2

    low, high = start, log(delta * delta - phi * phi - v) if delta * delta > phi * phi + v else start - TAU
    while delta * delta <= phi * phi + v and slope(high) < 0:
        high -= TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > NEAR:
        middle = low + (low - high) * at_low / (at_high - at_low)
        there = slope(middle)
        if there * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, there
    return exp(low / 2)


def rate_match(places: Sequence[int], before: Sequence[Rating]) -> list[Rating]:
    """The ratings of two after their match; `places` are 1 and 2, or equal where nobody won."""
    first = (places[0] < places[1]) + 0.5 * (places[0] == places[1])
    one, other = before
    after = update(one, [(other, first)]), update(other, [(one, 1 - first)])
    return [each._replace(spread=max(NARROWEST, each.spread)) for each in after]


DRIFT = 4.0
"""Points by which everybody's rating grows less certain with each match."""


def rate_table(places: Sequence[int], before: Sequence[Rating]) -> list[Rating]:
    """The ratings after a match; `places` from 1, equal for those who tie."""
    from openskill.models import BradleyTerryPart

    beta = SCALE / sqrt(len(before))  # then equal differences mean equal odds as between two
    model = BradleyTerryPart(mu=MIDDLE, sigma=WIDEST, beta=beta, tau=DRIFT)
    sides = [[model.create_rating([each.mean, each.spread])] for each in before]
    rated = model.rate(sides, ranks=[float(place) for place in places])
    return [
        earlier._replace(mean=own.mu, spread=min(WIDEST, max(NARROWEST, own.sigma)))
        for earlier, (own,) in zip(before, rated, strict=True)
    ]
