"""A table's summary, as lists on the first page show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from chouine.table.entries import SeatHolder
from chouine.table.state import Phase, TableState


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

    @classmethod
    def of(cls, table: TableState) -> Self:
        """The summary of a table's present state."""
        match = table.match
        return cls(
            holders=table.holders,
            manches=match.manches if match.format.manches > 1 else (),
            parties=match.score,
            phase=table.phase,
            awaited=table.awaited,
            winner=match.winner,
            helped=bool(table.helped),
        )

    def held_by(self, guest: str) -> frozenset[int]:
        """The seats of a guest."""
        return frozenset(seat for seat, holder in enumerate(self.holders) if holder.guest == guest)
