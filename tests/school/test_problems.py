"""The shipped problems are sound and distinct, and do not reveal their solutions."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest

from benchmarks.problems import right_acts
from chouine.ai.endgame import solve
from chouine.cards import ALL_CARDS
from chouine.errors import IllegalAction
from chouine.notation import complete_deal, read_action, read_deal, read_position
from chouine.notation.setup import Setup
from chouine.partie import Exchange, Play, State
from chouine.rules import PRESETS
from chouine.school.problems import (
    KINDS,
    Problem,
    choose_problems,
    judge_answer,
    of_the_day,
    own_steps,
    shipped_problems,
)
from chouine.school.problems.ending import WORTH
from chouine.school.problems.make import PLAN, recheck
from chouine.school.problems.mining import canonical_name
from chouine.school.problems.shipped import DAYS, REMEMBERED, choose_practice, remember_solved
from chouine.school.problems.themes import THEMES

ENDINGS = [problem for problem in shipped_problems() if problem.kind == "ending"]
HIDDEN = [problem for problem in shipped_problems() if problem.kind != "ending"]


def some(problems: list[Problem], many: int, seed: int = 1) -> list[Problem]:
    return Random(seed).sample(problems, many)


def test_export_is_in_the_notation() -> None:
    keys = {"id", "line", "seat", "best", "kind", "gap", "themes", "difficulty"}
    for problem in some(ENDINGS, 100) + some(HIDDEN, 100):
        told = json.loads(json.dumps(problem.as_json()))
        assert set(told) == (keys | {"deal"} if told["kind"] == "ending" else keys)
        assert told["kind"] in KINDS
        assert set(told["themes"]) <= set(THEMES)
        assert told["gap"] >= 0.05
        assert told["best"] == [str(problem.best)]
        assert problem.best in problem.view.legal
        setup = read_position(told["line"])
        assert "abcd"[setup.to_act] == told["seat"]
        assert str(setup) == told["line"]


def test_nothing_secret_is_in_its_repr() -> None:
    """A log, a traceback or a notebook may show that."""
    for problem in some(ENDINGS, 5) + some(HIDDEN, 5):
        told = repr(problem)
        assert problem.id in told
        assert "partie=" not in told
        assert not any(
            secret in told for secret in (problem.partie, str(problem.state.deal), str(problem.solution))
        )


def test_a_drawing_has_what_the_solver_may_see() -> None:
    """Open in an ending; else the others' hidden cards are only counted, as in the position line."""
    for problem in some(ENDINGS, 5) + some(HIDDEN, 5):
        svg = problem._repr_svg_()
        shown = read_position(problem.line)
        assert svg == shown.svg()
        cards = set(re.findall(r"-(?:card|index)-(\w\w)", svg))
        hidden = {str(card).lower() for card in problem.view.unseen}
        assert problem.kind == "ending" or not cards & hidden


def test_an_exported_ending_can_be_solved_from_its_line() -> None:
    """An exported ending can be solved from its position line alone, which agrees with its deal."""
    for problem in some(ENDINGS, 60):
        told = problem.as_json()
        setup = read_position(told["line"])
        p, _ = setup.position()
        best, second = solve(setup.rules, p).values[:2]
        assert str(best.action) == told["best"][0]
        assert best.outcome != second.outcome
        assert sum(1 << card for card in setup.known) == ALL_CARDS
        assert complete_deal(read_deal(told["deal"], setup.rules)) == problem.state.deal


def test_endings_solved_by_trying_everything() -> None:
    """Endings have one right act according to an independent solver."""
    for problem in sorted(some(ENDINGS, 40), key=lambda each: -each.state.position.tricks)[:25]:
        assert right_acts(problem.state) == [problem.best]


def test_hidden_problems_stand_in_other_worlds() -> None:
    for problem in some(HIDDEN, 4):
        assert recheck(1024, 11, problem)


def test_no_hidden_card_is_in_a_line() -> None:
    """§14: A position line contains only cards that the seat knows."""
    for problem in HIDDEN:
        known = set(read_position(problem.line).known)
        assert not known & set(problem.view.unseen)
        assert problem.line == str(Setup.of(problem.view))


def test_no_two_are_alike() -> None:
    """Problems are distinct up to permutations of the suits, which ids ignore; a deal gives at most one."""
    assert len({problem.id for problem in shipped_problems()}) == len(shipped_problems())
    for problem in some(ENDINGS, 30) + some(HIDDEN, 30):
        assert problem.id == canonical_name(
            Setup.of(problem.state if problem.kind == "ending" else problem.view)
        )
    deals = {problem.partie.partition(":")[0] for problem in shipped_problems()}
    assert len(deals) == len(shipped_problems())


def test_a_name_is_the_same_whatever_suits_are_called() -> None:
    line = "classic a A.AT.T.A|K.J.7.TK - d - TQ..KQ.Q7|J987.KQ987.AJ98.J98 20d|20c"
    other = "classic a AT.A.T.A|J.K.7.TK - d - .TQ.KQ.Q7|KQ987.J987.AJ98.J98 20d|20c"
    third = "classic a AT.A.T.A|J.K.7.TK - c - .TQ.KQ.Q7|KQ987.J987.AJ98.J98 20d|20c"
    assert (
        canonical_name(read_position(line))
        == canonical_name(read_position(other))
        != canonical_name(read_position(third))
    )


def test_enough_of_every_kind() -> None:
    """With three acts or more; quick ones come besides."""
    presets = Counter(problem.rules.preset for problem in shipped_problems() if not problem.quick)
    assert set(presets) == set(PRESETS)
    assert min(presets.values()) >= 200
    assert presets["classic"] >= 1500
    assert presets.total() >= 3000
    parts = Counter(
        (f"{problem.rules.preset}-{problem.kind}", problem.quick) for problem in shipped_problems()
    )
    assert parts == Counter(
        {(part.name, quick): many for part in PLAN for quick, many in enumerate(part[2:])}
    )


def test_a_wavering_level_misses_each() -> None:
    assert all(min(problem.solved[:5]) <= 0.5 for problem in shipped_problems())


def test_solutions_are_played_by_the_rules_and_end_with_a_choice() -> None:
    for problem in some(ENDINGS, 150) + some(HIDDEN, 150):
        steps = own_steps(problem)
        assert steps[0] == 0
        assert steps[-1] == len(problem.solution) - 1
        answer = judge_answer(problem, read_action(problem.solution[-1]), steps[-1])
        assert answer.accepted
        assert answer.solved


def test_a_right_answer_is_accepted_and_followed() -> None:
    problem = next(problem for problem in ENDINGS if len(own_steps(problem)) > 1)
    answer = judge_answer(problem, problem.best)
    assert answer.accepted
    assert not answer.solved
    assert answer.state.position.turn == problem.seat
    assert list(map(str, answer.reply)) == list(problem.solution[1 : own_steps(problem)[1]])


def test_a_wrong_answer_is_punished() -> None:
    """In endings, a wrong answer lowers the solved outcome, after the reply too."""
    for problem in some(ENDINGS, 30):
        before = solve(problem.rules, problem.state.position).outcome
        for act in problem.state.legal():
            answer = judge_answer(problem, act)
            assert answer.accepted == (act == problem.best)
            if not answer.accepted:
                assert WORTH[outcome_of(answer.state, problem.seat)] < WORTH[before]


def outcome_of(state: State, seat: int) -> str:
    """A seat's outcome under best play, at its turn or at the end."""
    if state.result is None:
        return solve(state.rules, state.position).outcome
    return "tie" if state.result.winner is None else "win" if state.result.winner == seat else "loss"


def test_an_answer_must_be_legal() -> None:
    problem = ENDINGS[0]
    held = problem.state.position.hands[problem.seat]
    foreign = next(Play(card) for card in problem.view.deal.known if not held >> card & 1)
    with pytest.raises(IllegalAction):
        judge_answer(problem, foreign)
    with pytest.raises(IllegalAction):
        judge_answer(problem, Exchange())


def test_the_problem_of_the_day_is_classic_and_harder_from_monday_to_sunday() -> None:
    monday = date(2026, 11, 23)
    days = [of_the_day(shipped_problems(), monday + timedelta(nth)) for nth in range(7 * 130)]
    assert len(set(days)) == len(days), "none comes twice"
    assert {problem.rules.preset for problem in days} == {"classic"}
    assert min(len(problem.view.legal) for problem in days) > 2
    for sooner, later in pairwise(range(7)):
        hardest = max(problem.difficulty for problem in days[sooner::7])
        assert hardest <= min(problem.difficulty for problem in days[later::7])


def test_practice_is_classic_unless_asked_and_quick_ones_are_apart() -> None:
    assert {problem.rules.preset for problem in choose_practice({})} == {"classic"}
    assert {problem.rules.preset for problem in choose_practice({"preset": "four"})} == {"four"}
    assert not [problem for problem in choose_practice({}) if problem.quick]
    assert all(len(problem.view.legal) == 2 for problem in choose_practice({"quick": "1"})[:50])


def test_problems_are_chosen_by_theme_and_difficulty() -> None:
    found = choose_problems(
        shipped_problems(), preset="classic", kind="ending", theme="der", easiest=1400, hardest=1600
    )
    assert found
    for problem in found:
        assert problem.rules.preset == "classic"
        assert "der" in problem.themes
        assert 1400 <= problem.difficulty <= 1600
    assert found == sorted(found, key=lambda problem: (problem.difficulty, problem.id))


def test_only_the_latest_solved_problems_and_days_are_remembered() -> None:
    """The server and the offline copy store the same, however long somebody plays."""
    day = date(2026, 3, 7)
    today = of_the_day(shipped_problems(), day).id
    many = tuple(str(number) for number in range(REMEMBERED))
    before = tuple(day - timedelta(number) for number in range(DAYS, 0, -1))
    assert remember_solved(many, before, today, day) == ((*many[1:], today), (*before[1:], day))
    assert remember_solved(("a", "b"), (), "a", day) == (("b", "a"), ())
