"""Contests of earlier versions: files open unchanged, and draws are the same to the byte."""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copyfile

import pytest

from chouine.contest import FORMULAS, Withdrew, contest_of, draw
from chouine.contest.check import check_log
from chouine.contest.formula import Kind
from chouine.contest.simulate import simulate_contest
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.solver import cheapest_matching

BEFORE = Path(__file__).with_name("before.chouine")
"""Six entries, the first draw and one result, written before the packages of contests became one."""


def test_a_file_of_before_opens_and_goes_on(tmp_path: Path) -> None:
    copyfile(BEFORE, tmp_path / "old.chouine")
    with closing(ContestStore(tmp_path / "old.chouine")) as store:
        head = store.contest.head
        assert (head.n, head.seal[:16]) == (9, "5a957afd2d059e3b")
        assert store.people[2].name == "Joueur B"
        store.do(Withdrew(2), "entry")
        assert store.contest.head.n == 10
        lines = store.contest.lines
    assert draw(contest_of(lines[:7]), "main", "5eed", "Qh", solver=cheapest_matching) == lines[7].act
    assert not check_log(lines, "5eed", cheapest_matching).breaches


@pytest.mark.parametrize(
    ("kind", "entries", "digest"),
    [
        ("lavardin", 21, "efb0919d799583107530804b6ac0b708"),
        ("tree", 21, "215891d90148b5db2c62886fef33c93b"),
        ("poules", 21, "7805760bb9aff8607434494b6023adea"),
        ("rounds", 21, "ba8368ecd60c855530cf3024530cf3c4"),
        ("swiss", 21, "b70cddb2cc9a6502cc45032b322224fc"),
    ],
)
def test_draws_and_seals_are_those_of_before(kind: Kind, entries: int, digest: str) -> None:
    lines = simulate_contest(FORMULAS[kind], entries, "5eed", cheapest_matching).lines
    assert sha256("\n".join(map(str, lines)).encode()).hexdigest()[:32] == digest
