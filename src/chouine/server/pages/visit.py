"""What a page knows of the browser it is made for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from chouine.phrases import Language

__all__ = ["Language", "Settings", "Visit"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a browser's player likes the table."""

    four_colours: bool = False
    """Diamonds blue, clubs green."""
    large: bool = False
    """Large text and large indices."""
    hold: float = 2.0
    """Seconds a complete trick lies on the table, 0.5 to 10."""
    sound: bool = False
    indices: Literal["fr", "en", ""] = ""
    """Letters on the cards, A R D V or A K Q J; empty: as the language has them."""
    recall: bool = False
    """Show all that a perfect memory would keep, not only what §14 lets a player look at."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One browser asking for one page."""

    language: Language
    csrf: str
    """Carried by every form that changes something."""
    guest: str
    """This browser's guest: the chairs whose `guest` it is are its own."""
    name: str = ""
    """The last name given, may be empty."""
    level: int = 0
    """The level last played against; 0 before the first time."""
    settings: Settings = field(default=Settings())

    @property
    def classes(self) -> str:
        """The style sheets' classes for these settings: the deck's, and the size of text."""
        chosen = self.settings
        return " ".join(
            (
                f"deck-{chosen.indices or self.language}",
                "deck-large large" if chosen.large else "deck-standard",
                "deck-four-colours" if chosen.four_colours else "deck-two-colours",
            )
        )
