"""Long jobs: the same bytes by any number of processes, going on after an end, errors with their item."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from itertools import count, islice
from operator import truediv
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.errors import ChouineError
from chouine.jobs import Log, crew, do_logged
from tests.patience import wait_until

DATASET = ["dataset", "FOLDER", "--players", "heuristic", "greedy", "--parties", "4000", "--seed", "jobs"]
LAVARDIN = Path("tests/records/lavardin.cgn").read_text(encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def make_dataset(folder: Path, *more: str) -> dict[str, bytes]:
    assert main([*(str(folder) if word == "FOLDER" else word for word in DATASET), *more]) == 0
    return contents(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The data set of two processes, uninterrupted."""
    return make_dataset(tmp_path_factory.mktemp("whole"), "--workers", "2")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_data_set_goes_on_to_the_same_bytes(
    end: signal.Signals, whole: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    words = [str(folder) if word == "FOLDER" else word for word in DATASET]
    started = subprocess.Popen(
        [sys.executable, "-m", "chouine", *words, "--workers", "2", "--language", "en"],
        stderr=subprocess.PIPE,
        text=True,
    )
    log = folder / "_unfinished.jsonl"
    wait_until("the first shard", lambda: log.exists() and log.read_bytes().count(b"\n") >= 2)
    started.send_signal(end)
    _, told = started.communicate()
    assert started.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    assert log.exists()
    if end == signal.SIGINT:
        assert told == "Interrupted. The same command goes on.\n"
    assert make_dataset(folder, "--workers", "1") == whole


def test_an_error_names_its_item() -> None:
    for workers in (1, 2):
        with crew(workers) as computing, pytest.raises(ChouineError) as raised:
            list(computing(refuse_three, range(9)))
        assert raised.value.code == "arena/pool"
        assert raised.value.__notes__ == ["3"]


def refuse_three(number: int) -> int:
    if number == 3:
        raise ChouineError("arena/pool")
    return number


def test_another_error_names_its_item() -> None:
    with crew(1) as computing, pytest.raises(ZeroDivisionError) as raised:
        list(computing(partial(truediv, 1), [1, 0]))
    assert raised.value.__notes__ == ["item: 0"]


def test_the_end_of_a_process_names_its_item() -> None:
    with crew(2) as computing, pytest.raises(ChouineError) as raised:
        list(computing(end_at_three, range(9)))
    assert raised.value.code == "jobs/worker-ended"
    assert raised.value.__notes__ == ["3"]


def end_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_an_endless_job_is_computed_a_little_ahead(workers: int) -> None:
    numbers = count(1)
    with crew(workers) as computing:
        assert list(islice(computing(abs, numbers), 20)) == list(range(1, 21))
    assert next(numbers) <= 21 + 4 * workers


def test_a_logged_job_computes_nothing_twice(tmp_path: Path) -> None:
    asked: list[int] = []

    def doubled(number: int) -> int:
        asked.append(number)
        return 2 * number

    def run(items: range, **settings: int) -> list[int]:
        with crew(1) as computing:
            return list(do_logged(computing, doubled, items, Log(tmp_path / "log", settings)))

    assert run(range(3)) == [0, 2, 4]
    with (tmp_path / "log").open("a") as log:
        log.write('{"item":"half')
    assert run(range(5)) == [0, 2, 4, 6, 8]
    assert asked == [0, 1, 2, 3, 4]
    for items, settings in ((range(1, 5), {}), (range(3), {}), (range(5), {"seed": 2})):
        with pytest.raises(ChouineError) as raised:
            run(items, **settings)
        assert raised.value.code == "jobs/other"
    assert asked == [0, 1, 2, 3, 4]


def test_a_file_of_records_is_analysed_the_same_by_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Errors stay in their places; with a log the analyses are printed again and the others follow."""
    file, log = tmp_path / "parties.cgn", tmp_path / "log"
    entries = [LAVARDIN, '[Rules "nonsense"]\n\n 1. Qs\n\n', LAVARDIN.replace("Championnat", "Coupe")]
    command = ["analyse", str(file), "--worlds", "20", "--language", "en", "--json"]
    file.write_text("\n".join(entries))
    assert main([*command, "--workers", "1"]) == 1
    told = capsys.readouterr()
    assert [json.loads(line)["partie"] for line in told.out.splitlines()] == [1, 3]
    file.write_text(entries[0])
    assert main([*command, "--log", str(log)]) == 0
    assert capsys.readouterr().out == told.out.splitlines(keepends=True)[0]
    file.write_text("\n".join(entries))
    assert main([*command, "--workers", "2", "--log", str(log)]) == 1
    assert capsys.readouterr() == told
    assert len(log.read_text().splitlines()) == 4
    assert main([*command[:2], "--worlds", "30", "--log", str(log), "--language", "en"]) == 2
    assert "another job" in capsys.readouterr().err
