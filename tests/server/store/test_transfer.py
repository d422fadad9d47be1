"""Backup, restore, and the move between SQLite and PostgreSQL: all or nothing, with a reason."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from chouine.cli import main
from chouine.server.store import Store
from chouine.table.entries import ClockTerms
from tests.patience import PATIENCE
from tests.server.durability.test_killed import Player, everything_acknowledged_is_there, log_of
from tests.server.matches import is_over, opening
from tests.server.serving import serving
from tests.server.stores import keep_session, play_on, set_table, tables_of, with_store


@pytest.fixture(autouse=True)
def _mask() -> Iterator[None]:
    """Restore the umask, which the commands change."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def fill_database(database: str) -> list[str]:
    """Matches in progress and finished, a session and a key."""

    async def fill(store: Store) -> list[str]:
        tables = tables_of(store, seed=3)
        games = []
        for nth, clock in enumerate((None, ClockTerms(30, 60), None)):
            table_id, _ = await set_table(tables, opening("classic", "1x2", clock=clock))
            until = is_over if nth else lambda table: table.n > 20
            await play_on(tables, table_id, until, Random(nth))
            games.append(table_id)
        await keep_session(store, "t", "guest", '{"name":"Zoé"}'.encode(), 1763712345.123456)
        await store.first_setting("key", "secret")
        return games

    return with_store(database, fill)


def contents(database: str, games: list[str]) -> object:
    async def look(store: Store) -> object:
        logs = [await store.log(table_id) for table_id in games]
        return logs, await store.session("t"), await store.setting("key"), sorted(await store.waking_tables())

    return with_store(database, look)


def test_a_backup_restored_is_the_same(database: str, tmp_path: Path) -> None:
    """A backup of either backend, readable by its owner only, restores to the same content in SQLite."""
    games = fill_database(database)
    file, target = tmp_path / "saved.db", f"sqlite+aiosqlite:///{tmp_path / 'target.db'}"
    assert main(["backup", str(file), "--database", database]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("saved.db?*"))
    assert main(["restore", str(file), "--database", target]) == 0
    assert contents(target, games) == contents(database, games)


def test_a_move_to_postgresql_and_back(
    sqlite: str, postgres_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Matches can be continued after a move, and moved back."""
    games = fill_database(sqlite)
    assert main(["move", sqlite.replace("+aiosqlite", ""), postgres_database.replace("+asyncpg", "")]) == 0
    said = capsys.readouterr().out
    assert "game 3" in said
    assert "every match can be played again" in said
    assert contents(postgres_database, games) == contents(sqlite, games)

    async def go_on(store: Store) -> None:
        await play_on(tables_of(store, seed=8), games[0], is_over, Random(8))

    with_store(postgres_database, go_on)
    back = f"sqlite+aiosqlite:///{tmp_path / 'back.db'}"
    assert main(["move", postgres_database, back]) == 0
    assert contents(back, games) == contents(postgres_database, games)


def test_a_backup_while_it_is_played(tmp_path: Path) -> None:
    """A backup during play is a consistent snapshot with every command acknowledged before it."""
    database, file = tmp_path / "chouine.db", tmp_path / "saved.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as server:
        host, friend = server.visit(), server.visit()
        table_id = host.open(format="5x2")
        friend.sit(host.links(table_id)[1])
        players = [Player(host, table_id, 0), Player(friend, table_id, 1)]
        play_commands(players, 25)
        before = [Player(each.browser, table_id, each.seat, list(each.acknowledged)) for each in players]
        playing = Thread(target=play_commands, args=(players, 20))
        playing.start()
        assert main(["backup", str(file), "--database", f"sqlite:///{database}"]) == 0
        playing.join(PATIENCE)
    saved = log_of(file, table_id)
    everything_acknowledged_is_there(before, {table_id: saved})
    assert saved == log_of(database, table_id)[: len(saved)]


def play_commands(players: list[Player], commands: int) -> None:
    """Play until the server has acknowledged so many more commands."""
    rng, wished = Random(1), sum(len(each.acknowledged) for each in players) + commands
    for nth in range(10_000):
        player = players[nth % len(players)]
        offered = player.random_command(rng)
        if offered is not None:
            verb, fields = offered
            answer = player.browser.tell(player.table_id, verb, player.seat, id=f"m{nth}", **fields)
            if answer.status_code == 200:
                player.acknowledged.append((f"{player.seat}-m{nth}", answer.json()["n"]))
        if sum(len(each.acknowledged) for each in players) >= wished:
            return
    raise AssertionError("the match did not go on")


def test_what_cannot_be_done_is_said_and_leaves_nothing(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_database(sqlite)
    other, text = f"sqlite:///{tmp_path / 'other.db'}", tmp_path / "text.db"
    text.write_text("this is not a database" * 100)
    assert main(["restore", str(text), "--database", other]) == 2
    assert main(["restore", str(tmp_path / "none.db"), "--database", other]) == 2
    assert main(["backup", str(tmp_path / "b.db"), "--database", f"sqlite:///{tmp_path / 'none.db'}"]) == 2
    assert main(["backup", str(text), "--database", sqlite]) == 2
    assert main(["move", f"sqlite:///{tmp_path / 'none.db'}", other]) == 2
    assert main(["move", sqlite, sqlite]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 6
    assert all(line.startswith("chouine ") for line in said)
    assert "not empty" in said[-1]
    assert not list(tmp_path.glob("b.db*"))
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("command", ["prune", "reports"])
def test_a_mistyped_path_creates_no_database(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.db"
    assert main([command, "--database", f"sqlite:///{file}"]) == 2
    assert f"there is no file {file}" in capsys.readouterr().err
    assert not file.exists()


def test_nothing_is_moved_while_a_server_plays(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_database(sqlite)
    with_store(sqlite, lambda store: store.keep_setting("alive", repr(time.time() + 60)))
    assert main(["move", sqlite, f"sqlite:///{tmp_path / 'target.db'}"]) == 2
    assert "stop it" in capsys.readouterr().err


def test_a_damaged_match_is_copied_and_named(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match that cannot be replayed stops neither a move nor a backup, and is copied as it is."""
    games = fill_database(sqlite)
    path = sqlite.partition("///")[2]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update entry set body = ? where game = ? and n = 9", (b'{"kind":"x"}', games[0]))
    saved = tmp_path / "saved.db"
    copies = {"move": tmp_path / "target.db", "backup": saved, "restore": tmp_path / "restored.db"}
    calls = [
        ["move", sqlite, f"sqlite:///{copies['move']}"],
        ["backup", str(saved), "--database", sqlite],
        ["restore", str(saved), "--database", f"sqlite:///{copies['restore']}"],
    ]
    for call in calls:
        assert main(call) == 1
        said = capsys.readouterr().out
        assert f"1 match is damaged and copied as it is ({games[0]})" in said
        copy = copies[call[0]]
        assert contents(f"sqlite+aiosqlite:///{copy}", games[1:]) == contents(sqlite, games[1:])
        assert rows_of(copy, games[0]) == rows_of(Path(path), games[0])


def rows_of(database: Path, table_id: str) -> list[object]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("select * from entry where game = ? order by n", (table_id,)).fetchall()
