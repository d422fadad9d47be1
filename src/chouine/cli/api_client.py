"""A client of a server's API (`/api/1/…`), with the standard library alone."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from gettext import gettext as _
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from chouine import __version__
from chouine.cli.arguments import blame_setting
from chouine.cli.texts import CannotRun
from chouine.phrases import reason_in_words
from chouine.plaintext import parse_json

BASE = "/api/1/"
PATIENCE = 40.0
"""Seconds without a byte after which the server counts as away; a stream says something every 15."""


class Away(Exception):
    """The server does not answer, or is busy: the same may be asked again after `wait` seconds."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class ApiRefusal(Exception):
    """The server refuses: its status, its code, and its sentence."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class ApiClient:
    """A server's address and a token. Its methods block; they may be called from several threads."""

    def __init__(self, server: str, token: str, language: str) -> None:
        """Raises `CannotRun` unless `server` is an address such as `https://chouine.example`."""
        try:
            parts = urlsplit(server if "//" in server else f"https://{server}")
            self.host, self.port = parts.hostname or "", parts.port
        except ValueError:
            parts, self.host = urlsplit(""), ""
        if parts.scheme not in ("http", "https") or not self.host:
            with blame_setting(server):
                raise CannotRun(_("not the address of a server: %(url)s") % {"url": server})
        self.server = server
        self.make: Callable[..., HTTPConnection] = (
            HTTPSConnection if parts.scheme == "https" else HTTPConnection
        )
        self.headers = {
            "Authorization": f"Bearer {token}",
            "Accept-Language": language,
            "User-Agent": f"chouine/{__version__}",
        }
        self.lock = threading.Lock()
        self.kept: HTTPConnection | None = None
        self.stream: HTTPConnection | None = None

    def connect(self) -> HTTPConnection:
        """A new connection."""
        return self.make(self.host, self.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The JSON that the server answers. Raises `ApiRefusal` or `Away`."""
        sent = None if body is None else json.dumps(body).encode()
        with self.lock:
            for again in (True, False):
                fresh = self.kept is None
                self.kept = self.kept or self.connect()
                try:
                    self.kept.request(method, BASE + path, sent, self.headers)
                    return read_answer(self.kept.getresponse())
                except (OSError, HTTPException) as error:
                    self.kept.close()
                    self.kept = None
                    if getattr(error, "reason", "") == "WRONG_VERSION_NUMBER":
                        said = {"host": self.host}
                        with blame_setting(self.server):
                            raise CannotRun(
                                _("%(host)s does not speak HTTPS: begin with http://") % said
                            ) from error
                    if fresh or not again:  # a kept connection may have been closed meanwhile
                        raise Away(reason_in_words(error)) from error
        raise AssertionError

    def lines(self) -> Iterator[dict[str, Any]]:
        """The events of all tables until the stream ends; an empty one is a sign of life.

        Changes before the first event may be missing. Raises `ApiRefusal` or `Away`.
        """
        self.stream = self.connect()
        try:
            self.stream.request("GET", f"{BASE}events", headers=self.headers)
            answer = self.stream.getresponse()
            if answer.status != 200:
                read_answer(answer)
            while line := answer.readline():
                yield parse_json(line) if line.strip() else {}
        except (OSError, HTTPException, ValueError, AttributeError) as error:  # what `close` does to a reader
            raise Away(reason_in_words(error)) from error
        finally:
            self.stream.close()

    def close(self) -> None:
        """End the stream that another thread reads."""
        if self.stream is not None and self.stream.sock is not None:
            with suppress(OSError):
                self.stream.sock.shutdown(socket.SHUT_RDWR)


def read_answer(answer: HTTPResponse) -> Any:
    """The JSON of an answer. Raises `ApiRefusal`, or `Away` where the same may be asked again."""
    text = answer.read()
    if answer.status in (429, 503):
        wait = answer.headers.get("Retry-After", "")
        raise Away(f"{answer.status}", float(wait) if wait.isdigit() else 1.0)
    try:
        found = parse_json(text)
    except ValueError:
        found = None
    if answer.status in (200, 201) and isinstance(found, dict):
        return found
    if isinstance(found, dict) and "error" in found:
        raise ApiRefusal(answer.status, str(found["error"]), str(found.get("message", "")))
    if answer.status >= 500:
        raise Away(f"{answer.status}", 1.0)
    raise ApiRefusal(answer.status, "no-api", "")
