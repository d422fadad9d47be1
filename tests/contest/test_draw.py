"""Draws are uniform under their constraints, reproducible, and depend on seed and card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace

import pytest

from chouine.contest import (
    FORMULAS,
    Contest,
    ContestOpened,
    Details,
    Entered,
    add,
    commit,
    draw,
    formula_for,
)
from chouine.contest.chance import Chance
from chouine.contest.draw import cost_in, least_exempt, meetings
from chouine.contest.pairing import arrange, cheapest_pairs, cost_of, pairings
from chouine.server.contest.solver import cheapest_matching
from tests.contest.playing import contest_with_entries, draw_round, winner_first

Pairs = frozenset[frozenset[int]]


def chi_square(seen: Iterable[Hashable], kinds: int) -> float:
    """The chi-square statistic against a uniform distribution over `kinds`."""
    counts = Counter(seen)
    assert len(counts) == kinds
    expected = counts.total() / kinds
    return sum((count - expected) ** 2 / expected for count in counts.values())


def pairs_of(contest: Contest, seed: str) -> Pairs:
    return frozenset(map(frozenset, draw(contest, "main", seed).places))


@pytest.mark.parametrize("kind", ["lavardin", "tree", "rounds", "swiss"])
def test_first_rounds_are_uniform(kind: str) -> None:
    """All 15 pairings of six entries are equally likely; 36.1 is the critical value at p = 0.001."""
    contest = contest_with_entries(formula_for(kind), 6)  # type: ignore[arg-type]
    if kind == "tree":
        contest = contest_with_entries(formula_for("tree"), 4)
    seen = [pairs_of(contest, str(seed)) for seed in range(3000)]
    assert chi_square(seen, 3 if kind == "tree" else 15) < (13.8 if kind == "tree" else 36.1)


def test_the_exempt_is_uniform() -> None:
    """All 7 * 15 draws of seven entries are equally likely; 154.3 is the critical value at p = 0.001."""
    contest = contest_with_entries(FORMULAS["lavardin"], 7)
    assert chi_square([pairs_of(contest, str(seed)) for seed in range(6000)], 105) < 154.3


def test_families_apart_all_others_alike() -> None:
    """The 10 of 15 pairings that keep two families of two apart are equally likely."""
    formula = replace(FORMULAS["lavardin"], apart=("family",))
    contest = add(None, ContestOpened(formula, commit("s")), "desk", 0)
    for number, family in enumerate((1, 1, 2, 2, 0, 0), 1):
        contest = add(contest, Entered(number, Details(family=family)), "desk", 0)
    seen = [pairs_of(contest, str(seed)) for seed in range(3000)]
    assert not any({1, 2} in pairs or {3, 4} in pairs for pairs in seen)
    assert chi_square(seen, 10) < 27.9


def test_opponents_in_a_large_field_are_uniform() -> None:
    contest = contest_with_entries(FORMULAS["lavardin"], 21)
    partners = []
    for seed in range(3000):
        place = next(place for place in draw(contest, "main", str(seed)).places if 1 in place)
        partners.append(next((n for n in place if n != 1), 0))
    assert chi_square(partners, 21) < 45.3


def test_places_in_a_tree_are_uniform() -> None:
    """With five entries, entry 1 has each of four places equally often, and the cadrage in two of five draws."""
    contest = contest_with_entries(FORMULAS["tree"], 5)
    seen = []
    for seed in range(3000):
        places = draw(contest, "main", str(seed)).places
        seen.append(next((nth, len(place)) for nth, place in enumerate(places) if 1 in place))
    assert chi_square([nth for nth, _ in seen], 4) < 16.3
    assert 0.36 < sum(size == 2 for _, size in seen) / 3000 < 0.44


def test_poules_are_uniform() -> None:
    """All ten divisions of six entries into two poules are equally likely; 27.9 is the critical value at p = 0.001."""
    contest = contest_with_entries(formula_for("poules", pool=3), 6)
    assert chi_square([pairs_of(contest, str(seed)) for seed in range(3000)], 10) < 27.9


def test_a_consolante_is_uniform() -> None:
    """The three pairings of the four losers of round 1, who have not met, are equally likely."""
    contest = winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 8)))
    seen = [frozenset(map(frozenset, draw(contest, "consolante", str(seed)).places)) for seed in range(3000)]
    assert chi_square(seen, 3) < 13.8


def test_seed_card_and_attempt_make_the_draw() -> None:
    contest = contest_with_entries(FORMULAS["lavardin"], 84)
    places = draw(contest, "main", "seed", "Qh").places
    assert draw(contest, "main", "seed", "Qh").places == places
    assert draw(contest, "main", "seed", "Qs").places != places
    assert draw(contest, "main", "Seed", "Qh").places != places


def test_chance_is_what_its_description_says() -> None:
    """Golden values for the generator, for other implementations."""
    chance = Chance("chouine draw 1", "seed", "main", "1", "1", "Qh")
    assert [chance.number_below(32) for _ in range(6)] == [15, 10, 14, 4, 15, 30]
    assert Chance("x").shuffle(range(5)) == [3, 1, 0, 4, 2]


@pytest.mark.parametrize("kind", ["rounds", "swiss"])
@pytest.mark.parametrize("entries", [7, 8])
def test_nobody_meets_again_where_it_can_be_avoided(kind: str, entries: int) -> None:
    """The repeats of each draw are the minimum over all possible pairings, until repeats are unavoidable."""
    contest = contest_with_entries(formula_for(kind, rounds=8), entries)  # type: ignore[arg-type]
    for number in range(1, 9):
        cost = cost_in(contest, "main", number)
        field = tuple(range(1, entries + 1))
        least = min(cost_of(places, cost) for places in pairings(field, least_exempt(contest, field)))
        after = draw_round(contest)
        assert cost_of(tuple(table.players for table in after.main[-1].tables), cost) == least
        contest = winner_first(after)
    assert max(meetings(contest).values()) == 2


def test_a_dense_field_is_paired_by_the_solver() -> None:
    """With twelve entries in two villages of six, the solver finds a pairing with no pair of one village."""
    row = list(range(1, 13))

    def cost(one: int, other: int) -> int:
        return 100 * ((one <= 6) == (other <= 6))

    places = cheapest_pairs(row, cost, Chance("x"), (), cheapest_matching)
    assert cost_of(places, cost) == 0

    def same() -> tuple[tuple[int, ...], ...]:
        return tuple((n, n + 1) for n in row[::2])

    assert cost_of(arrange(same, cost, Chance("x"), (), cheapest_matching), cost) == 0


def test_a_family_of_three_in_a_tree() -> None:
    """With three of one family in a tree and one of them exempt, the draw is made although none can be kept apart."""
    contest = add(None, ContestOpened(replace(FORMULAS["tree"], apart=("family",)), commit("s")), "desk", 0)
    for number in (1, 2, 3):
        contest = add(contest, Entered(number, Details(family=1)), "desk", 0)
    alone = [
        next(p[0] for p in draw(contest, "main", str(seed)).places if len(p) == 1) for seed in range(900)
    ]
    assert chi_square(alone, 3) < 13.8
