"""Strangers who may meet, as a page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.server.online.waits import Wait, Waiter
from chouine.server.pages.visit import Language


@dataclass(frozen=True, slots=True)
class Meeting:
    """Strangers who may meet now, as one visitor sees them."""

    waiters: Sequence[Waiter]
    own: Wait | None
    now: float
    evening: tuple[int, int] | None
    """Hour and minute in Paris, where one is announced."""
    here_only: bool = False
    """Whether the server was asked for by a name that leads nobody else here: strangers are shown if there are any."""

    def hour(self, language: Language) -> str:
        """The announced hour as it is written: 20 h 30, 20:30; empty where there is none."""
        if self.evening is None:
            return ""
        hour, minute = self.evening
        return (
            f"{hour}\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}{minute:02}".removesuffix("\N{NO-BREAK SPACE}00")
            if language == "fr"
            else f"{hour}:{minute:02}"
        )

    def minutes(self, since: float) -> int:
        """Whole minutes of a wait."""
        return max(0, int((self.now - since) / 60))
