"""The page of settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from chouine.cards import Card
from chouine.phrases import N_
from chouine.server.pages.cards import card_back as picture_of_back
from chouine.server.pages.env import render
from chouine.server.pages.portraits import EMBLEMS, emblem
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

HOLDS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Choices for the seconds a complete trick lies; 0: as the pace says."""
PACES = {"lively": N_("Lively"), "normal": N_("Normal"), "calm": N_("Calm")}
FELTS = {"green": N_("Green"), "blue": N_("Blue"), "wine": N_("Wine red"), "slate": N_("Slate grey")}
BACKS = {
    "keep": N_("The castle of Lavardin"),
    "vines": N_("The vines"),
    "river": N_("The Loir"),
    "woods": N_("The woods"),
}
TOUCHES = {
    "": N_("By the size of letters"),
    "once": N_("Once"),
    "twice": N_("Twice: choose, then play"),
}
WINDOWS = (5.0, 8.0, 12.0, 20.0, 30.0, 60.0)
"""Choices for the seconds that "au sept" stays open."""


def settings_page(
    visit: Visit, back: str, refused: str = "", browsers: Sequence[str] = (), mailbox: Any = None
) -> str:
    """The page; `back` is where the visitor came from, `refused` why nothing was done.

    `browsers`, digests of their endpoints, and `mailbox` get turn notifications.
    """
    chosen = visit.settings
    return render(
        visit,
        "settings.html",
        here=f"/settings?back={quote(back)}",
        back=back,
        refused=refused,
        browsers=browsers,
        mailbox=mailbox,
        paces=PACES,
        felts=FELTS,
        backs=BACKS,
        picture=picture_of_back(),
        touches=TOUCHES,
        holds=sorted({*HOLDS, chosen.hold}),
        windows=sorted({*WINDOWS, chosen.window}),
        emblems=emblems_in(visit),
    )


def emblems_in(visit: Visit) -> list[tuple[str, str, Markup]]:
    """The emblems to choose from: value, name in words, picture."""
    words = words_of(visit)
    return [(each, words.card(Card(each.capitalize())), emblem(each)) for each in EMBLEMS]
