"""Changes of the system clock during play: no player's time runs out, and nothing waits for hours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.server.nodes import Node
from chouine.files import write_whole
from tests.faults.playing import CLOCKED, COMPUTER, SHORT, play_through

SET = """
import sys, time
from pathlib import Path
offset, real = Path(sys.argv.pop(1)), time.time
time.time = lambda: real() + float(offset.read_text())
from chouine.cli import main
sys.exit(main())
"""
"""`chouine` with a clock whose offset in seconds is in a file."""


@pytest.mark.parametrize("hours", [-1, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "terms",
    [pytest.param(CLOCKED, id="clocked"), pytest.param(COMPUTER, id="computer", marks=pytest.mark.nightly)],
)
def test_the_clock_jumps(hours: int, terms: dict[str, str], tmp_path: Path) -> None:
    """The clock jumps by an hour either way while the server runs."""
    offset = tmp_path / "offset"
    offset.write_text("0")
    program = [sys.executable, "-c", SET, str(offset)]
    server = Node(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", program=program)
    server.start()

    def jump() -> None:
        write_whole(offset, str(hours * 3600))  # the server reads it all the time

    try:
        told = play_through([server], tmp_path, SHORT, jump, terms)
    finally:
        server.kill()
    assert "matches finished" not in told.counts
