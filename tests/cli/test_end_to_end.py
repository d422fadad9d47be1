"""Commands as people start them: on every host over real sockets, and in folders of any name."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from chouine.cli.databases import file_url
from chouine.server.records import proof_of
from tests.forked import ForkedProcess
from tests.needs import need
from tests.patience import PATIENCE, wait_until
from tests.server.pages.matches import play_match
from tests.server.serving import main_alone

pytestmark = pytest.mark.serving

NIGHTLY = ("100%20 fête", "a b", "é#?&", "-dash")
NAMES = ["-dash é#?& 100%20", *(pytest.param(name, marks=pytest.mark.nightly) for name in NIGHTLY)]


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "chouine", *map(str, arguments)]


def environment(folder: Path) -> dict[str, str]:
    """Without the settings and the data of whoever runs the tests, and where folders may begin with a dash."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CHOUINE_")}
    return kept | {"XDG_DATA_HOME": str(folder), "HOME": str(folder), "LC_ALL": "en_GB.UTF-8"}


def run(cwd: Path, *arguments: object, code: int = 0) -> str:
    """Run a command to its end, as a fork, and return what it printed."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as complained:
        process = fork(cwd, *arguments, errors=Path(complained.name))
        with process.stdout:
            told = process.stdout.read()
        status = process.wait(PATIENCE)
        told += complained.read()
    assert status == code, told
    return told


def fork(cwd: Path, *arguments: object, errors: Path) -> ForkedProcess:
    """`chouine` in a folder, as a fork; other tests start it whole."""
    with pytest.MonkeyPatch.context() as here:
        here.chdir(cwd)
        for name in os.environ.keys() - environment(cwd).keys():
            here.delenv(name)
        for name, value in environment(cwd).items():
            here.setenv(name, value)
        return ForkedProcess(main_alone, [*map(str, arguments)], errors)


@contextmanager
def running(cwd: Path, *arguments: object) -> Iterator[tuple[ForkedProcess, list[str]]]:
    """A server that prints addresses, and those."""
    errors = cwd / "errors.txt"
    process = fork(cwd, *arguments, errors=errors)
    try:
        told, found = b"", list[str]()
        while not found:
            more = os.read(process.stdout.fileno(), 65_536)  # all its lines are written at once
            assert more, errors.read_text()
            told += more
            found = re.findall(r"^(?:Chouine|This laptop): (http\S+)$", told.decode(), re.MULTILINE)
        yield process, found
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(PATIENCE)
        process.stdout.close()


def fetch(address: str) -> httpx.Response:
    """What an address answers, without a proxy on the way."""
    with httpx.Client(trust_env=False, timeout=PATIENCE, follow_redirects=True) as client:
        return client.get(address)


def without_ipv6() -> bool:
    """Whether this machine lacks even the loopback address of IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as tried:
            tried.bind(("::1", 0))
    except OSError:
        return True
    return False


@pytest.mark.parametrize(
    ("host", "besides"),
    [
        ("::1", ["[::1]"]),
        ("::", ["[::1]", "127.0.0.1"]),
        ("0.0.0.0", ["127.0.0.1"]),  # noqa: S104  # that is what is tested
        ("localhost", []),
    ],
)
def test_every_address_told_answers(host: str, besides: Sequence[str], tmp_path: Path) -> None:
    if ":" in host and without_ipv6():
        pytest.skip("no IPv6")
    arguments = ("--host", host, "--port", 0, "--no-browser", "--database", tmp_path / "c.db")
    with running(tmp_path, "serve", *arguments) as (_, told):
        port = told[0].rstrip("/").rpartition(":")[2]
        assert not any(unreachable in url for url in told for unreachable in ("//0.0.0.0", "[::]", "//:"))
        for url in (*told, *(f"http://{own}:{port}/" for own in besides)):
            page = fetch(url)
            assert page.status_code == 200, url
            assert "Chouine" in page.text


def test_the_desk_answers_on_ipv6(tmp_path: Path) -> None:
    if without_ipv6():
        pytest.skip("no IPv6")
    with running(tmp_path, "concours", "open", "a.db", "--host", "::1", "--port", 0, "--no-browser") as (
        _,
        told,
    ):
        assert told[0].startswith("http://[::1]:")
        assert fetch(told[0]).status_code == 200


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of a folder in `tmp_path`."""
    name = str(request.param)
    (tmp_path / name).mkdir()
    return name


def test_a_database_is_served_saved_and_moved(name: str, tmp_path: Path) -> None:
    """By a path, by an address as people write it, and as standards quote it; nothing is made elsewhere."""
    folder = tmp_path / name
    written = f"sqlite:///{name}/a.db"
    for asked in (f"{name}/a.db", written, file_url(Path(name, "a.db"))):
        with running(tmp_path, "serve", f"--database={asked}", "--port=0", "--no-browser") as (_, (url, *_)):
            assert fetch(url).status_code == 200
        assert sorted(each.name for each in tmp_path.rglob("*.db")) == ["a.db"], asked
    run(tmp_path, "backup", f"--database={written}", "--", f"{name}/b.backup")
    run(tmp_path, "restore", f"--database={name}/c.db", "--", f"{name}/b.backup")
    age(folder / "c.db")
    run(tmp_path, "move", "--", f"{name}/c.db", f"sqlite:///{name}/d.db")
    for database in (f"{name}/d.db", f"sqlite:///{name}/d.db"):
        assert "tables 0" in run(tmp_path, "prune", f"--database={database}")
        run(tmp_path, "reports", f"--database={database}")
    assert sorted(each.name for each in folder.iterdir()) == ["a.db", "b.backup", "c.db", "d.db"]


def age(file: Path) -> None:
    """Let the last sign of life of a database's server be old, as `move` wants it."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("update setting set value = '0' where name = 'alive'")


def test_a_match_in_the_terminal_is_kept(name: str, tmp_path: Path) -> None:
    """The command that takes the match up again is one that can be typed."""
    told = run(tmp_path, "play", f"--save={name}/m.json", f"--record={name}/r.cgn", "--language=en", code=130)
    found = re.search(r"“chouine (play.*?)”", " ".join(told.split()))
    assert found, told
    assert (tmp_path / name / "m.json").is_file()
    shell = f"{sys.executable} -m chouine {found[1]} --language en"
    again = subprocess.run(
        ["/bin/sh", "-c", shell],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 130, again.stderr
    assert "The match is kept" in again.stdout
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_deal_is_verified(name: str, tmp_path: Path) -> None:
    proof = proof_of(play_match("classic", "1x1", 1).played[0])
    assert proof is not None
    (tmp_path / name / "1.json").write_text(json.dumps(proof.to_data()))
    assert "All agrees" in run(tmp_path, "verify", "--language=en", "--", f"{name}/1.json")


def test_a_contest_has_its_copy_on_a_stick(name: str, tmp_path: Path) -> None:
    """Each act is in both files, and the copy alone is enough to go on."""
    (tmp_path / name / "usb").mkdir()
    options = ("--port=0", "--no-browser", "--host=127.0.0.1", "--language=en", f"--copy={name}/usb")
    with (
        running(tmp_path, "concours", "open", *options, "--", f"{name}/c.db") as (_, (url, *_)),
        httpx.Client(trust_env=False, timeout=PATIENCE, follow_redirects=True) as desk,
    ):
        page = desk.get(url)
        at = str(page.url.copy_with(path="/entries", query=None))
        csrf = re.findall(r'name="csrf" value="(\w+)"', desk.get(at).text)[0]
        assert desk.post(at, data={"csrf": csrf, "name": "Agnès Bordier"}).status_code == 200
        copy = tmp_path / name / "usb" / "c.db"
        log = run(tmp_path, "concours", "log", "--", f"{name}/c.db")
        assert len(log.splitlines()) > 1
        wait_until("the copy", lambda: run(tmp_path, "concours", "log", "--", copy) == log)
    run(tmp_path, "concours", "resume", "--", f"{name}/usb/c.db", f"{name}/d.db")
    assert run(tmp_path, "concours", "log", "--", f"{name}/d.db").startswith(log)


def test_a_worker_reaches_redis(name: str) -> None:
    """A node and a worker by a socket in such a folder, as an address quoted by the standard."""
    need("redis")
    place = Path(tempfile.mkdtemp(prefix="c"))  # a socket's path is short
    (place / name).mkdir()
    file = place / name / "r"
    server = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", file, "--save", "", "--dir", place],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_until("redis", file.exists)
        redis = f"--redis=unix://{quote(str(file))}"
        with (
            running(place, "serve", "--database=c.db", "--port=0", "--no-browser", redis) as (_, (url, *_)),
            subprocess.Popen(command("worker", redis, "--processes=1"), env=environment(place)) as worker,
        ):
            wait_until("readiness", lambda: fetch(f"{url}ready").status_code == 200)
            assert worker.poll() is None
            worker.terminate()
    finally:
        server.terminate()
        server.wait(PATIENCE)
        shutil.rmtree(place)


def test_the_address_of_a_redis_as_a_folder_is_refused_with_a_sentence(tmp_path: Path) -> None:
    assert "address of Redis" in run(tmp_path, "worker", "--redis", "a b/redis.sock", code=2)
