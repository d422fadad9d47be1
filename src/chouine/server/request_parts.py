"""What a request sends: small numbers in its path, cookies, a posted form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl

from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Scope


class SmallIntConvertor(Convertor[int]):
    """A path parameter for a small number of up to four digits, such as a seat or a partie: `{number:few}`."""

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


def register_small_int() -> None:
    """Let routes use it; called wherever routes are listed, before the first."""
    register_url_convertor("few", SmallIntConvertor())


LONGEST = 4096
"""Longest value of a cookie in characters: browsers store no longer one."""


def cookie_in(request: Request, name: str) -> str:
    """The value of a cookie; empty if there is none, or it is too long to be ours.

    Ours have no quotes: Python's own reader takes quoted values apart, for which older versions need minutes.
    """
    found = ""
    for line in request.headers.getlist("cookie"):
        for pair in line.split(";"):
            key, equals, value = pair.partition("=")
            if equals and key.strip() == name:
                found = value.strip()
    return found if len(found) <= LONGEST else ""


def has_cookies(request: Request) -> bool:
    """Whether the browser sends any cookie."""
    return "cookie" in request.headers


LONGEST_LENGTH = 15
"""Most digits of an announced length."""
FIELDS = 100
"""Most fields in a form."""


URL_ENCODED = "application/x-www-form-urlencoded"
FORMS = (URL_ENCODED, "multipart/form-data")
"""The types of a posted form."""


def announced_length(scope: Scope) -> int | None:
    """The bytes of a body as its header announces them; 0 without one, None for what is no number."""
    length = Headers(scope=scope).get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) <= LONGEST_LENGTH else None


def content_type(request: Request) -> str:
    """The type of what a request sends."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def is_form(scope: Mapping[str, Any]) -> bool:
    """Whether a request is a form that a browser sends to see the next page."""
    headers = Headers(raw=scope["headers"])
    sends = headers.get("content-type", "").startswith(FORMS)
    return scope["method"] == "POST" and sends and "text/html" in headers.get("accept", "")


BODY, SENT = "body", "sent"
"""Where a request's scope has the body of a form, and the form itself, as far as they were read."""
LARGEST = "largest"
"""Where a request's scope has the most bytes that may be sent to its address."""
TAKEN = "taken"
"""Where it has the most bytes that the address takes, as its page says: less where a file is only part of a form."""


async def read_post(
    request: Request, files: int = 0, fields: int = FIELDS, weigh: Callable[[int], None] = lambda _: None
) -> FormData:
    """The posted form with at most so many files and fields, after its bytes were weighed. Raises 400 for another.

    Quickly if it is encoded as ours are, else by the library.
    """
    request.scope[BODY] = b""  # while it arrives: `find_form` does not wait for it again
    sent = request.scope[BODY] = await request.body()
    weigh(len(sent))
    try:
        if content_type(request) == URL_ENCODED:
            pairs = parse_qsl(sent.decode(), keep_blank_values=True, max_num_fields=fields)
            form = FormData(list(pairs))
        else:
            form = await request.form(max_files=files, max_fields=fields)
    except ValueError as error:
        raise HTTPException(400, "unreadable") from error
    request.scope[SENT] = form
    return form


async def find_form(request: Request) -> None:
    """Read the form of a refused request, if it is one, that was not read before."""
    if request.method != "POST" or content_type(request) not in FORMS or SENT in request.scope:
        return
    body = request.scope.get(BODY)

    async def receive_again() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    whole = request if body is None else Request(request.scope, receive_again)
    with suppress(HTTPException, ClientDisconnect, RuntimeError):  # too large, too slow, unreadable
        form = await read_post(whole, files=1)
        await form.close()


def storable(text: str) -> str:
    """The text with `?` for what UTF-8 or PostgreSQL has no place for: half a sign, and NUL."""
    return text.encode(errors="replace").decode().replace("\0", "?")
