"""The engine protocol's questions: the lines sent before each `go`, and what a program may ask for besides."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from chouine.notation.lines import disclosures, partie_line
from chouine.notation.tokens import PASS
from chouine.partie.deal import SEATS
from chouine.partie.view import View

ASKS = ("open", "trick", "legal")
"""What a program may ask for: cards laid open and who exchanged; the trick so far; the acts it may answer."""


def question(view: View, asks: Collection[str] = ()) -> Iterator[str]:
    """The lines of a seat's question, without the final `go`."""
    yield f"view {SEATS[view.observer or 0]} {partie_line(view)}"
    if "open" in asks:
        shown, exchanged = disclosures(view)
        if shown:
            yield " ".join(["shown", *("?" if cards is None else str(cards) for cards in shown)])
        if exchanged:
            yield " ".join(["exchanged", *("?" if seat is None else SEATS[seat] for seat in exchanged)])
    if "trick" in asks:
        yield " ".join(["trick", *(f"{SEATS[laid.seat]}:{laid.card}" for laid in view.table)])
    if "legal" in asks:
        yield " ".join(["legal", *sorted(acts(view))])


def acts(view: View) -> list[str]:
    """The tokens a seat may answer; `-` if it may let "au sept" pass (§11)."""
    return [*map(str, view.legal), *([PASS] if view.turn != view.observer else [])]
