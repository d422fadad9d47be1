"""Two pages of one browser answer at the same time: each change counts, and whoever has gone does not come back."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from chouine.server.routes import context
from tests.patience import PATIENCE
from tests.server.serving import Browser, RunningServer, serve_alone, serving


def serve_that_doubts(arguments: Sequence[str]) -> int:
    """A server to which every form comes late."""
    context.LATE = 0.0
    return serve_alone(arguments)


class LatePage:
    """A form of a browser that the server has begun to answer, and whose body comes later."""

    def __init__(self, server: RunningServer, browser: Browser, path: str, **fields: str) -> None:
        self.body = urlencode({"csrf": browser.csrf, **fields}).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {urlsplit(server.url).netloc}\r\nCookie: {cookies}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(self.body)}\r\n"
            "Expect: 100-continue\r\nConnection: close\r\n\r\n"
        )
        self.connection = socket.create_connection(("127.0.0.1", urlsplit(server.url).port or 80), PATIENCE)
        self.connection.sendall(head.encode())
        assert b"100 Continue" in self.connection.recv(4096)  # the visitor is known, and the form is wanted

    def finish(self) -> str:
        """Send the form; the head of the answer."""
        with self.connection as connection:
            connection.sendall(self.body)
            answer = b""
            while part := connection.recv(65536):
                answer += part
        return answer.partition(b"\r\n\r\n")[0].decode()


def rows(database: Path) -> list[bytes]:
    with closing(sqlite3.connect(database)) as connection:
        return [settings for (settings,) in connection.execute("select settings from session")]


def test_a_change_of_another_page_is_not_undone(served: RunningServer) -> None:
    host = served.visit("fr")
    host.open(**{"name-0": "Marthe"})
    late = LatePage(served, host, "/language", language="en")
    host.open(**{"name-0": "Berthe"})
    assert "303" in late.finish().splitlines()[0]
    page = host.get("/").text
    assert 'value="Berthe"' in page
    assert '<html lang="en"' in page


def test_who_is_erased_is_named_at_no_table_that_was_being_opened(tmp_path: Path) -> None:
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors", program=serve_that_doubts) as served:
        host = served.visit("fr")
        host.open(**{"name-0": "Marthe"})
        late = LatePage(
            served,
            host,
            "/new",
            **{"format": "1x1", "chair-0": "me", "chair-1": "friend", "name-0": "Marthe"},
        )
        assert host.post("/settings/forget", all="1").status_code == 200
        assert "403" in late.finish().splitlines()[0]
    assert b"Marthe" not in b"".join(path.read_bytes() for path in tmp_path.glob("chouine.db*"))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("whole", ["1", ""])
def test_who_is_forgotten_stays_so(tmp_path: Path, whole: str, *, known: bool) -> None:
    """A page that was on its way stores nothing, and gives no cookie back, whether or not anything was stored."""
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        host = served.visit("fr")
        if known:
            host.open(**{"name-0": "Marthe"})
        late = LatePage(served, host, "/language", language="en")
        assert host.post("/settings/forget", all=whole).status_code == 200
        head = late.finish().lower()
        assert rows(database) == []
        given = [line for line in head.splitlines() if line.startswith("set-cookie")]
        assert not [line for line in given if "max-age=0" not in line]


@pytest.mark.parametrize("whole", ["1", ""])
def test_a_form_with_the_cookie_of_who_is_gone_does_nothing(tmp_path: Path, whole: str) -> None:
    """It may have been sent before the answer came that took the cookie."""
    database = tmp_path / "chouine.db"
    with serving(f"sqlite:///{database}", tmp_path / "errors") as served:
        host = served.visit("fr")
        cookies = {**host.http.cookies}
        assert host.post("/settings/forget", all=whole).status_code == 200
        assert not host.http.cookies
        host.http.cookies.update(cookies)
        assert host.post("/language", language="en").status_code == 403
        assert rows(database) == []
