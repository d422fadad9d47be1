"""Firefox and WebKitGTK, with the part of Playwright's `Page` that the tests of all engines use.

Playwright drives neither of them as Debian ships them. Both know WebDriver's commands: Firefox by its own connection,
Marionette, and WebKit by its driver, over HTTP. WebKit draws on an X screen of its own, whose pixels are read.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import time
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from struct import pack, unpack_from
from tempfile import TemporaryDirectory
from typing import Any, Protocol, cast
from zlib import compress, crc32

import httpx
from playwright.sync_api import Error, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.house import Guest
from tests.browser.visitor import Size, VisitedSite
from tests.needs import MINI_BROWSER, need
from tests.patience import PATIENCE, wait_until
from tests.ports import free_port

ENGINES = ["chromium", "firefox", "webkit"]
OTHERS = ENGINES[1:]
PREFERENCES = {
    "marionette.port": 0,  # any
    "intl.accept_languages": "fr-FR, fr",
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "dom.push.connection.enabled": False,
    "ui.useOverlayScrollbars": 1,  # as on phones
    "services.settings.server": "http://127.0.0.1:1/",
    "dom.storageManager.prompt.testing": True,
    "dom.storageManager.prompt.testing.allow": True,
}
STILL = 1.0
"""Seconds in which what moves may come to rest, since WebKit does not say when it has drawn."""
NARROW = """
document.documentElement.style.minWidth = 0;
const tab = gBrowser.selectedBrowser.style;
tab.width = `${arguments[0]}px`, tab.minWidth = "0", tab.maxWidth = tab.width;"""
"""Firefox's window is 500 pixels wide or more, unless one asks from inside."""
WIRE = {
    "WebDriver:Navigate": ("POST", "/url"),
    "WebDriver:Refresh": ("POST", "/refresh"),
    "WebDriver:Back": ("POST", "/back"),
    "WebDriver:Forward": ("POST", "/forward"),
    "WebDriver:ExecuteScript": ("POST", "/execute/sync"),
    "WebDriver:ElementClick": ("POST", "/element/{id}/click"),
    "WebDriver:ElementSendKeys": ("POST", "/element/{id}/value"),
    "WebDriver:AddCookie": ("POST", "/cookie"),
    "WebDriver:DeleteAllCookies": ("DELETE", "/cookie"),
    "WebDriver:SetWindowRect": ("POST", "/window/rect"),
    "WebDriver:SwitchToFrame": ("POST", "/frame"),
}
"""The commands by Marionette's names, and where WebDriver has them."""
LISTEN = """() => {
  if (window.faults) return;
  window.faults = [];
  addEventListener("error", fault => faults.push(`error: ${fault.message}`));
  addEventListener("unhandledrejection", fault => faults.push(`rejected: ${fault.reason}`));
  addEventListener("securitypolicyviolation", fault => faults.push(`policy: ${fault.violatedDirective}`));
}"""
TOLD = """() => [...(window.faults ?? []),
  ...[...document.querySelectorAll("#trouble:not([hidden])")].map(told => told.textContent.trim())]"""


class Driver(Protocol):
    """A started browser."""

    def send(self, command: str, **values: Any) -> Any:
        """What the browser answers; raises Playwright's `Error` if it refuses."""

    def resize(self, size: Size) -> None: ...

    def picture(self) -> bytes:
        """The page as it is on the screen, a PNG."""

    def end(self) -> None: ...


class Firefox:
    """Firefox without a window, by Marionette: messages in JSON with their length before them."""

    def __init__(self) -> None:
        self.folder = TemporaryDirectory()
        home = Path(self.folder.name)
        lines = (
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        )
        (home / "user.js").write_text("\n".join(lines))
        call = (
            "firefox-esr --headless --kiosk --no-remote --marionette --remote-allow-system-access --profile"
        )
        with (home / "log").open("w") as log:
            self.process = subprocess.Popen(
                [*call.split(), str(home)], env={**os.environ, "HOME": str(home)}, stdout=log, stderr=log
            )
        port = home / "MarionetteActivePort"
        wait_until("Firefox", lambda: port.exists() and port.read_text())
        self.connection = socket.create_connection(("127.0.0.1", int(port.read_text())), PATIENCE)
        self.answers = self.connection.makefile("rb")
        self.asked = 0
        self._read()  # its greeting
        self.version = self.send("WebDriver:NewSession")["capabilities"]["browserVersion"]

    def send(self, command: str, **values: Any) -> Any:
        self.asked += 1
        message = json.dumps([0, self.asked, command, values]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            raise Error(f"{error['error']}: {error['message']}")
        return result["value"] if set(result or ()) == {"value"} else result

    def _read(self) -> Any:
        length = b""
        while (digit := self.answers.read(1)) != b":":
            if not digit:
                raise Error("Firefox has ended")
            length += digit
        return json.loads(self.answers.read(int(length)))

    def resize(self, size: Size) -> None:
        self.send("Marionette:SetContext", value="chrome")
        self.send("WebDriver:ExecuteScript", script=NARROW, args=[size[0]])
        self.send("Marionette:SetContext", value="content")
        self.send("WebDriver:SetWindowRect", width=size[0], height=size[1])

    def picture(self) -> bytes:
        return b64decode(self.send("WebDriver:TakeScreenshot", full=False))

    def end(self) -> None:
        self.answers.close()
        self.connection.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.folder.cleanup()


class WebKit:
    """WebKitGTK's small browser on an X screen of its own, by WebKit's driver."""

    def __init__(self) -> None:
        self.folder = TemporaryDirectory()
        home = self.folder.name
        heard, said = os.pipe()
        screen = [
            "Xvfb",
            "-displayfd",
            str(said),
            "-screen",
            "0",
            "1280x1024x24",
            "-nolisten",
            "tcp",
            "-fbdir",
            home,
        ]
        self.processes = [subprocess.Popen(screen, pass_fds=[said], stderr=subprocess.DEVNULL)]
        os.close(said)
        with os.fdopen(heard) as display:
            shown = {"DISPLAY": f":{display.readline().strip()}", "HOME": home, "GDK_BACKEND": "x11"}
        # The sandbox of its processes needs user namespaces, which root in a container may not have.
        environment = {**os.environ, **shown, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        port = free_port()
        driver = ["WebKitWebDriver", f"--port={port}"]
        self.processes.append(subprocess.Popen(driver, env=environment, stderr=subprocess.DEVNULL))
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)
        wait_until("WebKit's driver", self._listens)
        options = {"binary": MINI_BROWSER, "args": ["--automation", "--full-screen"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        begun = self.http.post("/session", json=asked).json()["value"]
        self.session, self.version = f"/session/{begun['sessionId']}", begun["capabilities"]["browserVersion"]
        self.size = (0, 0)

    def _listens(self) -> bool:
        try:
            return self.http.get("/status").is_success
        except httpx.TransportError:
            return False

    def send(self, command: str, **values: Any) -> Any:
        method, path = WIRE[command]
        body = values if method == "POST" else None
        answer = self.http.request(method, self.session + path.format(**values), json=body)
        value = answer.json()["value"]
        if answer.is_error:
            raise Error(f"{value['error']}: {value['message']}")
        return value

    def resize(self, size: Size) -> None:
        self.size = size
        self.send("WebDriver:SetWindowRect", x=0, y=0, width=size[0], height=size[1])

    def picture(self) -> bytes:
        """The window is in the screen's corner. Xvfb's file has a header, colours, and four bytes for each pixel."""
        file, screen, before = Path(self.folder.name) / "Xvfb_screen0", b"", None
        until = time.monotonic() + STILL
        while screen != before and time.monotonic() < until:
            time.sleep(STILL / 10)
            before, screen = screen, file.read_bytes()
        line, colours = unpack_from(">48xI24xI", screen)
        begun = unpack_from(">I", screen)[0] + 12 * colours
        width, height = self.size
        rows = bytearray()
        for row in range(height):
            pixels = screen[begun + row * line :][: 4 * width]
            rgb = bytearray(3 * width)
            rgb[0::3], rgb[1::3], rgb[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
            rows += b"\0" + rgb
        parts = (
            (b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            (b"IDAT", compress(rows, 1)),
            (b"IEND", b""),
        )
        chunks = (
            pack(">I", len(data)) + name + data + pack(">I", crc32(name + data)) for name, data in parts
        )
        return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)

    def end(self) -> None:
        self.http.delete(self.session)
        self.http.close()
        for process in reversed(self.processes):
            process.terminate()
            process.wait(PATIENCE)
        self.folder.cleanup()


STARTS: dict[str, Callable[[], Driver]] = {"firefox": Firefox, "webkit": WebKit}


@dataclass
class Window:
    """A browser's window, or a frame in it: the part of Playwright's `Page` and `Frame` that is used.

    Times are milliseconds. An element that is not there in time is Playwright's `TimeoutError`.
    """

    driver: Driver
    frame_id: str | None = None
    faults: list[str] = field(default_factory=list)

    def _send(self, command: str, **values: Any) -> Any:
        if self.frame_id is None:
            return self.driver.send(command, **values)
        script = "return document.getElementById(arguments[0])"
        frame = self.driver.send("WebDriver:ExecuteScript", script=script, args=[self.frame_id])
        self.driver.send("WebDriver:SwitchToFrame", id=frame, element=frame and next(iter(frame.values())))
        try:
            return self.driver.send(command, **values)
        finally:
            self.driver.send("WebDriver:SwitchToFrame", id=None)

    @property
    def url(self) -> str:
        return str(self.evaluate("location.href"))

    def goto(self, address: str) -> None:
        self._leave("WebDriver:Navigate", url=address)

    def reload(self) -> None:
        self._leave("WebDriver:Refresh")

    def go_back(self) -> None:
        self._leave("WebDriver:Back")

    def go_forward(self) -> None:
        self._leave("WebDriver:Forward")

    def _leave(self, command: str, **values: Any) -> None:
        self.faults += self.evaluate(TOLD)
        mark = secrets.token_hex(4)  # a page that the browser has kept comes back with its own
        self.evaluate("mark => { window.left = mark }", mark)
        self._send(command, **values)
        # WebKit's driver may answer before the old page is left, and before the new one's scripts have run: until then
        # forms are sent as without them
        self.wait_for_function("mark => window.left !== mark && document.readyState === 'complete'", arg=mark)
        self.evaluate(LISTEN)

    def frame(self, name: str) -> Window:
        return Window(self.driver, name)

    def evaluate(self, expression: str, arg: object = None) -> Any:
        script = f"const it = ({expression}); return typeof it === 'function' ? it(arguments[0]) : it"
        return self._send("WebDriver:ExecuteScript", script=script, args=[arg])

    def wait_for_function(
        self, expression: str, *, arg: object = None, timeout: float = PATIENCE * 1000
    ) -> None:
        until = time.monotonic() + timeout / 1000
        while not self._is_true(expression, arg):
            if time.monotonic() > until:
                raise TooLate(f"{expression} of {arg} is not true")
            time.sleep(0.05)

    def _is_true(self, expression: str, arg: object) -> bool:
        try:
            return bool(self.evaluate(expression, arg))
        except Error:
            return False  # the page is navigating

    def wait_for_timeout(self, timeout: float) -> None:
        time.sleep(timeout / 1000)

    def screenshot(self) -> bytes:
        return self.driver.picture()

    def locator(self, selector: str) -> Element:
        return Element(self, selector)


@dataclass
class Element:
    """The nth element of a selector, -1 for the last."""

    page: Window
    selector: str
    at: int = 0

    @property
    def first(self) -> Element:
        return self

    @property
    def last(self) -> Element:
        return self.nth(-1)

    def nth(self, index: int) -> Element:
        return Element(self.page, self.selector, index)

    def count(self) -> int:
        return int(self.page.evaluate("css => document.querySelectorAll(css).length", self.selector))

    def _do(self, command: str, timeout: float, **values: Any) -> None:
        """Send a command to the element as soon as there is one that accepts it."""
        until = time.monotonic() + timeout / 1000
        found = "([css, at]) => [...document.querySelectorAll(css)].at(at)"
        while True:
            try:
                element = self.page.evaluate(found, [self.selector, self.at])
                if element:
                    self.page._send(command, id=next(iter(element.values())), **values)
                    return
                refused = "it is not there"
            except Error as error:  # covered, not yet shown, or replaced meanwhile
                refused = error.message
            if time.monotonic() > until:
                raise TooLate(f"{self.selector}: {refused}")
            time.sleep(0.05)

    def click(self, timeout: float = PATIENCE * 1000) -> None:
        self._do("WebDriver:ElementClick", timeout)

    def press_sequentially(self, text: str) -> None:
        self._do("WebDriver:ElementSendKeys", PATIENCE * 1000, text=text)


@dataclass
class Engines:
    """The browsers started, used again by the next test: Firefox needs seconds to start."""

    idle: dict[str, list[Driver]] = field(default_factory=lambda: {engine: [] for engine in OTHERS})
    in_use: list[tuple[str, Window]] = field(default_factory=list)

    def page(self, engine: str, house: VisitedSite, guest: Guest | None, size: Size) -> Page:
        """A window of an engine without cookies but its guest's."""
        need(engine)
        idle = self.idle[engine]
        window = Window(idle.pop() if idle else STARTS[engine]())
        self.in_use.append((engine, window))
        window.driver.resize(size)
        window.goto(f"{house.url}/health")
        window.driver.send("WebDriver:DeleteAllCookies")
        if guest:
            cookie = {"name": "chouine", "value": guest.token, "path": "/"}
            window.driver.send("WebDriver:AddCookie", cookie=cookie)
        return cast("Page", window)

    def release(self) -> list[str]:
        """Make all windows idle; the faults of their pages."""
        faults: list[str] = []
        for engine, window in self.in_use:
            window.goto("about:blank")
            faults += [f"{engine}: {fault}" for fault in window.faults]
            self.idle[engine].append(window.driver)
        self.in_use.clear()
        return faults

    def close(self) -> None:
        for driver in (
            *chain.from_iterable(self.idle.values()),
            *(window.driver for _, window in self.in_use),
        ):
            driver.end()
