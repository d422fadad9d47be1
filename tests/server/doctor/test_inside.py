"""Broken machines, one thing wrong on each: the doctor names the setting; and `chouine doctor` as it is called."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Thread
from unittest.mock import patch

import pytest
from aiosmtpd.smtp import AuthResult

from chouine.cli import main
from chouine.cli.databases import file_of
from chouine.server.doctor.findings import TROUBLES, Finding
from chouine.server.doctor.inside import Inside, NodeSettings
from chouine.server.store import Store
from tests.forked import ForkedProcess
from tests.needs import need
from tests.patience import PATIENCE, wait_until
from tests.server.doctor.test_outside import serve_lively
from tests.server.push.mail_server import Post, delivering
from tests.server.push.test_push import made_certificate
from tests.server.redis import redis_server
from tests.server.serving import RunningServer, serving
from tests.server.stores import alter
from tests.server.tables.test_workers import worker

FROM = "chouine@chouine.example"
DAY = 86_400.0


def sound(database: str, folder: Path) -> NodeSettings:
    """The settings of a machine where nothing is wrong: a node is at work, and there is a backup."""
    (backups := folder / "backups").mkdir(exist_ok=True)
    (backups / "chouine-2020-01-01T030000Z.db").touch(mode=0o600)
    return NodeSettings(
        database,
        file_of(database),
        proxies="127.0.0.1",
        backups=backups,
        usage=lambda _: (100, 50, 50),
        deadline=PATIENCE,
    )


def find(settings: NodeSettings) -> dict[str, str]:
    """The sentences of what is wrong, by their codes."""
    found = asyncio.run(Inside(settings).look())
    return {finding.code: str(finding) for finding in found if finding.state == "wrong"}


def without_folder(settings: NodeSettings) -> NodeSettings:
    """Settings with another folder of backups, which is not there."""
    return replace(settings, backups=settings.backups / "none")


@pytest.fixture
def machine(database: str, tmp_path: Path) -> Iterator[NodeSettings]:
    with serving(database, tmp_path / "errors"):
        yield sound(database, tmp_path)


def test_nothing_is_wrong_with_a_sound_machine(machine: NodeSettings) -> None:
    found = asyncio.run(Inside(machine).look())
    assert [(finding.check, finding.state) for finding in found] == [
        ("database", "right"),
        ("private", "right"),
        ("disk", "right"),
        ("backup", "right"),
        ("proxies", "right"),
        ("mail", "skipped"),
        ("push services", "skipped"),
        ("redis", "skipped"),
    ]


def test_another_schema(machine: NodeSettings) -> None:
    asyncio.run(alter(machine.database, "update alembic_version set version_num = '0001'"))
    found = find(machine)
    assert [*found] == ["schema"]
    assert "0001" in found["schema"]


def test_a_database_that_is_not_the_nodes(newest_sqlite: Path, machine: NodeSettings, tmp_path: Path) -> None:
    """It is of this schema, and nobody writes to it."""
    other = Path(shutil.copy(newest_sqlite, tmp_path / "other.db"))
    other.chmod(0o600)
    found = find(replace(machine, database=f"sqlite+aiosqlite:///{other}", file=other))
    assert [*found] == ["no-node"]
    assert "CHOUINE_DATABASE_URL" in found["no-node"]


def test_a_database_server_with_another_clock(machine: NodeSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(_: Store) -> float:
        return time.time() - 60

    monkeypatch.setattr(Store, "now", late)
    found = find(machine)
    assert [*found] == ["clock"]
    assert "60 s" in found["clock"]


def test_a_node_that_has_stopped(database: str, tmp_path: Path) -> None:
    with serving(database, tmp_path / "errors"):
        pass
    asyncio.run(alter(database, "update setting set value = '1700000000.0' where name = 'alive'"))
    assert [*find(sound(database, tmp_path))] == ["no-node"]


def test_no_database(machine: NodeSettings, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere.db"
    for url, file in (
        (f"sqlite+aiosqlite:///{nowhere}", nowhere),
        ("postgresql+asyncpg://chouine@127.0.0.1:1/chouine", None),
    ):
        found = find(replace(machine, database=url, file=file))
        assert [*found] == ["database"]
        assert "CHOUINE_DATABASE_URL" in found["database"]
    assert not nowhere.exists()


def test_a_file_that_is_no_database(machine: NodeSettings, tmp_path: Path) -> None:
    (file := tmp_path / "other.db").write_text("something else, and long enough to be read as a page" * 100)
    file.chmod(0o600)
    assert [*find(replace(machine, database=f"sqlite+aiosqlite:///{file}", file=file))] == ["database"]


@pytest.mark.parametrize("which", ["database", "backup"])
def test_a_file_that_others_may_read(sqlite: str, tmp_path: Path, which: str) -> None:
    with serving(sqlite, tmp_path / "errors"):
        settings = sound(sqlite, tmp_path)
        assert settings.file is not None
        file = settings.file if which == "database" else next(settings.backups.iterdir())
        file.chmod(0o640)
        found = find(settings)
    assert [*found] == ["private"]
    assert str(file) in found["private"]


def test_a_disk_that_is_nearly_full(machine: NodeSettings) -> None:
    found = find(replace(machine, usage=lambda _: (1000, 801, 199)))
    assert [*found] == ["disk"]
    assert "19 %" in found["disk"]


def test_no_backup(machine: NodeSettings) -> None:
    next(machine.backups.iterdir()).unlink()
    assert [*find(machine)] == ["no-backup"]
    found = find(without_folder(machine))
    assert [*found] == ["no-backup"]
    assert "chouine-backup.timer" in found["no-backup"]


def test_an_old_backup(machine: NodeSettings) -> None:
    os.utime(next(machine.backups.iterdir()), (time.time() - 3.5 * DAY,) * 2)
    found = find(machine)
    assert [*found] == ["old-backup"]
    assert "3 days" in found["old-backup"]


@pytest.mark.parametrize(
    ("proxies", "code"), [("*", "everybody"), ("10.0.0.1,0.0.0.0/0", "everybody"), ("caddy", "proxies")]
)
def test_proxies(machine: NodeSettings, proxies: str, code: str) -> None:
    found = find(replace(machine, proxies=proxies))
    assert [*found] == [code]
    assert "CHOUINE_TRUSTED_PROXIES" in found[code]


@contextmanager
def mail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A mail server with TLS that takes the password `right` alone, and sends for our domain alone; its port."""
    certificate, key = made_certificate(folder)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    class Ours(Post):
        async def handle_MAIL(  # noqa: N802  # as the library calls it
            self, _server: object, _session: object, envelope: object, address: str, _options: list[str]
        ) -> str:
            envelope.mail_from = address  # type: ignore[attr-defined]
            return "250 OK" if address == FROM else "550 not yours"

    def authenticate(
        _server: object, _session: object, _envelope: object, _way: str, data: object
    ) -> AuthResult:
        return AuthResult(success=getattr(data, "password", b"") == b"right", handled=False)

    post = Ours()
    with delivering(post, context, authenticator=authenticate, auth_require_tls=False) as port:
        yield port
    assert not post.got


def test_the_mail_server(machine: NodeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def findings(url: str, sender: str = FROM) -> list[str]:
        return [*find(replace(machine, smtp=url, mail_from=sender))]

    with mail(tmp_path, monkeypatch) as port:
        assert findings(f"smtps://anne:right@localhost:{port}") == []
        assert findings(f"smtps://anne:wrong@localhost:{port}") == ["mail-password"]
        assert findings(f"smtps://anne:right@localhost:{port}", "chouine@other.example") == ["mail-sender"]
        assert findings(f"smtps://anne:right@localhost:{port}", "") == ["mail-setting"]
        assert findings(f"http://localhost:{port}") == ["mail-setting"]
        monkeypatch.delenv("SSL_CERT_FILE")
        assert findings(f"smtps://anne:right@localhost:{port}") == ["mail-server"]
    assert findings(f"smtps://anne:right@localhost:{port}") == ["mail-server"]


def test_push_services(machine: NodeSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are tried, by TLS."""
    certificate, key = made_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as plain, context.wrap_socket(plain, server_side=True) as way:
        way.settimeout(PATIENCE)

        def accept() -> None:
            for _ in range(2):
                way.accept()[0].close()

        thread = Thread(target=accept)
        thread.start()
        port = way.getsockname()[1]
        public = replace(machine, public=True, push=["localhost", "localhost"], port=port)
        assert not find(public)
        thread.join()
    found = find(replace(public, push=["nowhere.invalid"]))
    assert [*found] == ["push-services"]
    assert "nowhere.invalid" in found["push-services"]
    assert [*find(public)] == ["push-services"]


def test_redis_and_workers(sqlite: str, tmp_path: Path) -> None:
    need("redis")
    with serving(sqlite, tmp_path / "errors"), redis_server() as redis:
        settings = replace(sound(sqlite, tmp_path), redis=redis.url)
        assert [*find(settings)] == ["no-worker"]
        with worker(redis.url, tmp_path / "worker"):
            wait_until("a worker is there", lambda: not find(settings))
        redis.kill()
        assert [*find(settings)] == ["redis"]


def chouine(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `chouine doctor` with these settings and no others, as a fork; an operator's tests start it whole."""
    with patch.dict(os.environ, environment, clear=True), NamedTemporaryFile("r") as complained:
        process = ForkedProcess(main, ["doctor", *arguments], Path(complained.name))
        with process.stdout:
            told = process.stdout.read()
        return subprocess.CompletedProcess([], process.wait(PATIENCE), told, complained.read())


@pytest.fixture
def served_plainly(sqlite: str, tmp_path: Path) -> Iterator[RunningServer]:
    with serving(sqlite, tmp_path / "errors", program=serve_lively) as server:
        yield server


def test_the_command(served_plainly: RunningServer, sqlite: str, tmp_path: Path) -> None:
    """Exit codes, both languages, JSON; a machine without settings is tried from outside alone."""
    url, folder = served_plainly.url, str(tmp_path / "none")
    outside = chouine(url)
    assert (outside.returncode, outside.stdout.splitlines()[-1]) == (0, "9 checks, and nothing is wrong.")
    plain = {"CHOUINE_DATABASE_URL": sqlite, "LC_ALL": "fr_FR.UTF-8"}
    inside = chouine(url, "--backups", folder, **plain)
    assert inside.returncode == 1
    assert "Il n’y a pas de sauvegarde" in inside.stdout.splitlines()[0]
    assert folder in inside.stdout
    told = json.loads(chouine("--json", "--backups", folder, **plain, CHOUINE_PUBLIC_URL=url).stdout)
    assert (told["url"], told["ok"]) == (url, False)
    states = {each["check"]: each["state"] for each in told["checks"]}
    assert (states["stream"], states["backup"], states["mail"]) == ("right", "wrong", "skipped")
    assert not outside.stderr + inside.stderr


def test_the_command_leaves_nothing_behind(served_plainly: RunningServer, sqlite: str) -> None:
    assert chouine(served_plainly.url).returncode == 0
    file = file_of(sqlite)
    assert file is not None
    with closing(sqlite3.connect(file)) as connection:
        count = "select (select count(*) from game) + (select count(*) from entry) + (select count(*) from session)"
        assert connection.execute(count).fetchone() == (0,)


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["chouine.example"], {}, "“chouine.example” is no address of a site"),
        (["http://127.0.0.1:1"], {}, "Nothing answers at 127.0.0.1:1"),
        (["http://127.0.0.1:1"], {"CHOUINE_DATABASE_URL": "mysql://x/y"}, "The database cannot be opened"),
        ([], {"CHOUINE_PUBLIC_URL": "https://nowhere.invalid"}, "The name nowhere.invalid leads nowhere"),
    ],
)
def test_a_clear_line_and_no_traceback(arguments: list[str], environment: dict[str, str], said: str) -> None:
    found = chouine(*arguments, **environment)
    assert found.returncode == 1
    assert said in found.stdout
    assert not found.stderr


def test_every_trouble_is_tried() -> None:
    """Each code occurs in these tests, as one that is found."""
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert not [code for code in TROUBLES if f'"{code}"' not in tests]


def test_every_sentence_can_be_said() -> None:
    """With what it names, and one line each."""
    names = (
        "url",
        "host",
        "where",
        "seconds",
        "why",
        "day",
        "to",
        "status",
        "seen",
        "header",
        "path",
        "version",
    )
    data = dict.fromkeys((*names, "found", "ours", "file", "folder", "percent", "days", "sender"), "x")
    for code in TROUBLES:
        said = str(Finding("check", "wrong", code, data))
        assert "%" not in said.replace(" % ", "")
        assert "\n" not in said
