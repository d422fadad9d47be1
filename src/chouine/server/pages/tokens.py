"""The pages for whoever lets programs play: tokens, and how to begin with the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from chouine.days import day_of
from chouine.phrases import N_
from chouine.phrases.naming import date_in_words
from chouine.server.api.endpoints import Endpoint
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit

MAY = {
    "play": N_("Play at your tables, and follow them"),
    "tables": N_("Open tables, and join by a link"),
    "matches": N_("Read your finished matches"),
}
"""What a token may do, in words, by scope."""


def tokens_page(
    visit: Visit, tokens: Sequence[Any], *, bot: str = "", made: str = "", refused: str = ""
) -> str:
    """One's tokens. `bot`: the name of a program whose browser this is; `made`: a token just made, shown once."""
    listed = [
        {
            "id": row.id,
            "name": row.name,
            "scopes": row.scopes.split(),
            "seen": date_in_words(day_of(datetime.fromtimestamp(row.seen, UTC), visit.zone), visit.language),
        }
        for row in tokens
    ]
    shown = {"tokens": listed, "bot": bot, "made": made, "refused": refused, "may": MAY}
    return render(visit, "tokens.html", here="/mine/tokens", **shown)


def api_page(visit: Visit, address: str, endpoints: Mapping[str, Sequence[Endpoint]]) -> str:
    """How to begin with the API. `address`: the site's; `endpoints`: by what a token must allow."""
    return render(visit, "api.html", here="/api", address=address, endpoints=endpoints, may=MAY)
