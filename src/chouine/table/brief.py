"""A table's summary, as lists on the first page show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from chouine.partie.deal import SEATS
from chouine.table.entries import SeatHolder
from chouine.table.state import HELPS, FinishedPartie, Holiday, Phase, TableState


@dataclass(frozen=True, slots=True)
class Brief:
    """The players, the score, and whom the table waits for; nothing of a hand."""

    holders: tuple[SeatHolder, ...]
    manches: tuple[int, ...]
    """Manches won, by seat; empty where the match is one manche."""
    parties: tuple[int, ...]
    """Parties won in the current or last manche, by seat."""
    phase: Phase
    awaited: frozenset[int]
    winner: int | None
    helped: bool = False
    """Whether help was used."""
    slow: bool = False
    paused: bool = False
    times_up: tuple[tuple[int, float], ...] = ()
    """When the time of each awaited seat is out, as (seat, seconds since the epoch); empty where no clock runs."""
    holidays: tuple[Holiday, ...] = ()

    @classmethod
    def of(cls, table: TableState) -> Self:
        """The summary of a table's present state."""
        match = table.match
        runs = table.clock is not None and table.paused is None and not table.window
        return cls(
            holders=table.holders,
            manches=match.manches if match.format.manches > 1 else (),
            parties=match.score,
            phase=table.phase,
            awaited=table.awaited,
            winner=None if table.opened.deals else match.winner,
            helped=bool(table.helped),
            slow=table.slow,
            paused=table.paused is not None,
            times_up=tuple((seat, table.time_up(seat)) for seat in sorted(table.awaited)) if runs else (),
            holidays=() if table.phase is Phase.OVER else table.holidays,
        )

    def held_by(self, guest: str) -> frozenset[int]:
        """The seats of a guest."""
        return frozenset(seat for seat, holder in enumerate(self.holders) if holder.guest == guest)


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
