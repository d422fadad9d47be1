"""The field, exempt entries and advancing entries of each format."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from chouine.contest import FORMULAS, ActRefused, Contest, add, ranking
from chouine.contest.formula import formula_for
from tests.contest.playing import contest_with_entries, draw_round, play_stage, play_to_end, result


def sizes(contest: Contest) -> list[int]:
    return [len(round_.players) for round_ in contest.main]


def test_lavardin_with_84() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["lavardin"], 84), Random(1))
    assert sizes(contest) == [84, 42, 21, 11, 6, 3, 2]
    assert [len(round_.exempt) for round_ in contest.main] == [0, 0, 1, 1, 0, 1, 0]
    assert [len(round_.players) for round_ in contest.consolante] == [42, 21, 11, 6, 3, 2]
    assert set(contest.consolante[0].players) == {n for table in contest.main[0].tables for n in table.losers}
    exempt = [number for round_ in contest.main for number in round_.exempt]
    assert len(set(exempt)) == 3


def test_nobody_is_exempt_twice_while_others_were_not() -> None:
    """An exempt entry never has more exemptions than another in its round."""
    for seed in range(30):
        contest = play_to_end(
            contest_with_entries(FORMULAS["lavardin"], 11, str(seed)), Random(seed), str(seed)
        )
        exempts = dict.fromkeys(contest.entrants, 0)
        for round_ in contest.main:
            for number in round_.exempt:
                assert exempts[number] == min(exempts[other] for other in round_.players)
                exempts[number] += 1


def test_tree_has_a_cadrage() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["tree"], 84), Random(1))
    assert [len(round_.tables) for round_ in contest.main] == [64, 32, 16, 8, 4, 2, 1]
    assert len(contest.main[0].exempt) == 44
    before, after = contest.main[:2]
    assert after.players == before.ahead


def test_poules_meet_each_once_and_then_play_a_tree() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["poules"], 22), Random(2))
    assert sorted(map(len, contest.pools)) == [3, 3, 4, 4, 4, 4]
    met = [frozenset(table.players) for round_ in contest.main[:3] for table in round_.played]
    assert len(met) == len(set(met)) == 4 * 6 + 2 * 3
    assert sizes(contest)[3:] == [12, 8, 4, 2]
    firsts = {pool[0] for pool in contest.pools} & set(contest.main[3].players)
    assert firsts


@pytest.mark.parametrize("kind", ["rounds", "swiss"])
def test_rounds_avoid_meeting_again(kind: str) -> None:
    contest = play_to_end(contest_with_entries(formula_for(kind), 30), Random(3))  # type: ignore[arg-type]
    met = [frozenset(table.players) for round_ in contest.main for table in round_.played]
    assert len(contest.main) == 5
    assert len(met) == len(set(met)) == 75


def test_swiss_opponents_have_as_many_wins() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["swiss"], 32), Random(4))
    wins = dict.fromkeys(contest.entrants, 0)
    for round_ in contest.main:
        for table in round_.played:
            assert max(wins[n] for n in table.players) - min(wins[n] for n in table.players) <= 1
        for number in round_.ahead:
            wins[number] += 1
    best = [ranked.number for ranked in ranking(contest)]
    assert [wins[number] for number in best] == sorted(wins.values(), reverse=True)


@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_at_a_table_leave_nobody_exempt(seats: int) -> None:
    for entries in range(2, 40):
        contest = draw_round(contest_with_entries(formula_for("lavardin", seats), entries))
        assert not contest.main[0].exempt
        assert all(seats >= len(table.players) >= 2 for table in contest.main[0].tables)


def test_teams_add_up_their_boards() -> None:
    formula = replace(FORMULAS["lavardin"], members=2)
    contest = draw_round(contest_with_entries(formula, 2))
    contest = add(contest, result(contest.main[0], contest.main[0].tables[0], 2, members=2), "desk", 1)
    assert contest.main[0].ahead == (2,)


def test_no_round_is_drawn_before_the_last_is_finished() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 6))
    with pytest.raises(ActRefused) as refused:
        draw_round(contest)
    assert refused.value.code == "contest/round-open"
    with pytest.raises(ActRefused):
        draw_round(contest, "consolante")
    contest = play_stage(contest, "main", Random(1))
    assert sizes(draw_round(contest)) == [6, 3]


def test_consolante_until_an_hour() -> None:
    formula = formula_for("lavardin", consolante="hour", hour=1000)
    contest = play_stage(draw_round(contest_with_entries(formula, 8)), "main", Random(1), at=500)
    contest = play_stage(draw_round(contest), "main", Random(1), at=900)
    contest = play_stage(draw_round(contest), "main", Random(1), at=1100)
    contest = draw_round(contest, "consolante")
    assert len(contest.consolante[0].players) == 4 + 2
