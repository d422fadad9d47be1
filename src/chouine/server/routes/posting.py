"""Read posted forms: quickly if they are encoded as ours are, else by the library."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request

FIELDS = 100
"""Most fields in a form."""


async def read_post(request: Request, weigh: Callable[[int], None], files: int) -> FormData:
    """The posted form with at most so many files, after its bytes were weighed. Raises 400 if it is unreadable."""
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
