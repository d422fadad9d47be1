"""A whole small contest, and a season, on a false Windows, in a folder with accents that is synchronised."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from chouine.contest.check import check_log
from chouine.contest.views import is_over
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import plain_text
from tools.desktop import hold_contest, start_program

pytestmark = [
    pytest.mark.serving,
    pytest.mark.skipif(sys.platform == "win32", reason="where Windows is true, tools/desktop.py does this"),
]
WINDOWS: list[str | Path] = [
    sys.executable, "-X", "warn_default_encoding", "-m", "tests.server.contest.false_windows",
]  # fmt: skip
CONSOLE = os.environ | {"PYTHONIOENCODING": "cp1252"}
"""With the characters of a French console."""
PAGES = (
    "/palmares", "/entries", "/results", "/log", "/desks", "/check", "/public", "/screen", "/print/instructions",
    "/print/by-hand", "/print/ranking", "/print/diplomas", "/print/accounts", "/ranking.ods", "/ranking.csv",
    "/evening", "/log.jsonl",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "Élise à l’école"
    home.mkdir()
    return home / "OneDrive"


def test_a_whole_contest(folder: Path) -> None:
    call = [*WINDOWS, "concours", "open", "--host", "127.0.0.1", "--language", "fr", "--folder", folder]
    with start_program(call, Path.cwd(), CONSOLE) as desk:
        begin = desk.page(desk.opening)
        assert "OneDrive" in plain_text(begin)  # the page says that this folder is synchronised
        script = re.search(r'src="(/static/js/[^"]*)"', begin)
        assert script
        with urlopen(desk.base + script[1]) as answer:  # noqa: S310  # our own program
            assert "javascript" in answer.headers["content-type"]  # whatever the registry says
        hold_contest(desk)
        for address in PAGES:
            assert desk.page(address), address
    (path,) = folder.glob("*.chouine")
    with closing(ContestStore(path)) as store:
        assert is_over(store.contest)
        assert not check_log(store.contest.lines).breaches
    with start_program(call, Path.cwd(), CONSOLE) as desk:
        desk.page(desk.opening)
        desk.send("/", what="look", file=path.name)
        assert "Été" in desk.page("/public")


def test_a_season(folder: Path) -> None:
    folder.mkdir(parents=True)
    season = folder / "challenge du Loir.saison"
    subprocess.run(
        [*WINDOWS, "saison", "new", season, "--title", "Challenge d’été"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    call = [*WINDOWS, "saison", "open", season, "--host", "127.0.0.1", "--language", "fr"]
    with start_program(call, Path.cwd(), CONSOLE, "/open?key=") as keeper:
        keeper.page(keeper.opening)
        for address in ("/", "/keep", "/keep/people", "/keep/next"):
            assert "Challenge d’été" in keeper.page(address), address
