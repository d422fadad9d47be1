"""The draw of a round: a function of the contest so far, the seed and a card cut in public.

Anybody who knows the log and, in the end, the seed makes the same draw (`check`). Its chance is
`Chance("chouine draw 1", seed, stage, round, attempt, card)`; an attempt, from 1, is a draw of that round, undone ones
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations

from chouine.tournament.acts import RoundDrawn
from chouine.tournament.chance import Chance
from chouine.tournament.field import drawable, follows, pool_rounds, qualified, sizes_of
from chouine.tournament.formula import Stage
from chouine.tournament.pairing import CHAIR, Cost, Places, Solver, arrange, cheapest, exchanged
from chouine.tournament.ranking import merits, tallies
from chouine.tournament.state import Contest

AGAIN = 10_000
"""What it costs to seat a pair again, against the square of a difference of wins: below 50 * 50."""


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
    """The act that draws the next round; `ActRefused` where none can be drawn now.

    `match` and `first` (table) are the formula's and the lowest free unless given. `solver` is asked where chance
    alone will not do: Swiss rounds, and fields in which most pairs have met.
    """
    number, field = drawable(contest, stage)
    places = follows(contest, stage)
    if places is None:
        chance = Chance(
            "chouine draw 1", seed, stage, str(number), str(attempt(contest, stage, number)), card
        )
        places = drawn_places(contest, stage, number, sorted(field), chance, solver)
    if match is None:
        match = contest.formula.match_of(stage, number)
    return RoundDrawn(stage, number, card, match, contest.next_table if first is None else first, places)


def commit(seed: str) -> str:
    """What is published of a seed before the first draw: its SHA-256 in hexadecimal."""
    return sha256(seed.encode()).hexdigest()


def attempt(contest: Contest, stage: Stage, number: int) -> int:
    """Which draw of this round it is, those undone counted."""
    acts = (line.act for line in contest.lines)
    return 1 + sum(isinstance(act, RoundDrawn) and (act.stage, act.round) == (stage, number) for act in acts)


def drawn_places(
    contest: Contest, stage: Stage, number: int, field: Sequence[int], chance: Chance, solver: Solver | None
) -> Places:
    """Tables, or poules, by chance."""
    sizes = sizes_of(contest, stage, number, len(field))
    cost = cost_in(contest, stage, number)
    if stage == "main" and contest.formula.kind == "swiss" and number > 1:
        return swiss(contest, field, sizes, cost, chance, solver)
    if stage == "main" and number == pool_rounds(contest) + 1 > 1:
        return first_of_tree(contest, sizes, cost, chance, solver)
    in_tree = stage == "main" and contest.formula.kind == "tree"
    spared = list(field) if in_tree else least_exempt(contest, field)

    def sample() -> Places:
        row = chance.shuffled(field)
        if sizes[-1] == 1 and not in_tree:
            alone = spared[chance.below(len(spared))]
            row = [*(one for one in row if one != alone), alone]
        return cut(row, sizes)

    places = arrange(sample, cost, chance, spared, solver)
    return shuffled_places(places, chance) if in_tree else places


def cut(row: Sequence[int], sizes: Sequence[int]) -> Places:
    """A row cut into tables."""
    rest: Iterator[int] = iter(row)
    return tuple(tuple(next(rest) for _ in range(size)) for size in sizes)


def shuffled_places(places: Places, chance: Chance) -> Places:
    """The order in a tree: where each table, or exempt, stands."""
    return tuple(places[nth] for nth in chance.shuffled(range(len(places))))


def least_exempt(contest: Contest, field: Sequence[int]) -> list[int]:
    """The entries that may be exempt: those exempted least often so far."""
    exempts = Counter(number for round_ in contest.all_rounds() for number in round_.exempt)
    fewest = min(exempts[number] for number in field)
    return [number for number in field if exempts[number] == fewest]


def cost_in(contest: Contest, stage: Stage, number: int) -> Cost:
    """What speaks against a table: having met before; in round 1, what the club chose to keep apart."""
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
    """How often two entries have been drawn at one table."""
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
    """Opponents with as many wins, new ones first of all; of those least exempted one with few wins is exempt."""
    found = tallies(contest.main)
    wins = {number: merits(number, found, ())[0] for number in field}
    row = sorted(chance.shuffled(field), key=lambda number: -wins[number])
    lowest = min(wins.values())

    def apart(one: int, other: int) -> int:
        return cost(one, other) + (wins.get(one, lowest) - wins[other]) ** 2

    if max(sizes) > 2:
        return exchanged(cut(row, sizes), apart)
    return cheapest(row, apart, chance, least_exempt(contest, field), solver)


def first_of_tree(
    contest: Contest, sizes: Sequence[int], cost: Cost, chance: Chance, solver: Solver | None
) -> Places:
    """From poules into a tree: the firsts of poules are exempt before others, and meet seconds where they can."""
    rank = qualified(contest)
    row = sorted(chance.shuffled(sorted(rank)), key=rank.__getitem__)
    alone = sizes.count(1)

    def apart(one: int, other: int) -> int:
        return cost(one, other) + (rank[one] == rank[other])

    pairs = cheapest(chance.shuffled(row[alone:]), apart, chance, (), solver)
    return shuffled_places((*pairs, *((number,) for number in row[:alone])), chance)
