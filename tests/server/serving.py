"""Run a real `chouine serve` in a subprocess, and browsers that visit it."""

from __future__ import annotations

import re
import secrets
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
from httpx._config import DEFAULT_TIMEOUT_CONFIG

from tests.forked import ForkedProcess, Program
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
UNENCRYPTED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts no certificate, as plain HTTP needs none; loading the system's takes 25 ms of processor time per client."""

# Of all requests of tests: a busy machine may need more than the five seconds that httpx waits.
for _what in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, _what, PATIENCE)

PROGRAM = "import sys; from tests.server.serving import serve; sys.exit(serve(sys.argv[1:]))"


def serve(arguments: Sequence[str]) -> int:
    """Run `chouine serve`."""
    return main_unhurried(["serve", *arguments])


def main_unhurried(arguments: Sequence[str]) -> int:
    """Run `chouine`.

    The advice is loaded at its first use, not after five seconds by each server, which takes over a second of
    processor.
    """
    from chouine.cli import main
    from chouine.server import app

    app.UNHURRIED = 3600.0
    return main(arguments)


def serve_alone(arguments: Sequence[str]) -> int:
    """The same in a fork, without a thinking process before the first thought."""
    from tests.server.preload import lay_newest

    lay_newest(arguments[arguments.index("--database") + 1])
    think_when_asked()
    return serve(arguments)


def serve_counting_for_long(arguments: Sequence[str]) -> int:
    """The same, with limits of ten seconds for an hour: on a slow machine nobody reaches them in ten seconds."""
    from chouine.server.limits import ADDRESS, VISITOR

    for limits, what in ((VISITOR, "commands"), (ADDRESS, "requests")):
        limits[what] = limits[what]._replace(seconds=3600)
    return serve_alone(arguments)


def main_alone(arguments: Sequence[str]) -> int:
    """Run any command of `chouine` in a fork, without a thinking process before the first thought."""
    think_when_asked()
    return main_unhurried(arguments)


def think_when_asked() -> None:
    """Start the thinking process at the first thought only: starting it takes half a second of processor time."""
    from chouine.server.thinking import ThinkerPool

    ThinkerPool.warm = lambda self: None  # type: ignore[method-assign]  # noqa: ARG005  # named as the method is


@dataclass
class RunningServer:
    """A running server."""

    process: subprocess.Popen[str] | ForkedProcess
    url: str
    errors: Path
    """The file with its standard error."""
    browsers: list[Browser] = field(default_factory=list)

    def visit(self, language: str = "fr") -> Browser:
        """A new browser on the first page."""
        self.browsers.append(Browser(self.url, language))
        return self.browsers[-1]

    def stop(self, sign: signal.Signals = signal.SIGTERM, seconds: float = PATIENCE) -> int:
        """Send a signal and wait for the exit status."""
        self.process.send_signal(sign)
        return self.process.wait(seconds)


@contextmanager
def serving(
    database: str,
    errors: Path,
    port: int = 0,
    per_address: int = 2000,
    options: Sequence[str] = ("--trusted-proxies", "127.0.0.1"),
    under: Sequence[str] = (),
    *,
    whole: bool = False,
    program: Program = serve_alone,
) -> Iterator[RunningServer]:
    """A server with this database, ready for requests.

    `whole`: a new Python process with a thinking process from the start, instead of a fork. `under`: a command that
    starts such a process with fewer rights. `program`: what the fork runs.
    """
    arguments = [
        *options,
        "--per-address",
        str(per_address),
        "--no-browser",
        "--port",
        str(port),
        "--database",
        database,
    ]
    process: subprocess.Popen[str] | ForkedProcess
    if whole or under:
        command = [*under, sys.executable, "-c", PROGRAM, *arguments]
        with errors.open("a") as said:
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True)
    else:
        process = ForkedProcess(program, arguments, errors)
    assert process.stdout is not None
    browsers: list[Browser] = []
    try:
        line = process.stdout.readline()
        assert line.startswith("Chouine: http"), errors.read_text()
        yield RunningServer(process, line.split()[1].rstrip("/"), errors, browsers)
    finally:
        for browser in browsers:  # after a failure too: a connection left open fails a test after this one
            browser.http.close()
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        process.stdout.close()


@dataclass
class Form:
    """A form of a page: its address, fields, and submit buttons."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Forms(HTMLParser):
    """Parses the forms of a page as a browser without JavaScript does."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self.inside = False
        self.choosing = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given["action"], given.get("method", "get")))
            self.inside = True
        elif not self.inside or (not given.get("name") and tag != "option"):
            return
        elif tag == "input" and given.get("type") in ("checkbox", "radio"):
            if "checked" in given:
                self.found[-1].fields[given["name"]] = given.get("value", "on")
        elif tag == "input":
            self.found[-1].fields[given["name"]] = given.get("value", "")
        elif tag == "select":
            self.choosing = given["name"]
        elif tag == "option" and self.choosing:
            if "selected" in given or self.choosing not in self.found[-1].fields:
                self.found[-1].fields[self.choosing] = given.get("value", "")
        elif tag == "button" and "disabled" not in given:
            self.found[-1].buttons.append((given["name"], given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select":
            self.choosing = ""


def cookie_in(cookies: httpx.Cookies, named: str = "chouine") -> str:
    """The value of the one cookie whose name is followed by the server's own."""
    (value,) = (value for name, value in cookies.items() if name.startswith(f"{named}-"))
    return value


class Browser:
    """A browser without JavaScript: pages, cookies, forms."""

    def __init__(self, url: str, language: str) -> None:
        self.http = httpx.Client(
            base_url=url,
            headers={"Accept-Language": language},
            follow_redirects=True,
            timeout=PATIENCE,
            verify=UNENCRYPTED,
        )
        self.page = self.get("/")
        (self.csrf, *_) = re.findall(r'name="csrf" value="([^"]+)"', self.page.text)

    @property
    def cookie(self) -> str:
        """The value of this browser's cookie."""
        return cookie_in(self.http.cookies)

    def get(self, path: str, **headers: str) -> httpx.Response:
        self.page = self.http.get(path, headers=headers)
        return self.page

    def forms(self, action: str = "") -> list[Form]:
        """The current page's forms whose address ends with `action`."""
        found = Forms(self.page.text).found
        return [form for form in found if form.action.partition("?")[0].endswith(action)]

    def form(self, action: str) -> Form:
        return self.forms(action)[0]

    def submit(self, form: Form, **fields: str) -> httpx.Response:
        """Submit a form of the page."""
        self.page = self.http.post(form.action, data=form.fields | fields)
        return self.page

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Post arbitrary fields with this browser's token."""
        return self.http.post(path, data={"csrf": self.csrf, **fields}, follow_redirects=False)

    def tell(self, table_id: str, verb: str, seat: int, **fields: str) -> httpx.Response:
        """Post a command and accept JSON, as a program does."""
        data = {"csrf": self.csrf, "seat": str(seat), **fields}
        return self.http.post(f"/table/{table_id}/{verb}", data=data, headers={"Accept": "application/json"})

    def open(self, **fields: str) -> str:
        """Open a table and return its identifier."""
        page = {
            "page": secrets.token_hex(8)
        }  # one of its own, or the table opened before would be found again
        answer = self.post(
            "/new", **{"format": "1x1", "chair-0": "me", "chair-1": "friend", **page, **fields}
        )
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/table/")

    def links(self, table_id: str) -> dict[int, str]:
        """The paths of the chairs' links shown to this browser, by seat."""
        shown = self.get(f"/table/{table_id}/links")
        found = [httpx.URL(value).path for value in Inputs(shown.text).values if "/join/" in value]
        return {int(path.split("/")[3]): path for path in found}

    def sit(self, link: str, name: str = "") -> httpx.Response:
        """Take the chair of a link by its page's form."""
        self.get(link)
        return self.submit(self.form(link), name=name)


class Inputs(HTMLParser):
    """The values of a page's input fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.values: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "input":
            self.values.append(dict(attrs).get("value") or "")


def wholes(sent: list[dict[str, Any]]) -> list[str]:
    """The HTML of consecutive frames, restored from their differences."""
    parts, found = list[str](), []
    for frame in sent:
        parts = [parts[part] if isinstance(part, int) else part for part in frame["parts"]]
        found.append("".join(parts))
    return found
