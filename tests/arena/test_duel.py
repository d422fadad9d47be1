"""`chouine duel`."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from chouine.ai.network import WEIGHTS
from chouine.arena.chairs import dismiss
from chouine.cli import main
from tests.calls import status_of

CHOUINE = (sys.executable, "-m", "chouine")
KEYS = ["pairs", "wins", "losses", "nulles", "rate", "low", "high", "seconds_a", "seconds_b"]
READY = """
import sys, time, os
def say(line): print(line, flush=True)
input(); say("id name Wrong"); say("rules classic"); say("ready")
for line in sys.stdin:
    if line.startswith("go"):
        """

Write = Callable[[str], str]


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Writes a program that greets and, asked for an action, does something; gives the command that runs it."""

    def write(does: str) -> str:
        path = tmp_path / "engine.py"
        path.write_text(READY + does)
        return f"pipe:{shlex.quote(sys.executable)} -S {shlex.quote(str(path))}"

    return write


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, float]:
    """The figures of a duel here, and that they are one JSON object of these names."""
    assert main(["duel", *args, "--workers", "1", "--json"]) == 0
    out = capsys.readouterr().out
    figures: dict[str, float] = json.loads(out)
    assert out.count("\n") == 1
    return figures


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, "heuristic", "random", "--pairs", "20")
    assert list(figures) == KEYS
    assert figures["pairs"] == 20
    assert figures["wins"] + figures["losses"] + figures["nulles"] == 40
    assert figures["rate"] == pytest.approx(figures["wins"] / (figures["wins"] + figures["losses"]), abs=1e-5)
    assert 0.6 < figures["low"] < figures["rate"] <= figures["high"] <= 1
    assert min(figures["seconds_a"], figures["seconds_b"]) > 0
    assert max(figures["seconds_a"], figures["seconds_b"]) < 1


def test_the_other_way_round_is_the_other_rate(capsys: pytest.CaptureFixture[str]) -> None:
    """Players that leave nothing to chance play the same parties."""
    one = told(capsys, "heuristic", "greedy", "--pairs", "10", "--rules", "three")
    other = told(capsys, "greedy", "heuristic", "--pairs", "10", "--rules", "three")
    assert (one["wins"], one["losses"]) == (other["losses"], other["wins"])


def test_what_is_saved_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "duel.cgn"
    figures = told(capsys, "greedy", "random", "--pairs", "5", "--rules", "four", "--save", str(saved))
    assert main(["replay", str(saved)]) == 0
    parties = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(parties) == 5 * 8
    assert figures["nulles"] == sum(partie["by"] == "nulle" for partie in parties)


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["duel", "greedy", "random", "--pairs", "4", "--sprt", "0", "10", "--workers", "1"]
    assert main([*arguments, "--language", "en"]) == 0
    english = capsys.readouterr().out
    assert english.startswith("greedy against random: ")
    assert "pairs: 4; parties: 8, won " in english
    assert "no verdict" in english
    assert main([*arguments, "--language", "fr"]) == 0
    assert "paires : 4 ; parties : 8, gagnées " in capsys.readouterr().out


def test_luck_is_told_where_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["greedy", "random", "--pairs", "30", "--luck", "--log", str(tmp_path / "log")]
    figures = told(capsys, *arguments)
    assert list(figures) == [*KEYS, "adjusted", "adjusted_low", "adjusted_high"]
    assert figures["adjusted_low"] < figures["adjusted"] < figures["adjusted_high"]
    assert abs(figures["adjusted"] - figures["rate"]) < 0.15
    again = told(capsys, *arguments)
    assert again["adjusted"] == pytest.approx(figures["adjusted"], abs=1e-4)
    assert main(["duel", *arguments, "--language", "en"]) == 0
    assert "less the luck of the cards: " in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nobody", "random"],
        ["random", "pipe:"],
        ["random", "random:5"],
        ["random", "pipe:/no/such/engine"],
        ["random", "weights:/no/such/file"],
        ["random", "random", "--rules", "belote"],
        ["random", "random", "--sprt", "5", "5"],
        ["random", "random", "--log", "/"],
        ["random", "random", "--save", "/no/such/folder/file"],
        ["random", "random", "--pairs", "0"],
        ["random", "random", "--seconds", "-1"],
        ["random", "random", "--seconds", "soon"],
    ],
)
def test_a_wrong_call_is_told_in_a_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, told = status_of("duel", *arguments, "--workers", "1"), capsys.readouterr()
    assert status == 2
    assert told.err.splitlines()[-1].startswith("chouine duel: ")
    assert not told.out


def test_a_program_that_does_not_play_these_rules_is_refused(
    program: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["duel", "random", program("pass"), "--rules", "four", "--workers", "1"]) == 2
    assert "four" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("does", "what"),
    [
        ("say('best 7x')", "7x"),
        ("say('no idea')", "no idea"),
        ("os._exit(1)", "arrêté"),
        ("time.sleep(60)", "répondu"),
    ],
)
def test_a_program_at_fault_loses_the_partie(
    program: Write, does: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told once, with what it had been asked; the next partie is begun with the program started anew."""
    command, saved = program(does), tmp_path / "s.cgn"
    arguments = ["duel", "random", command, "--pairs", "1", "--seconds", "0.05", "--workers", "1"]
    assert main([*arguments, "--save", str(saved), "--json", "--language", "fr"]) == 0
    told = capsys.readouterr()
    figures = json.loads(told.out)
    assert (figures["wins"], figures["losses"]) == (2, 0)
    (line,) = told.err.splitlines()
    assert command in line
    assert what in line
    assert "view " in line
    assert main(["replay", str(saved)]) == 0
    by = [json.loads(line)["by"] for line in capsys.readouterr().out.splitlines()]
    assert by == ["forfeit", "forfeit"]


def test_a_network_can_be_named_by_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    shipped = told(capsys, "net", "greedy", "--pairs", "3")
    named = told(capsys, f"weights:{WEIGHTS / 'classic.npz'}", "greedy", "--pairs", "3")
    assert [shipped[key] for key in KEYS[:7]] == [named[key] for key in KEYS[:7]]


def test_our_own_engine_plays_as_the_player_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Kept from partie to partie, and let go at the end."""
    engine = f"pipe:{shlex.join(CHOUINE)} engine"
    there = told(capsys, engine, "greedy", "--pairs", "3")
    here = told(capsys, "heuristic", "greedy", "--pairs", "3")
    assert [there[key] for key in KEYS[:7]] == [here[key] for key in KEYS[:7]]
    dismiss()


def test_interrupted_it_goes_on(tmp_path: Path) -> None:
    """By two processes; no traceback, and nothing lost."""
    log = tmp_path / "log"
    command = [*CHOUINE, "duel", "heuristic", "greedy", "--workers", "2", "--log", str(log)]
    running = subprocess.Popen(
        [*command, "--pairs", "100000", "--language", "en"], stderr=subprocess.PIPE, start_new_session=True
    )
    until = monotonic() + 60
    while not (log.exists() and log.read_text().count("\n") > 5) and monotonic() < until:
        sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    pairs = log.read_text().count("\n") - 1
    assert pairs >= 5
    assert errors.decode() == f"Interrupted. {pairs} pairs in {log}: the same command goes on.\n"
    done = subprocess.run([*command, "--pairs", str(pairs + 2), "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["pairs"] == pairs + 2
