"""`chouine duel`."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

from chouine.ai.network import SHIPPED
from chouine.arena.pairs import Duel, dismiss, play_pair
from chouine.cli import main
from chouine.partie.actions import Action
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player, RandomPlayer
from chouine.players.process import EngineFault
from chouine.registry import displayed_name, player_of
from chouine.rules import Rules
from tests.calls import status_of
from tests.patience import PATIENCE, wait_until

CHOUINE = (sys.executable, "-m", "chouine")
KEYS = [
    "a",
    "b",
    "pairs",
    "wins",
    "losses",
    "nulles",
    "rate",
    "low",
    "high",
    "seconds_a",
    "seconds_b",
    "faults_a",
    "faults_b",
]
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
    """A function that writes an engine with the given answer to a position, and returns its player name."""

    def write(does: str) -> str:
        path = tmp_path / "engine.py"
        path.write_text(READY + does)
        return f"pipe:{shlex.quote(sys.executable)} -S {shlex.quote(str(path))}"

    return write


def endlessly(*_: object) -> None:
    """A player's `act` that does not return."""
    while True:
        pass


def slowly(act: Callable[..., Action | None]) -> Callable[..., Action | None]:
    """Wrap a player's `act` with a delay of 0.05 s."""

    def slow(self: Player, view: View) -> Action | None:
        sleep(0.05)
        return act(self, view)

    return slow


def duel_figures(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, float]:
    """Run a duel locally and return its JSON figures; check that they are one line."""
    assert main(["duel", *args, "--workers", "1", "--json"]) == 0
    out = capsys.readouterr().out
    figures: dict[str, float] = json.loads(out)
    assert out.count("\n") == 1
    return figures


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    figures = duel_figures(capsys, "heuristic", "random", "--pairs", "20")
    assert list(figures) == KEYS
    assert figures["pairs"] == 20
    assert figures["wins"] + figures["losses"] + figures["nulles"] == 40
    assert figures["rate"] == pytest.approx(figures["wins"] / (figures["wins"] + figures["losses"]), abs=1e-5)
    assert 0.6 < figures["low"] < figures["rate"] <= figures["high"] <= 1
    assert min(figures["seconds_a"], figures["seconds_b"]) > 0
    assert max(figures["seconds_a"], figures["seconds_b"]) < 1


def test_the_other_way_round_is_the_other_rate(capsys: pytest.CaptureFixture[str]) -> None:
    """Deterministic players play the same parties with A and B swapped."""
    one = duel_figures(capsys, "heuristic", "greedy", "--pairs", "10", "--rules", "three")
    other = duel_figures(capsys, "greedy", "heuristic", "--pairs", "10", "--rules", "three")
    assert (one["wins"], one["losses"]) == (other["losses"], other["wins"])


def test_what_is_saved_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "duel.cgn"
    figures = duel_figures(
        capsys, "greedy", "random", "--pairs", "5", "--rules", "four", "--save", str(saved)
    )
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
    french = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")
    assert "paires : 4 ; parties : 8, gagnées " in french


def test_luck_is_reported_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["greedy", "random", "--pairs", "30", "--luck", "--log", str(tmp_path / "log")]
    figures = duel_figures(capsys, *arguments)
    assert list(figures) == [*KEYS, "adjusted", "adjusted_low", "adjusted_high"]
    assert figures["adjusted_low"] < figures["adjusted"] < figures["adjusted_high"]
    assert abs(figures["adjusted"] - figures["rate"]) < 0.15
    again = duel_figures(capsys, *arguments)
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
        ["random", f"pipe:{sys.executable};"],
        ["random", f"pipe:{sys.executable};level"],
    ],
)
def test_a_wrong_call_is_an_error_of_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = status_of("duel", *arguments, "--workers", "1"), capsys.readouterr()
    assert status == 2
    *_, fault, right = ["", *told.err.splitlines()]
    assert (fault if "chouine duel heuristic" in right else right).startswith("chouine duel: ")
    assert not told.out


def test_too_many_seconds_are_refused_with_the_bound(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("duel", "random", "random", "--seconds-a", "1e9", "--language", "en") == 2
    assert "a number of seconds above 0 and below 1000000, not “1e9”" in capsys.readouterr().err


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
    """A faulty program loses the partie; the fault is reported once with its question, and the program restarted."""
    command, saved = program(does), tmp_path / "s.cgn"
    arguments = ["duel", "random", command, "--pairs", "1", "--seconds", "0.05", "--workers", "1"]
    assert main([*arguments, "--save", str(saved), "--json", "--language", "fr"]) == 0
    told = capsys.readouterr()
    figures = json.loads(told.out)
    assert (figures["wins"], figures["losses"]) == (2, 0)
    assert (figures["faults_a"], figures["faults_b"]) == (0, 2)
    assert figures["first_fault_b"]["line"].startswith("view ")
    (line,) = told.err.splitlines()
    assert "Wrong" in line
    assert what in line
    assert "view " in line
    assert main(["replay", str(saved)]) == 0
    by = [json.loads(line)["by"] for line in capsys.readouterr().out.splitlines()]
    assert by == ["forfeit", "forfeit"]


PLAYERS = """
from chouine import Card, Play


class Raises:
    def act(self, view):
        return self.chosen(view)

    def chosen(self, view):
        return int("seven\\nof hearts")


class Ends(Raises):
    def chosen(self, view):
        raise SystemExit(3)


class Strange(Raises):
    def chosen(self, view):
        return "Qs"


class Nothing(Raises):
    def chosen(self, view):
        return None


class Mute(Exception):
    def __str__(self):
        raise ValueError("no word")


class Silent(Raises):
    def chosen(self, view):
        raise Mute


class Nameless(Raises):
    def chosen(self, view):
        return Mute()


class Sly(Raises):
    def chosen(self, view):
        return type("Slyly", (Play,), {"__eq__": lambda *_: True})(Card("As"))


class Cheats(Raises):
    def chosen(self, view):
        for hand in view.deal.hands:
            hand.known.mask = 0


class Broken(Raises):
    def __init__(self):
        raise RuntimeError("no weights")


class Leaves(Raises):
    def __init__(self):
        raise SystemExit("no model")


class Lazy:
    @property
    def act(self):
        raise RuntimeError("no net")


class Unclosed(Raises):
    def close(self):
        raise RuntimeError("still busy")


class Unclosable(Raises):
    close = 5


class Right(Raises):
    def chosen(self, view):
        return view.legal[0] if view.legal else None
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of the user's with several players."""
    name = f"players_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(PLAYERS)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    del sys.modules[name]


@pytest.mark.parametrize(
    ("player", "what"),
    [
        ("Raises", "Raises ended with an error, ValueError: invalid literal for int() with base 10: 'seven"),
        ("Ends", "Ends ended with an error, SystemExit: 3"),
        ("Strange", "Strange answered 'Qs', which is no act: a Play, an Exchange or None."),
        ("Nothing", "Nothing played None, which is not legal."),
        ("Silent", "Silent ended with an error, Mute ("),
        ("Nameless", "Nameless answered Mute(), which is no act"),
        ("Sly", "Sly answered Slyly(card=Card('As'), declaration=None), which is no act"),
        ("Cheats", "Cheats ended with an error, AttributeError: a CardSet does not change"),
    ],
)
def test_a_class_at_fault_loses_the_partie(
    module: str, player: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [f"python:{module}:{player}", "random", "--pairs", "2", "--workers", "1"]
    assert main(["duel", *arguments, "--json", "--language", "en"]) == 0
    heard = capsys.readouterr()
    figures = json.loads(heard.out)
    assert (figures["losses"], figures["faults_a"], figures["faults_b"]) == (4, 4, 0)
    assert figures["first_fault_a"]["message"].startswith(what)
    assert what in heard.err
    assert heard.err.count("\n") == 1
    if "error" in what:
        assert re.search(rf"{module}\.py:\d+\)", heard.err)


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("Broken", "No player MODULE:Broken: no weights."),
        ("Leaves", "No player MODULE:Leaves: no model."),
        ("Lazy", "No player MODULE:Lazy: no net."),
        ("Unclosed", "Unclosed ended with an error, RuntimeError: still busy ("),
        ("Unclosable", "Unclosable ended with an error, TypeError: 'int' object is not callable ("),
    ],
)
def test_a_class_that_cannot_be_made_or_left_is_an_error_of_one_line(
    module: str, player: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["duel", f"python:{module}:{player}", "random", "--language", "en"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"chouine duel: {why}".replace("MODULE", module))
    assert told.count("\n") == 1


def test_a_class_without_fault_has_none(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    figures = duel_figures(capsys, f"python:{module}:Right", "random", "--pairs", "5", "--rules", "three")
    assert figures["faults_a"] == figures["faults_b"] == 0


def test_all_lines_of_the_first_fault_are_told(
    program: Write, module: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program's question is what it was sent; a class's is complete. A log keeps it."""
    heard = tmp_path / "heard"
    command = program(f"open({str(heard)!r}, 'a').write(asked + line); say('best 7x')\n    asked += line")
    path = tmp_path / "engine.py"
    path.write_text(
        path.read_text()
        .replace('say("rules', 'say("id asks open legal"); say("rules')
        .replace("for line", "asked = ''\nfor line")
    )
    arguments = [command, f"python:{module}:Raises", "--pairs", "1", "--log", str(tmp_path / "log")]
    for _ in range(2):
        figures: dict[str, Any] = duel_figures(capsys, *arguments)
        assert figures["pairs"] == 1
        ours = figures["first_fault_a"]["question"]
        assert ours == [line for line in heard.read_text().splitlines() if line != "quit"][: len(ours)]
        assert [line.split()[0] for line in ours] == ["view", "legal", "go"]
        theirs = figures["first_fault_b"]["question"]
        assert [line.split()[0] for line in theirs] == ["view", "trick", "legal", "go"]
        assert theirs[0] == figures["first_fault_b"]["line"]


def test_two_players_of_one_name_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "random", "random", "--pairs", "1", "--workers", "1", "--language", "en"]) == 0
    assert capsys.readouterr().out.startswith("random (A) against random (B): ")
    figures: dict[str, Any] = duel_figures(capsys, "random", "random", "--pairs", "1")
    assert figures["a"] == figures["b"] == "random"


def test_a_long_name_is_cut(program: Write, tmp_path: Path) -> None:
    command = program("say('best 7x')")
    path = tmp_path / "engine.py"
    path.write_text(path.read_text().replace('"id name Wrong"', '"id name " + 50_000 * "W"'))
    assert displayed_name(command, Rules()) == "W" * 59 + "…"


def test_a_network_can_be_named_by_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    shipped = duel_figures(capsys, "net", "greedy", "--pairs", "3")
    named = duel_figures(capsys, f"weights:{SHIPPED / 'classic.npz'}", "greedy", "--pairs", "3")
    assert [shipped[key] for key in KEYS[2:9]] == [named[key] for key in KEYS[2:9]]


def test_our_own_engine_plays_as_the_player_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """The engine keeps running between parties and is stopped at the end."""
    engine = f"pipe:{shlex.join(CHOUINE)} engine"
    there = duel_figures(capsys, engine, "greedy", "--pairs", "3")
    here = duel_figures(capsys, "heuristic", "greedy", "--pairs", "3")
    assert [there[key] for key in KEYS[2:9]] == [here[key] for key in KEYS[2:9]]
    dismiss()


def test_what_a_program_says_on_standard_error_is_shown(
    program: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    command = program("print('what now?', file=sys.stderr, flush=True); say('best 7x')")
    assert main(["duel", "random", command, "--pairs", "1", "--workers", "1"]) == 0
    assert "what now?" in capfd.readouterr().err


def test_each_side_has_its_own_time(program: Write, capfd: pytest.CaptureFixture[str]) -> None:
    command = program("sys.stderr.write(line); sys.stderr.flush(); say('best 7x')")
    for first, told in ((True, "go time 300"), (False, "go time 9000")):
        players = [command, "random"] if first else ["random", command]
        limits = ["--seconds", "9", "--seconds-a", "0.3"]
        assert main(["duel", *players, "--pairs", "1", "--workers", "1", *limits]) == 0
        assert told in capfd.readouterr().err
    dismiss()


def test_a_player_of_ours_that_is_late_loses_as_a_program_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.arena.partie.GRACE", 0.0)
    monkeypatch.setattr(RandomPlayer, "act", slowly(RandomPlayer.act))
    pair = play_pair(Duel("random", "heuristic", seconds=(0.01, None)), 0)
    assert pair.outcomes == (-1, -1)
    assert {fault.code for fault in pair.faults} == {"arena/late"}


def test_a_player_of_ours_that_does_not_end_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.arena.partie.GRACE", 0.0)
    monkeypatch.setattr("chouine.arena.pairs.PATIENCE", 0.05)
    monkeypatch.setattr(RandomPlayer, "act", endlessly)
    pair = play_pair(Duel("random", "heuristic", seconds=(0.05, None)), 0)
    assert pair.outcomes == (-1, -1)
    assert {fault.code for fault in pair.faults} == {"arena/late"}


def test_the_start_of_a_program_is_no_thinking_time(
    program: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may take ten seconds until it is ready, however short its decisions must be."""
    monkeypatch.setattr("chouine.arena.partie.GRACE", 2.0)
    monkeypatch.setattr("chouine.players.pipe.GRACE", 2.0)
    command = program("say('error engine/none no answer')")
    slow = (tmp_path / "engine.py").read_text().replace("input();", "time.sleep(3); input();", 1)
    (tmp_path / "engine.py").write_text(slow)
    pair = play_pair(Duel(command, "random", seconds=(0.01, None)), 0)
    assert {fault.code for fault in pair.faults} == {"engine/refused"}
    dismiss()


def test_a_program_has_its_own_name_and_a_log_knows_it_again(program: Write, tmp_path: Path) -> None:
    """The log stores the engine's name and accepts another command line that starts the same engine."""
    command, log = program("say('best 7x')"), tmp_path / "log"
    for each, pairs in ((command, 1), (f"{command} -u", 2)):
        assert main(["duel", "random", each, "--pairs", str(pairs), "--workers", "1", "--log", str(log)]) == 0
    head, *played = map(json.loads, log.read_text().splitlines())
    assert head["duel"]["b"] == "Wrong"
    assert len(played) == 2


def test_options_are_sent_to_a_program_and_are_of_its_name(program: Write, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    command = f"{program('pass')};level=3;style=calm"
    (tmp_path / "engine.py").write_text(
        "print('id name Wrong'); print('option level 1..8'); print('option style calm or wild')\n"
        "print('ready', flush=True); lines = [input(), input(), input()]\n"
        f"open({str(heard)!r}, 'w').write(chr(10).join(lines))"
    )
    with pytest.raises(EngineFault):
        player_of(command).act(State.new(Rules(), Deal.random(Rules(), 1, Random(0))).view(0))
    assert heard.read_text().splitlines()[1:] == ["option level 3", "option style calm"]
    assert displayed_name(command, Rules()) == "Wrong;level=3;style=calm"


@pytest.mark.parametrize("option", ["level=9", "level=high", "skill=3"])
def test_an_option_that_a_program_does_not_name_is_refused_before_the_first_pair(
    program: Write, option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = program("say('best 7x')")
    path = tmp_path / "engine.py"
    path.write_text(path.read_text().replace('say("rules classic")', 'say("option level 1..8")'))
    assert main(["duel", "random", f"{command};{option}", "--language", "en"]) == 2
    assert f"has no option “{option}”. It names: level 1..8." in capsys.readouterr().err


@pytest.mark.parametrize("settings", ["none", "seven=lead"])
def test_a_program_says_which_settings_it_plays_before_the_first_pair(
    program: Write, settings: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = program("say('best 7x')")
    path = tmp_path / "engine.py"
    path.write_text(path.read_text().replace('say("rules classic")', f'say("id options {settings}")'))
    assert main(["duel", "random", command, "--rules", "classic;head=always", "--language", "en"]) == 2
    assert "does not play these rules" in capsys.readouterr().err


def test_a_secret_seed_is_shown_afterwards_and_its_digest_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log stores a secret seed, so that the duel continues with the same deals; the shown seed replays it."""
    log = tmp_path / "log"
    command = ["duel", "random", "greedy", "--workers", "1", "--json"]
    assert main([*command, "--secret", "--pairs", "2", "--log", str(log)]) == 0
    first = capsys.readouterr()
    figures = json.loads(first.out)
    assert figures["digest"] == hashlib.sha256(figures["seed"].encode()).hexdigest()
    assert figures["digest"] in first.err
    assert figures["seed"] not in first.err
    assert main([*command, "--secret", "--pairs", "4", "--log", str(log)]) == 0
    longer = json.loads(capsys.readouterr().out)
    assert longer["seed"] == figures["seed"]
    again = duel_figures(capsys, "random", "greedy", "--pairs", "4", "--seed", figures["seed"])
    assert [longer[key] for key in KEYS[2:7]] == [again[key] for key in KEYS[2:7]]


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_goes_on(tmp_path: Path, ends: signal.Signals) -> None:
    """An interrupted duel of two processes ends without a traceback, and continues from its log."""
    log = tmp_path / "log"
    command = [*CHOUINE, "duel", "heuristic", "greedy", "--workers", "2", "--log", str(log)]
    running = subprocess.Popen(
        [*command, "--pairs", "100000", "--language", "en"], stderr=subprocess.PIPE, start_new_session=True
    )
    wait_until("five pairs", lambda: log.exists() and log.read_text().count("\n") > 5)
    os.killpg(running.pid, ends)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    pairs = log.read_text().count("\n") - 1
    assert pairs >= 5
    assert errors.decode() == f"Interrupted. Pairs in {log}: {pairs}. The same command goes on.\n"
    done = subprocess.run([*command, "--pairs", str(pairs + 2), "--json"], capture_output=True, check=True)
    assert json.loads(done.stdout)["pairs"] == pairs + 2
