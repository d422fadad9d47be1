"""Late entries, absences, forfeits, corrections and undoing, and the errors of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from re import findall
from typing import get_args

import pytest

import chouine.contest
from chouine.contest import (
    FORMULAS,
    ActRefused,
    ContestAct,
    Corrected,
    Details,
    Entered,
    MatchResult,
    Paid,
    Paired,
    Present,
    ResultEntered,
    Revealed,
    RoundDrawn,
    Score,
    Settled,
    Swapped,
    TableForfeited,
    Undone,
    Withdrew,
    add,
    changes,
    contest_of,
    formula_for,
    ranking,
)
from chouine.contest.log import KINDS, LogLine, first_broken_line
from chouine.contest.ranking import prizes
from chouine.contest.state import Contest
from chouine.contest.views import totals
from chouine.phrases import PHRASES
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


def test_late_entries_take_the_empty_chair() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 4))
    contest = add(contest, Entered(5), "desk", 1)
    assert contest.main[0].exempt == (5,)
    contest = add(contest, Entered(6), "desk", 1)
    assert contest.main[0].exempt == ()
    assert contest.main[0].table(3).players == (5, 6)
    contest = winner_first(contest)
    assert code_of(contest, Entered(7)) == "contest/entries-closed"


def test_who_has_not_turned_up_is_not_drawn() -> None:
    contest = add(contest_with_entries(FORMULAS["lavardin"], 4), Present(3, here=False), "desk", 1)
    contest = draw_round(contest)
    assert set(contest.main[0].players) == {1, 2, 4}
    contest = add(contest, Present(3, here=True), "desk", 1)
    assert contest.main[0].exempt == ()
    assert contest.entrants[3].late
    assert code_of(contest, Present(1, here=False)) == "contest/drawn-already"


def test_late_into_a_poule_with_an_empty_chair() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["poules"], 7))
    contest = add(contest, Entered(8), "desk", 1)
    assert sorted(map(len, contest.pools)) == [4, 4]
    contest = play_to_end(contest, Random(1))
    assert len({frozenset(t.players) for r in contest.main[:3] for t in r.played}) == 12


def test_forfeit_and_withdrawal() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 4))
    (a, b), (c, d) = (table.players for table in contest.main[0].tables)
    contest = add(contest, TableForfeited("main", 1, 1, a), "desk", 1)
    assert contest.main[0].ahead == (b,)
    contest = add(contest, Withdrew(c), "desk", 1)
    assert contest.main[0].ahead == (b, d)
    assert code_of(contest, Withdrew(c)) == "contest/withdrawn-already"
    assert set(draw_round(contest, "main").main[1].players) == {b, d}
    later = draw_round(contest)
    assert code_of(later, draw_of(later)) == "contest/round-open"


def draw_of(contest: Contest) -> object:
    return next(line.act for line in reversed(contest.lines) if isinstance(line.act, RoundDrawn))


def test_results_that_cannot_be() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 4))
    for manches in ((2, 2), (1, 0), (3, 0), (2,), (2, -1)):
        assert code_of(contest, ResultEntered("main", 1, 1, Score.of(manches))) == "contest/score"
    assert code_of(contest, ResultEntered("main", 1, 1, Score.of((2, 1), (9, 3)))) == "contest/parties"
    assert code_of(contest, ResultEntered("main", 1, 9, Score.of((2, 1)))) == "contest/no-table"
    assert code_of(contest, ResultEntered("main", 2, 1, Score.of((2, 1)))) == "contest/no-round"
    contest = add(contest, ResultEntered("main", 1, 1, Score.of((2, 1), (8, 7))), "desk", 1)
    assert code_of(contest, ResultEntered("main", 1, 1, Score.of((2, 1)))) == "contest/played-already"


def test_equal_teams_are_decided_by_the_club() -> None:
    contest = draw_round(contest_with_entries(replace(FORMULAS["lavardin"], members=2), 2))
    boards = (MatchResult((2, 0)), MatchResult((0, 2)))
    assert code_of(contest, ResultEntered("main", 1, 1, Score(boards))) == "contest/equal-sums"
    contest = add(contest, ResultEntered("main", 1, 1, Score(boards, decided=1)), "desk", 1)
    assert contest.main[0].ahead == contest.main[0].tables[0].players[1:]


def test_a_correction_reports_its_changes_and_moves_both() -> None:
    """A correction swaps the wrong winner, who played round 2, and the right one, drawn in the consolante."""
    contest = winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 8)))
    wrong, right = contest.main[0].tables[0].players
    contest = winner_first(draw_round(contest))
    contest = winner_first(draw_round(contest, "consolante"), "consolante")
    act = Corrected("main", 1, 1, Score.of((0, 2)), "slip read upside down")
    after = add(contest, act, "referee", 5)
    told = list(changes(contest, after))
    assert {(change.stage, change.round, change.void) for change in told} == {
        ("main", 1, False),
        ("main", 2, True),
        ("consolante", 1, True),
    }
    assert right in after.main[1].players
    assert wrong not in after.main[1].players
    assert wrong in after.consolante[0].players
    assert right not in after.consolante[0].players
    with pytest.raises(ActRefused):
        draw_round(after)
    after = play_stage(play_stage(after, "main", Random(1)), "consolante", Random(1))
    assert set(after.main[1].ahead) <= set(draw_round(after).main[2].players)


def test_a_replay_after_a_correction_moves_whoever_went_on() -> None:
    contest = winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 8)))
    contest = draw_round(winner_first(draw_round(contest)))
    wrong, right = contest.main[0].tables[0].players
    contest = add(contest, Corrected("main", 1, 1, Score.of((0, 2)), "slip"), "referee", 5)
    table = contest.main[1].table_of(right)
    assert table is not None
    other = next(player for player in table.players if player != right)
    for winner in (right, other):
        after = add(contest, result(contest.main[1], table, winner), "referee", 6)
        assert set(after.main[2].players) == set(after.main[1].ahead)
        assert wrong not in after.main[2].players


def test_undoing() -> None:
    contest = winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 4)))
    results = [line.n for line in contest.lines if isinstance(line.act, ResultEntered)]
    undone = add(contest, Undone(results[1], "wrong table"), "referee", 3)
    assert len(undone.main[0].open) == 1
    assert len(undone.lines) == len(contest.lines) + 1
    assert code_of(undone, Undone(results[1], "again")) == "contest/no-act"
    assert code_of(undone, Undone(undone.head.n, "no")) == "contest/undo-undo"
    assert code_of(draw_round(contest), Undone(results[0], "late")) == "contest/stands-on"
    assert code_of(contest, Undone(1, "opening")) == "contest/no-act"


def test_a_draw_undone_is_another_draw() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 40))
    again = draw_round(add(contest, Undone(contest.head.n, "a player forgotten"), "referee", 3))
    assert again.main[0].tables != contest.main[0].tables


def test_the_referee_swaps_and_pairs() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 7))
    tables = contest.main[0].tables
    a, b, c = tables[0].players[0], tables[1].players[0], contest.main[0].exempt[0]
    swapped = add(contest, Swapped("main", 1, a, b, "same car"), "referee", 2)
    assert swapped.main[0].tables[0].players == (b, tables[0].players[1])
    paired = add(contest, Paired("main", 1, a, b, "asked"), "referee", 2)
    assert paired.main[0].tables[0].players == (a, b)
    paired = add(contest, Paired("main", 1, c, a, "exempt plays"), "referee", 2)
    assert paired.main[0].tables[0].players == (a, c)
    assert paired.main[0].exempt == (tables[0].players[1],)
    assert code_of(contest, Swapped("main", 1, a, a, "")) == "contest/no-swap"
    assert code_of(winner_first(contest), Swapped("main", 1, a, b, "")) == "contest/played-already"


def test_money_and_prizes() -> None:
    contest = add(
        contest_with_entries(FORMULAS["lavardin"], 3),
        Entered(4, Details(lady=True, junior=True, meals=2)),
        "d",
        1,
    )
    contest = add(contest, Paid(4, 2500), "desk", 1)
    assert (totals(contest).paid, totals(contest).meals, totals(contest).ladies) == (2500, 2, 1)
    assert prizes(contest) == ()
    begun = add(draw_round(contest), Withdrew(2), "desk", 1)
    assert (totals(begun).entries, totals(begun).here) == (4, 3)
    found = {one.kind: one.winners for one in prizes(play_to_end(contest, Random(1)))}
    assert (found["lady"], found["junior"]) == ((4,), (4,))


def test_ties_as_the_club_decides() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["lavardin"], 8), Random(1))
    tied = [one.number for one in ranking(contest) if one.rank == 3]
    assert len(tied) == 2
    settled = add(contest, Settled((tied[1], tied[0]), "a belle"), "referee", 9)
    assert [one.number for one in ranking(settled)][2:4] == [tied[1], tied[0]]


def test_the_seed_is_revealed_last() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["lavardin"], 4), Random(1))
    assert code_of(contest, Revealed("another")) == "contest/other-seed"
    contest = add(contest, Revealed(SEED), "referee", 9)
    assert code_of(contest, Paid(1, 100)) == "contest/closed"


def test_a_log_is_written_read_and_sealed() -> None:
    contest = play_to_end(contest_with_entries(FORMULAS["poules"], 9), Random(1))
    contest = add(contest, Undone(contest.head.n, "table 1, pas table 2 à l'étage"), "arbitre", 2)
    lines = [LogLine.parse(str(line)) for line in contest.lines]
    assert tuple(lines) == contest.lines
    assert contest_of(lines) == contest
    assert first_broken_line(lines) is None
    assert first_broken_line([*lines[:5], *lines[6:]]) == 6


def test_every_refusal_has_its_sentence() -> None:
    folder = Path(chouine.contest.__file__).parent
    codes = {
        code for file in folder.glob("*.py") for code in findall(r'"(contest/[a-z-]+)"', file.read_text())
    }
    assert codes <= PHRASES.keys()


def test_who_gave_up_a_table_cannot_win_it() -> None:
    contest = draw_round(contest_with_entries(formula_for("lavardin", 3), 3))
    table = contest.main[0].tables[0]
    contest = add(contest, TableForfeited("main", 1, 1, table.players[0]), "desk", 1)
    assert code_of(contest, ResultEntered("main", 1, 1, Score.of((1, 0, 0)))) == "contest/winner-gave-up"


def test_a_correction_that_finds_no_place_is_refused() -> None:
    """A correction is refused if the wrong winner withdrew before round 2: no place is left for the right one."""
    contest = winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 8)))
    wrong = contest.main[0].tables[0].players[0]
    contest = draw_round(add(contest, Withdrew(wrong), "desk", 2))
    act = Corrected("main", 1, 1, Score.of((0, 2)), "slip")
    assert code_of(contest, act) == "contest/nobody-goes-on"
    contest = add(contest, Undone(contest.head.n, "round 1 corrected"), "referee", 3)
    assert len(draw_round(add(contest, act, "referee", 4)).main[1].players) == 4


def test_a_place_whose_holder_withdrew_two_rounds_later() -> None:
    """A correction of round 1 is refused if the entry to move was exempt in round 2 and withdrew before round 3."""
    contest = draw_round(winner_first(draw_round(contest_with_entries(FORMULAS["lavardin"], 10))))
    (exempt,) = contest.main[1].exempt
    wrong = contest.main[0].table_of(exempt)
    assert wrong is not None
    contest = draw_round(add(winner_first(contest), Withdrew(exempt), "desk", 2))
    act = Corrected("main", 1, wrong.number, Score.of((0, 2)), "slip")
    assert code_of(contest, act) == "contest/nobody-goes-on"


def test_a_swap_exchanges_the_claims_to_places() -> None:
    """Two tables of round 2 are void by corrections, then swap a player: who loses the replay plays the consolante."""
    late = formula_for("lavardin", consolante="hour", hour=1000)
    contest = winner_first(draw_round(winner_first(draw_round(contest_with_entries(late, 8)))))
    contest = draw_round(contest, "consolante")
    first, second = contest.main[1].played
    for winner in (first.players[0], second.players[0]):
        table = contest.main[0].table_of(winner)
        assert table is not None
        contest = add(contest, Corrected("main", 1, table.number, Score.of((0, 2)), "slip"), "referee", 3)
    one, other = (table.held for table in contest.main[1].played)
    assert one is not None
    assert other is not None
    contest = add(contest, Swapped("main", 2, one, other, "cousins"), "referee", 4)
    table = contest.main[1].table(first.number)
    contest = add(contest, result(contest.main[1], table, first.players[1]), "referee", 5)
    assert other in contest.consolante[0].players
    assert one not in contest.consolante[0].players


def test_logs_keep_the_names_of_acts() -> None:
    """The names of kinds never change, since logs are sealed; class names may."""
    names = (
        "opened changed entered listed amended present paid drawn called played dealt corrected forfeited withdrew "
        "swapped paired settled prizes undone revealed ended erased"
    )
    assert list(KINDS) == names.split()
    assert set(KINDS.values()) == set(get_args(ContestAct))
