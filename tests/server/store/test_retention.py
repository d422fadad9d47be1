"""Retention: by default no table is deleted that is in somebody's list of matches."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from chouine.cli import main
from chouine.server import retention, schema
from chouine.server.retention import (
    DAY,
    RECORDS,
    RetentionDays,
    count_aged,
    going_tables,
    remove,
    remove_aged,
)
from chouine.server.store import Append, Store
from chouine.table.entries import Picked
from tests.server.matches import opening
from tests.server.serving import serving
from tests.server.stores import with_store

NOW = 100 * DAY
NOBODYS = {f"nobody-{state}-{days}" for state in ("over", "open") for days in (0, 10, 30)}


async def fill_with_tables(store: Store, monkeypatch: pytest.MonkeyPatch, now: float = NOW) -> None:
    """Set tables of all kinds, named by owner, state and days since the last entry."""

    async def today() -> float:
        return now

    monkeypatch.setattr(store, "now", today)
    for whose in ("person", "nobody"):
        for over in (True, False):
            for days in (0, 10, 30):
                name = f"{whose}-{'over' if over else 'open'}-{days}"
                seats = [(0, "guest")] if whose == "person" else []
                at = now - days * DAY
                first = Append(name, 0, at, None, (opening(),), None, over=over, seats=seats, owner="guest")
                await store.open(first)
                await store.append(Append(name, 1, at, None, (Picked(0, 3),), None, over=over))


@pytest.mark.parametrize(
    ("keep", "gone"),
    [
        (RetentionDays(), {"nobody-over-10", "nobody-over-30", "nobody-open-10", "nobody-open-30"}),
        (RetentionDays(nobodys=None), set()),
        (RetentionDays(nobodys=None, abandoned=20), {"person-open-30"}),
        (RetentionDays(nobodys=None, abandoned=0), {"person-open-0", "person-open-10", "person-open-30"}),
        (RetentionDays(nobodys=None, finished=10), {"person-over-10", "person-over-30"}),
        (RetentionDays(nobodys=None, quota=12), set()),
        (RetentionDays(nobodys=None, quota=8), {"person-open-30", "person-over-30"}),
        (RetentionDays(nobodys=0, quota=6), NOBODYS),
        (RetentionDays(nobodys=0, quota=4), NOBODYS | {"person-open-30", "person-over-30"}),
    ],
)
def test_what_goes(
    keep: RetentionDays, gone: set[str], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(store: Store) -> None:
        await fill_with_tables(store, monkeypatch)
        before = {name for name, _ in await store.table_ids_of("guest")}
        found = await going_tables(store, keep)
        assert {table.table_id for table in found} == gone
        assert {table.entries for table in found} <= {2}
        assert [table.last for table in found] == sorted(table.last for table in found)
        await remove(store, found)
        assert await going_tables(store, keep) == []
        assert {name for name, _ in await store.table_ids_of("guest")} == before - gone
        for name in gone:
            assert await store.log(name) == []

    with_store(database, test)


def test_by_default_nothing_that_anybody_can_see_goes(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(store: Store) -> None:
        await fill_with_tables(store, monkeypatch)
        seen = {name for name, _ in await store.table_ids_of("guest")}
        assert not seen & {table.table_id for table in await going_tables(store, RetentionDays())}

    with_store(database, test)


def test_only_those_lose_notifications_whose_last_table_goes(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those who sit elsewhere, never sat, have entered a contest, or wait for a partner."""
    guests = ("gone", "elsewhere", "new", "entrant", "waiting")

    async def test(store: Store) -> None:
        await fill_with_tables(store, monkeypatch)
        seats = [(0, "gone"), (1, "elsewhere"), (2, "entrant"), (3, "waiting")]
        await store.open(Append("old", 0, 0.0, None, (opening(),), None, over=True, seats=seats))
        await store.open(Append("new", 0, NOW, None, (opening(),), None, over=True, seats=[(0, "elsewhere")]))

        def fill(connection: sa.Connection) -> None:
            contest = {"owner": "x", "seed": "", "move": 0, "reserve": 0, "state": "open"}
            connection.execute(schema.contest.insert().values(id="c", opened=NOW, **contest))
            connection.execute(
                schema.entrant.insert().values(contest="c", number=1, guest="entrant", name="")
            )
            times = {"since": NOW, "seen": NOW, "table_id": ""}
            connection.execute(schema.waiting.insert().values(guest="waiting", id="w", name="", **times))
            for guest in guests:
                push = {"endpoint": "", "key": "", "auth": "", "at": 0.0}
                connection.execute(schema.subscription.insert().values(id=guest, guest=guest, **push))
                mail = {"address": "", "language": "fr", "confirmed": True, "at": 0.0}
                connection.execute(schema.mailbox.insert().values(id=guest, guest=guest, **mail))

        await store.database.write(fill)
        await remove(store, await going_tables(store, RetentionDays(finished=20)))
        for column in (schema.subscription.c.guest, schema.mailbox.c.guest):
            kept = await store.database.read(partial(guests_in, column))
            assert kept == {"elsewhere", "new", "entrant", "waiting"}

    with_store(database, test)


def guests_in(column: sa.Column[str], connection: sa.Connection) -> set[str]:
    return set(connection.scalars(sa.select(column)))


def test_the_command_tells_first(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --delete the command removes nothing and lists the tables with reason, last day and entries."""

    noon = 12 * 3600.0

    async def fill(store: Store) -> None:
        for nth in range(250):
            await store.open(Append(f"old-{nth}", 0, noon, None, (opening(),), None, over=True))
        await store.open(Append("mine", 0, noon, None, (opening(),), None, over=True, seats=[(0, "guest")]))

    with_store(sqlite, fill)
    plain = sqlite.replace("sqlite+aiosqlite", "sqlite")
    for _ in range(2):
        assert main(["prune", "--database", plain]) == 0
        *named, last = capsys.readouterr().out.splitlines()
        assert len(named) == 250
        assert "old-0 nobodys 1970-01-01 1" in named
        assert last == "to be removed: tables 250 (nobodys 250), entries 250; --delete removes them"
    assert main(["prune", "--database", plain, "--delete"]) == 0
    assert capsys.readouterr().out.endswith("removed: tables 250 (nobodys 250), entries 250\n")
    assert main(["prune", "--database", plain]) == 0
    assert capsys.readouterr().out.startswith("to be removed: tables 0 (none)")
    assert asyncio.run(tables_left(sqlite)) == ["mine"]


KEPT = {"daily_reference", "difficulty", "setting", "spending", "unwanted"}
"""Impersonal, or keyed digests alone: whoever wants no e-mail, and counts of e-mails that end within a week."""


def row_of(table: sa.Table, **values: object) -> dict[str, object]:
    """A row with the given values, and any value of the right type in the other columns."""
    usual = {sa.Float: NOW, sa.Boolean: False, sa.Integer: 1, sa.BigInteger: 1, sa.LargeBinary: b"{}"}
    found = {column.key: usual.get(type(column.type), "x") for column in table.columns}
    return found | {name: value for name, value in values.items() if name in found}


def fill_every_table(connection: sa.Connection) -> None:
    """A row in each table of the schema; of matches one of each kind."""
    for table in schema.metadata.sorted_tables:
        connection.execute(table.insert().values(row_of(table)))
    kinds = [("alone", False, False), ("open", False, True), ("over", True, True)]
    for table_id, over, people in kinds:
        connection.execute(
            schema.playing_table.insert().values(row_of(schema.playing_table, id=table_id, over=over))
        )
        connection.execute(schema.entry.insert().values(row_of(schema.entry, table_id=table_id)))
        if people:
            connection.execute(schema.seat.insert().values(row_of(schema.seat, table_id=table_id)))


def numbers_of(connection: sa.Connection) -> dict[str, int]:
    """The number of rows of each table that has any."""
    counted = {
        table.name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
        for table in schema.metadata.sorted_tables
    }
    return {name: number for name, number in counted.items() if number}


def test_with_no_days_nothing_of_anybody_remains(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each table of the schema is emptied, or named in `KEPT`; a listing without --delete names all that would go."""

    async def today(_: Store) -> float:
        return NOW

    monkeypatch.setattr(Store, "now", today)
    with_store(database, lambda store: store.database.write(fill_every_table))
    everything = with_store(database, lambda store: store.database.read(numbers_of))
    assert set(everything) == set(schema.metadata.tables)
    days = [f"--{name}=0" for name in (*RECORDS, "nobodys", "abandoned", "finished")]
    assert main(["prune", "--database", database, *days]) == 0
    named = [line.split()[0] for line in capsys.readouterr().out.splitlines()[:-1]]
    assert set(named) == {"x", "alone", "open", "over", *RECORDS}
    assert with_store(database, lambda store: store.database.read(numbers_of)) == everything
    assert main(["prune", "--database", database, *days, "--delete"]) == 0
    assert set(with_store(database, lambda store: store.database.read(numbers_of))) == KEPT


@pytest.mark.parametrize("days", [3.0, None])
def test_records_go_by_their_age(days: float | None, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each kind those go that are old enough, in several steps; none of a kind that is kept for ever."""
    monkeypatch.setattr(retention, "RECORDS_AT_ONCE", 2)

    def fill(connection: sa.Connection) -> None:
        for nth in range(10):
            at = dict.fromkeys(("seen", "at", "begun", "opened", "until", "ends"), NOW - nth * DAY)
            for kind in {kind.table: kind for kind in RECORDS.values()}.values():
                unique: dict[str, object] = {"n": nth}
                unique |= dict.fromkeys(
                    (
                        "id",
                        "token",
                        "digest",
                        "name",
                        "guest",
                        "former",
                        "other",
                        "table_id",
                        "contest",
                        "code",
                        "secret",
                    ),
                    f"{nth}",
                )
                if kind.table is schema.erasure:  # nobody whose other rows are looked at here
                    unique["guest"] = f"erased-{nth}"
                connection.execute(kind.table.insert().values(row_of(kind.table, **unique, **at)))
            connection.execute(schema.act.insert().values(contest=f"{nth}", n=1, line=""))

    async def test(store: Store) -> None:
        async def today() -> float:
            return NOW

        monkeypatch.setattr(store, "now", today)
        await store.database.write(fill)
        before = await store.database.read(numbers_of)
        keep = RetentionDays(records=dict.fromkeys(RECORDS, days))
        expected = {} if days is None else dict.fromkeys(RECORDS, (7, NOW - 9 * DAY))
        assert await count_aged(store, keep) == expected
        await remove_aged(store, keep)
        after = await store.database.read(numbers_of)
        assert after == {name: number if days is None else 3 for name, number in before.items()}
        assert await count_aged(store, keep) == {}

    with_store(database, test)


def test_a_table_that_is_removed_while_a_server_knows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its pages and its commands say that it is gone."""
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    with serving(database, tmp_path / "errors") as server:
        host = server.visit("en")
        table_id = host.open(**{"chair-1": "me"})
        assert host.tell(table_id, "pick", 0, place="3").json()["ok"]
        assert main(["prune", "--database", database, "--abandoned", "0", "--delete"]) == 0
        assert "\nremoved: tables 1 " in capsys.readouterr().out
        told = host.tell(table_id, "pick", 1, place="4")
        assert (told.status_code, told.json()["code"]) == (404, "table-gone")
        for page in (f"/table/{table_id}", f"/match/{table_id}", f"/table/{table_id}/events"):
            answer = host.http.get(page)
            assert (answer.status_code, "This table is gone" in answer.text) == (404, True)
    assert (tmp_path / "errors").read_text() == ""


async def tables_left(database: str) -> list[str]:
    store = Store.at(database)
    try:
        return [name for name, _ in await store.table_ids_of("guest")]
    finally:
        await store.close()


@pytest.mark.parametrize(
    "wrong", ["--abandoned=-1", "--abandoned=x", "--abandoned=nan", "--abandoned=inf", "--quota=0.5"]
)
def test_a_number_that_is_none(wrong: str, sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["prune", "--database", sqlite, wrong])
    assert ended.value.code == 2
    assert wrong.partition("=")[0] in capsys.readouterr().err
