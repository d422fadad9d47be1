"""How long records are kept: the defaults, and the settings that change them for commands and pages alike."""

from __future__ import annotations

import os
from collections.abc import Mapping

DAYS: Mapping[str, float | None] = {
    "nobodys": 7,
    "abandoned": None,
    "finished": None,
    "sessions": 400,
    "browsers": 400,
    "members": 800,
    "passages": 1,
    "formers": 400,
    "contests": None,
    "names": 800,
    "waits": 1,
    "blocks": 800,
    "reports": 400,
    "rulings": 400,
    "pushes": 800,
    "letters": 800,
    "unanswered": 2,
    "imports": 400,
    "erasures": 400,
    "tokens": 400,
    "bots": 800,
    "dailies": 800,
    "listings": 800,
    "people": 800,
    "friends": 800,
    "asks": 90,
    "challenges": 30,
    "ratings": None,
    "tallies": None,
    "showings": 800,
    "reminders": 800,
    "holidays": 800,
    "prepared": 60,
    "classes": 0,
}
"""Days for which each kind of record is kept by default; None: for ever."""


def kept_text(name: str) -> str:
    """The days for a kind of record as `CHOUINE_KEEP_` and its name set them, else by default; empty: for ever."""
    days = DAYS[name]
    return os.environ.get(f"CHOUINE_KEEP_{name.upper()}", "" if days is None else f"{days:g}")
