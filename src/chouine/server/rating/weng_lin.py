"""Ratings of three and four at a table, by the Weng–Lin method (OpenSkill's Bradley–Terry model of neighbours)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from chouine.server.rating.glicko import MIDDLE, NARROWEST, SCALE, WIDEST, Rating

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
