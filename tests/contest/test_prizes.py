"""The prizes: by the club's numbers and order, one a person if it wishes so, villages by their best."""

from __future__ import annotations

from random import Random

import pytest

from chouine.contest import (
    Contest,
    Details,
    Entered,
    PrizesSet,
    Settled,
    Undone,
    add,
    formula_for,
)
from chouine.contest.ranking import Prize, prizes, ranking
from tests.contest.playing import code_of, contest_with_entries, play_to_end


def contest_at_end(rng: int = 3) -> Contest:
    """A contest of 16: ladies have odd numbers, two of three are juniors, four live in each of three villages."""
    contest = contest_with_entries(formula_for("lavardin", consolante="first"), 0)
    for number in range(1, 17):
        details = Details(lady=number % 2 == 1, junior=number % 3 != 0, village=(number - 1) // 4)
        contest = add(contest, Entered(number, details), "desk", 0)
    return play_to_end(contest, Random(rng))


def by_kind(contest: Contest, kind: str) -> list[Prize]:
    return [one for one in prizes(contest) if one.kind == kind]


def set_prizes(contest: Contest, *, once: bool = False, **counts: int) -> Contest:
    return add(contest, PrizesSet(tuple(counts.items()), once), "desk", contest.head.at)


def settle_ties(contest: Contest) -> Contest:
    """The contest with all that ties settled in the order of numbers."""
    order = tuple(one.number for one in ranking(contest))
    return add(contest, Settled(order, "lot"), "desk", contest.head.at)


def test_the_usual_prizes() -> None:
    contest = settle_ties(contest_at_end())
    order = [one.number for one in ranking(contest)]
    assert [one.winners for one in by_kind(contest, "place")] == [(number,) for number in order[:3]]
    assert by_kind(contest, "lady") == [Prize("lady", 1, (next(n for n in order if n % 2),))]
    assert by_kind(contest, "junior") == [Prize("junior", 1, (next(n for n in order if n % 3),))]
    assert len(by_kind(contest, "consolante")) == 1
    assert by_kind(contest, "village") == []


@pytest.mark.parametrize("rng", range(6))
def test_one_prize_a_person(rng: int) -> None:
    """Whoever has one leaves the next to somebody else of the kind, in the club's order of kinds."""
    contest = set_prizes(settle_ties(contest_at_end(rng)), once=True, lady=2, place=4, consolante=2, junior=3)
    found = prizes(contest)
    people = [number for one in found for number in one.winners]
    assert len(people) == len(set(people)) == 11
    assert [one.kind for one in found] == ["lady"] * 2 + ["place"] * 4 + ["consolante"] * 2 + ["junior"] * 3
    assert [one.rank for one in found] == [1, 2, 1, 2, 3, 4, 1, 2, 1, 2, 3]
    order = [one.number for one in ranking(contest)]
    ladies = [one.winners[0] for one in by_kind(contest, "lady")]
    assert ladies == [number for number in order if number % 2][:2]
    assert [one.winners[0] for one in by_kind(contest, "place")] == [n for n in order if n not in ladies][:4]


def test_who_ties_shares_a_prize_until_the_club_settles_it() -> None:
    """A tie of two for place 2 leaves no place 3."""
    contest = set_prizes(contest_at_end(), place=5)
    ranks = [one.rank for one in ranking(contest)]
    assert [one.rank for one in prizes(contest)] == sorted({rank for rank in ranks if rank <= 5})
    assert all(len(one.winners) == ranks.count(one.rank) for one in prizes(contest))


def test_villages_by_the_wins_of_their_three_best() -> None:
    contest = set_prizes(contest_at_end(), village=3)
    wins = {one.number: one.tally.wins for one in ranking(contest)}
    sums = {village: sum(sorted((wins[n] for n in range(4 * village + 1, 4 * village + 5)), reverse=True)[:3])
            for village in (1, 2, 3)}  # fmt: skip
    order = [village for one in prizes(contest) for village in one.winners]
    assert sorted(order) == [1, 2, 3]
    assert [sums[village] for village in order] == sorted(sums.values(), reverse=True)


@pytest.mark.parametrize(
    "counts", [(("cup", 1),), (("place", 1), ("place", 2)), (("place", -1),), (("place", 51),)]
)
def test_prizes_that_cannot_be(counts: tuple[tuple[str, int], ...]) -> None:
    assert code_of(contest_at_end(), PrizesSet(counts)) == "contest/prizes"


def test_setting_them_can_be_undone() -> None:
    contest = contest_at_end()
    changed = set_prizes(contest, place=1, consolante=1, lady=1, junior=1, village=1)
    assert prizes(add(changed, Undone(changed.head.n, "x"), "desk", changed.head.at)) == prizes(contest)
