"""The score sheets stored for a browser."""

from __future__ import annotations

from msgspec.structs import replace

from chouine.server.routes.sheet import listed_sheets
from chouine.server.saved import SavedSheet

SHEETS = [SavedSheet(("A", "B"), "classic", "3x2", acts) for acts in ("da", "da th m")]


def test_a_list_of_sheets_plays_their_acts_once() -> None:
    once, again = (listed_sheets([replace(sheet) for sheet in SHEETS]) for _ in "12")
    assert all(line.match is other.match for line, other in zip(once, again, strict=True))
