"""A duel's log and records: an interrupted duel continues, with the same result as an uninterrupted one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chouine.arena.duel import DuelRun
from chouine.arena.pairs import Duel, play_pair
from chouine.arena.score import Sprt
from chouine.errors import ChouineError
from chouine.jobs.crews import Item, Result
from chouine.notation.reader import read_records
from chouine.notation.records import Record

DUEL = Duel("greedy", "random", recorded=True)


class Crew:
    """Plays locally and records the numbers of the pairs it was asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, task: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        for item in items:
            assert isinstance(item, int)
            self.asked.append(item)
            yield task(item)


def lines_without_times(log: Path) -> list[str]:
    """A log's lines without times."""
    return [line.partition('"micros"')[0] for line in log.read_text().splitlines()]


def contest(folder: Path, name: str, pairs: int, duel: Duel = DUEL, sprt: Sprt | None = None) -> DuelRun:
    return DuelRun(duel, pairs, sprt, folder / f"{name}.jsonl", folder / f"{name}.cgn")


@pytest.fixture
def whole(tmp_path: Path) -> DuelRun:
    """Eight pairs played without interruption."""
    done = contest(tmp_path, "whole", 8)
    assert len(list(done.play(Crew()))) == 8
    return done


@pytest.mark.parametrize("broken", [b"", b'{"pair":5,"outc', b'{"pair":5,"outcomes":[1,1]}'])
def test_it_goes_on_where_it_was(tmp_path: Path, whole: DuelRun, broken: bytes) -> None:
    """A duel continues after an interruption between saving and logging pair 5, or in the middle of logging."""
    first = contest(tmp_path, "again", 5)
    list(first.play(Crew()))
    assert first.log is not None
    assert first.save is not None
    with first.log.open("ab") as log, first.save.open("a") as save:
        log.write(broken)
        save.write(play_pair(DUEL, 5).records[0])
    crew, second = Crew(), contest(tmp_path, "again", 8)
    list(second.play(crew))
    assert crew.asked == [5, 6, 7]
    assert second.score == whole.score
    assert (tmp_path / "again.cgn").read_text() == (tmp_path / "whole.cgn").read_text()
    assert lines_without_times(tmp_path / "again.jsonl") == lines_without_times(tmp_path / "whole.jsonl")


def test_the_first_pair_is_not_saved_twice(tmp_path: Path, whole: DuelRun) -> None:
    """After an interruption between saving and logging pair 0 it is saved once; earlier content of the file stays."""
    first = contest(tmp_path, "again", 1)
    assert first.log is not None
    assert first.save is not None
    first.save.write_text("; mine\n")
    list(first.play(Crew()))
    first.log.write_text(first.log.read_text().splitlines(keepends=True)[0])
    list(contest(tmp_path, "again", 8).play(Crew()))
    assert first.save.read_text() == "; mine\n" + (tmp_path / "whole.cgn").read_text()


def test_records_of_others_behind_ours_are_left_alone(tmp_path: Path) -> None:
    """Two duels append to one file; the first is called again when it is over, and to go on."""
    first, other = contest(tmp_path, "one", 2), contest(tmp_path, "other", 3)
    other.duel, other.save = replace(DUEL, b="random"), first.save
    assert first.save is not None
    list(first.play(Crew()))
    list(other.play(Crew()))
    both = first.save.read_text()
    for pairs in (2, 3):
        list(contest(tmp_path, "one", pairs).play(Crew()))
        assert first.save.read_text().startswith(both)
    assert first.save.read_text() == both + "".join(f"{r}\n\n" for r in play_pair(DUEL, 2).records)


@pytest.mark.parametrize(
    "change",
    [
        {"a": DUEL.b, "b": DUEL.a},
        {"seed": "other"},
        {"rules": "classic;head=always"},
        {"seconds": (9.0, 9.0)},
        {"names": ("one", "other")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_records_of_others_are_left_alone_before_the_first_pair(
    change: dict[str, Any], tmp_path: Path
) -> None:
    """A duel that was interrupted at once, and another whose pair has the number of its next one."""
    first, other = contest(tmp_path, "one", 1), contest(tmp_path, "other", 1)
    other.duel, other.save = replace(DUEL, **change), first.save
    assert first.save is not None
    assert first.log is not None
    list(first.play(Crew()))
    first.log.write_text(first.log.read_text().partition("\n")[0] + "\n")
    first.save.write_text("")
    list(other.play(Crew()))
    theirs = first.save.read_text()
    list(contest(tmp_path, "one", 1).play(Crew()))
    assert first.save.read_text().startswith(theirs)


def test_every_partie_is_saved(whole: DuelRun, tmp_path: Path) -> None:
    entries = list(read_records(io.StringIO((tmp_path / "whole.cgn").read_text())))
    assert all(isinstance(entry, Record) for entry in entries)
    assert len(entries) == 16
    won = [entry.result.winner == nth % 2 for nth, entry in enumerate(entries) if isinstance(entry, Record)]
    assert sum(won) == whole.score.wins


def test_nothing_is_played_twice(tmp_path: Path, whole: DuelRun) -> None:
    crew, again = Crew(), contest(tmp_path, "whole", 8)
    assert list(again.play(crew)) == []
    assert not crew.asked
    assert again.score == whole.score
    assert again.seconds == whole.seconds
    fewer = contest(tmp_path, "whole", 3)
    assert list(fewer.play(crew)) == []
    assert fewer.score.pairs == 3


def test_records_go_behind_those_there(tmp_path: Path) -> None:
    done = contest(tmp_path, "more", 1)
    assert done.save is not None
    done.save.write_text("; mine\n")
    list(done.play(Crew()))
    assert done.save.read_text() == "; mine\n" + "".join(f"{r}\n\n" for r in play_pair(DUEL, 0).records)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("my diary\nof a day\n", "arena/no-log"),
        ("my diary", "arena/no-log"),
        ("[1]\n", "arena/no-log"),
        ('{"duel":{"a":"random"},"saved":0}\n', "arena/other-duel"),
        ('{"duel":{"a":"random"}}\n', "arena/no-log"),
        ("{HEAD}\n[]\n", "arena/bad-line"),
        (
            '{HEAD}\n{"pair":1,"outcomes":[1,1],"micros":[[],[]],"faults":[],"luck":[],"saved":0}\n',
            "arena/bad-line",
        ),
        (
            '{HEAD}\n{"pair":0,"outcomes":[1,2],"micros":[[],[]],"faults":[],"luck":[],"saved":0}\n',
            "arena/bad-line",
        ),
        (
            '{HEAD}\n{"pair":0,"outcomes":[1],"micros":[[],[]],"faults":[],"luck":[],"saved":0}\n',
            "arena/bad-line",
        ),
        (
            '{HEAD}\n{"pair":0,"outcomes":[1,1],"micros":[[],[]],"faults":[],"luck":[],"saved":-9}\n',
            "arena/bad-line",
        ),
        (
            '{HEAD}\n{"pair":0,"outcomes":[1,1],"micros":[[],[]],"faults":[],"luck":[],"saved":9}\n',
            "arena/lost-records",
        ),
    ],
)
def test_a_file_that_is_no_log_of_this_duel_is_left_alone(tmp_path: Path, text: str, code: str) -> None:
    list(contest(tmp_path, "head", 1).play(Crew()))
    head = (tmp_path / "head.jsonl").read_text().splitlines()[0]
    log = tmp_path / "bad.jsonl"
    log.write_text(text.replace("{HEAD}", head))
    before = log.read_text()
    with pytest.raises(ChouineError) as raised:
        list(contest(tmp_path, "bad", 2).play(Crew()))
    assert raised.value.code == code
    assert log.read_text() == before


def test_the_log_of_another_version_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its players may have played otherwise."""
    list(contest(tmp_path, "old", 1).play(Crew()))
    monkeypatch.setattr("chouine.arena.duel.__version__", "0.0.9")
    with pytest.raises(ChouineError) as raised:
        list(contest(tmp_path, "old", 2).play(Crew()))
    assert raised.value.code == "arena/other-duel"


def test_a_log_broken_off_at_its_head_is_begun_anew(tmp_path: Path) -> None:
    log = tmp_path / "whole.jsonl"
    log.write_text('{"duel":{"a":"gre')
    crew, done = Crew(), contest(tmp_path, "whole", 2)
    list(done.play(crew))
    assert crew.asked == [0, 1]
    assert len(log.read_text().splitlines()) == 3


def test_a_verdict_ends_it_and_stays(tmp_path: Path) -> None:
    """The sequential test's verdict ends the duel; resuming from the log plays nothing and gives the same verdict."""
    first = contest(tmp_path, "test", 500, sprt=Sprt(0, 50))
    list(first.play(Crew()))
    assert first.verdict == "better"
    assert 5 < first.score.pairs < 200
    crew, again = Crew(), contest(tmp_path, "test", 500, sprt=Sprt(0, 50))
    list(again.play(crew))
    assert not crew.asked
    assert (again.verdict, again.score) == (first.verdict, first.score)
