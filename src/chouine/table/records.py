"""A table's finished parties as records."""

from __future__ import annotations

from chouine.partie.deal import SEATS
from chouine.table.state import HELPS, FinishedPartie, TableState


def tags_of(table: TableState, finished: FinishedPartie) -> dict[str, str]:
    """The tags of a finished partie's record, its date apart."""
    tags = {
        "Players": "; ".join(
            (holder.name or SEATS[seat]).replace(";", ",") for seat, holder in enumerate(table.holders)
        ),
        "Format": str(table.match.format),
        "Manche": str(finished.manche),
        "Partie": str(finished.partie),
        "Score": finished.score,
    }
    if finished.stopped is not None:
        tags["Termination"] = f"{finished.result.by} {SEATS[finished.stopped]}"
    if table.helped:
        tags["Help"] = ", ".join(kind for kind in HELPS if kind in table.helped)
    return tags
