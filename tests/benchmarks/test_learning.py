"""docs/learning.svg and its page show the figures of `benchmarks/learning.json`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.learning import DRAWING, curve, read_figures
from chouine.arena.leaderboard import LeaderboardRow
from chouine.cli import main
from chouine.cli.leaderboard import row

BOARD = DRAWING.parents[1] / "benchmarks" / "leaderboard.jsonl"
PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")


def test_the_drawing_is_made_from_the_figures() -> None:
    assert curve(read_figures()) == DRAWING.read_text(encoding="utf-8")


def test_the_page_says_when_half_of_the_parties_are_won() -> None:
    crossed = next(point for point in read_figures() if point.rate >= 0.5)
    assert f"{crossed.decisions / 1e6:.1f} million decisions, {crossed.minutes:.1f} minutes" in " ".join(
        PAGE.split()
    )


def test_the_board_on_the_page_is_the_one_in_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    """Sixteen entries, whose first pairs come out again."""
    entries = [LeaderboardRow.read(line) for line in BOARD.read_text(encoding="utf-8").splitlines()]
    shown = [line for line in PAGE.splitlines() if re.search(r"`[0-9a-f]{16}` \| `[0-9a-f]{32}`", line)]
    assert shown == [row(entry, "en") for entry in entries]
    assert len({(entry.player, entry.rules) for entry in entries}) == 16
    assert main(["leaderboard", "verify", str(BOARD), "--pairs", "1", "--workers", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 32
