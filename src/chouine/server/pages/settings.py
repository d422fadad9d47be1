"""How a browser shows the table."""

from __future__ import annotations

from urllib.parse import quote

from chouine.phrases import N_
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit

HOLDS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Seconds a complete trick may lie; 0: as the pace says."""
PACES = {"lively": N_("Lively"), "normal": N_("Normal"), "calm": N_("Calm")}
WINDOWS = (5.0, 8.0, 12.0, 20.0, 30.0, 60.0)
"""Seconds that "au sept" may stay open."""


def settings_page(visit: Visit, back: str) -> str:
    """The settings of this browser; `back` is where the visitor came from."""
    chosen = visit.settings
    return render(
        visit,
        "settings.html",
        here=f"/settings?back={quote(back)}",
        back=back,
        paces=PACES,
        holds=sorted({*HOLDS, chosen.hold}),
        windows=sorted({*WINDOWS, chosen.window}),
    )
