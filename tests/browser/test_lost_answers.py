"""A network that loses an answer, and what a person does then: press again, or have the page loaded again."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.patience import PATIENCE
from tests.server.accounts.people import make_card
from tests.server.serving import serving

FAILED = "chrome-error://chromewebdata/"


class LossyNetwork:
    """The way to a server: what it answers to a request whose first line matches `loses` never comes."""

    def __init__(self, port: int) -> None:
        self.port, self.loses = port, ""
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        with suppress(OSError):  # closed at the end
            while True:
                client, _ = self.listening.accept()
                threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client: socket.socket) -> None:
        """Carry one request, and its answer unless that is to be lost: then once the server has done all."""
        with suppress(OSError), client, socket.create_connection(("127.0.0.1", self.port)) as server:
            sent = b""
            while b"\r\n\r\n" not in sent:
                if not (piece := client.recv(65536)):
                    return
                sent += piece
            head, _, body = sent.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            while length and len(body) < int(length[1]):
                body += client.recv(65536)
            head = re.sub(rb"connection: [^\r]*", b"Connection: close", head, flags=re.IGNORECASE)
            server.sendall(head + b"\r\n\r\n" + body)
            loses = self.loses and re.match(self.loses.encode(), head)
            while piece := server.recv(65536):
                if not loses:
                    client.sendall(piece)


def lose(page: Page, network: LossyNetwork, what: str, button: str) -> None:
    """Press a button, and wait for the browser's own page about an answer that did not come."""
    network.loses = what
    page.locator(button).first.click(no_wait_after=True)
    expect(page).to_have_url(FAILED)
    network.loses = ""


def test_a_browser_loses_answers(browser: Browser, tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        network = LossyNetwork(int(served.url.rpartition(":")[2]))
        phone = served.visit("en")
        mine, words = f"/table/{phone.open()}", " ".join(make_card(phone)[0])
        context = browser.new_context(locale="en")
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()

        page.goto(f"{network.url}/")
        lose(page, network, "POST /new ", 'form[action="/new"] button')
        page.reload()  # sends the form again
        page.wait_for_url("**/table/*")
        theirs = page.url.removeprefix(network.url)
        page.goto(f"{network.url}/")
        assert {*re.findall(r"/table/[\w-]+", page.content())} == {theirs}

        for what in ("POST /account/words ", "GET /account[?]join="):
            page.goto(f"{network.url}/account")
            page.locator("#words").fill(words)
            lose(page, network, what, 'form[action="/account/words"] button')
        page.reload()
        page.get_by_text("You are signed in.").wait_for()
        page.goto(f"{network.url}/")
        assert {theirs, mine} <= {*re.findall(r"/table/[\w-]+", page.content())}
        context.close()
        network.listening.close()
