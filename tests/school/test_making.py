"""Problem search: deterministic by seed despite interruptions, and only sound problems are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchmarks.problems import right_acts
from chouine.cards import PACK
from chouine.notation import Record, complete_deal, read_records
from chouine.partie import Deal, Exchange, State
from chouine.rules import Rules
from chouine.rules.play import au_sept
from chouine.school.problems import BadProblem, Problem, read, shipped_problems
from chouine.school.problems.ending import solve_ending
from chouine.school.problems.make import Players, ProblemBatch, draft, fit_difficulty, pack_drafts, read_draft
from chouine.school.problems.shipped import write
from chouine.school.problems.solving import asks, kind_of

RECORDS = Path("tests/records")
PART = ProblemBatch("classic", "ending", 2)


def make_draft(path: Path, part: ProblemBatch = PART, seed: str = "1") -> str:
    for _ in draft(part, path, seed):
        pass
    return path.read_text()


def test_a_break_changes_nothing(tmp_path: Path) -> None:
    at_once = make_draft(tmp_path / "a")
    make_draft(tmp_path / "b", PART._replace(many=1))
    with (tmp_path / "b").open("a") as killed:
        killed.write(at_once.splitlines()[1][:20])
    assert make_draft(tmp_path / "b") == at_once
    assert len(at_once.splitlines()) == 2


def test_quick_ones_are_kept_as_long_as_they_are_wanted(tmp_path: Path) -> None:
    """The third problem of this seed has two acts."""
    for quick, acts in (0, [3, 4, 3]), (1, [3, 4, 2, 3]):
        make_draft(path := tmp_path / str(quick), PART._replace(many=3, quick=quick))
        assert [each.problem.acts for each in read_draft(path)] == acts


def test_what_is_packed_is_read_back(tmp_path: Path) -> None:
    make_draft(PART.path(tmp_path))
    problems = pack_drafts(tmp_path)
    assert sorted(each.problem.id for each in read_draft(PART.path(tmp_path))) == [
        each.id for each in problems
    ]
    path = tmp_path / "problems.jsonl.gz"
    write(path, problems)
    first = path.read_bytes()
    assert list(read(path)) == problems
    write(path, problems)
    assert path.read_bytes() == first


def test_a_damaged_draft_says_where(tmp_path: Path) -> None:
    path = PART.path(tmp_path)
    make_draft(path, PART._replace(many=1))
    good = path.read_bytes()
    for line in (b"17 {", b"17 \xe9t\xe9", b"17 " + b"[" * 100_000):
        path.write_bytes(good + line + b"\n")
        with pytest.raises(BadProblem) as fault:
            pack_drafts(tmp_path)
        assert fault.value.code == "problem/draft"
        assert fault.value.data == {"file": str(path), "line": 2}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "17", '{"id": 1}', '{"kind": "ending"}'])
def test_what_is_no_problem(text: str) -> None:
    with pytest.raises(BadProblem):
        Problem.parse(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"partie": 5},
        {"solution": []},
        {"solution": ["Zz"]},
        {"themes": [3]},
        {"gap": "much"},
        {"solved": 7},
        {"kind": "riddle"},
        {"more": 1},
    ],
)
def test_what_a_field_cannot_hold(wrong: dict[str, object]) -> None:
    told = json.loads(str(shipped_problems()[0]))
    assert str(Problem.parse(json.dumps(told))) == str(shipped_problems()[0])
    with pytest.raises(BadProblem):
        Problem.parse(json.dumps(told | wrong))


def test_an_act_is_right_where_trying_everything_finds_no_other() -> None:
    """In the last tricks of a recorded partie the right acts agree with an independent solver."""
    found = []
    for state in last_tricks(RECORDS / "lavardin.cgn"):
        right, told = right_acts(state), solve_ending(state)
        assert (told and told.best) == (right[0] if len(right) == 1 else None)
        found.append(len(right))
    assert 2 in found  # two neighbouring cards are equal, so neither is the one right act


def last_tricks(path: Path) -> Iterator[State]:
    """States with an empty talon and a choice, from a file of records."""
    with path.open() as lines:
        for record in read_records(lines):
            assert isinstance(record, Record)
            deal = complete_deal(record.deal)
            assert deal is not None
            state = State.new(record.rules, deal)
            for act in record.actions:
                if len(state.legal()) > 1 and kind_of(state.view(state.turn)) == "ending":
                    yield state
                state = state.play(act)


def test_no_problem_where_the_other_seat_could_exchange_first() -> None:
    """§11: A position where the other seat may hold the seven gives no problem: it could exchange first."""
    asked = {True: 0, False: 0}
    for state in before_the_last_lead(200):
        view = state.view(state.turn)
        seven = PACK[8 * state.position.trump]
        elsewhere = seven in view.unseen
        assert asks(view) != elsewhere
        asked[elsewhere] += 1
    assert min(asked.values()) > 0


def before_the_last_lead(parties: int) -> Iterator[State]:
    """Random parties at "au sept"."""
    for seed in range(parties):
        rng = Random(seed)
        state = State.new(Rules(), Deal.random(Rules(), 0, rng))
        while state.position.tricks < state.rule_table.drawing - 1 and state.result is None:
            state = state.play(rng.choice([act for act in state.legal() if act != Exchange()]))
        if state.result is None and au_sept(state.rule_table, state.position):
            yield state


def test_difficulties_are_found_again() -> None:
    """Fitting recovers difficulties from results generated by the model."""
    rng = np.random.default_rng(1)
    ability = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    players = Players(ability, np.array([0.6, 0.8, 1.0, 1.2, 1.4, 2.0]))
    difficulty, attempts = rng.normal(0, 1, 1500), np.full(6, 12)
    shares = rng.binomial(attempts, players.expected_shares(difficulty)) / attempts
    told, found = fit_difficulty(shares, attempts, 5)
    assert np.abs(told.ability - players.ability)[:5].max() < 0.1
    assert np.abs(told.steepness - players.steepness)[:5].max() < 0.1
    assert np.corrcoef(found, difficulty)[0, 1] > 0.9
