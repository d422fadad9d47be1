"""`chouine bot`: programs play whole matches on a real server, through interruptions, and say what is wrong."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from chouine.rules import PRESETS
from tests.patience import PATIENCE, wait_until
from tests.ports import free_port
from tests.server.programs import ApiClient, client_of, close_all, program, token_of
from tests.server.serving import RunningServer, serving

ROOT = Path(__file__).parents[3]
LINK = re.compile(r"https?://\S+/join/\S+")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Close the programs' connections after each test."""
    yield
    close_all()


@contextmanager
def bot(url: str, token: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A running `chouine bot`, whose token is in the environment."""
    command = [sys.executable, "-m", "chouine", "bot", "--server", url, "--lang", "en", *arguments]
    environment = os.environ | {"CHOUINE_TOKEN": token, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()


def lines_until(process: subprocess.Popen[str], said: str) -> list[str]:
    """What a bot says until a line that has these words."""
    assert process.stdout is not None
    heard: list[str] = []
    for line in process.stdout:
        heard.append(line)
        if said in line:
            return heard
    raise AssertionError("".join(heard))


def new_bot(served: RunningServer) -> str:
    """A token of a new bot."""
    return token_of(served, f"Loir {os.urandom(4).hex()}")


@pytest.mark.parametrize("rules", PRESETS)
def test_two_programs_play_a_whole_match(rules: str, served: RunningServer) -> None:
    """One is another program, the outsider's example where it knows the rules; the others are players of ours."""
    seats = 3 if "three" in rules else 4 if "four" in rules else 2
    terms = "2x1" if seats == 2 else "1"
    program = ("-m", "chouine", "engine") if "mondoubleau" in rules else ("examples/engine.py",)
    example = (sys.executable, *program)
    asked = ("--open", rules, "--format", terms, "--matches", "1", "--seconds", "30")
    with bot(served.url, new_bot(served), *asked, "--", *example) as first:
        heard = "".join(lines_until(first, f"Seat {'abcd'[seats - 1]} is for"))
        links = LINK.findall(heard)
        assert len(links) == seats - 1
        others = [
            bot(served.url, new_bot(served), "--join", link, "--matches", "1", "heuristic") for link in links
        ]
        for each in others:
            lines_until(each.__enter__(), "plays on")
        heard = "".join(lines_until(first, "is over"))
        assert "Winner: BOT Loir" in heard, heard
        assert first.wait(PATIENCE) == 0
        for each in others:
            each.__exit__(None, None, None)


def test_a_bot_agrees_to_a_revanche_and_leaves_at_ctrl_c(served: RunningServer) -> None:
    person = program(served)
    table = person.do("tables", name="Anne", format="1x1")
    with bot(served.url, new_bot(served), "--join", table["seats"][1]["link"], "level:1") as process:
        lines_until(process, "plays on")
        wait_for_tirage(person, table["id"])
        person.do(f"tables/{table['id']}/forfeit")
        lines_until(process, "is over, ")
        person.do(f"tables/{table['id']}/revanche")
        wait_until("the revanche", lambda: person.get(f"tables/{table['id']}")["next"])
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert process.stdout is not None
        assert "Traceback" not in process.stdout.read()


def wait_for_tirage(person: ApiClient, table_id: str) -> None:
    """Wait until the table begins."""
    with person.http.stream("GET", f"/api/1/tables/{table_id}/events") as answer:
        assert any('"phase":"tirage"' in line for line in answer.iter_lines())


def test_a_bot_comes_back_when_the_server_does(tmp_path: Path) -> None:
    """A server that is killed in the middle of a match: the bot says so, waits, and plays on."""
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    port = free_port()
    with serving(database, tmp_path / "errors", port=port) as server:
        token = new_bot(server)
        other = token_of(server, "Autre")
        table = client_of(server, other).do("tables", format="1x1")
        with bot(
            server.url, token, "--join", table["seats"][1]["link"], "--matches", "1", "level:1"
        ) as process:
            lines_until(process, "plays on")
            wait_for_tirage(client_of(server, other), table["id"])
            server.stop(signal.SIGKILL)
            lines_until(process, "The server is away")
            with serving(database, tmp_path / "errors", port=port) as again:
                client_of(again, other).do(f"tables/{table['id']}/forfeit")
                lines_until(process, "is over")
                assert process.wait(PATIENCE) == 0


NONSENSE = """
import sys
for line in sys.stdin:
    if line.startswith("hello"):
        print("ready", flush=True)
    if line.startswith("go"):
        print("best Zz", flush=True)
"""


def test_a_program_at_fault_gives_the_match_up(served: RunningServer, tmp_path: Path) -> None:
    """After it was told so three times: the other does not wait for nothing."""
    (tmp_path / "engine.py").write_text(NONSENSE)
    other = program(served, f"Patient {os.urandom(3).hex()}")
    table = other.do("tables", format="1x1")
    link, rng = table["seats"][1]["link"], Random(1)
    engine = (sys.executable, str(tmp_path / "engine.py"))
    with bot(served.url, new_bot(served), "--join", link, "--matches", "1", "--", *engine) as process:
        lines_until(process, "plays on")
        wait_for_tirage(other, table["id"])

        def ends() -> bool:
            """Whether the match is over; what it waits for from the other is done."""
            now = other.get(f"tables/{table['id']}")
            if now["todo"] != "nothing":
                try:
                    now = other.answer(now, rng)
                except AssertionError:  # refused: right only if the bot gave up in between
                    now = other.get(f"tables/{table['id']}")
                    if now["phase"] != "over":
                        raise
            return bool(now["phase"] == "over")

        wait_until("the end", ends)
        heard = "".join(lines_until(process, "is over"))
        assert heard.count("best Zz") == 3
        assert "Winner: BOT Patient" in heard
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    ("named", "arguments", "words"),
    [
        ("person", (), "this token is a person's"),
        ("unknown", (), "This token is not known here"),
        ("bot", ("--join", "https://example.org/join/x/1/" + "0" * 32), "leads to no seat"),
        ("bot", ("--open", "classic", "--format", "99x1"), "a manche"),
    ],
)
def test_what_is_wrong_is_said_plainly(
    named: str, arguments: tuple[str, ...], words: str, served: RunningServer
) -> None:
    token = {"person": lambda: token_of(served), "bot": lambda: new_bot(served)}.get(
        named, lambda: f"chouine_{'x' * 40}"
    )()
    with bot(served.url, token, *arguments, "level:1") as process:
        heard = process.communicate(timeout=PATIENCE)[0]
        assert process.returncode == 1
        assert words in heard
        assert "Traceback" not in heard


def test_a_revoked_token_ends_the_bot(served: RunningServer) -> None:
    browser = served.visit("en")
    browser.post("/mine/tokens", what="bot", bot=f"R {os.urandom(3).hex()}")
    data = {"csrf": browser.csrf, "what": "make", "name": "x", "scope": ["play", "tables"]}
    page = browser.http.post("/mine/tokens", data=data).text
    token, which = (
        "chouine_" + page.split("chouine_")[1][:43],
        page.split('name="which" value="')[1].split('"')[0],
    )
    with bot(served.url, token, "--open", "classic", "level:1") as process:
        lines_until(process, "is for whoever has this link")
        browser.post("/mine/tokens", what="revoke", which=which)
        heard = "".join(lines_until(process, "revoked"))
        assert process.wait(PATIENCE) == 1
        assert "Traceback" not in heard


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--server", "ftp://x", "level:1"), "not the address of a server"),
        (("no-such-program",), "no-such-program"),
        (("--open", "belote", "level:1"), "belote"),
        (("--token-file", "/nowhere", "level:1"), "/nowhere"),
        (("level:1",), "it needs a token"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    token = "" if arguments == ("level:1",) else f"chouine_{'x' * 40}"
    with bot("http://127.0.0.1:9", token, *arguments) as process:
        heard = process.communicate(timeout=PATIENCE)[0]
        assert process.returncode == 2
        assert words in heard
        assert "Traceback" not in heard
