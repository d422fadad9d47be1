"""Pages about the server itself, and `security.txt` (RFC 9116)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from chouine.server.pages.legal import legal_page, licences_page, participants_page, privacy_page
from chouine.server.routes.context import Context
from chouine.server.services import services_of

VALID = timedelta(days=180)
"""For how long a reader may rely on `security.txt`; RFC 9116 recommends less than a year."""


async def notice(request: Request) -> Response:
    """Who answers for the site."""
    context = await Context.of(request)
    return await context.page(legal_page(context.visit, services_of(request).site.legal))


async def privacy(request: Request) -> Response:
    """What is kept of people."""
    context = await Context.of(request)
    return await context.page(privacy_page(context.visit, services_of(request).site.legal))


async def participants(request: Request) -> Response:
    """The notice for a contest's participants."""
    context = await Context.of(request)
    return await context.page(participants_page(context.visit, services_of(request).site.legal))


async def licences(request: Request) -> Response:
    """Whose work the program is made of."""
    context = await Context.of(request)
    return await context.page(licences_page(context.visit))


async def security(request: Request) -> Response:
    """Where to report a vulnerability; 404 if the server names nobody."""
    site = services_of(request).site
    if site.legal is None:
        raise HTTPException(404)
    lines = [
        f"Contact: mailto:{site.legal.security or site.legal.contact}",
        f"Expires: {(datetime.now(UTC) + VALID):%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: fr, en",
    ]
    if site.public_url:
        lines.append(f"Canonical: {site.public_url}/.well-known/security.txt")
    return PlainTextResponse("\n".join(lines) + "\n")
