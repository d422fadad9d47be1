"""Players waiting for a partner, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.server.pages.visit import Language
from chouine.server.waits import Wait, Waiter


@dataclass(frozen=True, slots=True)
class Meeting:
    """Players waiting for a partner, as one visitor sees them."""

    waiters: Sequence[Waiter]
    own: Wait | None
    now: float
    evening: tuple[int, int] | None
    """Announced hour and minute (Paris), if any."""
    here_only: bool = False
    """Whether the visitor used a host name that nobody else can use; the list is then shown only if somebody
    waits."""

    def hour(self, language: Language) -> str:
        """The announced hour in the language's form (20 h 30, 20:30); empty if there is none."""
        if self.evening is None:
            return ""
        hour, minute = self.evening
        return (
            f"{hour}\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}{minute:02}".removesuffix("\N{NO-BREAK SPACE}00")
            if language == "fr"
            else f"{hour}:{minute:02}"
        )

    def minutes(self, since: float) -> int:
        """Minutes waited, rounded down."""
        return max(0, int((self.now - since) / 60))
