"""`chouine perft`."""

from __future__ import annotations

import pytest

from chouine.cli import main
from tests.notation.test_records import DEAL, LAVARDIN
from tests.referee import Referee

LINE = f"classic {DEAL} : Qs"


def referee_count(head: str, tokens: list[str], depth: int) -> int:
    """The referee's count."""
    referee = Referee(head)
    for token in tokens:
        referee.play(token)
    if depth == 0:
        return 1
    return sum(referee_count(head, [*tokens, token], depth - 1) for token in referee.legal())


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_count_is_the_referees(depth: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", LINE, str(depth)]) == 0
    assert capsys.readouterr().out == f"{referee_count(LINE.removesuffix(' : Qs'), ['Qs'], depth)}\n"


def test_divide_counts_after_each_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--divide", LINE, "2"]) == 0
    *parts, total = capsys.readouterr().out.splitlines()
    assert [part.split()[0] for part in parts] == ["7c", "7d", "7x", "9d", "Ad", "Kh"]
    assert sum(int(part.split()[1]) for part in parts) == int(total)
    assert main(["perft", "--divide", LINE, "0"]) == 0
    assert capsys.readouterr().out == "1\n"


def test_nothing_follows_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert LAVARDIN
    over = "classic a .ATKQJ..|AT..T.AT 9s QdJcJdQcJsAdKdKc7c9d8sKs8cQs8d7s9h9c8h7d7h : Td Qh+chh"
    assert main(["perft", over, "1"]) == 0
    assert capsys.readouterr().out == "0\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("classic", "chouine perft: 1:8: Something is missing."),
        (f"{LINE} Qs", f"chouine perft: 1:{len(LINE) + 2}: Seat b: That card is not in your hand"),
        (f"classic b Q7.97..8|?5 Jd {'??' * 21} :", "chouine perft: 1:11: Every card must be known here"),
    ],
)
def test_a_line_that_cannot_be_read(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--language", "en", line, "1"]) == 2
    assert capsys.readouterr().err.startswith(told)


@pytest.mark.parametrize("depth", ["-1", "x", "1.5", "²"])
def test_a_depth_is_a_number(depth: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["perft", LINE, depth])
    assert stopped.value.code == 2
