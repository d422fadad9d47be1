"""`chouine play` with piped input, in a terminal, interrupted and killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from chouine.cli.play import by_seat, names_of
from chouine.errors import ChouineError
from chouine.notation.reader import read_records
from chouine.registry import player_names
from tests.cli.bare import without_compiler
from tests.patience import PATIENCE


@pytest.mark.parametrize("setting", ["e=random", "b", "b=", "c=random"])
def test_an_invalid_seat_setting_is_an_error(setting: str) -> None:
    with pytest.raises(ChouineError) as caught:
        by_seat([setting], ("person", "heuristic"))
    assert caught.value.code == "terminal/seat-setting"


def command(
    tmp_path: Path, *arguments: str, answers: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `chouine play` with answers on standard input."""
    return subprocess.run(
        [sys.executable, "-m", "chouine", "play", "--save", str(tmp_path / "match.json"), *arguments],
        input=answers,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"} | environment,
    )


def screen(tmp_path: Path, *arguments: str, columns: int = 80, **environment: str) -> pexpect.spawn[str]:
    """Start `chouine play` in a pseudo-terminal."""
    return pexpect.spawn(
        sys.executable,
        ["-m", "chouine", "play", "--save", str(tmp_path / "match.json"), *arguments],
        env={"PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8"} | environment,
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=(24, columns),
    )


def test_a_match_of_programs_is_watched_to_its_end(tmp_path: Path) -> None:
    record = tmp_path / "match.cgn"
    run = command(tmp_path, "--seat", "a=random", "--format", "2", "--seed", "w", "--record", str(record))
    assert run.returncode == 0, run.stderr
    assert "gagne le match." in run.stdout
    assert "Vous" not in run.stdout
    assert not (tmp_path / "match.json").exists()
    with record.open(encoding="utf-8") as lines:
        records = list(read_records(lines))
    assert len(records) == run.stdout.count("gagne la partie.") + run.stdout.count("Partie nulle")
    assert record.read_text(encoding="utf-8").count('[Players "Jean; Léontine"]') == len(records)


def test_the_opponent_is_chosen_by_level_and_introduced(tmp_path: Path) -> None:
    """A level's player is introduced with a name and village; several of one level have different names."""
    run = command(tmp_path, "--level", "1", "--language", "en", answers="q\n")
    assert "Lison, level 1. From Trôo" in " ".join(run.stdout.split())
    arguments = ("--new", "--rules", "four", "--level", "2", "--seat", "c=level:5", "--seed", "s")
    run = command(tmp_path, *arguments, "--format", "1", "--seat", "a=random", "--name", "a=Gaston")
    assert "Marque\N{NO-BREAK SPACE}: Gaston 0 – Raymonde 0 – Odette 1 – Firmin 0" in run.stdout


def test_without_the_compiler_the_strong_levels_say_what_they_need(tmp_path: Path) -> None:
    """Without numba, levels 7 and 8 are refused with a hint, also for a saved match."""
    bare = without_compiler(tmp_path)
    assert command(tmp_path, "--level", "8").returncode == 130
    for arguments in ([], ["--new", "--level", "7"]):
        refused = command(tmp_path, *arguments, **bare)
        assert refused.returncode == 2
        assert "pip install 'chouine[fast]'" in refused.stderr
        assert refused.stderr.count("\n") == 1
    assert command(tmp_path, "--new", "--level", "6", **bare).returncode == 130


def test_the_same_seed_is_the_same_match(tmp_path: Path) -> None:
    arguments = ("--seat", "a=random", "--seat", "b=random", "--format", "1", "--seed", "same")
    assert command(tmp_path, *arguments).stdout == command(tmp_path, *arguments).stdout


def test_end_of_input_keeps_the_match_and_it_is_taken_up_again(tmp_path: Path) -> None:
    left = command(tmp_path, "--seed", "e", answers="1\n12\n", LANG="en_US.UTF-8")
    assert left.returncode == 130
    assert "takes it up again" in " ".join(left.stdout.split())  # wrapped anywhere
    hand = re.findall(r"Your hand:\n(.*)", left.stdout)[-1]
    back = command(tmp_path, "--language", "en", answers="q\n")
    assert back.returncode == 0
    assert re.findall(r"Your hand:\n(.*)", back.stdout) == [hand]
    assert "\x1b" not in back.stdout


@pytest.mark.parametrize("arguments", [["--rules", "three"], ["--seat", "b=random"], ["--seed", "x"]])
def test_a_match_in_progress_is_not_dropped_unasked(tmp_path: Path, arguments: list[str]) -> None:
    command(tmp_path)
    before = (tmp_path / "match.json").read_bytes()
    refused = command(tmp_path, *arguments)
    assert refused.returncode == 2
    assert "--new" in refused.stderr
    assert (tmp_path / "match.json").read_bytes() == before
    assert command(tmp_path, "--new", *arguments).returncode == 130
    assert (tmp_path / "match.json").read_bytes() != before


def test_a_damaged_save_is_set_aside(tmp_path: Path) -> None:
    save = tmp_path / "match.json"
    begun = b'{"table": "'
    wrong: list[tuple[bytes, list[str]]] = [(begun, []), (begun + b"\xff\xfe", []), (begun + b"}", ["--new"])]
    for number, (junk, arguments) in enumerate(wrong, 1):
        save.write_bytes(junk)
        run = command(tmp_path, *arguments)
        assert run.returncode == 2
        assert "illisible" in run.stderr
        assert "Traceback" not in run.stderr
        assert (tmp_path / f"match.json.damaged-{number}").read_bytes() == junk
    assert command(tmp_path, answers="q\n").returncode == 0


@pytest.mark.parametrize("arguments", [[], ["--new"], ["--resume"]], ids=" ".join)
def test_a_file_that_is_no_save_is_left_where_it_is(tmp_path: Path, arguments: list[str]) -> None:
    """It was named by mistake; and a device, which whoever is root could rename, is none either."""
    save = tmp_path / "match.json"
    for content in (b"my notes", b"", b"\xff\xfe"):
        save.write_bytes(content)
        run = command(tmp_path, *arguments)
        assert (run.returncode, "aucun match" in run.stderr) == (2, True), run.stderr
        assert (save.read_bytes(), len([*tmp_path.iterdir()])) == (content, 1)
    save.unlink()
    os.mkfifo(save)
    assert command(tmp_path, *arguments).returncode == 2
    assert save.is_fifo()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rules", "belote"],
        ["--format", "5x9"],
        ["--rules", "three", "--format", "5x2"],
        ["--seat", "b=wizard"],
        ["--seat", "b=level:9"],
        ["--seat", "x=person"],
        ["--name", "a=Jean; Paul"],
        ["--name", "a=Paul", "--name", "b=Paul"],
        ["--name", "a=Paul", "--name", "b=PAUL"],
        ["--name", "a=Lison", "--name", "b=Iison"],
        ["--name", "a=\u3164"],
        ["--name", "a=007"],
        ["--resume"],
        ["--save", "/proc/nowhere/match.json"],
        ["--save", "/"],
        ["--record", "/proc/nowhere/match.cgn"],
    ],
)
def test_a_wrong_call_is_one_clear_line(tmp_path: Path, arguments: list[str]) -> None:
    run = command(tmp_path, *arguments)
    assert run.returncode in (1, 2)
    assert run.stderr.startswith("chouine play: ")
    assert run.stderr.count("\n") == 1


def test_errors_list_the_possible_players(tmp_path: Path) -> None:
    """The error for an unknown player lists all; a missing program has its own message."""
    unknown = command(tmp_path, "--seat", "b=wizard")
    assert f"person, {', '.join(player_names())}" in unknown.stderr
    missing = command(tmp_path, "--seat", "a=pipe:/no/such/program", "--seat", "b=random", "--format", "1")
    assert "Ce programme n’existe pas\N{NO-BREAK SPACE}: /no/such/program" in missing.stderr
    assert "Errno" not in missing.stderr


def test_somebody_stands_in_for_a_program_that_fails(tmp_path: Path) -> None:
    """When a program fails, the partie continues with a substitute; the reason is shown once."""
    program = tmp_path / "gone.py"
    program.write_text("print(input() and 'ready', flush=True)\ninput()\n")
    seats = ["--seat", f"b=pipe:{sys.executable} {program}", "--format", "1", "--new"]
    watched = command(tmp_path, "--seat", "a=random", *seats)
    assert watched.returncode == 0
    assert " ".join(watched.stdout.split()).count("Charles ne peut pas continuer : Le programme") == 1
    assert "gagne le match." in watched.stdout
    played = command(tmp_path, *seats, "--language", "en", answers="16\n16\n" + 6 * "1\n\n" + "q\n")
    assert played.returncode == 0
    assert "Charles cannot go on" in played.stdout
    assert "Somebody" in played.stdout


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ([], ["Jean", "Charles", "Marthe"]),
        (["a=Paul"], ["Paul", "Charles", "Marthe"]),
        (["a=Marthe"], ["Marthe", "Charles", "Jean"]),
        (["c=Jean"], ["Marthe", "Charles", "Jean"]),
        (["a=Marthe", "b=Jean"], ["Marthe", "Jean", "Charles"]),
    ],
)
def test_no_two_at_a_table_have_one_name(settings: list[str], names: list[str]) -> None:
    assert names_of(settings, ["person"] * 3) == names


def test_one_save_is_played_in_one_place(tmp_path: Path) -> None:
    first = screen(tmp_path)
    first.expect("quelle carte")
    second = command(tmp_path, "--new")
    assert second.returncode == 1
    assert "ailleurs" in second.stderr
    first.sendline("q")
    first.expect(pexpect.EOF)
    first.close()
    assert command(tmp_path, answers="q\n").returncode == 0


def test_an_interrupted_trick_is_taken_up_where_it_was(tmp_path: Path) -> None:
    first = screen(tmp_path, "--seat", "b=person", "--seed", "i", "--language", "en")
    first.expect("which card")
    first.sendline("1")
    first.expect("which card")
    first.sendline("32")
    first.expect("cut: how many")
    first.sendline("16")
    first.expect("alone")
    first.sendline("")
    first.expect("Your turn")
    first.sendline("1")
    first.expect("alone")
    first.kill(signal.SIGINT)
    first.expect(r"takes\s+it\s+up\s+again")
    assert "\x1b[2J" in (first.before or ""), "no hand stays in sight"
    first.expect(pexpect.EOF)
    first.close()
    assert first.exitstatus == 130

    second = screen(tmp_path, "--language", "en")
    second.expect("The screen is")
    assert "Your hand" not in (second.before or "")
    second.sendline("")
    second.expect("Table:")
    second.expect("Your turn")
    second.kill(signal.SIGKILL)
    second.expect(pexpect.EOF)
    second.close()

    third = screen(tmp_path, "--language", "en")
    third.sendline("")
    third.expect("Table:")
    third.expect("Your turn")
    third.sendline("q")
    third.expect(pexpect.EOF)
    third.close()
    assert third.exitstatus == 0


def test_the_screen_is_wiped_before_another_sits_down(tmp_path: Path) -> None:
    """§14"""
    run = screen(tmp_path, "--rules", "three", "--seat", "b=person", "--seat", "c=person", "--seed", "wipe")
    for place in "123":
        run.expect("quelle carte")
        run.sendline(place)
    run.expect("coupez")
    run.sendline("16")
    run.expect("L’écran")
    run.sendline("")
    run.expect("À vous")
    run.sendline("1")
    run.expect("L’écran est à")
    assert "\x1b[H\x1b[2J\x1b[3J" in (run.before or "")
    run.close(force=True)


def test_40_columns_and_no_colour(tmp_path: Path) -> None:
    run = screen(tmp_path, "--seed", "n", columns=40, NO_COLOR="1")
    run.expect("quelle carte")
    run.sendline("1")
    index = run.expect(["coupez", "À vous"])
    if index == 0:
        run.sendline("16")
        run.expect("À vous")
    run.sendline("?")
    run.expect("À vous")
    text = run.before or ""
    assert max(map(len, text.replace("\x1b[H\x1b[2J\x1b[3J", "").splitlines())) <= 40
    assert "\x1b[31m" not in text
    run.close(force=True)


def test_red_suits_are_red_where_there_are_colours(tmp_path: Path) -> None:
    run = screen(tmp_path, "--seat", "a=random", "--format", "1", "--seed", "r")
    run.expect(pexpect.EOF)
    assert "\x1b[31m" in (run.before or "")
    run.close()
    assert run.exitstatus == 0
