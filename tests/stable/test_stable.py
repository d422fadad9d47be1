"""What version 1 promises (`docs/stability.md`): nothing that was promised goes, and files of before are read as then.

`before/` was written by the program of November 26, 2026, before the first release.
"""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from chouine.cli import main
from chouine.notation import Record, read_records, read_state, read_view
from chouine.notation.lines import legal
from chouine.partie.deal import SEATS
from chouine.players.pipe import ASKS, question
from chouine.school.lessons import lessons
from chouine.server.routes.problems import by_id
from chouine.server.routes.progress import export_progress, import_progress
from chouine.server.saved import Schooling
from tests.stable.inventories import INVENTORIES, inventory_of_last_release

BEFORE = Path(__file__).parent / "before"
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", INVENTORIES)
def test_nothing_that_was_promised_is_gone(name: str) -> None:
    """A line goes only with a major version: until then the old name, address or option stays beside the new."""
    gone = set(inventory_of_last_release(name)) - set(INVENTORIES[name]())
    assert not gone, f"{sorted(gone)}: keep it, with a warning (docs/stability.md)"


def test_records_are_read_and_written_to_the_byte() -> None:
    text = (BEFORE / "records.cgn").read_text(encoding="utf-8")
    records = [each for each in read_records(StringIO(text)) if isinstance(each, Record)]
    assert [each.tag("Score") for each in records] == ["0-0 0-0"] * 2
    assert "\n".join(map(str, records)).split() == text.split()
    assert all([*each.states()][-1].result == each.result for each in records)


def test_replays_have_the_keys_of_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(BEFORE / "records.cgn")]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first.items() >= {"result": "1-0", "points": [104, 26], "by": "points", "actions": 32}.items()
    assert second.items() >= {"result": "1-0", "points": [98, 52], "by": "points", "actions": 33}.items()


POSITIONS = [json.loads(line) for line in (BEFORE / "positions.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("known", POSITIONS, ids=[each["line"].partition(" ")[0] for each in POSITIONS])
def test_a_line_means_what_it_meant(known: dict[str, Any]) -> None:
    view = read_view(known["view"], known["seat"])
    assert view.legal == read_state(known["line"]).view(known["seat"]).legal
    assert sorted(map(str, legal(known["view"]))) == known["legal"]


def test_a_host_and_a_program_of_before_understand_the_others_of_today() -> None:
    """Our engine answers the questions of before in the same form; our host asks the same questions."""
    said = (BEFORE / "engine.txt").read_text(encoding="utf-8").splitlines()
    heard = "".join(f"{line[2:]}\n" for line in said if line.startswith("> "))
    done = subprocess.run(
        [sys.executable, "-m", "chouine", "engine"], input=heard, capture_output=True, text=True, check=True
    )
    answers = iter(done.stdout.splitlines())
    for line in said:
        if not line.startswith("< "):
            continue
        word, _, rest = line[2:].partition(" ")
        answer, _, given = next(answers).partition(" ")
        assert answer == word
        if word == "id" and rest.startswith("name"):
            assert given.startswith("name Chouine ")
        elif word == "error":
            assert given.split()[0] == rest.split()[0], "the code"
        elif word != "best":
            assert set(given.split()) >= set(rest.split())
    asked = [line[2:] for line in said if line.startswith("> ")]
    for known in POSITIONS:
        view = read_view(known["view"], known["seat"])
        lines = [*question(view, ASKS)]
        at = asked.index(f"view {SEATS[known['seat']]} {known['view']}")
        assert asked[at : at + len(lines)] == lines


def test_the_file_of_progress_is_read_and_written_as_it_was() -> None:
    file = (BEFORE / "progress.json").read_bytes()
    known = {lesson.name for lesson in lessons()}, by_id()
    assert json.loads(export_progress(import_progress(file, Schooling(), *known))) == json.loads(file)


@pytest.mark.parametrize(
    ("code", "call"),
    [
        (0, ["deal", "--seed", "7"]),
        (1, ["replay", "tests/stable/before/engine.txt"]),
        (2, ["deal", "--nonsense"]),
        (2, ["nonsense"]),
    ],
)
def test_exit_codes_mean_what_they_meant(code: int, call: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    try:
        left = main(call)
    except SystemExit as exit_:
        left = exit_.code  # type: ignore[assignment]
    assert left == code
