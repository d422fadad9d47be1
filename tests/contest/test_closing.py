"""Ending a contest and revealing its seed: when it is possible, and that no act leaves a contest at a dead end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest

from chouine.contest import (
    FORMULAS,
    ActRefused,
    Amended,
    Called,
    Contest,
    ContestAct,
    ContestOpened,
    Corrected,
    Details,
    Ended,
    Entered,
    Erased,
    Paid,
    Paired,
    Present,
    ResultEntered,
    Revealed,
    Score,
    Settled,
    Swapped,
    TableForfeited,
    Undone,
    Withdrew,
    add,
    after,
    commit,
    contest_of,
    draw,
    formula_for,
)
from chouine.contest.check import check_log
from chouine.contest.formula import STAGES, Kind
from chouine.contest.log import KINDS, LogLine
from chouine.server.contest.solver import cheapest_matching
from tests.contest.playing import (
    SEED,
    code_of,
    contest_with_entries,
    draw_round,
    play_stage,
    play_to_end,
    winner_first,
)


def states(kind: Kind, rng: Random) -> Iterator[Contest]:
    """A contest at its opening, with entries, in each round, over, ended and closed."""
    contest = contest_with_entries(FORMULAS[kind], 6)
    yield add(None, contest.opened, "desk", 0)
    yield contest
    for _ in range(2):
        contest = draw_round(contest)
        yield contest
        contest = play_stage(contest, "main", rng)
        yield contest
    yield add(contest, Ended("orage"), "desk", 9)
    yield add(add(contest, Ended("orage"), "desk", 9), Revealed(SEED), "desk", 9)
    contest = play_to_end(contest, rng)
    yield contest
    yield add(contest, Revealed(SEED), "desk", 9)
    contest = add(contest, Revealed(SEED), "desk", 9)
    yield add(contest, Undone(contest.head.n, "fiche", commit("new")), "desk", 9)


def acts_on(contest: Contest) -> Iterator[ContestAct]:
    """Acts of every kind, the last one's undo in both forms."""
    one, other = 1, 2
    yield contest.opened
    yield from (Entered(7), Amended(one, Details(lady=True)), Paid(one, 500), Withdrew(one), Erased(one))
    yield from (Present(one, here=True), Present(one, here=False), Settled((one, other), "belle"))
    for stage in STAGES:
        number = max(len(contest.rounds(stage)), 1)
        table = contest.rounds(stage)[-1].played[0].number if contest.rounds(stage) else 1
        yield Called(stage, number)
        yield ResultEntered(stage, number, table, Score.of((2, 0)))
        yield Corrected(stage, number, table, Score.of((0, 2)), "fiche")
        yield TableForfeited(stage, number, table, one)
        yield Swapped(stage, number, one, other, "famille")
        yield Paired(stage, number, one, other, "famille")
        with suppress(ActRefused):
            yield draw(contest, stage, SEED, "Qh", solver=cheapest_matching)
    yield from (Ended("orage"), Revealed(SEED), Revealed("new"), Revealed("another"))
    yield from (Undone(contest.head.n, "erreur"), Undone(contest.head.n, "erreur", commit("newer")))


def goes_on(contest: Contest) -> bool:
    """Whether a later act is possible that is not about a name: an entry, a result, a draw, the closing, or an undo."""
    possible = [act for act in acts_on(contest) if not isinstance(act, Erased)]
    return any(try_act(contest, act) is not None for act in possible) or undoable(contest)


def try_act(contest: Contest, act: ContestAct) -> Contest | None:
    try:
        return add(contest, act, "desk", 9)
    except ActRefused:
        return None


def undoable(contest: Contest) -> bool:
    """Whether the last act, other than an undo or an erasure, can be undone."""
    gone = {line.act.act for line in contest.lines if isinstance(line.act, Undone)}
    last = [
        line for line in contest.lines[1:] if line.n not in gone and not isinstance(line.act, Undone | Erased)
    ]
    if not last:
        return False
    new = commit(f"new {len(contest.lines)}") if isinstance(last[-1].act, Revealed) else ""
    return try_act(contest, Undone(last[-1].n, "erreur", new)) is not None


@pytest.mark.parametrize("kind", FORMULAS)
def test_no_act_leaves_a_contest_at_a_dead_end(kind: Kind) -> None:
    """From every state each accepted act, and each after that, leaves a contest that goes on or can be undone."""
    seen: set[type] = set()
    for contest in states(kind, Random(kind)):
        for act in acts_on(contest):
            now = try_act(contest, act)
            if now is None:
                continue
            seen.add(type(act))
            assert contest_of(now.lines) == now
            assert undoable(now) or isinstance(act, Undone), act
            assert goes_on(now), act
    assert {Ended, Revealed, Undone, Erased} <= seen
    assert seen <= set(KINDS.values()) - {ContestOpened}


def test_the_seed_is_revealed_only_when_all_is_played() -> None:
    contest = contest_with_entries(FORMULAS["lavardin"], 4)
    for now in (contest, draw_round(contest), winner_first(draw_round(contest))):
        assert code_of(now, Revealed(SEED)) == "contest/not-over"
    assert add(play_to_end(contest, Random(1)), Revealed(SEED), "desk", 9).seed == SEED


def test_a_contest_ended_early_goes_on_when_that_is_undone() -> None:
    contest = add(draw_round(contest_with_entries(FORMULAS["lavardin"], 4)), Ended("orage"), "desk", 9)
    assert code_of(contest, ResultEntered("main", 1, 1, Score.of((2, 0)))) == "contest/ended"
    assert code_of(contest, Entered(5)) == "contest/ended"
    assert code_of(contest, Ended("orage")) == "contest/ended"
    assert add(contest, Paid(1, 100), "desk", 9).entrants[1].paid == 100
    again = add(contest, Undone(contest.head.n, "accalmie"), "desk", 9)
    assert add(play_to_end(again, Random(1)), Revealed(SEED), "desk", 9).seed == SEED
    closed = add(contest, Revealed(SEED), "desk", 9)
    assert code_of(closed, Undone(contest.head.n, "accalmie")) == "contest/closed"


def test_the_closing_is_undone_with_a_new_seed() -> None:
    """Further draws are made from a seed that nobody knows, and `check` verifies each with its own."""
    opened = contest_with_entries(formula_for("rounds", rounds=2), 6)
    contest = play_stage(draw_round(opened), "main", Random(1))
    contest = add(add(contest, Ended("orage"), "desk", 9), Revealed(SEED), "desk", 9)
    n = contest.head.n
    assert code_of(contest, Undone(n, "accalmie")) == "contest/renewal"
    assert code_of(contest, Undone(n, "accalmie", commit(SEED))) == "contest/renewal"
    assert code_of(contest, Undone(n, "accalmie", "x")) == "contest/renewal"
    contest = add(contest, Undone(n, "accalmie", commit("new")), "desk", 9)
    contest = add(contest, Undone(n - 1, "accalmie"), "desk", 9)
    assert contest.commit == commit("new")
    contest = play_stage(draw_round(contest, seed="new"), "main", Random(1))
    assert code_of(contest, Revealed(SEED)) == "contest/other-seed"
    contest = add(contest, Revealed("new"), "desk", 9)
    report = check_log([LogLine.parse(str(line)) for line in contest.lines], None, cheapest_matching)
    assert (report.breaches, report.draws, report.unproven) == ((), 2, 0)


def test_a_seed_revealed_in_round_1_by_an_earlier_version_is_read_and_undone() -> None:
    contest = draw_round(contest_with_entries(FORMULAS["lavardin"], 4))
    early = after(contest, LogLine.after(contest.head, Revealed(SEED), "referee 1", 9))
    assert contest_of(early.lines) == early
    assert not check_log(early.lines, None, cheapest_matching).breaches
    again = add(early, Undone(early.head.n, "trop tôt", commit("new")), "desk", 9)
    assert add(play_to_end(again, Random(1), "new"), Revealed("new"), "desk", 9).seed == "new"


def test_an_erasure_is_an_act_that_is_never_undone() -> None:
    contest = contest_with_entries(FORMULAS["lavardin"], 4)
    assert code_of(contest, Erased(9)) == "contest/no-entry"
    erased = add(contest, Erased(1), "desk", 9)
    assert code_of(erased, Undone(erased.head.n, "erreur")) == "contest/undo-erased"
    assert code_of(erased, Undone(2, "parti")) == "contest/stands-on"
    closed = add(play_to_end(contest, Random(1)), Revealed(SEED), "desk", 9)
    assert add(closed, Erased(1), "desk", 9).seed == SEED
