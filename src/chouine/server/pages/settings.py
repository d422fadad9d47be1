"""How a browser shows the table."""

from __future__ import annotations

from urllib.parse import quote

from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit

HOLDS = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Seconds a complete trick may lie."""


def settings_page(visit: Visit, back: str) -> str:
    """The settings of this browser; `back` is where the visitor came from."""
    holds = sorted({*HOLDS, visit.settings.hold})
    return render(visit, "settings.html", here=f"/settings?back={quote(back)}", back=back, holds=holds)
