"""`chouine replay`: its output is an interface for other programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.cli import main
from tests.notation.test_records import DEAL, HEAD, LAVARDIN

RECORDS = Path(__file__).parent.parent / "records"
LINE = f"classic {DEAL} : Qs 7x 7c"
MIXED = f"{LAVARDIN}\n{LINE}\n{HEAD}\n1. Qs 8d *\n\nthree nonsense\n{LINE} 8c\n"


def chouine(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chouine", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={"LANG": "C", "PATH": "", **environment},
        check=False,
    )


def test_one_json_line_a_partie_in_the_order_of_the_contract() -> None:
    told = chouine("replay", text=LAVARDIN)
    assert told.stdout == '{"result":"1-0","points":[196,44],"by":"points","actions":33}\n'
    assert (told.returncode, told.stderr) == (0, "")


def test_an_error_stands_in_the_place_of_its_partie() -> None:
    told = chouine("replay", text=MIXED, LC_ALL="en_GB.UTF-8")
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert told.returncode == 1
    assert [list(answer) for answer in answers] == [
        ["result", "points", "by", "actions"],
        ["result", "points", "by", "actions"],
        ["error"],
        ["error"],
        ["result", "points", "by", "actions"],
    ]
    assert answers[1] == {"result": "*", "points": [3, 0], "by": "unfinished", "actions": 3}
    assert answers[2] == {
        "error": {
            "code": "illegal/not-held",
            "line": 22,
            "column": 7,
            "token": "8d",
            "message": "Seat b: That card is not in your hand, §5.",
        }
    }
    assert answers[3]["error"]["code"] == "syntax/short"


def test_the_message_is_in_the_language_asked_for() -> None:
    for arguments, message in (
        (("--language", "fr"), "Place a\N{NO-BREAK SPACE}: Cette carte n’est pas dans votre main, §5."),
        (("--language", "en"), "Seat a: That card is not in your hand, §5."),
    ):
        told = chouine("replay", *arguments, text=f"{LINE} As")
        assert json.loads(told.stdout)["error"]["message"] == message


def test_golden_output() -> None:
    """Golden output for every kind of partie and error in the test records, with legal actions."""
    told = chouine("replay", "--legal", "--language", "en", str(RECORDS / "mixed.cgn"))
    assert told.stdout == (RECORDS / "mixed.jsonl").read_text(encoding="utf-8")
    assert told.returncode == 1


def test_legal_actions_are_all_seats_sorted_as_text() -> None:
    told = json.loads(chouine("replay", "--legal", text=LINE).stdout)
    assert list(told) == ["result", "points", "by", "actions", "legal"]
    assert told["legal"] == [
        ["7h", "7s", "8c", "9h", "Qs"],
        ["7c", "7d", "7x", "9d", "Ad", "Kh"],
        ["7c", "9d", "Ad", "Jd", "Kh"],
    ]


def test_of_a_seats_line_the_certain_actions_are_listed() -> None:
    line = f"classic b Q7.97..8|?5 Jd Jc????9s??Qd{'??' * 15} : Qs 7x 7c 8c 8d 9d 9s"
    told = json.loads(chouine("replay", "--legal", text=line).stdout)
    assert (told["actions"], told["points"]) == (7, [3, 0])
    assert told["legal"][:3] == [["7h", "7s", "8c", "9h", "Qs"], [], []]
    assert told["legal"][3] == ["7h", "7s", "8c", "9h", "Jc"]


def test_parties_are_printed_as_they_come() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "chouine", "replay"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(f"{LINE}\n")
            process.stdin.flush()
            assert '"actions":3' in process.stdout.readline()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_cannot_be_read_at_all_is_one_clear_line(language: str, tmp_path: Path) -> None:
    none = str(tmp_path / "none.cgn")
    for name, why in (
        (none, {"fr": "ce fichier n’existe pas.", "en": "there is no such file."}),
        (str(tmp_path), {"fr": "c’est un dossier, pas un fichier.", "en": "this is a folder, not a file."}),
    ):
        told = chouine("replay", "--language", language, name)
        assert told.returncode == 2
        assert told.stderr == f"chouine replay: {name}: {why[language]}\n"


def test_letters_of_another_encoding_cost_only_their_own_partie(tmp_path: Path) -> None:
    """Invalid bytes in moves, remarks, tags, lines or after a result affect only their own partie."""
    one_line_on = LAVARDIN.replace("{talon", "{le\ntalon")
    tagged = LAVARDIN.replace("Lavardin", "Vendôme")
    bad = [LAVARDIN, one_line_on, tagged, f"{LINE} é", "é"]
    latin = tmp_path / "latin.cgn"
    latin.write_bytes(b"\n\n".join(b"%b\n%b" % (LINE.encode(), text.encode("latin-1")) for text in bad))
    told = chouine("replay", "--language", "en", str(latin))
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert (told.returncode, told.stderr) == (1, "")
    assert sum("result" in answer for answer in answers) == len(bad)
    faults = [answer["error"] for answer in answers if "error" in answer]
    assert {fault["code"] for fault in faults} == {"syntax/bytes"}
    lines = latin.read_bytes().split(b"\n")
    for fault in faults:
        assert lines[fault["line"] - 1].decode("latin-1")[fault["column"] - 1] in "éô"
    assert len({fault["line"] for fault in faults}) == len(bad)


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "chouine", "replay"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(f"{LINE}\n")
        process.stdin.close()
        assert process.stderr.read() == ""


def test_a_byte_order_mark_and_other_line_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "windows.cgn"
    path.write_bytes(b"\xef\xbb\xbf" + LAVARDIN.replace("\n", "\r\n").encode())
    assert main(["replay", str(path)]) == 0
    assert '"points":[196,44]' in capsys.readouterr().out


def test_help_says_what_a_seats_line_gives(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    assert "certain" in capsys.readouterr().out
