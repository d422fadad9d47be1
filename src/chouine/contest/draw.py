"""The draw of a round: a function of the contest so far, the seed and a card cut in public.

With the log and the revealed seed anybody can redraw it (`check`). Its generator is
`Chance("chouine draw 1", seed, stage, round, attempt, card)`; `attempt` counts the draws of that round from 1, undone
ones included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations

from chouine.contest.acts import RoundDrawn
from chouine.contest.chance import Chance
from chouine.contest.duplicate import RULES, deal_digest, numbers_of
from chouine.contest.field import drawable_round, follows, pool_rounds, qualified_places, sizes_of
from chouine.contest.formula import Stage
from chouine.contest.pairing import CHAIR, Cost, Places, Solver, arrange, cheapest_pairs, exchange_pairs
from chouine.contest.ranking import merits, tallies
from chouine.contest.state import Contest

AGAIN = 10_000
"""The cost of a repeated pair, on the scale of squared differences of wins, which are below 50 * 50."""


def draw(
    contest: Contest,
    stage: Stage,
    seed: str,
    card: str = "",
    *,
    match: str | None = None,
    first: int | None = None,
    solver: Solver | None = None,
) -> RoundDrawn:
    """The act that draws the next round. Raises `ActRefused` if none can be drawn now.

    `match`: by default the formula's; `first`: number of the first table, by default the lowest free. `solver` finds
    pairs where random samples do not: in Swiss rounds, and when most pairs have met.
    """
    number, field = drawable_round(contest, stage)
    places = follows(contest, stage)
    if places is None:
        chance = Chance(
            "chouine draw 1", seed, stage, str(number), str(attempt(contest, stage, number)), card
        )
        places = drawn_places(contest, stage, number, sorted(field), chance, solver)
    if match is None:
        match = contest.formula.match_of(stage, number)
    numbers = numbers_of(number, contest.formula.deals)
    deals = tuple(deal_digest(RULES, seed, nth) for nth in numbers)
    first = contest.next_table if first is None else first
    return RoundDrawn(stage, number, card, match, first, places, deals)


def commit(seed: str) -> str:
    """The commitment to a seed, published before the first draw: its SHA-256 in hexadecimal."""
    return sha256(seed.encode()).hexdigest()


def attempt(contest: Contest, stage: Stage, number: int) -> int:
    """The number of this round's draw, undone ones included."""
    acts = (line.act for line in contest.lines)
    return 1 + sum(isinstance(act, RoundDrawn) and (act.stage, act.round) == (stage, number) for act in acts)


def drawn_places(
    contest: Contest, stage: Stage, number: int, field: Sequence[int], chance: Chance, solver: Solver | None
) -> Places:
    """Random tables, or poules."""
    sizes = sizes_of(contest, stage, number, len(field))
    cost = cost_in(contest, stage, number)
    if stage == "main" and contest.formula.kind == "swiss" and number > 1:
        return swiss(contest, field, sizes, cost, chance, solver)
    if stage == "main" and number == pool_rounds(contest) + 1 > 1:
        return first_of_tree(contest, sizes, cost, chance, solver)
    in_tree = stage == "main" and contest.formula.kind == "tree"
    spared = list(field) if in_tree else least_exempt(contest, field)

    def sample() -> Places:
        row = chance.shuffle(field)
        if sizes[-1] == 1 and not in_tree:
            alone = spared[chance.number_below(len(spared))]
            row = [*(one for one in row if one != alone), alone]
        return cut(row, sizes)

    places = arrange(sample, cost, chance, spared, solver)
    return shuffled_places(places, chance) if in_tree else places


def cut(row: Sequence[int], sizes: Sequence[int]) -> Places:
    """Cut a sequence into tables."""
    rest: Iterator[int] = iter(row)
    return tuple(tuple(next(rest) for _ in range(size)) for size in sizes)


def shuffled_places(places: Places, chance: Chance) -> Places:
    """Shuffle the places of a tree."""
    return tuple(places[nth] for nth in chance.shuffle(range(len(places))))


def least_exempt(contest: Contest, field: Sequence[int]) -> list[int]:
    """The entries that may be exempt: those exempted least often so far."""
    exempts = Counter(number for round_ in contest.all_rounds() for number in round_.exempt)
    fewest = min(exempts[number] for number in field)
    return [number for number in field if exempts[number] == fewest]


def cost_in(contest: Contest, stage: Stage, number: int) -> Cost:
    """The cost of a table: pairs that met before; in round 1, pairs that the club keeps apart."""
    met = meetings(contest)
    entrants, apart = contest.entrants, contest.formula.apart if stage == "main" and number == 1 else ()

    def cost(one: int, other: int) -> int:
        if one == CHAIR:
            return 0
        total = AGAIN * met.get(frozenset((one, other)), 0)
        for kind in apart:
            group = getattr(entrants[one].details, kind)
            total += 100 * (group > 0 and group == getattr(entrants[other].details, kind))
        return total

    return cost


def meetings(contest: Contest) -> dict[frozenset[int], int]:
    """Number of tables at which two entries have been drawn together."""
    met: dict[frozenset[int], int] = {}
    for round_ in contest.all_rounds():
        for table in round_.played:
            for pair in combinations(table.players, 2):
                met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return met


def swiss(
    contest: Contest,
    field: Sequence[int],
    sizes: Sequence[int],
    cost: Cost,
    chance: Chance,
    solver: Solver | None,
) -> Places:
    """Swiss pairing: new opponents first, then equal wins; the exempt has few wins and few exemptions."""
    found = tallies(contest.main)
    wins = {number: merits(number, found, ())[0] for number in field}
    row = sorted(chance.shuffle(field), key=lambda number: -wins[number])
    lowest = min(wins.values())

    def cost_of_meeting(one: int, other: int) -> int:
        return cost(one, other) + (wins.get(one, lowest) - wins[other]) ** 2

    if max(sizes) > 2:
        return exchange_pairs(cut(row, sizes), cost_of_meeting)
    return cheapest_pairs(row, cost_of_meeting, chance, least_exempt(contest, field), solver)


def first_of_tree(
    contest: Contest, sizes: Sequence[int], cost: Cost, chance: Chance, solver: Solver | None
) -> Places:
    """The first round after poules: winners of poules are exempt first, and meet runners-up where possible."""
    rank = qualified_places(contest)
    row = sorted(chance.shuffle(sorted(rank)), key=rank.__getitem__)
    alone = sizes.count(1)

    def cost_of_meeting(one: int, other: int) -> int:
        return cost(one, other) + (rank[one] == rank[other])

    pairs = cheapest_pairs(chance.shuffle(row[alone:]), cost_of_meeting, chance, (), solver)
    return shuffled_places((*pairs, *((number,) for number in row[:alone])), chance)
