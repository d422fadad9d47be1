"""A database that is damaged, read-only or ahead of the clock is detected, reported and not played on."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from chouine.cli.databases import CannotOpen, ready_database
from chouine.cli.serve import clock_checked
from chouine.server.database import Damaged
from chouine.server.heartbeat import AHEAD
from chouine.server.schema import entry
from chouine.server.store import Store
from chouine.server.transfer import transfer
from chouine.table import commands as ask
from tests.patience import PATIENCE
from tests.rights import obey_modes
from tests.server.matches import is_over, opening
from tests.server.serving import serving
from tests.server.stores import play_on, present, set_table, tables_of, with_store


def without(database: Path, table_id: str, n: int) -> None:
    """Delete one entry from a log."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("delete from entry where game = ? and n = ?", (table_id, n)).rowcount == 1
        connection.commit()


def test_a_log_with_an_entry_missing_is_not_played_on(tmp_path: Path) -> None:
    """A log with a missing entry gets an error page and a line in the server's log; other matches continue."""
    database, errors = tmp_path / "chouine.db", tmp_path / "errors"
    with serving(f"sqlite:///{database}", errors) as server:
        host = server.visit("en")
        damaged, sound = (host.open(**{"chair-1": "me"}) for _ in range(2))
        for seat, place in ((0, "3"), (1, "4")):
            host.tell(damaged, "pick", seat, place=place)
        cookies = dict(host.http.cookies)
    without(database, damaged, 3)
    with serving(f"sqlite:///{database}", errors) as server:
        host = server.visit("en")
        host.http.cookies.update(cookies)
        answer = host.get(f"/table/{damaged}")
        assert (answer.status_code, "This match is damaged" in answer.text) == (500, True)
        told = host.http.get(f"/match/{damaged}", headers={"Accept": "application/json"}).json()
        assert told["code"] == "damaged"
        assert host.get(f"/table/{sound}").status_code == 200
        assert damaged not in host.get("/").text
        assert sound in host.page.text
    assert "damaged table" in errors.read_text()


@pytest.mark.parametrize(
    "change",
    [
        "delete from entry where game = ?",
        "delete from entry where game = ? and n = 1",
        "update entry set n = n + 100 where game = ? and n > 3",
        "update entry set body = x'ff00' where game = ? and n = 3",
        "update entry set body = x'' where game = ? and n = 3",
        "update entry set body = 5 where game = ? and n = 3",
        """update entry set body = '{"kind":"nonsense"}' where game = ? and n = 3""",
        """update entry set body = '{"kind":"acted","seat":0,"token":"7x"}' where game = ? and n = 3""",
        """update entry set body = '{"kind":"acted","seat":0,"token":"7s"}' where game = ? and n = 3""",
        """update entry set body = '{"kind":"conceded","seat":0}' where game = ? and n = 3""",
        """update entry set body = '{"kind":"followed","game":"x"}' where game = ? and n = 1""",
    ],
)
def test_a_log_with_a_bad_entry_is_damaged(change: str, sqlite: str) -> None:
    """Entries that are missing, cannot be read or are illegal; for a node that knows the beginning, too."""

    async def test(store: Store) -> None:
        tables, other = tables_of(store), tables_of(store)
        table_id, _ = await set_table(tables)
        with pytest.raises(LookupError):
            await tables.do("another", ask.Speak(0, "hello"))
        await present(other, table_id)
        for place in (3, 4):
            table = await present(tables, table_id)
            await tables.do(table_id, ask.Pick(min(table.awaited), place))
        with closing(sqlite3.connect(sqlite.partition(":///")[2])) as connection, connection:
            assert connection.execute(change, (table_id,)).rowcount
        with pytest.raises(Damaged):
            await tables_of(store).table(table_id)
        with pytest.raises(Damaged):
            await tables_of(store).do(table_id, ask.Speak(0, "hello"))
        if "n = 1" not in change:
            with pytest.raises(Damaged):
                await other.table(table_id)

    with_store(sqlite, test)


def test_a_damaged_log_is_counted_where_all_is_played_again(database: str, tmp_path: Path) -> None:
    """A damaged log accepts no command, and `transfer` names it."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, _ = await set_table(tables, opening())
        table = await play_on(tables, table_id, is_over)
        await store.database.write(
            lambda connection: connection.execute(
                entry.delete().where(entry.c.table_id == table_id, entry.c.n == 4)
            )
        )
        assert table.n > 8
        with pytest.raises(Damaged):
            await tables_of(store).table(table_id)
        with pytest.raises(Damaged):
            await tables_of(store).do(table_id, ask.Speak(0, "hello"))

    with_store(database, test)
    target = f"sqlite+aiosqlite:///{tmp_path / 'target.db'}"
    ready_database(target)
    assert len(asyncio.run(transfer(database, target)).damaged) == 1


def test_a_file_that_is_empty_is_no_new_database(tmp_path: Path) -> None:
    file = tmp_path / "chouine.db"
    file.touch()
    with pytest.raises(CannotOpen, match="is an empty file"):
        ready_database(f"sqlite:///{file}")
    assert file.stat().st_size == 0
    file.unlink()
    ready_database(f"sqlite:///{file}")


@pytest.mark.parametrize("table", ["entry", "game", "session", "setting"])
def test_a_database_without_one_of_its_tables_is_refused(table: str, database: str) -> None:
    async def drop(store: Store) -> None:
        if store.database.dialect == "postgresql":
            await store.database.write(
                lambda connection: connection.execute(sa.text(f"drop table {table} cascade"))
            )

    with_store(database, drop)
    if database.startswith("sqlite"):
        with closing(sqlite3.connect(database.partition(":///")[2])) as connection:
            connection.execute(f"drop table {table}")
    with pytest.raises(CannotOpen, match=f"its table {table} is missing"):
        ready_database(database)


def test_settings_that_cannot_be_read_are_the_defaults(tmp_path: Path) -> None:
    """The visitor keeps seats and matches, the row stays, and one line is logged."""
    database, errors = tmp_path / "chouine.db", tmp_path / "errors"
    with serving(f"sqlite:///{database}", errors) as server:
        host = server.visit("en")
        table_id = host.open(**{"chair-1": "me", "name-0": "Odile"})
        for damage in (b"\xff", b"{", b"[]", b"[" * 5000):
            with closing(sqlite3.connect(database)) as connection, connection:
                connection.execute("update session set settings = ?", (damage,))
            assert host.get("/").status_code == 200
            assert table_id in host.page.text
            assert host.get(f"/table/{table_id}").status_code == 200
            assert host.tell(table_id, "speak", 0, phrase="hello").json()["ok"]
            with closing(sqlite3.connect(database)) as connection:
                assert connection.execute("select settings from session").fetchall() == [(damage,)]
        server.stop()
    events = [json.loads(line)["event"] for line in errors.read_text().splitlines()]
    assert set(events) == {"settings cannot be read"}
    assert len(events) <= 3, "once for each kind of error"


@pytest.mark.parametrize("cut", [1, 50, 4095, 4096, -1, -99, -100, -4095])
def test_a_file_that_is_cut_short_is_refused(cut: int, tmp_path: Path) -> None:
    """Bytes missing at the end, or with a minus the bytes that are left; the file stays as it is."""
    file = tmp_path / "chouine.db"
    ready_database(f"sqlite:///{file}")
    ready_database(f"sqlite:///{file}")
    left = file.stat().st_size - cut if cut > 0 else -cut
    os.truncate(file, left)
    with pytest.raises(CannotOpen, match="is cut short: part of what was in it is lost"):
        ready_database(f"sqlite:///{file}")
    assert file.stat().st_size == left


@pytest.mark.parametrize("cut", [0, 4096])
def test_a_file_that_a_killed_server_left(cut: int, tmp_path: Path) -> None:
    """Its write-ahead log holds what is not in the file yet, but not what was cut off."""
    file, left = tmp_path / "chouine.db", tmp_path / "left.db"
    ready_database(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("insert into setting values ('alive', '7')")
        connection.commit()
        shutil.copy(f"{file}-wal", f"{left}-wal")
        shutil.copy(file, left)
    os.truncate(left, left.stat().st_size - cut)
    if cut:
        with pytest.raises(CannotOpen, match="is cut short"):
            ready_database(f"sqlite:///{left}")
        return
    ready_database(f"sqlite:///{left}")
    with closing(sqlite3.connect(left)) as connection:
        assert connection.execute("select value from setting").fetchall() == [("7",)]


def overwritten(database: Path, table: str) -> None:
    """Overwrite the first page of a table of the schema."""
    with closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute("select rootpage from sqlite_master where name = ?", (table,)).fetchone()
        connection.execute("pragma wal_checkpoint(truncate)")
    with database.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


def test_a_damaged_page_is_not_out_of_reach(sqlite: str) -> None:
    """What needs it is damaged, to read and to write; the rest goes on."""

    async def set_up(store: Store) -> str:
        return (await set_table(tables_of(store)))[0]

    table_id = with_store(sqlite, set_up)
    overwritten(Path(sqlite.partition(":///")[2]), "entry")

    async def test(store: Store) -> None:
        with pytest.raises(Damaged):
            await store.log(table_id)
        row = {"table_id": table_id, "n": 3, "at": 0.0, "command": None, "body": b""}
        spoiled, sound = await asyncio.gather(
            store.database.insert(entry, row), store.keep_setting("alive", "7"), return_exceptions=True
        )
        assert isinstance(spoiled, Damaged)
        assert sound is None
        assert await store.setting("alive") == "7"

    with_store(sqlite, test)


def test_visitors_are_told_that_data_is_damaged(tmp_path: Path) -> None:
    """They are not told that nothing is lost, neither at a table nor on another page."""
    database, errors = tmp_path / "chouine.db", tmp_path / "errors"
    with serving(f"sqlite:///{database}", errors) as server:
        host = server.visit("en")
        table_id = host.open(**{"chair-1": "me"})
        cookies = dict(host.http.cookies)
        server.stop()
    overwritten(database, "entry")
    overwritten(database, "seat")
    with serving(f"sqlite:///{database}", errors) as server:
        answer = server.visit("en").get(f"/table/{table_id}")
        assert (answer.status_code, "This match is damaged" in answer.text) == (500, True)
        answer = httpx.get(f"{server.url}/", cookies=cookies, headers={"Accept-Language": "fr"})
        assert (answer.status_code, "base du serveur" in answer.text) == (500, True)
    said = errors.read_text()
    assert "damaged table" in said
    assert "damaged database" in said
    assert "out of reach" not in said


@pytest.mark.parametrize(
    ("told", "sound"),
    [(0.0, True), (AHEAD / 2, True), (2 * AHEAD, False), (1e9, False), (float("nan"), False), ("x", False)],
)
def test_a_server_that_was_there_in_the_future(told: float | str, sound: bool, sqlite: str) -> None:  # noqa: FBT001
    """A last sign of life far in the future prevents the start, until the clock is reset explicitly."""
    alive = told if isinstance(told, str) else repr(time.time() + told)
    with_store(sqlite, lambda store: store.keep_setting("alive", alive))
    if sound:
        asyncio.run(clock_checked(sqlite, reset=False))
        return
    with pytest.raises(CannotOpen, match="still to come"):
        asyncio.run(clock_checked(sqlite, reset=False))
    asyncio.run(clock_checked(sqlite, reset=True))
    asyncio.run(clock_checked(sqlite, reset=False))


def test_a_server_that_cannot_write_is_not_ready(tmp_path: Path) -> None:
    """`/ready` fails while the database cannot be written, as on a full disk, and recovers afterwards."""
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as server:

        def ready(wanted: int) -> httpx.Response:
            deadline = time.monotonic() + PATIENCE
            while (answer := httpx.get(f"{server.url}/ready", timeout=PATIENCE)).status_code != wanted:
                assert time.monotonic() < deadline, answer.text
                time.sleep(0.2)
            return answer

        ready(200)
        with closing(sqlite3.connect(database, isolation_level=None, timeout=PATIENCE)) as other:
            other.execute("begin immediate")
            assert ready(503).json() == {"ok": False, "why": "cannot write"}
            other.execute("rollback")
        ready(200)


def test_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    file = tmp_path / "chouine.db"
    ready_database(f"sqlite:///{file}")
    file.chmod(0o400)
    errors = tmp_path / "errors"
    with pytest.raises(AssertionError), serving(f"sqlite:///{file}", errors, under=obey_modes()):
        pass
    assert errors.read_text().startswith("chouine serve: cannot open the database: ")
    assert "Traceback" not in errors.read_text()
