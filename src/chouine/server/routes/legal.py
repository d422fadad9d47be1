"""Pages about the server itself: who answers for it, what it keeps of people, whose work it is, and `security.txt`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from chouine import __version__
from chouine.server.keeping import DAYS, kept_text
from chouine.server.pages.books import frame_examples
from chouine.server.pages.env import render
from chouine.server.routes.context import Context
from chouine.server.services import services_of

VALID = timedelta(days=180)
"""For how long a reader may rely on `security.txt`; RFC 9116 recommends less than a year."""


async def notice(request: Request) -> Response:
    """Who publishes the site, whose machine it is, and how to write to them."""
    context = await Context.of(request)
    legal = services_of(request).site.legal
    page = render(context.visit, "legal/notice.html", here="/legal", legal=legal, version=__version__)
    return await context.page(page)


async def privacy(request: Request) -> Response:
    """What is stored of people, why, how long and with whom, and their rights."""
    context = await Context.of(request)
    kept = {kind: kept_text(kind) for kind in DAYS}
    legal = services_of(request).site.legal
    page = render(context.visit, "legal/privacy.html", here="/privacy", legal=legal, kept=kept)
    return await context.page(page)


async def participants(request: Request) -> Response:
    """A notice to hang up at a contest: names, minors, photographs of lists."""
    context = await Context.of(request)
    legal = services_of(request).site.legal
    page = render(context.visit, "legal/participants.html", here="/privacy/contest", legal=legal)
    return await context.page(page)


async def licences(request: Request) -> Response:
    """The licences of the program and of what it is made of, as the installed package has them."""
    context = await Context.of(request)
    page = render(context.visit, "legal/licences.html", here="/licences", texts=licence_texts())
    return await context.page(page)


@cache
def licence_texts() -> tuple[Markup, ...]:
    """The package's licence files; none where it was installed without them."""
    try:
        package = distribution("chouine")
    except PackageNotFoundError:
        return ()
    names = ("LICENSE", "THIRD_PARTY_LICENSES.md")
    found = filter(None, (package.read_text(f"licenses/{name}") for name in names))
    markdown = MarkdownIt("commonmark").enable("table")
    below = (text.replace("# ", "## ", 1).replace("](LICENSE)", "](/licences)") for text in found)
    tokens = (frame_examples(markdown.parse(text), "Licences") for text in below)
    return tuple(Markup(markdown.renderer.render(each, markdown.options, {})) for each in tokens)  # noqa: S704  # ours


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
