"""docs/learning.svg and its page show the figures of `benchmarks/learning.json`."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from benchmarks.learning import DRAWING, drawn, measured

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")


def test_the_drawing_is_made_from_the_figures() -> None:
    assert drawn(measured()) == DRAWING.read_text(encoding="utf-8")


def test_the_page_says_when_half_of_the_parties_are_won() -> None:
    crossed = next(point for point in measured() if point.rate >= 0.5)
    assert f"{crossed.decisions / 1e6:.1f} million decisions, {crossed.minutes:.1f} minutes" in " ".join(
        PAGE.split()
    )


def test_the_board_s_seeds_have_the_digests_published_before() -> None:
    board = re.findall(r"`([0-9a-f]{16})` \| `([0-9a-f]{32})`", PAGE)
    assert len(board) == 4
    assert all(sha256(seed.encode()).hexdigest().startswith(digest) for digest, seed in board)
