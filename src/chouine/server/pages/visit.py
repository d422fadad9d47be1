"""What a page knows of the browser it is made for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from chouine.phrases import Language
from chouine.table.entries import WINDOW

__all__ = ["Language", "Settings", "Visit"]


class Pace(NamedTuple):
    """How fast the table goes."""

    hold: float
    """Seconds a complete trick lies on the table."""
    computers: float
    """How long computers wait before they act, at the tables that this browser sets; 1 as usual."""
    motion: float
    """How long a card takes on its way, 1 as usual."""


FELTS = {"green": "#173d2e", "blue": "#153650", "wine": "#4a1822", "slate": "#2a3036"}
"""The cloths of the table, each with the colour of its edge; `base.css` has the others."""
PACES = {"lively": Pace(0.4, 0.1, 0.6), "normal": Pace(1.0, 1.0, 1.0), "calm": Pace(3.0, 4.0, 1.4)}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a browser's player likes the table."""

    four_colours: bool = False
    """Diamonds blue, clubs green."""
    large: bool = False
    """Large text and large indices."""
    pace: Literal["lively", "normal", "calm"] = "normal"
    hold: float = 0.0
    """Seconds a complete trick lies on the table; 0: as the pace says."""
    window: float = WINDOW
    """Seconds that "au sept" stays open at the tables that this browser sets."""
    sorted: bool = False
    """Whether the hand is sorted anew at each draw; else each card keeps its place until the player sorts."""
    across: bool = False
    """Whether the table turns towards who acts, where two play on one device that lies between them."""
    sound: bool = False
    felt: Literal["green", "blue", "wine", "slate"] = "green"
    backs: Literal["keep", "vines", "river", "woods"] = "keep"
    indices: Literal["fr", "en", ""] = ""
    """Letters on the cards, A R D V or A K Q J; empty: as the language has them."""
    recall: bool = False
    """Show all that a perfect memory would keep, not only what §14 lets a player look at."""
    volume: float = 0.6
    """Of the sounds, from 0 to 1."""
    emblem: Literal["", "kh", "qh", "jh", "ks", "qs", "js", "kd", "qd", "jd", "kc", "qc", "jc"] = ""
    """The figure of the deck by which this browser's player is shown to others; empty: none."""

    @property
    def held(self) -> float:
        """Seconds a complete trick lies on the table."""
        return self.hold or PACES[self.pace].hold


LIMITS = {"hold": (0.5, 10.0), "window": (5.0, 60.0), "volume": (0.1, 1.0)}
"""The least and the most that may be chosen, in seconds; of the volume, as a share."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One browser asking for one page."""

    language: Language
    csrf: str
    """Carried by every form that changes something."""
    guest: str
    """This browser's guest: the seats whose `guest` it is are its own."""
    name: str = ""
    """The last name given, may be empty."""
    level: int = 0
    """The level last played against; 0 before the first time."""
    settings: Settings = field(default=Settings())
    push: str = ""
    """The server's public key for push messages; empty where it sends none."""
    letters: bool = False
    """Whether the server sends letters to who gives an address."""

    @property
    def motion(self) -> float:
        """How long a card takes on its way, 1 as usual."""
        return PACES[self.settings.pace].motion

    @property
    def edge(self) -> str:
        """The colour round the page, where a device shows one."""
        return FELTS[self.settings.felt]

    @property
    def classes(self) -> str:
        """The style sheets' classes for these settings: the deck's, the cloth's, and the size of text."""
        chosen = self.settings
        return " ".join(
            (
                f"deck-{chosen.indices or self.language}",
                "deck-large large" if chosen.large else "deck-standard",
                "deck-four-colours" if chosen.four_colours else "deck-two-colours",
                f"deck-back-{chosen.backs}",
                f"felt-{chosen.felt}",
            )
        )
