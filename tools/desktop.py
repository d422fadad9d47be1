"""Check that a desktop build starts, answers and holds a contest: `python -m tools.desktop dist/Chouine`.

Its home is empty, and the home's path has accents, blanks and a folder that is synchronised, as on many laptops.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from chouine.server.contest.spreadsheet import as_ods

PATIENCE = 60.0
"""Timeout in seconds for a page."""


PROGRAMS = {"Chouine": 'value="level:8"', "Tenir un concours": 'name="what" value="drill"'}
"""Each program with a part of its first page: of the table, the strongest level; of the desk, its last way to begin."""
LIST = [["Nom", "Commune"], ["Agnès Bordier", "Couture-sur-Loir"]]
NAMES = (
    "Agnès Bordier",
    "Benoît Chéron",
    "Céline Dutertre",
    "Denis Épron",
    "Élodie Fouquet",
    "Fabrice Gaudin",
)


def main(folder: Path) -> int:
    """Start each program, request its first page, hold a contest, read a spreadsheet; return the exit status."""
    end = ".exe" if os.name == "nt" else ""
    with tempfile.TemporaryDirectory(prefix="Élise à l’école ", ignore_cleanup_errors=True) as home:
        work = Path(home) / "OneDrive"
        work.mkdir()
        places = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"), home)
        table, contest = (folder.resolve() / f"{name}{end}" for name in PROGRAMS)
        for program, part in zip((table, contest), PROGRAMS.values(), strict=True):
            with start_program([program], work, os.environ | places) as browser:
                if part not in browser.page(browser.opening):
                    print(f"{program.name}: there is no first page.")
                    return 1
                if program == contest:
                    hold_contest(browser)
        cells = subprocess.run(  # noqa: S603  # the build under test
            [contest, "-m", "chouine.server.contest.read_cells", "9"],
            input=as_ods(LIST),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        ).stdout
        if not cells or json.loads(cells) != LIST:
            print(f"It cannot read a spreadsheet: {cells!r}")
            return 1
    print("It starts, answers and holds a contest.")
    return 0


class Browser:
    """A browser at a program's address."""

    def __init__(self, address: str) -> None:
        self.opening = address
        self.base = address.partition("/open")[0]
        self._opener = build_opener(HTTPCookieProcessor())

    def page(self, address: str, **fields: str) -> str:
        """A page, or what a form with these fields is answered. Raises `HTTPError` for a refusal."""
        body = urlencode(fields).encode() if fields else None
        url = address if address.startswith("http") else self.base + address
        asked = Request(url, body, {"Accept-Language": "fr"})  # noqa: S310  # our own program
        with self._opener.open(asked, timeout=PATIENCE) as answer:
            return str(answer.read().decode(errors="replace"))

    def send(self, address: str, **fields: str) -> str:
        """Fill in and send a page's form, and once more where it is asked whether one is sure."""
        page = self.page(address, csrf=field(self.page(address), "csrf"), **fields)
        if 'name="told"' in page:
            return self.page(address, csrf=field(page, "csrf"), told=field(page, "told"), **fields)
        return page


def field(page: str, name: str) -> str:
    """The value of a page's hidden field. Raises `LookupError` if it has none."""
    found = re.search(rf'name="{name}" value="(\w+)"', page)
    if not found:
        raise LookupError(f"{name} is not in {page[:2000]}")
    return found[1]


@contextmanager
def start_program(
    call: list[str | Path], work: Path, environment: Mapping[str, str], address: str = "http"
) -> Iterator[Browser]:
    """A browser at the first address that a program prints with this text in it."""
    with subprocess.Popen(  # noqa: S603  # the build under test
        [*call, "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        cwd=work,
        env=environment,
    ) as process:
        try:
            lines = process.stdout or ()
            found = next((line for line in lines if address in line), "")
            yield Browser(found.partition(": ")[2].strip())
        finally:
            process.terminate()


def hold_contest(browser: Browser) -> None:
    """Open a contest, enter six people, play both draws to the end and close it. Raises if a page does not answer."""
    browser.page(browser.opening)
    browser.send(
        "/", what="new", title="Été à l’école : 2027 ?", fee="10", kind="lavardin", consolante="first"
    )
    browser.send("/settings", title="Été", fee="12", kind="lavardin", consolante="first", seats="2")
    for name in NAMES:
        browser.send("/entries", name=name, village="Couture-sur-Loir")
    for stage in ("main", "main", "consolante", "main", "consolante"):
        browser.send(f"/draw/{stage}", card="dame de cœur", act="draw")
        for table in re.findall(r'name="table" value="(\d+)"', browser.page("/results")):
            browser.send("/results", table=table, score="21" if stage == "main" else "10")
    if NAMES[0].split()[1] not in browser.page("/palmares"):
        raise LookupError("the ranking")
    browser.send("/log", act="reveal")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
