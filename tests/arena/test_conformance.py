"""`chouine conform` reports a program's faults, each with the question that caused it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from chouine.cli import main

Conform = Callable[[str], list[str]]

KEEPS = """
import sys, time
def say(line): print(line, flush=True)
legal = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "hello":
        say("id name X"); say("id asks legal"); say("id options none"); say("rules classic three")
        say("option level 1..8"); say("ready")
    elif word == "view":
        legal = []
        if len(rest) < 5: say("error engine/view I cannot read it")
    elif word == "legal":
        legal = rest
    elif word == "go" and legal and rest[:1] != ["sideways"]:
        say("best " + legal[0])
    elif word == "quit":
        sys.exit()
    elif word != "option":
        say("error engine/command not now")
"""


@pytest.fixture
def conform(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Conform:
    """A function that tests a program and returns the lines printed."""

    def run(text: str) -> list[str]:
        path = tmp_path / "engine.py"
        path.write_text(text)
        command = f"{shlex.quote(sys.executable)} -S {path}"
        status = main(["conform", command, "--seconds", "0.1", "--language", "en"])
        told = capsys.readouterr().out.splitlines()
        assert status == any(line.startswith("FAULT") for line in told)
        return told

    return run


def test_one_that_answers_an_impossible_view(conform: Conform) -> None:
    """It lays a card of the hand it is told, whatever that is; both impossible views are named."""
    hand = """        hand = rest[3].split("|")["abcd".index(rest[0])].split(".") if len(rest) > 4 else []
        legal = [rank + suit for ranks, suit in zip(hand, "shdc") for rank in ranks]
"""
    told = faults(conform(KEEPS.replace("        legal = []\n", hand)))
    assert sum("impossible “view" in fault for fault in told) == 2


def test_one_that_greets_twice(conform: Conform) -> None:
    doubled = KEEPS.replace('say("ready")', 'say("id name Y"); say("ready")')
    assert any("comes twice: “id name”" in fault for fault in faults(conform(doubled)))


def faults(told: list[str]) -> list[str]:
    return [line.removeprefix("FAULT  ") for line in told if line.startswith("FAULT")]


def test_one_that_keeps_the_protocol(conform: Conform) -> None:
    told = conform(KEEPS)
    assert not faults(told)
    assert "ok     name, presets and settings: X; classic three; no settings" in told


def test_presets_and_settings_that_are_not_named_are_all(conform: Conform) -> None:
    named = 'say("id options none"); say("rules classic three")'
    told = conform(KEEPS.replace(named, "pass"))
    assert not faults(told)
    assert "ok     name, presets and settings: X; all presets; all settings" in told
    assert "ok     parties of classic;head=always, every answer legal and in time" in told


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("sys.exit()", "time.sleep(60)", "the end at “quit”: the program still runs 2.5 s"),
        ('not now")\n', 'not now")\ntime.sleep(60)\n', "the end at the end of its input"),
        ("        legal = []\n", "", "an error for “go” after an unreadable view"),
        (
            'elif word != "option"',
            'elif word != "option" or rest[1] == "8"',
            "an answer after “option level 8”: The program ",
        ),
        (
            'elif word != "option"',
            'elif word != "option" or rest[1] == "1"',
            "an answer after “option level 1”: The program ",
        ),
        ("engine/command not now", "engine/command", "an error for “frobnicate”: “error” must be followed"),
    ],
)
def test_a_duty_that_is_not_kept(conform: Conform, right: str, wrong: str, fault: str) -> None:
    found = faults(conform(KEEPS.replace(right, wrong)))
    assert any(line.startswith(fault) for line in found)


@pytest.mark.parametrize(
    ("settings", "rules"),
    [("all", "classic;head=always"), ("head=trumps deal=two-three", "classic;deal=two-three")],
)
def test_settings_are_played(conform: Conform, settings: str, rules: str) -> None:
    text = KEEPS.replace("options none", f"options {settings}")
    assert f"ok     parties of {rules}, every answer legal and in time" in conform(text)
    (fault,) = faults(conform(text.replace("len(rest) < 5", "len(rest) < 5 or ';' in line")))
    assert fault.startswith(f"parties of {rules}, ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("option level 8..1", "option NAME LOW..HIGH (LOW <= HIGH)"),
        ("option", "option NAME VALUES"),
        ("rules", "rules PRESET"),
        ("id asks wine", "id asks open|trick|legal"),
    ],
)
def test_a_malformed_greeting_is_the_only_fault(conform: Conform, line: str, expected: str) -> None:
    (fault,) = faults(conform(KEEPS.replace("option level 1..8", line)))
    assert f"“{line}”. Expected: " in fault
    assert expected in fault


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ("id name X", "id", "id name"),
        ("rules classic three", "rules belote", "belote"),
        ("id options none", "id options head=maybe", "head=maybe"),
    ],
)
def test_a_greeting_that_names_what_does_not_exist(
    conform: Conform, right: str, wrong: str, named: str
) -> None:
    told = conform(KEEPS.replace(right, wrong))
    (fault,) = faults(told)
    assert named in fault
    assert not any("> view" in line for line in told)


def test_an_illegal_act_is_followed_by_the_question_and_ends_the_parties(conform: Conform) -> None:
    told = conform(KEEPS.replace("legal[0]", '"7x"'))
    (at,) = (nth for nth, line in enumerate(told) if line.startswith("FAULT  parties of classic"))
    assert told[at + 1].startswith("    > view ")
    assert told[at + 2].startswith("SKIP   parties of three, ")


def test_a_slow_program_is_asked_less(conform: Conform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.arena.conformance.PLAYING", 0.5)
    told = conform(KEEPS.replace('say("best', 'time.sleep(0.3); say("best'))
    assert not faults(told)
    assert [line for line in told if "parties of" in line and "(answers: 1)" in line]


def test_one_that_does_not_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "/no/such/engine", "--language", "fr"]) == 1
    assert "FAUTE" in capsys.readouterr().out


def test_a_command_that_cannot_be_read_is_an_error_of_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "engine;level", "--language", "en"]) == 2
    assert capsys.readouterr().err.startswith("chouine conform: A program's command is followed by")
