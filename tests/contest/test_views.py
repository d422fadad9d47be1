"""A desk's views: totals, rooms, possible draws, late tables, the expected end, the palmarès."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from chouine.contest import (
    FORMULAS,
    ActRefused,
    Called,
    Contest,
    ContestOpened,
    Entered,
    Present,
    add,
    commit,
    formula_for,
    ranking,
)
from chouine.contest.ranking import prizes
from chouine.contest.views import (
    absent_entries,
    end,
    is_over,
    late_tables,
    next_draw,
    price,
    room_of,
    seats,
    still_in,
    totals,
)
from tests.contest.playing import (
    SEED,
    code_of,
    contest_with_entries,
    draw_round,
    play_stage,
    play_to_end,
    result,
    winner_first,
)

MINUTE = 60_000


def test_rooms_share_the_tables_numbers() -> None:
    act = ContestOpened(FORMULAS["lavardin"], commit(SEED), rooms=(("Salle", 30), ("Préau", 12)))
    contest = add(None, act, "desk", 0)
    assert room_of(contest, 30) == ("Salle", 30)
    assert room_of(contest, 31) == ("Préau", 1)
    assert room_of(contest, 43) is None


def test_who_sits_where() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 5))
    found = seats(contest.main[0])
    assert list(found) == [1, 2, 3, 4, 5]
    assert sorted(found.values(), key=str) == [1, 1, 2, 2, None]


def test_the_consolante_plays_at_other_tables() -> None:
    """Its table numbers follow those still in play; a number is free again after its table is decided."""
    contest = draw_round(winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 12))))
    contest = draw_round(contest, "consolante")
    assert [table.number for table in contest.main[1].played] == [1, 2, 3]
    assert [table.number for table in contest.consolante[0].played] == [4, 5, 6]
    assert contest.open_table(5)[0].stage == "consolante"


def test_what_can_be_drawn() -> None:
    contest = contest_with_entries(FORMULAS["lavardin"], 4)
    assert next_draw(contest, "main") == 1
    assert isinstance(next_draw(contest, "consolante"), ActRefused)
    contest = draw_round(contest)
    assert isinstance(next_draw(contest, "main"), ActRefused)
    assert not is_over(contest)
    contest = winner_first(contest)
    assert (next_draw(contest, "main"), next_draw(contest, "consolante")) == (2, 1)
    assert is_over(play_to_end(contest, Random(1)))


def test_totals() -> None:
    contest = add(contest_with_entries(FORMULAS["lavardin"], 4), Present(2, here=False), "desk", 1)
    assert absent_entries(contest) == (2,)
    assert (totals(contest).entries, totals(contest).here) == (4, 3)
    assert price(contest, contest.entrants[1]) == 0


def add_results(contest: Contest, minutes: list[int]) -> Contest:
    """Results for open tables of round 1, at these minutes after its draw."""
    for table, minute in zip(contest.main[0].open, minutes, strict=False):
        contest = add(contest, result(contest.main[0], table, table.players[0]), "desk", minute * MINUTE)
    return contest


def test_late_tables() -> None:
    """A table is late after one and a half times the median duration, once five have finished."""
    contest = add_results(draw_round(contest_with_entries(FORMULAS["lavardin"], 14)), [20, 20, 20, 20])
    assert late_tables(contest, 90 * MINUTE) == ()
    contest = add_results(contest, [20])
    assert late_tables(contest, 29 * MINUTE) == ()
    assert [table.number for _, table in late_tables(contest, 31 * MINUTE)] == [6, 7]


def test_a_round_begins_when_it_is_called() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 14))
    contest = add_results(add(contest, Called("main", 1), "desk", 10 * MINUTE), [30] * 5)
    assert late_tables(contest, 31 * MINUTE) == ()
    sooner = add_results(draw_round(contest_with_entries(FORMULAS["lavardin"], 14)), [20] * 5)
    assert end(contest, 30 * MINUTE) == (end(sooner, 20 * MINUTE) or 0) + 10 * MINUTE
    assert code_of(contest, Called("main", 1)) == "contest/play-begun"


def test_the_end_from_durations_so_far() -> None:
    """Once five tables have finished, the estimate is round 1 and three rounds of the median, twenty minutes."""
    formula = replace(FORMULAS["lavardin"], consolante="none")
    contest = add_results(draw_round(contest_with_entries(formula, 16)), [20] * 4)
    assert end(contest, 20 * MINUTE) is None
    contest = add_results(contest, [20])
    assert end(contest, 20 * MINUTE) == 80 * MINUTE
    assert end(contest, 30 * MINUTE) == 90 * MINUTE
    contest = add_results(contest, [20] * 3)
    assert end(contest, 40 * MINUTE) == 100 * MINUTE


def test_the_end_of_rounds_and_poules() -> None:
    for formula, rounds in ((formula_for("rounds", rounds=4), 4), (formula_for("poules", pool=4), 3 + 3)):
        contest = add_results(draw_round(contest_with_entries(formula, 16)), [20] * 8)
        assert end(contest, 20 * MINUTE) == rounds * 20 * MINUTE


def test_a_consolante_can_end_last() -> None:
    """The consolante can end last: it has shorter matches, but one round more."""
    formula = replace(FORMULAS["lavardin"], matches=("3x2", "1"), consolante_matches=("3",))
    contest = add_results(draw_round(contest_with_entries(formula, 16)), [60] * 8)
    assert end(contest, 60 * MINUTE) == (60 + 3 * 30) * MINUTE


def test_how_many_are_left() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 11))
    assert (still_in(contest, "main"), still_in(contest, "consolante")) == (11, 0)
    contest = winner_first(contest)
    assert (still_in(contest, "main"), still_in(contest, "consolante")) == (6, 5)
    assert still_in(draw_round(contest, "consolante"), "consolante") == 5


def test_the_palmares_names_the_consolante() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["lavardin"], 16), Random(3))
    found = ranking(contest)
    (first,) = (one.winners for one in prizes(contest) if one.kind == "consolante")
    assert first == contest.consolante[-1].ahead
    assert [one.rank for one in found][:4] == [1, 2, 3, 3] or found[3].rank == 4
    assert found[0].number == contest.main[-1].ahead[0]
    best = found[8].number
    assert best == first[0]


def test_an_unplayed_contest_has_no_estimate() -> None:
    assert end(contest_with_entries(FORMULAS["lavardin"], 4), 0) is None
    assert (
        end(play_stage(draw_round(contest_with_entries(FORMULAS["lavardin"], 4)), "main", Random(1)), 5)
        is None
    )
    assert add(None, ContestOpened(FORMULAS["swiss"], commit(SEED)), "x", 0).next_number == 1
    assert isinstance(
        next_draw(add(None, ContestOpened(FORMULAS["swiss"], commit(SEED)), "x", 0), "main"), ActRefused
    )
    assert Entered(1).here
