"""How many parties separate two levels, with the same deals at all tables and without.

`python -m benchmarks.duplicate` with one of these:

- `scale [deals]`: the surpluses of players of level 5, from whose distribution the steps of the IMPs are taken
- `apart [deals] [level] [level]`: eight players, four of each level, at four tables drawn anew for each deal; how many
deals until a player of the higher level is ahead of one of the lower in 95 of 100 contests: by wins and by points on
deals of their own, by wins on the same deals, and by IMPs
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai.levels import level
from chouine.arena.partie import play_partie
from chouine.contest.duplicate import RULES, SeatResult, difference_of, imps, imps_of, sealed_deal
from chouine.partie import Deal, Result

SEED = "benchmark"
PLAYERS = 8
CONTESTS = 4000
"""Contests drawn from the deals that were played, to find how often the better player is ahead."""
SURE = 0.95
LONGEST = 2000


def play(deal: Deal, levels: Sequence[int], seed: int) -> Result:
    """The result of a deal between two levels."""
    players = [level(number, RULES, 2 * seed + seat) for seat, number in enumerate(levels)]
    result = play_partie(RULES, deal, players).state.result
    if result is None:
        raise RuntimeError("a partie without an end")
    return result


def surpluses(deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Of eight players of level 5: their surpluses over the datum, and the differences of points, without signs."""
    found, differences = [], []
    for number in range(1, deals + 1):
        deal = sealed_deal(RULES, SEED, number)
        results = [play(deal, (5, 5), PLAYERS * number + table) for table in range(PLAYERS // 2)]
        for seat in range(2):
            made = [difference_of(result, seat) for result in results]
            differences += made
            found += [one - (sum(made) - one) / (len(made) - 1) for one in made]
    return np.abs(np.array(found)), np.abs(np.array(differences))


def scores(deals: int, levels: Sequence[int], *, same: bool) -> tuple[np.ndarray, np.ndarray]:
    """Wins and IMPs by deal and player; with `same` all tables of a deal have the same cards, else the datum is 0."""
    rng = Random(f"seating {same}")
    wins, gained = (np.zeros((deals, PLAYERS)) for _ in range(2))
    for number in range(1, deals + 1):
        order = rng.sample(range(PLAYERS), PLAYERS)
        made = []
        for table in range(PLAYERS // 2):
            pair = order[2 * table : 2 * table + 2]
            which = number if same else number * PLAYERS + table
            deal = sealed_deal(RULES, SEED if same else "apart", which)
            result = play(deal, [levels[player] for player in pair], PLAYERS * number + table)
            for seat, player in enumerate(pair):
                wins[number - 1, player] = 0.5 if result.winner is None else result.winner == seat
                made.append(SeatResult(player, number, seat, difference_of(result, seat)))
        for one in made:
            gained[number - 1, one.entry] = imps(one.difference)
        if same:
            for (player, _), points in imps_of(made).items():
                gained[number - 1, player] = points
    return wins, gained


def deals_needed(made: np.ndarray, strong: Sequence[int], weak: Sequence[int]) -> int:
    """Deals until a player of the stronger level is ahead of one of the weaker in `SURE` of contests."""
    rng = np.random.default_rng(1)
    gaps = np.concatenate([made[:, one] - made[:, other] for one in strong for other in weak])

    def ahead(parties: int) -> float:
        totals = rng.choice(gaps, (CONTESTS, parties)).sum(axis=1)
        return float((totals > 0).mean() + 0.5 * (totals == 0).mean())

    return first_reaching(ahead)


def first_reaching(ahead: Callable[[int], float]) -> int:
    """The least number of parties, within a twentieth, for which `ahead` is `SURE`; `LONGEST` if there is none."""
    parties = 1.0
    while ahead(round(parties)) < SURE and parties < LONGEST:
        parties = max(parties + 1, parties * 1.05)
    return round(min(parties, LONGEST))


def main() -> None:
    what, deals, high, low = read_arguments(
        __doc__, what=("apart", "scale"), deals=300, higher_level=6, lower_level=4
    )
    if what == "scale":
        found, differences = surpluses(deals)
        shares = [(2 * nth + 2) / 21 for nth in range(10)]
        print("steps:", [round(float(np.quantile(found, share))) for share in shares])
        for most in (60, 80, 100, 120):
            print(f"differences of {most} points or more: {(differences >= most).mean():.1%}")
        return
    levels = [high] * (PLAYERS // 2) + [low] * (PLAYERS // 2)
    strong, weak = range(PLAYERS // 2), range(PLAYERS // 2, PLAYERS)
    apart, alone = scores(deals, levels, same=False)
    together, gained = scores(deals, levels, same=True)
    print(
        f"levels {high} and {low}, {deals} deals at four tables; parties until the better one leads in 95 of 100:"
    )
    print(f"  wins on deals of their own: {deals_needed(apart, strong, weak)}")
    print(f"  points on their own, in the steps of the IMPs: {deals_needed(alone, strong, weak)}")
    print(f"  wins on the same deals:     {deals_needed(together, strong, weak)}")
    print(f"  IMPs:                       {deals_needed(gained, strong, weak)}")


if __name__ == "__main__":
    main()
