"""Duplicate: the same deal for all, IMPs against the datum, and a ranking in which luck of the cards is nobody's."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.contest import (
    ActRefused,
    Contest,
    ContestAct,
    Corrected,
    DealsPlayed,
    ResultEntered,
    Score,
    Settled,
    add,
    contest_of,
    draw,
    formula_for,
    ranking,
)
from chouine.contest.check import check_log
from chouine.contest.duplicate import (
    MOST,
    SPARED,
    STEPS,
    WHOLE,
    Ending,
    SeatResult,
    deal_digest,
    deal_nonce,
    difference_of,
    imps,
    imps_of,
    sealed_deal,
)
from chouine.contest.ranking import equals
from chouine.notation.lines import result_of_duplicate
from chouine.partie import Result
from chouine.rules.options import PRESETS, Rules
from tests.contest.playing import SEED, code_of, contest_with_entries, draw_round

MADE = st.lists(
    st.builds(
        SeatResult, st.integers(1, 8), st.integers(1, 4), st.integers(0, 1), st.integers(-WHOLE, WHOLE)
    ),
    unique_by=lambda one: (one.entry, one.deal),
    max_size=32,
)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_follows_from_the_seed_alone_and_its_digest_tells_it_from_others(preset: str) -> None:
    rules = Rules.of_preset(preset)
    deals = [sealed_deal(rules, "seed", number) for number in range(1, 9)]
    assert deals == [sealed_deal(rules, "seed", number) for number in range(1, 9)]
    assert {deal.dealer for deal in deals} == {*range(rules.seats)}
    digests = [deal_digest(rules, seed, number) for seed in ("seed", "other") for number in range(1, 9)]
    assert len({*digests}) == 16


@pytest.mark.parametrize(
    ("result", "differences"),
    [
        (Result(0, (61, 59), "points"), (2, -2)),
        (Result(1, (20, 30, 90), "points"), (-70, -60, 60)),
        (Result(None, (60, 60), "nulle"), (0, 0)),
        (Result(1, (80, 10), "chouine"), (-WHOLE, WHOLE)),
        (Result(0, (0, 0), "forfeit"), (WHOLE, -WHOLE)),
        (Result(0, (250, 10), "points"), (WHOLE, -WHOLE)),
    ],
)
def test_differences(result: Result, differences: tuple[int, ...]) -> None:
    assert tuple(difference_of(result, seat) for seat in range(len(differences))) == differences


def test_the_steps() -> None:
    assert [imps(step) for step in STEPS] == [*range(1, len(STEPS) + 1)]
    assert [imps(step - 1) for step in STEPS] == [*range(len(STEPS))]


@given(st.integers(-300, 300))
def test_imps_are_even_handed(surplus: int) -> None:
    assert imps(-surplus) == -imps(surplus)


@given(MADE, st.integers(-50, 50))
def test_a_deal_that_is_better_for_everybody_changes_nothing(made: list[SeatResult], gift: int) -> None:
    """The cards' own worth falls out: only what differs from the others counts."""
    given_more = [
        SeatResult(one.entry, one.deal, one.seat, one.difference + gift * (one.deal == 1)) for one in made
    ]
    assert imps_of(given_more) == imps_of(made)


def contest_of_differences(*tables: tuple[int, ...]) -> Contest:
    """A contest of one round after these results, table by table."""
    formula = formula_for("rounds", rounds=1, deals=len(tables[0]), matches=("1x1",))
    contest = draw_round(contest_with_entries(formula, 2 * len(tables)))
    for table, differences in zip(contest.main[0].played, tables, strict=True):
        contest = add(contest, DealsPlayed(1, table.number, differences), "server", 1)
    return contest


@given(st.lists(st.tuples(*[st.integers(-WHOLE, WHOLE)] * 3), min_size=2, max_size=6))
def test_swapping_the_seats_gives_the_opposite(tables: list[tuple[int, ...]]) -> None:
    """Two who play each other gain what the other loses, and swapped they would gain the opposite: luck cancels."""
    there = {one.number: one.tally.imps for one in ranking(contest_of_differences(*tables))}
    swapped = [tuple(-difference for difference in table) for table in tables]
    back = {one.number: one.tally.imps for one in ranking(contest_of_differences(*swapped))}
    assert back == {number: -gained for number, gained in there.items()}
    for table in contest_of_differences(*tables).main[0].played:
        assert sum(there[player] for player in table.players) == 0


def test_who_makes_more_of_bad_cards_is_ahead_of_who_wins_with_good_ones() -> None:
    """The first seat has the good cards: all who hold it win, one by least, whose opponent is first."""
    contest = contest_of_differences((10,), (60,), (60,))
    first = ranking(contest)[0]
    assert first.number == contest.main[0].played[0].players[1]
    assert first.tally.imps == 9


def test_alone_at_a_deal_nobody_gains() -> None:
    assert imps_of([SeatResult(1, 1, 0, 90)]) == {(1, 1): 0}


@pytest.mark.parametrize(
    ("ending", "others", "gained"),
    [
        ("gave-up", [0, 0], -MOST),
        ("gave-up", [], -MOST),
        ("unplayed", [0, 0], SPARED),
        ("spared", [0, 0], MOST),
        ("spared", [WHOLE, WHOLE], SPARED),
        ("spared", [], SPARED),
    ],
)
def test_a_deal_that_is_given_up(ending: Ending, others: list[int], gained: int) -> None:
    """Whoever gives up loses all; the other wins three at least, and no third player gains or loses by it."""
    one = SeatResult(1, 1, 0, 0 if ending == "unplayed" else -WHOLE if ending == "gave-up" else WHOLE, ending)
    rest = [SeatResult(entry, 1, 0, difference) for entry, difference in enumerate(others, 2)]
    found = imps_of([one, *rest])
    assert found.pop((1, 1)) == gained
    assert set(found.values()) <= {0}


def test_equal_imps_are_parted_by_deals_and_else_share_the_place() -> None:
    """(3, 3, -6) is ahead of (6, -3, -3) and of whoever made nothing of note; the club may settle what is left."""
    contest = contest_of_differences((8, 8, -19), (19, -8, -8), (0, 0, 0))
    lines = {one.number: one for one in ranking(contest)}
    for one in lines.values():
        for other in lines.values():
            if one.tally.imps == other.tally.imps:
                assert (one.rank < other.rank) == (one.tally.above > other.tally.above)
    same = contest_of_differences((10,), (10,))
    assert {one.rank for one in ranking(same)} == {1}
    (group,) = equals(same)
    settled = add(same, Settled(group[::-1], "lot"), "desk", 2)
    assert [one.number for one in ranking(settled)] == list(group[::-1])


def test_an_exempt_entry_neither_gains_nor_loses() -> None:
    contest = draw_round(contest_with_entries(formula_for("rounds", rounds=1, deals=2, matches=("2x1",)), 5))
    for nth, table in enumerate(contest.main[0].played):
        contest = add(contest, DealsPlayed(1, table.number, (20 * nth, -20)), "server", 1)
    (alone,) = contest.main[0].exempt
    tally = next(one.tally for one in ranking(contest) if one.number == alone)
    assert (tally.imps, tally.exempts, tally.wins) == (0, 1, 0)


def test_the_nonce_tells_the_deal_and_its_digest_apart_from_the_seed() -> None:
    rules = Rules()
    assert deal_nonce("seed", 1) != deal_nonce("seed", 2) != deal_nonce("other", 2)
    lines = f"{sealed_deal(rules, 'seed', 1)}\n{deal_nonce('seed', 1)}\n"
    assert sha256(lines.encode()).hexdigest() == deal_digest(rules, "seed", 1)


FORMULA = formula_for("rounds", rounds=2, deals=2, matches=("2x1",))


@pytest.mark.parametrize(
    "wrong",
    [
        DealsPlayed(1, 1, (1,)),
        DealsPlayed(1, 1, (1, 2, 3)),
        DealsPlayed(1, 1, (1, 101)),
        DealsPlayed(1, 1, (1, 2), given_up=(2,)),
        DealsPlayed(1, 1, (100, 100), given_up=(2, 1)),
        DealsPlayed(1, 1, (1,), left=99),
        DealsPlayed(1, 1, (1, 2), courses=("x",)),
        ResultEntered("main", 1, 1, Score.of((2, 0))),
        Corrected("main", 1, 1, Score.of((2, 0)), "x"),
    ],
    ids=repr,
)
def test_no_other_result_is_entered(wrong: ContestAct) -> None:
    with pytest.raises(ActRefused):
        add(draw_round(contest_with_entries(FORMULA, 4)), wrong, "desk", 1)


def test_a_match_takes_no_deals() -> None:
    contest = draw_round(contest_with_entries(formula_for("rounds"), 4))
    with pytest.raises(ActRefused):
        add(contest, DealsPlayed(1, 1, ()), "desk", 1)


@pytest.mark.parametrize("deals", [(), ("0" * 64,), ("0" * 64, "x")])
def test_a_draw_names_the_digest_of_each_deal(deals: tuple[str, ...]) -> None:
    contest = contest_with_entries(FORMULA, 4)
    assert code_of(contest, replace(draw(contest, "main", SEED), deals=deals)) == "contest/deals"


@pytest.mark.parametrize(
    "choices", [{"deals": 11}, {"deals": -1}, {"seats": 3}, {"members": 2}, {"kind": "swiss"}]
)
def test_no_other_formula_plays_duplicate(choices: dict[str, object]) -> None:
    with pytest.raises(ActRefused):
        replace(FORMULA, **choices)  # type: ignore[arg-type]


def test_what_a_log_says_of_its_deals_is_checked() -> None:
    """Other digests, acts that the cards do not allow, and another difference than the acts lead to."""
    contest = contest_with_entries(FORMULA, 4)
    forged = replace(draw(contest, "main", SEED), deals=("0" * 64,) * 2)
    contest = add(contest, forged, "desk", 1)
    contest = add(contest, DealsPlayed(1, 1, (1, 2), courses=("As As", "")), "desk", 1)
    report = check_log(list(contest.lines), SEED, replay=result_of_duplicate)
    assert [breach.code for breach in report.breaches] == ["check/deals", "check/course", "check/difference"]
    assert ranking(contest_of(contest.lines)) == ranking(contest)
