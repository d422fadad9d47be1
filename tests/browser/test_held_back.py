"""Where a proxy holds streams back, pages notice it and ask for the news themselves."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import socket
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from chouine.table import commands as ask
from tests.browser.conftest import Halls, Visits
from tests.browser.download import PIECE, Connection, Listening, Relay
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.patience import PATIENCE

STREAM = re.compile(rb"GET \S*/stream[? ]")
HELD = "#trouble:not([hidden])"


class Holding(Connection):
    """A connection that keeps the body of a stream for itself, as a proxy or a virus scanner with a buffer."""

    held = False

    def ask(self, served: socket) -> None:
        with suppress(OSError):
            while piece := self.request.recv(PIECE):
                self.held |= bool(STREAM.match(piece))
                served.sendall(piece)

    def let_through(self, piece: bytes) -> bytes:
        if not self.held:
            return piece
        head, end, _ = piece.partition(b"\r\n\r\n")
        return head + end if head.startswith(b"HTTP/") else b""


@pytest.fixture
def proxy(house: House) -> Iterator[Relay]:
    """A proxy before the house that holds streams back."""
    with holding(house) as relay:
        yield relay


@contextmanager
def holding(house: Listening) -> Iterator[Relay]:
    with Relay(house, Holding) as relay:
        Thread(target=relay.serve_forever, daemon=True).start()
        yield relay
        relay.shutdown()


def polls(page: Page, address: str = "**/events?**") -> None:
    """Wait until the page asks for the news again and again."""
    for _ in range(2):
        with page.expect_request(address):
            pass


def test_a_table_whose_stream_is_held_back(house: House, proxy: Relay, visit: Visits) -> None:
    """It says so once, and another's card comes by asking."""
    guest, other = house.guest("Anne"), house.guest("Basile")
    game = house.table([guest, other], deal=TWENTY.deal, played=TWENTY.played)
    page = visit(proxy, guest=guest).go(f"/table/{game}")
    expect(page.locator(HELD)).to_contain_text("toutes les deux secondes")
    expect(page.locator("#notice:not([hidden])")).to_have_count(0)
    page.locator(HELD).get_by_role("button").click()
    polls(page)
    house.do(lambda tables: tables.do(game, ask.Speak(1, "well-played")))
    expect(page.locator(".bubble")).to_have_count(1)
    expect(page.locator(HELD)).to_have_count(0)


def test_a_page_that_waits_for_friends(house: House, proxy: Relay, visit: Visits) -> None:
    guest, friend = house.guest("Anne"), house.guest("Basile")
    game = house.table([guest, None])
    page = visit(proxy, guest=guest).go(f"/table/{game}")
    expect(page.locator(HELD)).to_be_visible()
    polls(page)
    house.do(lambda tables: tables.do(game, ask.Sit(1, friend.guest, "Basile", None, "")))
    expect(page.locator("#table")).to_be_visible()


def test_a_contest_s_page(halls: Halls, visit: Visits) -> None:
    """The desk's screens and the players' page share the module with the table."""
    hall = halls()
    hall.fill(12, 1)
    hall.start()
    with holding(hall) as relay:
        page = visit(relay).go("/public")
        expect(page.locator(HELD)).to_contain_text("toutes les deux secondes")
        polls(page, "**/public")


GREETED = """
const Stream = window.EventSource;
window.EventSource = class extends Stream {
  constructor(address) {
    super(address);
    this.addEventListener("hello", () => { window.greeted = true; });
  }
};
"""
SETTLED = "async () => { await fetch('/health'); }"
"""A question to the server takes as long as one that the page may have asked."""


def test_a_stream_that_flows_is_no_reason_to_ask(house: House, visit: Visits) -> None:
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    visitor = visit(house, guest=guest)
    visitor.context.add_init_script(GREETED)
    visitor.page.clock.install()
    visitor.page.clock.pause_at(time.time() + PATIENCE)  # a busy machine may take longer to greet
    page = visitor.go(f"/table/{game}")
    page.wait_for_function("() => window.greeted")
    page.clock.run_for(8_000)  # longer than a greeting may take
    page.evaluate(SETTLED)
    expect(page.locator(HELD)).to_have_count(0)
