"""Measure what a browser fetches to take Chouine along: `python -m tests.browser.download`.

The browser reaches the server through a relay that counts all bytes to the browser, compressed as they are sent, with
their headers, whoever asks for them: the page, its worker, the service worker.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, create_connection, socket
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Protocol

from playwright.sync_api import Page

from tests.browser.house import House
from tests.browser.launched import launch
from tests.browser.visitor import PHONE

PIECE = 65_536
PATIENCE = 600_000
"""Milliseconds for Python to start in a browser on a busy machine."""


class Listening(Protocol):
    """A house, or a contest's desk."""

    port: int


class Relay(ThreadingTCPServer):
    """Passes connections on to a house and counts what comes back; a house that is gone does not answer."""

    daemon_threads = True

    def __init__(self, house: Listening, connection: type[Connection] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), connection or Connection)
        self.house = house
        self.sent = 0
        """Bytes sent to browsers."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Connection(BaseRequestHandler):
    """One connection of a browser."""

    request: socket
    server: Relay

    def handle(self) -> None:
        with suppress(OSError), create_connection(("127.0.0.1", self.server.house.port)) as served:
            Thread(target=self.ask, args=[served], daemon=True).start()
            while piece := served.recv(PIECE):
                self.server.sent += len(piece)
                self.request.sendall(self.let_through(piece))

    def let_through(self, piece: bytes) -> bytes:
        """What the browser gets of a piece that the house has sent."""
        return piece

    def ask(self, served: socket) -> None:
        with suppress(OSError):
            while piece := self.request.recv(PIECE):
                served.sendall(piece)
            served.shutdown(SHUT_RDWR)


@contextmanager
def start_relay(house: House) -> Iterator[Relay]:
    """A relay in front of a house, which may be stopped and started."""
    with Relay(house) as relay:
        Thread(target=relay.serve_forever, daemon=True).start()
        yield relay
        relay.shutdown()


def taken_along(page: Page, relay: Relay) -> int:
    """Download for offline play; the bytes fetched for it since its button was tapped."""
    page.goto(relay.url)
    page.click("#takeaway-ask")
    before = relay.sent
    page.click("#takeaway-go")
    page.locator("#takeaway-kept").wait_for()
    return relay.sent - before


def main() -> None:
    with launch() as (house, browser):
        context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="fr-FR")
        context.set_default_timeout(PATIENCE)
        with start_relay(house) as relay:
            sys.stdout.write(f"{taken_along(context.new_page(), relay):,} bytes\n")
            context.close()


if __name__ == "__main__":
    main()
