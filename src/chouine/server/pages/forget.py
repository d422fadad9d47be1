"""The page by which a browser forgets its visitor, as on a computer that several people share."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table.brief import Brief
from chouine.table.state import Phase


def forget_page(visit: Visit, matches: Sequence[tuple[str, Brief]]) -> str:
    """What will be lost, of which the seats in matches in progress, what stays, and the button."""
    words = words_of(visit)
    playing = [(game, names_of(brief, words)) for game, brief in matches if brief.phase is not Phase.OVER]
    return render(visit, "forget.html", here="/settings/forget", playing=playing, forgotten=False)


def forgotten_page(visit: Visit) -> str:
    """What the server has done, and what the browser does now; without a script, what is left to do by hand."""
    return render(visit, "forget.html", here="/", playing=[], forgotten=True)
