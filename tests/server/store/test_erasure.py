"""Erasing a person: afterwards no byte of theirs is stored, and the others' matches replay and verify."""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import sqlalchemy as sa

from chouine.cli import main
from chouine.cli.export import write_new
from chouine.contest.formula import formula_for
from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.server.accounts.merging import merge_guests
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.people import People
from chouine.server.codec import decode_brief
from chouine.server.contest.online import Contests
from chouine.server.contest.online_pages import enter
from chouine.server.engines import engine_of
from chouine.server.erasure import erase, erased_guests
from chouine.server.order import KeeperActs, KeeperDecision, Target
from chouine.server.partners import Partners
from chouine.server.personal import PARTS, parts_of
from chouine.server.push.mail import normal_form
from chouine.server.records import record_text
from chouine.server.schema import (
    access,
    bot,
    browser,
    classroom,
    credential,
    daily_listing,
    daily_play,
    erasure,
    former,
    holiday,
    imported,
    imported_review,
    mailbox,
    member,
    metadata,
    passage,
    prepared,
    pupil,
    rating,
    reminder,
    session,
    showing,
    subscription,
    tally,
)
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.server.transfer import replay_logs
from chouine.server.verify import Proof
from chouine.server.visitors import secrets_of
from chouine.table import commands as ask
from chouine.table.entries import LEFT, NOBODY, ClockTerms, SeatHolder
from chouine.table.state import Phase, TableState
from tests.forked import run_chouine
from tests.server.matches import opened
from tests.server.store.test_retention import row_of
from tests.server.stores import Clock, play_on, present, store_at, tables_of

MINE, FRIEND, THIRD = "a" * 32, "b" * 32, "c" * 32
NAME, TWIN, ORIGIN = "Zébulon", "Zébuline", "d" * 32
OWN = {
    "name": NAME,
    "another name": TWIN,
    "guest": MINE,
    "address digest": ORIGIN,
    "cookie": "cookie-digest",
    "push endpoint": "https://push.example/zebulon",
    "e-mail": "zebulon@chouine.example",
    "browser": "Zéphyr",
    "village": "Zébuville",
}
ME, OTHER = SeatHolder("person", NAME, MINE, "kh"), SeatHolder("person", "Berthe", FRIEND)
LISON = SeatHolder("level:3", "Lison")
SET_BY = MINE, ORIGIN


def over(table: TableState) -> bool:
    return table.phase is Phase.OVER


async def lived(store: Store) -> dict[str, str]:
    """Fill a database with the life of a person; its tables by what they are."""
    tables = tables_of(store)
    games = {
        "over": await tables.open(opened(terms="3x1", chairs=(ME, OTHER)), set_by=SET_BY),
        "going": await tables.open(opened(terms="5x2", chairs=(OTHER, ME)), set_by=SET_BY),
        "paused": await tables.open(opened(chairs=(OTHER, ME))),
        "computer": await tables.open(opened(chairs=(ME, LISON)), set_by=SET_BY),
        "device": await tables.open(opened(chairs=(ME, SeatHolder("person", TWIN, MINE)))),
        "others": await tables.open(opened(chairs=(OTHER, SeatHolder("person", "Carole", THIRD)))),
        "seating": await tables.open(
            opened("three", chairs=(OTHER, SeatHolder("person", ""), SeatHolder("person", "")))
        ),
        "phone": await tables.open(opened(chairs=(OTHER, SeatHolder("person", NAME, "e" * 32)))),
    }
    await tables.do(games["seating"], ask.Sit(1, MINE, NAME))
    await tables.do(games["phone"], ask.Sit(1, MINE, NAME, "e" * 32))
    for which in ("over", "computer", "others", "phone"):
        await play_on(tables, games[which], over)
    await play_on(tables, games["going"], lambda table: len(table.played) == 2)
    await tables.do(games["paused"], ask.Pause(0))
    partners = Partners(store, tables.clock)
    await partners.wait(MINE, NAME, ORIGIN)
    await partners.block(MINE, THIRD, "Carole")
    await partners.block(THIRD, MINE, NAME)
    people = People(tables)
    for guest, name in ((MINE, NAME), (FRIEND, "Berthe"), (THIRD, "Carole")):
        await people.own(guest, name)
    await people.change(MINE, NAME, "Zébuville", "kh", {})
    await people.ask(MINE, FRIEND)
    await people.accept(FRIEND, MINE)
    for one, other in ((MINE, FRIEND), (FRIEND, MINE)):
        await Challenges(people).send(one, [other], Terms("classic", "3x1", 60, 300))
    await partners.report(MINE, games["over"], 1, "Berthe", "other", "")
    await partners.report(FRIEND, games["over"], 0, NAME, "rude", f"{NAME} m’a insultée")
    await partners.report(FRIEND, "wait", 0, NAME, "name", f"Non à {NAME}", place="waiting", other=MINE)
    order = KeeperActs(tables, Contests(store, tables.clock), await secrets_of(store))
    await order.log("warn", f"{NAME} exagère", MINE, NAME)
    await order.log("rename", "Un gros mot", FRIEND, "Affreux")

    def fill(connection: sa.Connection) -> None:
        row = {"token": "cookie-digest", "guest": MINE, "begun": 0, "seen": 0}
        connection.execute(session.insert().values(row | {"settings": f'{{"name":"{NAME}"}}'.encode()}))
        push = {"id": "x", "guest": MINE, "endpoint": OWN["push endpoint"], "key": "k", "auth": "a", "at": 0}
        connection.execute(subscription.insert().values(push))
        mail = {"id": "m", "guest": MINE, "address": OWN["e-mail"], "language": "fr", "confirmed": True}
        connection.execute(mailbox.insert().values(mail | {"at": 0, "owner": "digest"}))
        token = {"id": "t", "digest": "token-digest", "guest": MINE, "name": "Engine", "scopes": "play"}
        connection.execute(access.insert().values(token | {"begun": 0, "seen": 0}))
        connection.execute(bot.insert().values(guest=MINE, name="BOT Anne", seen=0))
        account = {"guest": MINE, "since": 1, "seen": 1, "settings": f'{{"name":"{NAME}"}}'.encode()}
        connection.execute(member.insert().values(account))
        signed_in = {
            "token": "another cookie-digest",
            "guest": MINE,
            "begun": 1,
            "seen": 1,
            "device": "Zéphyr",
        }
        connection.execute(browser.insert().values(signed_in))
        way = {
            "id": "w",
            "guest": MINE,
            "kind": "mail",
            "at": 1,
            "used": 1,
            "label": OWN["e-mail"],
            "counter": 0,
        }
        connection.execute(credential.insert().values(way))
        connection.execute(passage.insert().values(id="l", address=OWN["e-mail"], at=1))
        connection.execute(former.insert().values(former="f" * 32, guest=MINE, at=1))
        for table in (rating, tally, showing, daily_play, daily_listing, reminder, holiday, prepared):
            connection.execute(table.insert().values(row_of(table, guest=MINE, table_id=games["over"])))
        file = {"id": "i-file", "guest": MINE, "at": 0, "title": NAME, "parties": 1, "body": NAME}
        connection.execute(imported.insert().values(file))
        teach_and_learn(connection)
        review = {"table_id": "i-file", "partie": 1, "body": NAME.encode()}
        connection.execute(imported_review.insert().values(review))

    await store.database.write(fill)
    return games


def teach_and_learn(connection: sa.Connection) -> None:
    """A class of the person's with a pupil, and one in which they are a pupil."""
    for secret, teacher, guest, name in (("s", MINE, FRIEND, "Berthe"), ("t", THIRD, MINE, NAME)):
        row = {"secret": secret, "guest": teacher, "code": f"BCDF{secret.upper()}", "until": 9e9}
        connection.execute(classroom.insert().values(row))
        connection.execute(pupil.insert().values(guest=guest, classroom=secret, name=name))


async def announced(contests: Contests, *guests: tuple[str, str]) -> str:
    """A contest that the person announces, with these entries."""
    which = await contests.open(formula_for("swiss"), "Concours", ClockTerms(60, 300), *SET_BY, most_here=9)
    for guest, name in guests:
        online = await contests.get(which)
        assert online is not None
        await enter(contests, online, guest, name, (ORIGIN if guest == MINE else "", 9))
    return which


async def everything(store: Store) -> str:
    """All that is stored, as text."""

    def read(connection: sa.Connection) -> list[Any]:
        return [
            tuple(row) for table in metadata.sorted_tables for row in connection.execute(sa.select(table))
        ]

    rows = await store.database.read(read)
    return "\n".join(
        str(value.decode() if isinstance(value, bytes) else value) for row in rows for value in row
    )


async def scores(tables: Tables, games: dict[str, str]) -> dict[str, Any]:
    """What was won, and how each deal was fixed."""
    found = {which: await tables.table(game) for which, game in games.items()}
    return {
        which: (table.match.score, table.match.manches, table.played)
        for which, table in found.items()
        if table
    }


def test_nothing_of_a_person_is_left(database: str) -> None:
    async def test() -> None:
        async with store_at(database) as store:
            games = await lived(store)
            tables, contests = tables_of(store), Contests(store, Clock())
            alone = await announced(contests, (MINE, NAME))
            shared = await announced(contests, (MINE, NAME), (FRIEND, "Berthe"), (THIRD, "Carole"))
            text = await everything(store)
            for what, mine in OWN.items():
                assert mine in text, what
            before = await scores(tables, games)
            listed = {game for game, _ in await store.table_ids_of(FRIEND)}

            done = await erase(tables, contests, MINE)
            assert (done.deleted, done.kept) == (2, 5)

            text = await everything(store)
            for what, mine in OWN.items():
                assert mine not in text.replace(f"{MINE}\n{float(tables.clock())}", ""), what
            fresh = tables_of(store)
            for reading in (tables, fresh):
                after = await scores(reading, games)
                assert before.keys() - after.keys() == {"computer", "device"}
                for which in ("over", "others", "phone"):
                    assert after[which] == before[which]
                going, paused = after["going"], await present(reading, games["paused"])
                assert going[2][:2] == before["going"][2]
                for which in ("over", "going", "paused", "phone"):
                    table = await present(reading, games[which])
                    assert table.phase is Phase.OVER
                    seat = 0 if which == "over" else 1
                    assert table.holders[seat] == SeatHolder("person", LEFT, NOBODY)
                    assert table.holders[1 - seat].name == "Berthe"
                assert paused.match.winner == 0
                seating = await present(reading, games["seating"])
                assert seating.phase is Phase.SEATING
                assert seating.holders[1].guest is None
            assert {game for game, _ in await store.table_ids_of(FRIEND)} == listed
            briefs = [kept for _, kept in await store.table_ids_of(FRIEND) if kept]
            assert (
                len([one for one in map(decode_brief, briefs) if any(h.name == LEFT for h in one.holders)])
                == 4
            )
            assert await contests.get(alone) is None
            online = await contests.get(shared)
            assert online is not None
            assert (online.owner, len(online.players)) == ("", 2)
            reports = await Partners(store, tables.clock).reports()
            assert {(report.name, report.words) for report in reports} == {
                (LEFT, f"{LEFT} m’a insultée"),
                (LEFT, ""),
            }
        engine = engine_of(database)
        async with engine.connect() as connection:
            parties, damaged = await replay_logs(connection)
        await engine.dispose()
        assert parties >= 7
        assert damaged == []

    asyncio.run(test())


def test_whoever_is_barred_does_not_erase_the_bar_of_their_address(sqlite: str) -> None:
    """It holds to its end, for nobody that is named."""

    async def test() -> tuple[list[Any], str]:
        async with store_at(sqlite) as store:
            tables, contests = tables_of(store), Contests(store, Clock())
            order = KeeperActs(tables, contests, await secrets_of(store))
            await Partners(store, tables.clock).wait(MINE, NAME, ORIGIN)
            for address in (True, False):
                decision = KeeperDecision("bar", f"{NAME} exagère", address=address)
                await order.decide(Target("person", MINE, 0, MINE, NAME), decision)
            await erase(tables, contests, MINE)
            rows = [(row.what, row.guest, row.origin, row.reason, row.told) for row in await order.rulings()]
            return rows, await everything(store)

    rows, text = asyncio.run(test())
    assert rows == [("bar", "", ORIGIN, "", True)]
    assert NAME not in text


DIGESTS = ("mailbox.owner", "unwanted.owner", "erasure.guest")
"""Columns that name no guest but a mailbox, by its keyed digest; and what is noted of the erased."""
NAMING = [
    column
    for table in metadata.sorted_tables
    for column in table.columns
    if column.key in ("guest", "other", "owner") and str(column) not in DIGESTS
]
"""The columns that may name a guest: those of any new table too."""


@pytest.mark.parametrize("column", NAMING, ids=str)
def test_no_column_goes_on_naming_the_erased(column: sa.Column[str], sqlite: str) -> None:
    """Each by itself, so that none is only cleared with another's row."""

    def fill(connection: sa.Connection) -> None:
        for key in column.table.foreign_keys:
            connection.execute(key.column.table.insert().values(row_of(key.column.table)))
        connection.execute(column.table.insert().values(row_of(column.table, **{column.key: MINE})))

    async def test() -> tuple[str, str]:
        async with store_at(sqlite) as store:
            await store.database.write(
                lambda connection: connection.exec_driver_sql("pragma defer_foreign_keys=on")
            )
            await store.database.write(fill)
            before = await everything(store)
            await erase(tables_of(store), Contests(store, Clock()), MINE)
            gone = erasure.delete()
            await store.database.write(lambda connection: connection.execute(gone))
            return before, await everything(store)

    before, after = asyncio.run(test())
    assert MINE in before
    assert MINE not in after


def test_the_command_erases_from_the_file_and_from_its_copies(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No byte is in any file of the database or of a backup, nor in what is printed or logged."""
    asyncio.run(filled(sqlite))
    copies = tmp_path / "copies"
    copies.mkdir()
    assert main(["backup", str(copies / "chouine-1.db"), "--database", sqlite]) == 0
    assert any(NAME.encode() in file.read_bytes() for file in files(copies))
    capsys.readouterr()
    assert main(["erase", OWN["e-mail"], "--database", sqlite, "--copies", str(copies)]) == 0
    said = capsys.readouterr()
    assert "matches deleted: 2" in said.out
    assert "erased: 1" in said.out
    for file in files(tmp_path):
        for what, mine in OWN.items():
            if what != "guest":  # it is noted for further copies
                assert mine.encode() not in file.read_bytes(), (what, file)
                assert mine not in said.out + said.err
    assert main(["restore", str(copies / "chouine-1.db"), "--database", f"{tmp_path}/again.db"]) == 0
    assert "every match can be played again" in capsys.readouterr().out
    assert main(["prune", "--delete", "--copies", str(copies), "--database", sqlite]) == 0
    assert "erased: 0" in capsys.readouterr().out


async def filled(database: str) -> None:
    async with store_at(database) as store:
        await lived(store)
        secrets = await secrets_of(store)
        owner = secrets.owner(normal_form(OWN["e-mail"]))
        await store.database.write(
            lambda connection: connection.execute(mailbox.update().values(owner=owner))
        )


def test_a_backup_that_cannot_be_read_keeps_nobody_in_the_others(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(filled(sqlite))
    copies = tmp_path / "copies"
    copies.mkdir()
    assert main(["backup", str(copies / "chouine-2.db"), "--database", sqlite]) == 0
    whole = (copies / "chouine-2.db").read_bytes()
    (copies / "chouine-1.db").write_bytes(whole[: len(whole) // 2])
    (copies / "gone.db").symlink_to(tmp_path / "nothing.db")
    capsys.readouterr()
    assert main(["erase", OWN["e-mail"], "--database", sqlite, "--copies", str(copies)]) == 1
    said = capsys.readouterr()
    assert "erased: 1" in said.out
    (line,) = said.err.splitlines()
    assert "chouine-1.db" in line
    assert NAME.encode() not in (copies / "chouine-2.db").read_bytes()
    assert not (tmp_path / "nothing.db").exists()


@pytest.mark.parametrize("interrupted", [KeyboardInterrupt, OSError])
def test_an_interruption_in_a_backup_is_made_good_the_next_time(
    interrupted: type[BaseException], sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy's note says that it is done once it is, so that the next night does it."""
    asyncio.run(filled(sqlite))
    copy = tmp_path / "chouine-1.db"
    assert main(["backup", str(copy), "--database", sqlite]) == 0
    assert main(["erase", OWN["e-mail"], "--database", sqlite]) == 0

    async def stop(*_: object) -> None:
        raise interrupted

    with monkeypatch.context() as now:
        now.setattr("chouine.server.erasure.tables_naming", stop)
        assert main(["prune", "--delete", "--copies", str(tmp_path), "--database", sqlite]) != 0
    assert NAME.encode() in copy.read_bytes()
    assert main(["prune", "--delete", "--copies", str(tmp_path), "--database", sqlite]) == 0
    assert NAME.encode() not in copy.read_bytes()


def test_an_interrupted_erasure_is_done_the_next_night(
    sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the database, and in a backup that was made while it stood half done."""
    asyncio.run(filled(sqlite))
    copy = tmp_path / "chouine-1.db"

    async def stop(*_: object) -> None:
        status, said = run_chouine(["backup", str(copy), "--database", sqlite], tmp_path / "errors")
        assert status == 0, said
        raise KeyboardInterrupt

    with monkeypatch.context() as now:
        now.setattr("chouine.server.erasure.tables_naming", stop)
        assert main(["erase", OWN["e-mail"], "--database", sqlite]) != 0
    assert NAME.encode() in copy.read_bytes()
    assert main(["prune", "--delete", "--copies", str(tmp_path), "--database", sqlite]) == 0
    assert NAME.encode() not in copy.read_bytes()
    whole = tmp_path / "chouine-2.db"
    assert main(["backup", str(whole), "--database", sqlite]) == 0
    assert NAME.encode() not in whole.read_bytes()


def test_an_archive_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """As on a full disk: no file may be longer than a hundred bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="large"):
            write_new(tmp_path / "anne.zip", bytes(1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not (tmp_path / "anne.zip").exists()


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def test_nobody_is_erased_by_mistake(sqlite: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(filled(sqlite))
    for text in (
        "Zébulon",
        "x" * 32,
        "nobody@chouine.example",
        "game:1",
        f"game:{10**20}",
        f"game:{'9' * 5000}",
    ):
        assert main(["erase", text, "--database", sqlite]) == 2
        assert f"nobody is known here by “{text}”" in capsys.readouterr().err


def test_the_archive_has_what_is_the_persons_and_nobody_elses(sqlite: str, tmp_path: Path) -> None:
    asyncio.run(filled(sqlite))
    file = tmp_path / "mine.zip"
    assert main(["export", MINE, str(file), "--database", sqlite]) == 0
    with ZipFile(file) as archive:
        data = json.loads(archive.read("chouine.json"))
        records = [name for name in archive.namelist() if name.endswith(".cgn")]
        texts = [archive.read(name).decode() for name in records]
    assert set(data) == {"version", "guest", "made", *PARTS}
    assert all(data[part] for part in PARTS if part not in ("contests", "entries"))
    assert data["browsers"][0]["settings"] == {"name": NAME}
    assert data["addresses"][0]["address"] == OWN["e-mail"]
    assert len(records) == 4
    assert all(NAME in text for text in texts)
    assert FRIEND not in json.dumps(data)
    assert THIRD not in json.dumps(data)
    assert main(["export", MINE, str(file), "--database", sqlite]) == 2


def test_records_of_what_stays_can_be_read_and_verified(sqlite: str) -> None:
    """What `chouine verify` reads: the pack, the nonce and the cut agree with the digest and the deal."""

    async def test() -> str:
        async with store_at(sqlite) as store:
            games = await lived(store)
            tables = tables_of(store)
            await erase(tables, Contests(store, Clock()), MINE)
            return record_text(await present(tables, games["over"]), None)

    records = [one for one in read_records(StringIO(asyncio.run(test()))) if isinstance(one, Record)]
    assert len(records) >= 3
    for record in records:
        assert record.tag("Players") == f"{LEFT}; Berthe"
        tags = {name.lower(): text for name, text in record.tags}
        proof = Proof.of_data(tags | {"rules": str(record.rules), "deal": str(record.deal)})
        assert proof.faults == ()


def test_a_new_cookie_has_all_that_was_the_old_ones(database: str) -> None:
    """Seats, also in a paused match, entries, blocks both ways and addresses; the old cookie's guest has nothing."""
    new = "9" * 32

    async def test() -> None:
        async with store_at(database) as store:
            games = await lived(store)
            tables, contests = tables_of(store), Contests(store, Clock())
            which = await announced(contests, (MINE, NAME), (FRIEND, "Berthe"))
            before, matches = await parts_of(store, MINE), await store.table_ids_of(MINE)
            await merge_guests(tables, contests, MINE, new, "another-digest")
            assert not any((await parts_of(store, MINE)).values())
            after = await parts_of(store, new)
            assert {part: sorted(map(repr, rows)) for part, rows in after.items()} == {
                part: sorted(map(repr, rows)) for part, rows in (before | {"account": []}).items()
            }
            assert {game for game, _ in await store.table_ids_of(new)} == {game for game, _ in matches}
            for game in games.values():
                table = await present(tables_of(store), game)
                assert MINE not in [holder.guest for holder in table.holders]
                assert table.held_by(new) == (await present(tables, game)).held_by(new)
            assert (await present(tables, games["paused"])).paused is not None
            assert await store.session("cookie-digest") is None
            assert (await store.session("another-digest")) is not None
            online = await contests.get(which)
            assert online is not None
            assert online.owner == new
            refusing = await Partners(store, tables.clock).blocked_guests(THIRD)
            assert [one.other for one in refusing.values()] == [new]
            await erase(tables, contests, new)
            text = await everything(store)
            assert not [what for what, mine in OWN.items() if mine in text and what != "guest"]
            assert text.count(MINE) == 1  # so that older copies can be cleared of it too
            assert {MINE, "f" * 32, new} <= {*await erased_guests(store)}

    asyncio.run(test())


@pytest.mark.parametrize("command", ["erase", "export", "operator warn"])
def test_a_match_whose_name_begins_with_a_dash_is_named(command: str, sqlite: str, tmp_path: Path) -> None:
    """The line that is recommended for it names the match, and not a file."""
    more = [str(tmp_path / "answer.zip")] if command == "export" else []
    arguments = [*command.split(), "./-3t8tK2iEf2qv2CLrYDfwA:1", *more, "--database", sqlite]
    status, said = run_chouine(arguments, tmp_path / "errors")
    assert status
    assert "“-3t8tK2iEf2qv2CLrYDfwA:1”" in said
