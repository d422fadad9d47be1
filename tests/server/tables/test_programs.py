"""Programs of the engine protocol hold seats at a server's tables; one at fault is waited for and started anew."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from structlog.testing import capture_logs

from chouine.server import computers as module
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.server.programs import Programs
from chouine.server.store import Store
from chouine.server.tables import Tempo
from chouine.table import entries as log
from tests.players.programs import HANDSHAKE, LISTEN, write_program
from tests.server.matches import is_over, opening
from tests.server.stores import Clock, set_table, tables_of, with_store
from tests.server.tables.computers import COMPUTER, computers_at, table_awaiting_computer, threads, until

EXAMPLE = Path(__file__).parents[3] / "examples" / "engine.py"
ENGINE = f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE))}"
MINE = log.SeatHolder("engine:Mine", "Mine")


def test_a_program_plays_a_match_at_two_seats_and_sees_one_hand_from_each(
    sqlite: str, tmp_path: Path
) -> None:
    """A process for each seat: what each is told are the views of one seat alone."""
    told = tmp_path / "told"
    told.mkdir()
    copy = f"import os, sys; log = open(os.path.join({str(told)!r}, str(os.getpid())), 'a')\n"
    text = EXAMPLE.read_text(encoding="utf-8").replace("for line in sys.stdin:", "for line in heard():")
    assert "heard()" in text
    copy += (
        "def heard():\n    for line in sys.stdin:\n        log.write(line); log.flush()\n        yield line\n"
    )
    future = "from __future__ import annotations\n"
    command = write_program(tmp_path, future + copy + text.replace(future, ""))

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening("classic", "1x1", (MINE, MINE)))
        async with computers_at(tables, Programs({"Mine": command}, threads())):
            await until(tables, table_id, is_over)

    with_store(sqlite, test)
    views = [
        [line for line in path.read_text().splitlines() if line.startswith("view")] for path in told.iterdir()
    ]
    seats = [{line.split()[1] for line in lines} for lines in views]
    assert sorted(map(sorted, seats)) == [["a"], ["b"]]


def test_beside_it_the_levels_play_as_before(sqlite: str) -> None:
    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening("three", "1x1", (MINE, COMPUTER, COMPUTER)))
        async with computers_at(tables, Programs({"Mine": ENGINE}, threads())):
            await until(tables, table_id, is_over)

    with_store(sqlite, test)


def test_one_at_fault_is_waited_for_and_started_anew(sqlite: str, tmp_path: Path) -> None:
    """The table says that it is away, the log gives the code alone, and the partie goes on once it is mended."""
    command = write_program(tmp_path, HANDSHAKE + LISTEN + "raise SystemExit(3)")

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock, tempo=Tempo(rest=0.0, thinking=0.01, every=0.01))
        table_id, _ = await table_awaiting_computer(tables, MINE)
        with capture_logs() as lines:
            async with computers_at(tables, Programs({"Mine": command}, threads())):
                away = await until(tables, table_id, lambda now: bool(now.missing))
                page = Viewer(Visit("en", "", "guest-0"), table_id, 0).page(away)
                assert "The computer is away" in page
                write_program(tmp_path, EXAMPLE.read_text(encoding="utf-8"))
                clock.now += module.LEASE
                after = await until(tables, table_id, lambda now: now.n > away.n)
        assert not after.missing
        assert {line["code"] for line in lines if "code" in line} == {"engine/exited"}

    with_store(sqlite, test)


def test_one_that_this_server_was_not_told_of_is_away(sqlite: str) -> None:
    """An older match, after a start without `--engine`, or with another name."""

    async def test(store: Store) -> None:
        tables = tables_of(store, tempo=Tempo(rest=0.0, thinking=0.01, every=0.01))
        table_id, _ = await table_awaiting_computer(tables, MINE)
        async with computers_at(tables, Programs({}, threads())):
            assert (await until(tables, table_id, lambda now: bool(now.missing))).missing

    with_store(sqlite, test)
