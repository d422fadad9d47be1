"""The page that takes parties brought as a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from chouine.days import day_of
from chouine.errors import ChouineError
from chouine.phrases import date_in_words
from chouine.server.imports import LARGEST, MOST, SHOWN, fault_in_words
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of


def import_page(
    visit: Visit,
    brought: Sequence[tuple[str, float, str, int]],
    faults: Sequence[ChouineError] = (),
    text: str = "",
) -> str:
    """The form, what the visitor brought before, and what was wrong with the file, whose `text` is shown again."""
    words = words_of(visit)
    return render(
        visit,
        "import.html",
        here="/import",
        brought=[
            (
                table_id,
                date_in_words(day_of(datetime.fromtimestamp(at, UTC), visit.zone), visit.language),
                " – ".join(words.player(name, seat) for seat, name in enumerate(title.split(";"))),
                parties,
            )
            for table_id, at, title, parties in brought
        ],
        faults=[fault_in_words(fault, visit.language) for fault in faults[:SHOWN]],
        more=max(0, len(faults) - SHOWN),
        text=text,
        largest=LARGEST // 1000,
        most=MOST,
    )
