"""A laptop and its stick with different acts of one contest, at random: from where they part, and one of them taken."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.wild import wild
from chouine.contest import Amended, Entered, ListEntered, LogLine, PrizesSet, Revealed
from chouine.contest.people import Person
from chouine.server.contest.contest_file import create_file
from chouine.server.contest.contest_store import ContestStore

LATER = 10**9
"""Milliseconds by which the laptop does its acts later than the stick does the same, so that no seal is the same."""


def go_on(store: ContestStore, lines: Sequence[LogLine], who: str, later: int = 0) -> None:
    """Do the acts of these lines, with people called after `who`."""
    for line in lines:
        people: Person | dict[int, Person] | None = None
        match line.act:
            case Entered(number=number) | Amended(number=number):
                people = Person(f"{who} {number} {line.n}")
            case ListEntered(entries=entries):
                people = {one.number: Person(f"{who} {one.number} {line.n}") for one in entries}
        store.do(line.act, who, people, line.at + later)


def rename(store: ContestStore, who: str) -> None:
    """Write the first entry's name anew, which an undo would take back."""
    for number in [*store.contest.entrants][:1]:
        act = Amended(number, store.contest.entrants[number].details)
        store.do(act, who, Person(f"{who} renamed"), 2 * LATER)


def contents_of(path: Path) -> tuple[Any, ...]:
    """What a file holds: the acts, the names, the seed, and the names that an undo would bring back."""
    with closing(ContestStore(path)) as store:
        rows = store._file.execute("SELECT * FROM replaced ORDER BY n, number").fetchall()
        return store.contest.lines, dict(store.people), store.seed, rows


@pytest.mark.parametrize("taken", ["laptop", "stick"])
@pytest.mark.parametrize("nth", range(12))
def test_copies_that_part(tmp_path: Path, nth: int, taken: str) -> None:
    """Nothing of the one taken is lost, and the other is kept; either may be ahead, or neither."""
    rng = Random(nth)
    lines = [*wild(nth, most=20)[0].lines]
    lines = lines[: next(at for at, line in enumerate(lines) if isinstance(line.act, Revealed))]
    part = rng.randrange(1, len(lines))
    ours, theirs = (lines[part : part + rng.choice((0, 1, 9, 99))] for _ in "12")
    (tmp_path / "usb").mkdir()
    path, stick = tmp_path / "a.chouine", tmp_path / "usb" / "a.chouine"
    create_file(path, str(lines[0]), str(nth))
    with closing(ContestStore(path, stick)) as laptop:
        go_on(laptop, lines[1:part], "both")
        laptop.copy = None  # the stick has gone to another laptop
        go_on(laptop, ours, "laptop", LATER)
        if ours:
            rename(laptop, "laptop")
        with closing(ContestStore(stick)) as other:
            go_on(other, theirs, "stick")
            if theirs:
                rename(other, "stick")
        laptop.copy = stick
        before = {"laptop": contents_of(path), "stick": contents_of(stick)}
        assert laptop.difference() == tuple(before[which][0][part:] for which in ("laptop", "stick"))
        if taken == "stick":
            laptop.take_copy(tmp_path / "aside.chouine")
            assert contents_of(tmp_path / "aside.chouine") == before["laptop"]
        else:
            laptop.copy_to(stick.parent, apart=True)
            assert laptop.copy == stick or contents_of(stick) == before["stick"]
        assert contents_of(path) == before[taken]
        laptop.do(PrizesSet(()), "desk", at=10**12)
        assert laptop.copied
        assert laptop.copy is not None
        assert contents_of(laptop.copy) == contents_of(path)
