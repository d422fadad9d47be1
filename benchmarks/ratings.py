"""Calibration of the ratings by players of known strength.

`python -m benchmarks.ratings [players] [matches] [figure.svg]`: each match is between players drawn at random and ends
as their true strengths say; the same fold as the server's rates them. Printed are the rank correlation of rating and
truth, and how many bands hold the truth, which should be 95 of 100. The figure has each player's band over the truth.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.arguments import read_arguments
from chouine.server.routes.standing import band_of
from chouine.server.standing.glicko import MIDDLE, Rating
from chouine.server.standing.ledger import RatingChange, fold

DEVIATION = 200.0
"""Standard deviation of the true strengths, in points."""
APART = 6 * 3600.0
"""Seconds from one match of all to the next."""
SIZE, EDGE = 480, 56


class PlayerCalibration(NamedTuple):
    """A player's true strength and their rating at the end."""

    true: float
    rating: Rating

    @property
    def held(self) -> bool:
        """Whether the band holds the truth."""
        low, high = band_of(self.rating)
        return low <= self.true <= high


def simulate(players: int, matches: int, seats: int = 2, seed: int = 0) -> list[PlayerCalibration]:
    """All players after so many matches, by true strength."""
    rng = Random(f"{players} {matches} {seats} {seed}")
    drawn = sorted(rng.gauss(0.0, DEVIATION) for _ in range(players))
    true = [
        MIDDLE + one - sum(drawn) / players for one in drawn
    ]  # ratings are relative: their mean is the middle
    rows = []
    for n in range(1, matches + 1):
        sitting = rng.sample(range(players), seats)
        for seat, place in enumerate(places(rng, [true[player] for player in sitting])):
            who = str(sitting[seat])
            rows.append(RatingChange(n, seat, f"t{n}", who, "classic", n * APART, place, Rating(), Rating()))
    latest = {change.guest: change.after for change in fold(rows)}
    return [
        PlayerCalibration(one, latest[str(player)])
        for player, one in enumerate(true)
        if str(player) in latest
    ]


def places(rng: Random, strengths: list[float]) -> list[int]:
    """The places of a match: each next one goes to a player left, in proportion to e to the strength."""
    left, found = dict(enumerate(strengths)), [0] * len(strengths)
    for place in range(1, len(strengths) + 1):
        weights = [10 ** ((strength - MIDDLE) / 400) for strength in left.values()]
        (winner,) = rng.choices([*left], weights)
        found[winner] = place
        del left[winner]
    return found


def order_kept(found: list[PlayerCalibration]) -> float:
    """Spearman's rank correlation of truth and rating; `found` is in the order of truth."""
    rated = sorted(range(len(found)), key=lambda nth: found[nth].rating.mean)
    ranks = {player: rank for rank, player in enumerate(rated)}
    squares = sum((nth - ranks[nth]) ** 2 for nth in range(len(found)))
    return 1 - 6 * squares / (len(found) * (len(found) ** 2 - 1))


def figure(found: list[PlayerCalibration]) -> str:
    """The bands over the truth, as an SVG."""
    ends = [end for one in found for end in (*band_of(one.rating), one.true)]
    low, high = 100 * (min(ends) // 100), 100 * (max(ends) // 100 + 1)

    def at(points: float) -> float:
        return round(EDGE + (SIZE - EDGE - 10) * (points - low) / (high - low), 1)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif" font-size="13">',
        f'<rect width="{SIZE}" height="{SIZE}" fill="#fff"/>',
        f'<path d="M{at(low)} {SIZE - at(low)}L{at(high)} {SIZE - at(high)}" stroke="#999" stroke-dasharray="4 4"/>',
    ]
    for mark in range(int(low), int(high) + 1, 200):
        lines.append(f'<text x="{at(mark)}" y="{SIZE - 30}" text-anchor="middle">{mark}</text>')
        lines.append(f'<text x="{EDGE - 8}" y="{SIZE - at(mark) + 4}" text-anchor="end">{mark}</text>')
    lines.append(f'<text x="{SIZE / 2}" y="{SIZE - 8}" text-anchor="middle">true strength</text>')
    lines.append('<text x="8" y="16">rating and band</text>')
    for one in found:
        x, (bottom, top) = at(one.true), band_of(one.rating)
        colour = "#2f6f4f" if one.held else "#a3333d"
        lines.append(
            f'<path d="M{x} {SIZE - at(bottom)}V{SIZE - at(top)}" stroke="{colour}" stroke-width="2"/>'
        )
        lines.append(f'<circle cx="{x}" cy="{SIZE - at(one.rating.mean)}" r="3" fill="{colour}"/>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    players, matches, drawing = read_arguments(__doc__, players=40, matches=3_000, figure="")
    for seats in (2, 3):
        found = simulate(players, matches, seats)
        held, spread = sum(one.held for one in found), sum(one.rating.spread for one in found) / len(found)
        print(
            f"{seats} seats, {players} players, {matches} matches: rank correlation {order_kept(found):.3f},"
            f" bands that hold the truth {held} of {len(found)}, mean deviation {spread:.0f} points"
        )
        if seats == 2 and drawing:
            Path(drawing).write_text(figure(found))


if __name__ == "__main__":
    main()
