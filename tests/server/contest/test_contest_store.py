"""A contest's file is durable and has a copy, and names can be erased."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from random import Random

import pytest

from benchmarks.crashes import stop
from chouine.contest import (
    FORMULAS,
    ActRefused,
    Amended,
    Contest,
    ContestOpened,
    Details,
    Ended,
    Entered,
    Erased,
    Paid,
    Revealed,
    Undone,
    commit,
)
from chouine.contest.people import Person, details_of
from chouine.server.contest.contest_store import ContestStore, resume
from chouine.server.contest.folders import copy_places
from tests.patience import takes_less_than

OPENED = ContestOpened(FORMULAS["lavardin"], commit("seed"), "Lavardin")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    with closing(
        ContestStore.create(tmp_path / "a.concours", OPENED, "seed", "desk", tmp_path / "stick.concours")
    ) as store:
        yield store


def contents_of(path: Path) -> tuple[Contest, dict[int, Person], str]:
    """The contents of a file."""
    with closing(ContestStore(path)) as store:
        return store.contest, dict(store.people), store.seed


def test_acts_are_found_again(store: ContestStore) -> None:
    store.do(Entered(1), "entry", Person("Jeanne Péan", "Lavardin"))
    store.do(Paid(1, 1200), "entry")
    assert contents_of(store.path) == (store.contest, {1: Person("Jeanne Péan", "Lavardin")}, "seed")


def test_a_refusal_leaves_all_as_it_was(store: ContestStore) -> None:
    store.do(Entered(1), "entry")
    for act in (Entered(1), Paid(2, 5), Undone(9, "")):
        with pytest.raises(ActRefused):
            store.do(act, "entry", Person("X"))
    assert store.contest.head.n == 2
    assert contents_of(store.path) == (store.contest, {}, "seed")


def test_what_the_disk_does_not_take_is_refused(store: ContestStore) -> None:
    """An act on a full disk is refused as a whole; the desk continues once space is free."""
    store.do(Entered(1), "entry", Person("A"))
    before = store.contest
    (pages,) = store._file.execute("PRAGMA page_count").fetchone()
    store._file.execute(f"PRAGMA max_page_count = {pages}")
    for _ in range(2):
        with pytest.raises(ActRefused) as refused:
            store.do(Entered(2), "entry", Person("B" * 9000))
        assert refused.value.code == "contest/disk"
        assert store.contest == before
        assert dict(store.people) == {1: Person("A")}
    store._file.execute("PRAGMA max_page_count = 100000")
    store.do(Entered(2), "entry", Person("B" * 9000))
    assert contents_of(store.path)[:2] == (store.contest, store.people)


def test_an_act_is_made_of_the_contest_as_it_then_is(store: ContestStore) -> None:
    """Twenty concurrent entries get different numbers."""
    with ThreadPoolExecutor(20) as doors:
        made = doors.map(
            lambda nth: store.do(lambda now: Entered(now.next_number), "entry", Person(f"P{nth}")), range(20)
        )
        assert {contest.head.n for contest in made} == set(range(2, 22))
    assert len({person.name for person in store.people.values()}) == 20


def test_two_desks_on_one_file_follow_one_another(store: ContestStore) -> None:
    with closing(ContestStore(store.path)) as other:
        store.do(Entered(1), "one", Person("A"))
        with pytest.raises(ActRefused) as refused:
            other.do(Entered(1), "two")
        assert refused.value.code == "contest/number-taken"
        other.do(Entered(2), "two", Person("B"))
        assert store.do(Paid(2, 100), "one").head.n == 4
        assert store.people == other.people


def test_the_copy_follows_goes_away_and_comes_back(store: ContestStore) -> None:
    assert store.copied
    assert store.copy is not None
    away = store.copy.with_name("pocket")
    store.copy.rename(away)
    store.copy.mkdir()  # makes the copy impossible to write
    store.do(Entered(1), "entry", Person("A"))
    assert not store.copied
    store.copy.rmdir()
    away.rename(store.copy)
    store.do(Entered(2), "entry", Person("B"))
    assert store.copied
    assert contents_of(store.copy) == contents_of(store.path)


def test_a_copy_that_went_on_is_left_alone(store: ContestStore) -> None:
    assert store.copy is not None
    with closing(ContestStore(store.copy)) as elsewhere:
        elsewhere.do(Entered(1), "elsewhere", at=7)
    store.do(Entered(1), "here")
    assert not store.copied
    assert contents_of(store.copy)[0].head.by == "elsewhere"


def test_a_stick_keeps_the_files_of_other_contests(store: ContestStore, tmp_path: Path) -> None:
    """The trial of the evening before has the contest's name and stays on the stick, as does what went on elsewhere."""
    stick = tmp_path / "usb"
    stick.mkdir()
    ContestStore.create(stick / store.path.name, OPENED, "seed", "trial").close()
    store.copy_to(stick)
    assert store.copied
    assert store.copy == stick / "a-2.concours"
    store.copy_to(stick)
    assert store.copy == stick / "a-2.concours"
    with closing(ContestStore(store.copy)) as elsewhere:
        elsewhere.do(Entered(1), "elsewhere", at=7)
    store.copy_to(stick)
    assert store.copy_fault == "contest/copy-other"
    store.copy_to(stick, apart=True)
    assert store.copied
    assert contents_of(stick / "a-3.concours")[0] == store.contest


def test_why_there_is_no_copy(store: ContestStore, tmp_path: Path) -> None:
    """A full or locked stick is not a stick that was pulled out. Here the copy takes no more lines."""
    stick = tmp_path / "usb"
    stick.mkdir()
    store.copy_to(stick)
    with closing(sqlite3.connect(stick / "a.concours")) as copy:
        copy.execute("CREATE TRIGGER full BEFORE INSERT ON line BEGIN SELECT raise(ABORT, 'full'); END")
    store.do(Entered(1), "here")
    assert store.copy_fault == "contest/copy-refused"
    shutil.rmtree(stick)
    store.do(Entered(2), "here")
    assert store.copy_fault == "contest/copy-away"


def test_a_copy_that_another_program_holds_keeps_nobody_waiting(store: ContestStore) -> None:
    assert store.copy is not None
    with closing(sqlite3.connect(store.copy, isolation_level=None)) as holding:
        holding.execute("BEGIN EXCLUSIVE")
        numbers = count(1)

        def enter() -> float:
            began = time.monotonic()
            store.do(Entered(next(numbers)), "here")
            return time.monotonic() - began

        assert takes_less_than(5, enter)
        assert store.copy_fault == "contest/copy-refused"
    store.do(Entered(next(numbers)), "here")
    assert store.copied


def test_a_contest_is_not_its_own_copy(store: ContestStore) -> None:
    """Nor is a disk offered for the copy on which the contest is."""
    with pytest.raises(ActRefused, match="another disk"):
        store.copy_to(store.path.parent)
    with pytest.raises(ActRefused, match="another disk"):
        ContestStore(store.path, store.path)
    stick, other = store.path.parent, store.path.parent / "other"
    assert copy_places([stick, other], stick / "Chouine") == [other]


def test_a_stick_that_is_gone_leaves_a_folder(
    store: ContestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is copied into the folder in which the stick was mounted."""
    stick, mounts = tmp_path / "usb", {tmp_path / "usb"}
    stick.mkdir()
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) in mounts)
    store.copy_to(stick)
    shutil.rmtree(stick)
    mounts.clear()
    stick.mkdir()
    store.do(Entered(1), "here")
    assert store.copy_fault == "contest/copy-away"
    assert not list(stick.iterdir())
    mounts.add(stick)
    store.do(Entered(2), "here")
    assert store.copied


def test_resumed_on_another_laptop(store: ContestStore, tmp_path: Path) -> None:
    store.do(Entered(1), "entry", Person("A"))
    store.path.unlink()
    assert store.copy is not None
    with closing(resume(store.copy, tmp_path / "b.concours")) as taken:
        assert taken.contest == store.contest
        taken.do(Entered(2), "entry")
        assert taken.copied
    with pytest.raises(ActRefused):
        resume(store.copy, tmp_path / "b.concours")


@pytest.mark.parametrize("damage", ["cut short", "overwritten", "forged"])
def test_a_damaged_copy_is_taken_up_nowhere(store: ContestStore, tmp_path: Path, damage: str) -> None:
    """A damaged copy cannot be resumed, and the attempt leaves no file behind."""
    for number in range(1, 40):
        store.do(Entered(number), "entry", Person(f"P{number}"))
    assert store.copy is not None
    whole = store.copy.read_bytes()
    if damage == "forged":
        with closing(sqlite3.connect(store.copy)) as file:
            file.execute(
                'UPDATE line SET text = replace(text, \'"by":"entry"\', \'"by":"desk"\') WHERE n = 5'
            )
            file.commit()
    else:
        store.copy.write_bytes(whole[:9000] + (b"" if damage == "cut short" else b"x" * 9000 + whole[18000:]))
    folder = tmp_path / "Chouine"
    folder.mkdir()
    with pytest.raises(ActRefused):
        resume(store.copy, folder / "a.chouine")
    assert not list(folder.iterdir())
    store.copy.write_bytes(whole)
    resume(store.copy, folder / "a.chouine").close()


def test_a_name_erased_is_in_no_byte_of_the_file_nor_of_the_copy_once_closed(store: ContestStore) -> None:
    assert store.copy is not None
    for number, name in enumerate(("Jeanne Unique", "B"), 1):
        store.do(Entered(number), "entry", Person(name))
    seals = [line.seal for line in store.contest.lines]
    assert b"Jeanne Unique" in store.path.read_bytes()
    store.do(Erased(1), "desk")
    assert b"Jeanne Unique" not in store.path.read_bytes()
    assert b"Jeanne Unique" in store.copy.read_bytes()
    assert store.kept_name(1) == Person("Jeanne Unique")
    assert [line.seal for line in contents_of(store.path)[0].lines][: len(seals)] == seals
    assert contents_of(store.copy)[1] == {2: Person("B")}
    store.do(Ended("orage"), "desk")
    store.do(Revealed("seed"), "desk")
    assert b"Jeanne Unique" not in store.path.read_bytes() + store.copy.read_bytes()
    assert store.kept_name(1) is None
    store.do(Erased(2), "desk")
    assert not contents_of(store.copy)[1]


def test_undoing_a_correction_brings_the_name_back(store: ContestStore) -> None:
    """On another laptop too; of two corrections each brings back what it replaced, in either order."""
    first, second, third = Person("Jeanne Péan", "Troo"), Person("Jane Péan"), Person("X")
    store.do(Entered(1), "entry", first)
    for person in (second, third):
        store.do(Amended(1, Details()), "entry", person)
    store.do(Undone(3, "faute"), "referee")
    assert store.people == {1: third}
    assert store.copy is not None
    store.update_copy()
    with closing(resume(store.copy, store.path.with_name("b.concours"))) as taken:
        taken.do(Undone(4, "faute"), "referee")
        assert contents_of(taken.path)[1] == {1: first}
        taken.do(Amended(1, Details()), "entry", second)
        taken.do(Ended("orage"), "desk")
        taken.do(Revealed("seed"), "desk")
        assert b"Jeanne" not in taken.path.read_bytes() + store.copy.read_bytes()


def test_villages_are_numbers_in_the_log(store: ContestStore) -> None:
    for number, village in enumerate(("Montoire", "", " montoire", "Lavardin"), 1):
        person = Person(f"P{number}", village)
        store.do(Entered(number, details_of(person, store.people, store.contest)), "entry", person)
    assert [entrant.details.village for entrant in store.contest.entrants.values()] == [1, 0, 1, 4]


@pytest.mark.parametrize("damage", ["null", "5", "[[[", '{"name": 5}', "[" * 20_000])
@pytest.mark.parametrize("column", ["line", "person"])
def test_a_line_or_a_name_of_another_shape_is_no_contest(
    store: ContestStore, column: str, damage: str
) -> None:
    store.do(Entered(1), "entry", Person("A"))
    with closing(sqlite3.connect(store.path)) as file, file:
        file.execute(f"UPDATE {column} SET text = ?", (damage,))  # noqa: S608  # one of two words
    with pytest.raises(ActRefused):
        ContestStore(store.path)
    with closing(sqlite3.connect(store.path, timeout=0)) as file, file:
        file.execute("DELETE FROM line")  # the file is not left locked


def test_a_damaged_file_is_no_contest(store: ContestStore) -> None:
    """A damaged byte raises `ActRefused` or nothing; another error would block the list of the whole folder."""
    whole = store.path.read_bytes()
    damaged = store.path.with_name("damaged.chouine")
    for place in range(0, 4096, 7):
        damaged.write_bytes(whole[:place] + b"\x8e" + whole[place + 1 :])
        with suppress(ActRefused):
            ContestStore(damaged).close()


def test_what_is_no_contest(tmp_path: Path) -> None:
    text = tmp_path / "x"
    text.write_text("Bonjour. " * 1000)
    for path, code in ((text, "contest/no-contest"), (tmp_path / "none", "contest/no-file")):
        with pytest.raises(ActRefused) as refused:
            ContestStore(path)
        assert refused.value.code == code


WRITER = """
import sys
from pathlib import Path
from chouine.contest.people import Person
from chouine.server.contest.contest_store import ContestStore
from chouine.contest import Entered
store = ContestStore(Path(sys.argv[1]), Path(sys.argv[2]))
print("ready", flush=True)
while True:
    number = store.contest.next_number
    store.do(Entered(number), "entry", Person(f"P{number}"))
    print(number, flush=True)
"""


@pytest.mark.parametrize("cut", ["kill", "power"])
def test_what_was_acknowledged_survives(store: ContestStore, tmp_path: Path, cut: str) -> None:
    """Acknowledged acts survive `kill -9` and, as in a power cut, copying the files at a random moment."""
    rng, acknowledged = Random(cut), 0
    for nth in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(store.path), str(store.copy)],
            stdout=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            if nth == 2:  # on a busy machine none may be acknowledged within the random times
                acknowledged = int(writer.stdout.readline())
            time.sleep(rng.uniform(0.01, 0.3))
            if cut == "power":
                stop(writer.pid)
                shutil.copytree(tmp_path, tmp_path.with_name("after"), dirs_exist_ok=True)
            writer.kill()
            acknowledged = max([acknowledged, *map(int, writer.stdout.read().split())])
        folder = tmp_path.with_name("after") if cut == "power" else tmp_path
        began = time.monotonic()
        contest, people, _ = contents_of(folder / store.path.name)
        assert time.monotonic() - began < 5
        assert contest.next_number > acknowledged
        assert len(people) == len(contest.entrants)
        shutil.rmtree(tmp_path.with_name("after"), ignore_errors=True)
    assert acknowledged
