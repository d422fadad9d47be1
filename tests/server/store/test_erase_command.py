"""Erasing and exporting a person by command: in the file, in its copies, and after an interruption."""

from __future__ import annotations

import asyncio
import json
import resource
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from chouine.cli import main
from chouine.files import write_new
from chouine.server.personal import PARTS
from chouine.server.push.mail import normal_form
from chouine.server.schema import (
    mailbox,
)
from chouine.server.visitors import secrets_of
from tests.forked import run_chouine
from tests.server.store.lives import (
    FRIEND,
    MINE,
    NAME,
    OWN,
    THIRD,
    fill_with_a_life,
)
from tests.server.stores import store_at


def test_the_command_erases_from_the_file_and_from_its_copies(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No byte is in any file of the database or of a backup, nor in what is printed or logged."""
    copies = back_up_a_life(sqlite, tmp_path / "copies", "chouine-1.db")
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


async def fill(database: str) -> None:
    async with store_at(database) as store:
        await fill_with_a_life(store)
        secrets = await secrets_of(store)
        owner = secrets.owner(normal_form(OWN["e-mail"]))
        await store.database.write(
            lambda connection: connection.execute(mailbox.update().values(owner=owner))
        )


def back_up_a_life(database: str, copies: Path, name: str) -> Path:
    """Fill a database with a life and back it up into a new folder, which is returned."""
    asyncio.run(fill(database))
    copies.mkdir()
    assert main(["backup", str(copies / name), "--database", database]) == 0
    return copies


def test_a_backup_that_cannot_be_read_keeps_nobody_in_the_others(
    sqlite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = back_up_a_life(sqlite, tmp_path / "copies", "chouine-2.db")
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
    asyncio.run(fill(sqlite))
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
    asyncio.run(fill(sqlite))
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
    asyncio.run(fill(sqlite))
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
    asyncio.run(fill(sqlite))
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


@pytest.mark.parametrize("command", ["erase", "export", "operator warn"])
def test_a_match_whose_name_begins_with_a_dash_is_named(command: str, sqlite: str, tmp_path: Path) -> None:
    """The line that is recommended for it names the match, and not a file."""
    more = [str(tmp_path / "answer.zip")] if command == "export" else []
    arguments = [*command.split(), "./-3t8tK2iEf2qv2CLrYDfwA:1", *more, "--database", sqlite]
    status, said = run_chouine(arguments, tmp_path / "errors")
    assert status
    assert "“-3t8tK2iEf2qv2CLrYDfwA:1”" in said
