"""What a request sends: small numbers in its path, cookies, a posted form."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request


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


FIELDS = 100
"""Most fields in a form."""


async def read_post(request: Request, weigh: Callable[[int], None], files: int) -> FormData:
    """The posted form with at most so many files, after its bytes were weighed. Raises 400 if it is unreadable.

    Quickly if it is encoded as ours are, else by the library.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        sent = await request.body()
        weigh(len(sent))
        if kind == "application/x-www-form-urlencoded":
            pairs = parse_qsl(sent.decode(), keep_blank_values=True, max_num_fields=FIELDS)
            return FormData(list(pairs))
        return await request.form(max_files=files, max_fields=FIELDS)
    except ValueError as error:
        raise HTTPException(400, "unreadable") from error


def storable(text: str) -> str:
    """The text with `?` for what UTF-8 or PostgreSQL has no place for: half a sign, and NUL."""
    return text.encode(errors="replace").decode().replace("\0", "?")
