"""`chouine show`."""

from __future__ import annotations

import sys
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.cli.texts import NEAREST
from tests.calls import status_of
from tests.notation.test_records import DEAL, LAVARDIN

RECORD = str(Path(__file__).parent.parent / "records" / "lavardin.cgn")
LINE = f"classic {DEAL} : Qs 7x 7c"
SETUP = "classic a A.AT.T.A|K.J.7.TK - d - TQ..KQ.Q7|J987.KQ987.AJ98.J98 20d|20c"


def show_output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["show", "--language", "fr", *arguments]) == 0
    return capsys.readouterr().out


def test_a_record_a_line_and_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Jean gagne 196-44" in show_output(capsys, RECORD)
    assert "Partie en cours, 3-0" in show_output(capsys, LINE)
    assert "à a de jouer · atout carreau ♦" in show_output(capsys, SETUP)


def test_a_seat_sees_its_own_cards_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Charles  ? ? ? ? ?" in show_output(capsys, RECORD, "--observer", "a")
    assert "b  ? ? ? ? ?" in show_output(capsys, SETUP, "--observer", "a")


def test_colour_where_it_is_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[31m9♥\x1b[0m" in show_output(capsys, LINE, "--colour", "always")
    assert "\x1b" not in show_output(capsys, LINE, "--colour", "never")
    assert "\x1b" not in show_output(capsys, LINE)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m" in show_output(capsys, LINE)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in show_output(capsys, LINE)


def test_a_file_of_several_and_one_at_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lines"
    path.write_text(f"\n{LINE}\n\n{LINE} Qs\n{LINE}\n", encoding="utf-8")
    assert main(["show", "--language", "en", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out.count("In progress, 3-0") == 2
    assert told.err == f"chouine show: 4:{len(LINE) + 2}: Seat a: That card is not in your hand, §5.\n"


def test_a_file_of_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "problems"
    path.write_text(f"\n{SETUP}\n\n{SETUP.replace('T.A|K', 'T.X|K')}\n{SETUP}\n", encoding="utf-8")
    assert main(["show", "--language", "en", str(path)]) == 1
    told = capsys.readouterr()
    assert told.out.count("to act") == 2
    assert told.err.startswith("chouine show: 4:18: Unknown rank")


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for text, end in (
        (LAVARDIN, "Jean gagne 196-44\n\n"),
        ("", ""),
        (f"\n\n{LINE}", "Partie en cours, 3-0\n\n"),
    ):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BufferedReader(BytesIO(text.encode()))))
        assert show_output(capsys).endswith(end)


def test_a_screen_without_card_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(raw, encoding="ascii", errors=NEAREST))
    assert main(["show", "--language", "fr", LINE.replace("Qs 7x", "Qs")]) == 0
    sys.stdout.flush()
    assert b"a  Ds 7s 9h 7h 8c" in raw.getvalue()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["/nowhere.cgn"], "/nowhere.cgn: there is no such file"),
        ([LINE, "--observer", "x"], "Unknown seat: “x”"),
        ([LINE, "--observer", "c"], "no such seat at the table"),
    ],
)
def test_wrong_calls(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--language", "en", *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_message_quotes_little_and_no_control_characters(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rules.cgn"
    file.write_text("\x1b[31m" + "x" * 100_000 + "\n")
    main([command, "--language", "en", str(file)])
    told = capsys.readouterr().err
    assert "\x1b" not in told
    assert r"\x1b[31mxxx" in told
    assert len(told) < 500


def titles(path: Path) -> str:
    """The text alternative of a picture."""
    return path.read_text(encoding="utf-8").partition("<title>")[2].partition("</title>")[0]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (RECORD, "Jean gagne 196-44"),
        (LINE, "Partie en cours, 3-0"),
        (SETUP, "à a de jouer · atout carreau ♦"),
    ],
)
def test_a_picture(source: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.svg"
    assert show_output(capsys, source, "--svg", str(out)) == ""
    assert told in titles(out)
    assert out.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.parametrize("source", [LINE, SETUP])
def test_a_picture_for_a_seat_has_its_cards_alone(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, open_out = tmp_path / "seat.svg", tmp_path / "open.svg"
    show_output(capsys, source, "--svg", str(out), "--observer", "b")
    show_output(capsys, source, "--svg", str(open_out))
    assert "a  ? ? ? ?" in titles(out)
    assert out.read_text(encoding="utf-8").count("-card-") < open_out.read_text(encoding="utf-8").count(
        "-card-"
    )


def test_a_picture_of_one_thing_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two, none, wrong = tmp_path / "two", tmp_path / "none", tmp_path / "wrong"
    two.write_text(f"{LINE}\n{LINE}\n", encoding="utf-8")
    none.write_text("\n", encoding="utf-8")
    wrong.write_text(f"{LINE} Qs\n", encoding="utf-8")
    out = tmp_path / "out.svg"
    for path, code, told in (
        (two, 2, "has more than one partie or position"),
        (none, 2, "There is no partie and no position in"),
        (wrong, 1, "That card is not in your hand"),
    ):
        assert main(["show", "--language", "en", str(path), "--svg", str(out)]) == code
        assert told in capsys.readouterr().err
        assert not out.exists()


def test_where_a_picture_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.svg").mkdir()
    for out, told in (("none/out.svg", "There is no folder"), ("folder.svg", "this is a folder, not a file")):
        assert main(["show", "--language", "en", LINE, "--svg", str(tmp_path / out)]) == 2
        assert told in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["show", RECORD, "--svg", RECORD])
    assert ".svg" in capsys.readouterr().err


def test_a_partie_as_a_moving_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.svg"
    assert show_output(capsys, RECORD, "--animate", str(out), "--observer", "b") == ""
    assert status_of("show", RECORD, "--animate", str(out), "--svg", str(tmp_path / "still.svg")) == 2
    assert "@keyframes" in out.read_text(encoding="utf-8")
    out.unlink()
    assert main(["show", "--language", "en", SETUP, "--animate", str(out)]) == 2
    assert "a position, in which nothing moves" in capsys.readouterr().err
    assert not out.exists()
