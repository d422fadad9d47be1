"""Read cookies as this server sets them: without quotes, and of bounded length.

Python's own reader also takes quoted values apart, for which older versions need minutes.
"""

from __future__ import annotations

from starlette.requests import Request

LONGEST = 4096
"""Longest value in characters: browsers store no longer one."""


def cookie_in(request: Request, name: str) -> str:
    """The value of a cookie; empty if there is none, or it is too long to be ours."""
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
