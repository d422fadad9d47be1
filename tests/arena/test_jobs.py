"""Long jobs: the same bytes by any number of processes, going on after an end, errors with their item."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from errno import EACCES, ENOLCK, ENOSPC, EROFS
from functools import partial
from itertools import count, islice
from operator import truediv
from pathlib import Path
from typing import IO, Any

import pytest

from chouine.cli import main
from chouine.errors import ChouineError
from chouine.files import errors_of
from chouine.jobs import Log, Progress, crew, do_logged, in_this_process
from chouine.jobs.crews import AHEAD
from chouine.jobs.process_pool import Worker
from tests.patience import wait_until

DATASET = ["dataset", "FOLDER", "--players", "heuristic", "greedy", "--parties", "3000", "--seed", "jobs"]
CALL = "import sys; from chouine.cli import main; sys.exit(main())"
ENDED = (
    "import os; from chouine.jobs import Log; add = Log.add; added = []; "
    "Log.add = lambda log, data: (add(log, data), added.append(data), added[1:] and os.kill(os.getpid(), {end}))"
)
"""Ends the process as it has logged its first shard."""
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
    called = [sys.executable, "-c", f"{ENDED.format(end=end.value)}; {CALL}", *words]
    done = subprocess.run(
        [*called, "--workers", "2", "--language", "en"], stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    assert (folder / "_unfinished.jsonl").read_bytes().count(b"\n") == 2
    if end == signal.SIGINT:
        assert done.stderr == "Interrupted. The same command goes on.\n"
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
    assert raised.value.__notes__ == ["0"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_told_by_any_number_of_processes(workers: int) -> None:
    with crew(workers) as computing, pytest.raises(OSError, match="full") as raised:
        list(computing(fill_disk, range(9)))
    assert (raised.value.errno, raised.value.filename, raised.value.__notes__) == (ENOSPC, "shard", ["0"])


def fill_disk(_: int) -> None:
    with errors_of(Path("shard")):
        raise OSError(ENOSPC, "The disk is full")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of a process")
def test_a_job_whose_log_has_no_more_room_names_it_and_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    limited = f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (2000, 2000)); {CALL}"
    words = ["duel", "random", "eager", "--pairs", "20", "--workers", "1", "--log", str(log)]
    called = [sys.executable, "-c", limited, *words, "--language", "en"]
    done = subprocess.run(called, capture_output=True, text=True, check=False)
    assert done.stderr == f"chouine duel: {log}: this disk takes no file as large as this.\n"
    assert done.returncode == 2
    assert 1 < log.read_bytes().count(b"\n") < 21
    assert main(words) == 0
    assert log.read_bytes().count(b"\n") == 21


def test_the_end_of_a_process_names_its_item() -> None:
    with crew(2) as computing, pytest.raises(ChouineError) as raised:
        list(computing(end_at_three, range(9)))
    assert raised.value.code == "jobs/worker-ended"
    assert raised.value.__notes__ == ["3"]


def end_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_process_whose_parent_was_killed_ends_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    worker, told = Worker(), tmp_path / "told"
    worker.begin(0, wait_for_file, told)
    worker.connection.close()
    told.touch()
    wait_until("the process ends", lambda: not worker.process.is_alive())
    assert (worker.process.exitcode, capfd.readouterr().err) == (0, "")


def wait_for_file(path: Path) -> str:
    wait_until("the file is there", path.exists)
    return path.name


def test_a_line_of_progress_stays_on_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wider than the terminal it would go on below, and each item would leave a line."""
    reads, terminal = os.openpty()
    termios = pytest.importorskip("termios")
    termios.tcsetwinsize(terminal, (24, 40))
    with os.fdopen(terminal, "w", encoding="utf-8") as stream, os.fdopen(reads, "rb") as screen:
        monkeypatch.setattr(sys, "stderr", stream)
        Progress(60, "en").tell(1, "random against greedy: 50.0% (0.0% to 100.0%)")
        line = screen.read1().decode().removeprefix("\r").removesuffix("\x1b[K")
    assert (line[:10], line[-7:], len(line)) == ("1/60, time", " again…", 39)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_endless_job_is_computed_a_little_ahead(workers: int) -> None:
    numbers = count(1)
    with crew(workers) as computing:
        assert list(islice(computing(abs, numbers), 20)) == list(range(1, 21))
    assert next(numbers) <= 21 + AHEAD * workers


def test_a_logged_job_computes_nothing_twice(tmp_path: Path) -> None:
    asked: list[int] = []

    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    def run(items: range, **settings: int) -> list[int]:
        with crew(1) as computing:
            return list(do_logged(computing, double, items, Log(tmp_path / "log", settings)))

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


HOLDING = """
import sys
from pathlib import Path
from chouine.jobs import Log
log = Log(Path(sys.argv[1]), {})
list(log.entries(lambda data, _: data))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_log_whose_result_was_changed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number in place of the texts ended in a traceback."""
    pytest.importorskip("numba")
    log = tmp_path / "log"
    words = ["analyse", "tests/records/lavardin.cgn", "--worlds", "1", "--workers", "1", "--log", str(log)]
    assert main(words) == 0
    head, line = log.read_text(encoding="utf-8").splitlines()
    log.write_text(f"{head}\n{json.dumps(json.loads(line) | {'result': 5})}\n", encoding="utf-8")
    capsys.readouterr()
    assert main([*words, "--language", "en"]) == 2
    assert capsys.readouterr().err == f"chouine analyse: {log}, line 2: unreadable.\n"


def test_two_commands_do_not_write_one_log(tmp_path: Path) -> None:
    """Their lines would be mixed, and neither could go on."""
    log = tmp_path / "log"

    def run() -> list[int]:
        return list(do_logged(in_this_process, abs, range(3), Log(log, {})))

    call = [sys.executable, "-W", "ignore", "-c", HOLDING, str(log)]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        with pytest.raises(ChouineError) as raised:
            run()
        assert raised.value.code == "jobs/busy"
        other.kill()
    assert run() == run() == [0, 1, 2]


@pytest.mark.parametrize("fault", [EACCES, EROFS])
def test_a_log_that_can_only_be_read_is_read(
    fault: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A complete log is read on a read-only disk too; an incomplete one gives an error that it cannot be written."""
    log = tmp_path / "log"

    def run(items: int) -> list[int]:
        return list(do_logged(in_this_process, abs, range(items), Log(log, {})))

    def open_to_read(path: Path, mode: str, **_: int) -> IO[Any]:
        if mode != "rb":
            raise OSError(fault, os.strerror(fault), str(path))
        return open(path, mode)  # noqa: PTH123  # the other is replaced

    assert run(2) == [0, 1]
    whole = log.read_bytes()
    monkeypatch.setattr(Path, "open", open_to_read)
    assert run(2) == [0, 1]
    with pytest.raises(PermissionError) as raised:
        run(3)
    assert raised.value.filename == str(log)
    os.truncate(log, len(whole) - 1)
    with pytest.raises(PermissionError):
        run(2)
    log.unlink()
    with pytest.raises(OSError, match=os.strerror(fault)):
        run(2)


def test_a_log_is_written_on_a_disk_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one of a network."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(ENOLCK, os.strerror(ENOLCK))

    monkeypatch.setattr(fcntl, "lockf", refuse)
    log = Log(tmp_path / "log", {})
    assert list(do_logged(in_this_process, abs, range(2), log)) == [0, 1]


def test_a_file_of_records_is_analysed_the_same_by_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Errors stay in their places; with a log of this version the analyses are printed again and the others follow."""
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
    monkeypatch.setattr("chouine.cli.long_jobs.__version__", "0.0.9")
    assert main([*command, "--log", str(log)]) == 2
    assert "another job" in capsys.readouterr().err


def wait_for_the_fourth(folder: Path, item: int) -> int:
    """The first item ends when the fourth has begun."""
    (folder / str(item)).touch()
    if item == 0:
        wait_until("the fourth item", (folder / "3").exists)
    return item


def test_a_long_item_leaves_no_process_idle(tmp_path: Path) -> None:
    with crew(2) as computing:
        assert list(computing(partial(wait_for_the_fourth, tmp_path), range(6))) == [*range(6)]
