"""An operator follows docs/deploy.md: its commands and the units it installs are run, with real databases and Redis."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import stat
import subprocess
import time
from pathlib import Path
from random import Random

import httpx
import pytest
import sqlalchemy as sa
from redis import Redis
from sqlalchemy.ext.asyncio import create_async_engine

from chouine.server.pubsub import CHANNEL
from chouine.server.store import Store
from tests.needs import need
from tests.patience import PATIENCE, wait_until
from tests.server.matches import is_over, opening
from tests.server.page import ROOT, Machine, blocks
from tests.server.postgres import binary, server
from tests.server.redis import redis_server
from tests.server.store.test_transfer import contents
from tests.server.stores import keep_session, play_on, set_table, tables_of, with_store
from tests.server.systemctl import has_ended

UNITS = ROOT / "deploy" / "systemd"
PASSWORD = "p@ss/w:rd #?%41"
SUPERUSER = "of the superuser"
READY = '{"ok":true}'
PROVEN = "every match can be played again"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (folder := tmp_path / "machine").mkdir()
    return folder


def test_every_block_is_run_or_says_why_not() -> None:
    unmarked = [
        block.text for block in blocks("sh") if not re.match(r"(run|not run|run nightly): \w", block.marker)
    ]
    assert not unmarked
    assert {
        each for block in blocks("sh") if block.marker.startswith("run:") for each in block.marker.split()[1:]
    } == {
        "one",
        "many",
    }


def test_a_command_that_fails_leaves_no_server(root: Path) -> None:
    """A background program of a failed command is ended, and nobody waits for what it prints."""
    machine = Machine(root, "one")
    began = time.monotonic()
    with pytest.raises(AssertionError, match="before the fault"):
        machine.run(f"sleep {4 * PATIENCE} & echo before the fault; false")
    assert time.monotonic() - began < PATIENCE


def test_a_unit_that_does_not_stop_is_killed(root: Path) -> None:
    with Machine(root, "one") as machine:
        unit = root / "etc/systemd/system/deaf.service"
        deaf = "trap '' TERM; touch ready; while true; do sleep 1; done"
        unit.write_text(f'[Service]\nTimeoutStopSec=1\nExecStart=/bin/sh -c "cd {root}; {deaf}"\n')
        machine.run("systemctl start deaf")
        wait_until("it ignores SIGTERM", (root / "ready").exists)
        number = int((root / "run/deaf.service").read_text())
        machine.run("systemctl stop deaf")
        assert has_ended(number)


@pytest.mark.serving
def test_one_machine(root: Path) -> None:
    """Install the units, start, back up, drill, lose the file, restore, on SQLite."""
    need("curl")
    with Machine(root, "one") as machine:
        machine.run_block("cp -r deploy/systemd/.")
        machine.run_block("/etc/chouine.env <<'END'")
        assert stat.S_IMODE((root / "etc/chouine.env").stat().st_mode) == 0o600
        assert READY in machine.run_block("systemctl enable --now")
        file = root / "var/lib/chouine/chouine.db"
        table_ids = play_matches(machine, database := f"sqlite+aiosqlite:///{file}")
        before = contents(database, table_ids)
        machine.run_block("chouine.conf <<'END'", "CHOUINE_SITE")
        machine.run_block("journald")
        backup_is_made_and_old_ones_go(machine)
        machine.run("systemctl start chouine-prune")
        assert "removed: tables 0" in machine.journal
        machine.run_block("_URL=sqlite")
        drill(machine)
        assert READY in machine.run_block("systemctl restart chouine-node@8000")
        machine.run_block("chouine reports")
        answers(database, "delete from entry")
        machine.run_block("chown --reference")
        wait_until("the node is ready again", lambda: is_ready(machine, "8000"))
        assert contents(database, table_ids) == before
        assert (root / "var/lib/chouine/before/chouine.db").is_file()
        assert not machine.not_done


@pytest.mark.serving
def test_many_nodes(root: Path) -> None:
    """A role with a password that must be encoded, PostgreSQL, Redis, two nodes, a worker; backup and drill."""
    need("curl", "postgresql", "redis")
    access, settings = (block.text for block in blocks("text"))
    with server() as address, redis_server() as redis, many(root, address, redis.port) as machine:
        guard(address, access.replace("hostssl", "host").replace("10.0.0.0/24", "127.0.0.1/32"))
        with Redis(port=redis.port) as client:
            for name, value in options_of(settings):
                client.config_set(name, value)
        encoded = machine.run_block("getpass", typed=f"{PASSWORD}\n").strip()
        machine.given["PASSWORD"] = encoded
        machine.run_block("createuser", typed=f"{PASSWORD}\n{PASSWORD}\n")
        machine.run_block("cp -r deploy/systemd/.")
        machine.run_block("/etc/chouine-worker.env")
        worker = (root / "etc/chouine-worker.env").read_text()
        assert re.findall(r"^\w+", worker, re.MULTILINE) == ["CHOUINE_REDIS_URL"]
        assert machine.run_block("systemctl enable --now chouine-node@8000").count(READY) == 2
        with Redis(port=redis.port, password=PASSWORD) as client:
            wait_until(
                "both nodes hear hints", lambda: dict(client.pubsub_numsub(CHANNEL)) == {CHANNEL.encode(): 2}
            )
            wait_until("a worker is there", lambda: client.keys("saq:*"))
        database = f"{address.replace('chouine@', f'chouine:{encoded}@')}/chouine"
        table_ids = play_matches(machine, database)
        before = contents(database, table_ids)
        backup_is_made_and_old_ones_go(machine)
        machine.run("createdb --owner chouine drill")
        machine.run_block("sed -E")
        drill(machine)
        assert contents(f"{database.removesuffix('chouine')}drill", table_ids) == before
        assert machine.run_block("systemctl restart chouine-worker").count(READY) == 2
        machine.run_block("chouine reports")
        assert "out of reach" not in machine.journal
        answers(database, "delete from entry")
        machine.run_block("alter database")
        wait_until(
            "both nodes are ready again", lambda: is_ready(machine, "8000") and is_ready(machine, "8001")
        )
        assert contents(database, table_ids) == before
        assert not machine.not_done


def play_matches(machine: Machine, database: str) -> list[str]:
    """Two finished matches, played while no node does anything by itself."""

    async def play(store: Store) -> list[str]:
        tables, table_ids = tables_of(store, seed=3), []
        for nth in range(2):
            table_id, _ = await set_table(tables, opening("classic", "1x2"))
            await play_on(tables, table_id, is_over, Random(nth))
            table_ids.append(table_id)
        await keep_session(store, "t", "guest", b'{"name":"Zo\xc3\xa9"}', 1763712345.123456)
        return table_ids

    nodes = " ".join(name for name in ("chouine-node@8000", "chouine-node@8001") if is_started(machine, name))
    machine.run(f"systemctl stop {nodes}")
    table_ids = with_store(database, play)
    machine.run(f"systemctl start {nodes}")
    return table_ids


def is_started(machine: Machine, unit: str) -> bool:
    return (machine.root / "run" / f"{machine.true_here(unit)}.service").exists()


def guard(address: str, access: str) -> None:
    """Let in the user `postgres` by a password, others by the line `access` of `pg_hba.conf`; `chouine` is no more."""
    first, second, third = (
        f"{address.replace('chouine@', f'{user}@')}/postgres" for user in ("chouine", "postgres", "first")
    )
    answers(first, f"create role postgres superuser login password '{SUPERUSER}'")
    answers(second, "alter role chouine rename to first")
    (file,) = answers(third, "show hba_file")
    Path(file).write_text(f"host all postgres 127.0.0.1/32 scram-sha-256\n{access}\n")
    answers(third, "select pg_reload_conf()")


def answers(database: str, statement: str) -> list[str]:
    """Run a statement; returns the first value of its rows."""

    async def run() -> list[str]:
        engine = create_async_engine(database)
        async with engine.begin() as connection:
            answer = await connection.execute(sa.text(statement))
            values = [str(row[0]) for row in answer] if answer.returns_rows else []
        await engine.dispose()
        return values

    return asyncio.run(run())


def options_of(settings: str) -> list[tuple[str, str]]:
    """Names and values of lines of `redis.conf`, but the address that it listens at."""
    lines = (shlex.split(line.replace("…", f"'{PASSWORD}'")) for line in settings.splitlines())
    return [(name, value) for name, value in lines if name != "bind"]


def many(root: Path, address: str, redis: int) -> Machine:
    """A machine that has these servers on other ports than usual, for the user `postgres` too."""
    postgres = address.rpartition(":")[2]
    programs = Path(binary("createuser")).parent
    return Machine(
        root,
        "many",
        given={
            "@database/": f"@127.0.0.1:{postgres}/",
            "@redis:6379": f"@127.0.0.1:{redis}",
            "10.0.0.10": "127.0.0.1",
            "10.0.0.11": "127.0.0.1",
        },
        variables={
            "PGHOST": "127.0.0.1",
            "PGPORT": postgres,
            "PGUSER": "postgres",
            "PGPASSWORD": SUPERUSER,
            "PATH": f"{root / 'bin'}:{programs}:{os.environ['PATH']}",
        },
    )


def backup_is_made_and_old_ones_go(machine: Machine) -> None:
    """The unit's backup is dated and for its owner alone; old ones go after a sound one, and stay after a failure."""
    folder = machine.root / "var/lib/private/chouine-backups"
    folder.mkdir(parents=True, exist_ok=True)
    old, younger = folder / "chouine-2020-01-01T030000Z.db", folder / "chouine-2020-01-02T030000Z.db"
    for file, days in ((old, 32), (younger, 29)):
        file.touch()
        os.utime(file, (time.time() - days * 86_400,) * 2)
    unit = machine.root / "etc/systemd/system/chouine-backup.service"
    sound = unit.read_text()
    unit.write_text(sound.replace("chouine backup", "chouine backup --database /nowhere/none.db"))
    with pytest.raises(AssertionError):
        machine.run("systemctl start chouine-backup")
    assert old.exists()
    unit.write_text(sound)
    machine.run_block("systemctl start chouine-backup")
    assert not old.exists()
    assert younger.exists()
    younger.unlink()
    (file,) = folder.iterdir()
    assert re.fullmatch(r"chouine-\d{4}-\d\d-\d\dT\d{6}Z\.db", file.name)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert PROVEN in machine.journal


def drill(machine: Machine) -> None:
    """The drill's restored copy is whole, and is served."""
    printed = machine.run_block("chouine restore", "8900")
    assert PROVEN in printed
    assert READY in printed


def is_ready(machine: Machine, port: str) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{machine.ports[port]}/ready", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.nightly
def test_installation(root: Path) -> None:
    """The packages are installed from the locks into an empty folder, code is compiled, and the program starts."""
    machine = Machine(root, "one")
    (root / "opt" / "chouine").unlink()
    (root / "lib" / "sitecustomize.py").unlink()  # elsewhere a machine has no compiler, to be quick
    (install,) = (block for block in blocks("sh") if block.marker.startswith("run nightly"))
    machine.run(install.text)
    assert "--trusted-proxies" in machine.run("/opt/chouine/bin/chouine serve --help")


def system_with(units: Path, root: Path) -> None:
    """A folder in place of `/` for systemd's own programs: our units, and stubs of all that they name."""
    shutil.copytree(units, root / "etc/systemd/system", dirs_exist_ok=True)
    for name in (
        "sysinit",
        "basic",
        "shutdown",
        "network-online",
        "multi-user",
        "timers",
        "time-set",
        "time-sync",
    ):
        target = root / "usr/lib/systemd/system" / f"{name}.target"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"[Unit]\nDescription={name}\n")
    for program in ("opt/chouine/bin/chouine", "bin/sh", "usr/bin/find"):
        (root / program).parent.mkdir(parents=True, exist_ok=True)
        (root / program).touch(mode=0o755)


NAMES = sorted(path.name.replace("@.", "@8000.") for path in UNITS.glob("chouine-*.*") if path.is_file())


@pytest.mark.parametrize("name", NAMES)
def test_systemd_takes_the_unit(name: str, root: Path) -> None:
    need("systemd")
    system_with(UNITS, root)
    checked = subprocess.run(
        ["systemd-analyze", f"--root={root}", "verify", name], capture_output=True, text=True, check=False
    )
    assert not checked.stderr
    assert checked.returncode == 0


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".service")])
def test_the_unit_has_few_rights(name: str, root: Path) -> None:
    need("systemd")
    system_with(UNITS, root)
    judged = subprocess.run(
        ["systemd-analyze", f"--root={root}", "security", "--offline=yes", "--threshold=20", name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout


def test_the_page_names_every_unit() -> None:
    page = " ".join(block.text for block in blocks("sh"))
    assert not [name for name in NAMES if name.removesuffix(".service") not in page]
