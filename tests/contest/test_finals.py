"""The rounds that have a name: the final, the semi-finals, the quarter-finals."""

from __future__ import annotations

from random import Random

import pytest

from chouine.contest import Contest, Stage, formula_for
from chouine.contest.formula import Kind
from chouine.contest.score import MatchResult, Score
from chouine.contest.views import stage_of_final
from chouine.phrases import score_of
from tests.contest.playing import contest_with_entries, draw_round, play_stage, play_to_end

FINALS = ["quarter-final", "semi-final", "final"]


def names_of(contest: Contest, stage: Stage = "main") -> list[str]:
    return [stage_of_final(contest, stage, round_.number) for round_ in contest.rounds(stage)]


@pytest.mark.parametrize(
    ("kind", "entries", "names"),
    [
        ("lavardin", 16, ["", *FINALS]),
        ("tree", 13, ["", *FINALS]),
        ("lavardin", 12, ["", "", "semi-final", "final"]),  # 6 then 3: no quarter-finals
        ("lavardin", 2, [""]),
        ("poules", 8, ["", "", "", "semi-final", "final"]),
        ("swiss", 4, ["", "", "", "", ""]),
    ],
)
def test_names_of_the_rounds(kind: Kind, entries: int, names: list[str]) -> None:
    contest = play_to_end(contest_with_entries(formula_for(kind), entries), Random(1))
    assert names_of(contest) == names


def test_the_consolante_has_a_final_too() -> None:
    contest = play_to_end(contest_with_entries(formula_for("lavardin", consolante="first"), 16), Random(1))
    assert names_of(contest, "consolante") == FINALS


def test_a_round_to_come_is_named_before_it_is_drawn() -> None:
    contest = contest_with_entries(formula_for("tree"), 8)
    contest = draw_round(contest)
    assert [stage_of_final(contest, "main", nth) for nth in range(5)] == ["", "", "semi-final", "final", ""]
    assert stage_of_final(play_stage(contest, "main", Random(1)), "main", 2) == "semi-final"


def test_four_at_a_table_play_a_final() -> None:
    contest = play_to_end(contest_with_entries(formula_for("lavardin", 4, matches=("3",)), 16), Random(1))
    assert names_of(contest) == ["", "final"]


def test_a_result_as_its_winner_tells_it() -> None:
    assert Score.of((1, 2)).of_winner() == Score.of((2, 1)).of_winner() == score_of((2, 1))
    assert Score.of((0, 0, 1)).of_winner() == score_of((1, 0, 0))
    won, lost, beaten = score_of((2, 0)), score_of((0, 2)), score_of((1, 2))
    assert Score((MatchResult((2, 1)), MatchResult((0, 2)))).of_winner() == f"{beaten} + {won}"
    assert Score((MatchResult((2, 0)), MatchResult((0, 2))), 1).of_winner() == f"{lost} + {won}"
