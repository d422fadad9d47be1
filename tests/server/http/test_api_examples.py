"""What docs/server-api.md and the page `/api` tell programmers to type does what they say."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.needs import need
from tests.patience import PATIENCE
from tests.server.programs import client_of, close_all, token_of
from tests.server.serving import RunningServer
from tests.test_code_blocks import BLOCKS

ROOT = Path(__file__).parents[3]
PAGE = "docs/server-api.md"


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Close the programs' connections after each test."""
    yield
    close_all()


def environment(served: RunningServer, bot: str) -> dict[str, str]:
    """What the examples want: a server, and the token of a new bot."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {"CHOUINE_SERVER": served.url, "CHOUINE_TOKEN": token_of(served, bot), "PATH": path}


def test_thirty_lines_play_a_match(served: RunningServer) -> None:
    (text,) = BLOCKS[PAGE, "python"]
    assert len([line for line in text.splitlines() if line.strip()]) <= 30
    known = environment(served, "Trente")
    done = subprocess.run(
        [sys.executable, "-c", text], env=known, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert re.fullmatch(r"\d-\d \d-\d winner: [ab]\n", done.stdout), done.stderr


def test_two_commands_play_a_match(served: RunningServer) -> None:
    (text,) = BLOCKS[PAGE, "sh"]
    opening, joining = (line for line in text.splitlines() if line.startswith("chouine "))
    first = subprocess.Popen(
        shlex.split(opening), cwd=ROOT, env=environment(served, "Premier"), stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    try:
        link = next(found[0] for line in first.stdout if (found := re.search(r"http\S+/join/\S+", line)))
        second = shlex.split(joining.replace("LINK", link))
        subprocess.run(second, cwd=ROOT, env=environment(served, "Second"), timeout=PATIENCE, check=True)
        assert first.wait(PATIENCE) == 0
    finally:
        first.kill()
        first.wait()
        first.stdout.close()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_page_s_requests_are_answered(language: str, served: RunningServer) -> None:
    """In the order in which they stand there; the last two once the table is where they belong."""
    need("curl")
    page = served.visit(language).get("/api").text
    blocks = [html.unescape(block) for block in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)]
    requests = [line for block in blocks for line in block.splitlines() if line.startswith("curl ")]
    assert len(requests) == 5
    known = environment(served, f"Curl {language}")

    def ask(request: str) -> dict[str, object]:
        """The first line of what curl says."""
        line = f"head -1 < <({request} -s --max-time {PATIENCE:.0f} 2>/dev/null)"  # nobody waits for a stream's end
        shell = ["bash", "-c", line]
        said = subprocess.run(shell, env=known, capture_output=True, text=True, timeout=PATIENCE, check=False)
        found: dict[str, object] = json.loads(said.stdout)
        return found

    account, opening, events, pick, act = requests
    assert ask(account)["name"] == f"BOT Curl {language}"
    table_id = str(ask(opening)["id"])
    told = ask(events)
    assert told["type"] == "start"
    after = ask(pick.replace("TABLE", table_id))
    assert after.get("id") == table_id or after["error"] == "table/no-such-card", (
        after
    )  # the other may have taken it
    assert ask(act.replace("TABLE", table_id))["error"] == "table/not-now"
    assert client_of(served, known["CHOUINE_TOKEN"]).get("tables")["tables"][0]["id"] == table_id
