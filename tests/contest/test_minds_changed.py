"""Settings changed until a step has used them; joining late and skipping a round; a latecomer's table."""

from __future__ import annotations

import pytest

from chouine.contest import (
    Changed,
    Contest,
    ContestAct,
    ContestOpened,
    Details,
    Entered,
    Present,
    ResultEntered,
    Score,
    TableForfeited,
    Undone,
    add,
    commit,
    contest_of,
    draw,
    formula_for,
    ranking,
)
from chouine.contest.chance import Chance
from chouine.contest.check import check_log
from chouine.contest.entering import latecomer_swap, may_skip
from chouine.contest.formula import Kind
from chouine.contest.log import LogLine
from chouine.contest.views import absentees, debt, entries_open, is_over, totals
from tests.contest.playing import code_of

SEED = "5eed"


def contest_with_entries(kind: Kind = "lavardin", entries: int = 0, **choices: object) -> Contest:
    act = ContestOpened(formula_for(kind, **choices), commit(SEED), "Troo", 1000)  # type: ignore[arg-type]
    contest = add(None, act, "desk", 0)
    for number in range(1, entries + 1):
        contest = do(contest, Entered(number))
    return contest


def do(contest: Contest, *acts: ContestAct) -> Contest:
    for act in acts:
        contest = add(contest, act, "desk", 0)
    return contest


def draw_round(contest: Contest, stage: str = "main") -> Contest:
    return do(contest, draw(contest, stage, SEED, "Qh"))  # type: ignore[arg-type]


def with_all_results(contest: Contest) -> Contest:
    for table in contest.main[-1].open:
        won = (contest.main[-1].match.manches, 0)
        contest = do(contest, ResultEntered("main", len(contest.main), table.number, Score.of(won)))
    return contest


def settings(
    contest: Contest, fee: int = 1000, rooms: tuple[tuple[str, int], ...] = (), **choices: object
) -> Changed:
    formula = formula_for(**{"kind": contest.formula.kind, **choices})  # type: ignore[arg-type]
    return Changed(formula, "Lavardin", fee, 500, rooms)


def test_everything_changes_before_the_draw_and_an_undo_takes_it_back() -> None:
    contest = contest_with_entries(entries=4)
    other = do(contest, settings(contest, 1200, (("Bar", 4),), kind="swiss", rounds=4, apart=("village",)))
    assert (other.opened.title, other.opened.fee, other.opened.rooms) == ("Lavardin", 1200, (("Bar", 4),))
    assert (other.formula.kind, other.formula.rounds) == ("swiss", 4)
    assert totals(other).due == 4800
    back = do(other, Undone(other.head.n, "non"))
    assert back.opened == contest.opened
    assert contest_of([LogLine.parse(str(line)) for line in back.lines]) == back
    assert not check_log(draw_round(other).lines, SEED).breaches


def test_what_a_step_has_used_stays() -> None:
    contest = draw_round(contest_with_entries(entries=4))
    assert code_of(contest, settings(contest, kind="tree")) == "contest/fixed-draw"
    assert code_of(contest, settings(contest, apart=("family",))) == "contest/fixed-draw"
    assert code_of(contest, settings(contest, matches=("5",))) == "contest/fixed-match"
    assert code_of(contest, settings(contest, rooms=(("Bar", 9),))) == "contest/fixed-rooms"
    assert code_of(contest, settings(contest, fee=-1)) == "contest/opening"
    contest = do(contest, settings(contest, 900, matches=("3x2", "5"), consolante="none"))
    contest = do(
        with_all_results(contest),
        settings(contest, rooms=(("Bar", 9),), matches=("3x2", "5"), consolante="first"),
    )
    assert str(draw_round(contest).main[1].match) == "5x1"
    contest = draw_round(contest, "consolante")
    assert (
        code_of(contest, settings(contest, matches=("3x2", "5"), consolante="none"))
        == "contest/fixed-consolante"
    )


def test_undoing_a_change_is_refused_where_changing_back_would_be() -> None:
    """Rounds became Swiss and were drawn so; with the change undone they would be draws of another format."""
    contest = contest_with_entries("rounds", 6)
    contest = draw_round(do(contest, settings(contest, kind="swiss")))
    assert code_of(contest, Undone(8, "non")) == "contest/fixed-draw"
    price = do(contest, settings(contest, 1200, kind="swiss"))
    assert do(price, Undone(price.head.n, "non")).opened == contest.opened


def test_an_evening_ends_after_fewer_rounds() -> None:
    contest = with_all_results(draw_round(with_all_results(draw_round(contest_with_entries("rounds", 6)))))
    assert not is_over(contest)
    assert code_of(contest, settings(contest, rounds=1)) == "contest/fixed-rounds"
    assert is_over(do(contest, settings(contest, rounds=2)))


@pytest.mark.parametrize("kind", ["rounds", "swiss"])
def test_at_an_evening_one_joins_later_or_skips_a_round(kind: Kind) -> None:
    """Whoever skips comes back, still owes, and keeps a rank; the last round's draw ends it."""
    contest = draw_round(contest_with_entries(kind, 6, rounds=3))
    assert code_of(contest, Present(1, here=False)) == "contest/drawn-already"
    contest = with_all_results(contest)
    assert may_skip(contest, 1)
    contest = draw_round(do(contest, Entered(7), Present(1, here=False)))
    assert set(contest.main[1].players) == {2, 3, 4, 5, 6, 7}
    assert debt(contest, contest.entrants[1]) == 1000
    contest = do(contest, Present(1, here=True), Entered(8))
    assert entries_open(contest)
    contest = draw_round(with_all_results(contest))
    assert set(contest.main[2].players) == set(range(1, 9))
    assert not entries_open(contest)
    assert code_of(contest, Entered(9)) == "contest/entries-closed"
    assert {one.number for one in ranking(contest)} == set(range(1, 9))
    assert not check_log(contest.lines, SEED).breaches


def late(contest: Contest, number: int, family: int = 0) -> Contest:
    """The contest after a latecomer has been given a table."""
    contest = do(contest, Entered(number, Details(family=family)))
    swap = latecomer_swap(contest, number, Chance("late", str(number)), "retard")
    return do(contest, swap) if swap else contest


def test_a_latecomer_is_never_exempt_before_those_who_came() -> None:
    """One of those, by chance, is exempt instead; the next latecomer plays that one."""
    contest = late(draw_round(contest_with_entries(entries=6)), 7)
    (exempt,) = contest.main[0].exempt
    assert exempt in range(1, 7)
    contest = late(contest, 8)
    assert contest.main[0].exempt == ()
    seat = contest.main[0].table_of(8)
    assert seat is not None
    assert exempt in seat.players
    contest = late(contest, 9)
    assert contest.main[0].exempt[0] in range(1, 7)
    assert {
        late(draw_round(contest_with_entries(entries=20)), 21 + nth).main[0].exempt for nth in range(9)
    } != {(1,)}


def test_a_latecomer_is_kept_from_the_family() -> None:
    contest = contest_with_entries(entries=0, apart=("family",))
    contest = do(contest, *(Entered(n, Details(family=5 if n == 7 else 0)) for n in range(1, 8)))
    for _ in range(40):  # until the one of family 5 is exempt
        contest = draw_round(contest)
        if contest.main[0].exempt == (7,):
            break
        contest = do(contest, Undone(contest.head.n, "encore"))
    assert contest.main, "seven is never exempt in forty draws"
    contest = late(contest, 8, family=5)
    table = contest.main[0].table_of(8)
    assert table is not None
    assert not table.exempt
    assert 7 not in table.players
    assert not contest.main[0].exempt


def test_a_latecomer_keeps_the_table_where_nothing_else_is_left() -> None:
    """Once all other tables have played there is nobody to change with."""
    contest = draw_round(contest_with_entries(entries=5))
    for table in contest.main[0].open[:1]:
        contest = do(contest, ResultEntered("main", 1, table.number, Score.of((2, 0))))
    contest = late(contest, 6)
    seat = contest.main[0].table_of(6)
    assert seat is not None
    assert not seat.exempt


def test_who_forfeited_is_asked_about_before_the_consolante() -> None:
    contest = draw_round(contest_with_entries(entries=6))
    first = contest.main[0].played[0]
    contest = do(contest, TableForfeited("main", 1, first.number, first.players[0]))
    contest = with_all_results(contest)
    assert absentees(contest) == (first.players[0],)
    assert absentees(draw_round(contest, "consolante")) == ()
