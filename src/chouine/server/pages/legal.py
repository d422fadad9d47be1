"""Pages about the server itself: who answers for it, what it keeps of people, and whose work it is made of."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markupsafe import Markup

from chouine import __version__
from chouine.server.keeping import DAYS, kept_text
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit

if TYPE_CHECKING:
    from chouine.server.site import LegalNotice


def legal_page(visit: Visit, legal: LegalNotice | None) -> str:
    """Who publishes the site, whose machine it is, and how to write to them."""
    return render(visit, "legal/notice.html", here="/legal", legal=legal, version=__version__)


def offline_legal_page(visit: Visit) -> str:
    """The same of the copy without a network: what it keeps, and where the site says the rest."""
    return render(visit, "legal/offline.html", here="/legal", version=__version__)


def privacy_page(visit: Visit, legal: LegalNotice | None) -> str:
    """What is stored of people, why, how long and with whom, and their rights."""
    kept = {kind: kept_text(kind) for kind in DAYS}
    return render(visit, "legal/privacy.html", here="/privacy", legal=legal, kept=kept)


def participants_page(visit: Visit, legal: LegalNotice | None) -> str:
    """A notice to hang up at a contest: names, minors, photographs of lists."""
    return render(visit, "legal/participants.html", here="/privacy/contest", legal=legal)


def licences_page(visit: Visit) -> str:
    """The licences of the program and of what it is made of, as the installed package has them."""
    return render(visit, "legal/licences.html", here="/licences", texts=licence_texts())


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
    return tuple(Markup(markdown.render(text)) for text in below)  # noqa: S704  # our own texts
