"""The machine's clock is set while matches are played: nobody's time runs out, and nothing waits for hours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.server.nodes import Node
from tests.faults.playing import CLOCKED, COMPUTER, SHORT, play_through

SET = """
import sys, time
from pathlib import Path
offset, real = Path(sys.argv.pop(1)), time.time
time.time = lambda: real() + float(offset.read_text())
from chouine.cli import main
sys.exit(main())
"""
"""`chouine` on a machine whose clock is as far off as a file says."""


@pytest.mark.parametrize("hours", [-1, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "terms",
    [pytest.param(CLOCKED, id="clocked"), pytest.param(COMPUTER, id="computer", marks=pytest.mark.nightly)],
)
def test_the_clock_jumps(hours: int, terms: dict[str, str], tmp_path: Path) -> None:
    """By an hour, whichever way; the server stays."""
    offset = tmp_path / "offset"
    offset.write_text("0")
    program = [sys.executable, "-c", SET, str(offset)]
    server = Node(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", program=program)
    server.start()

    def jump() -> None:
        offset.write_text(str(hours * 3600))

    try:
        told = play_through([server], tmp_path, SHORT, jump, terms)
    finally:
        server.kill()
    assert "matches finished" not in told.counts
