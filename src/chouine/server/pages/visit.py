"""The browser for which a page is made, and its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Literal, NamedTuple

from chouine.days import day_of
from chouine.phrases import Language, date_in_words
from chouine.phrases.catalogue import CHILD
from chouine.table.entries import WINDOW


class Pace(NamedTuple):
    """Speed of the table."""

    hold: float
    """Seconds a complete trick lies on the table."""
    computers: float
    """Factor for computers' waiting time at tables that this browser opens."""
    motion: float
    """Factor for the duration of cards' movements."""


FELTS = {"green": "#173d2e", "blue": "#153650", "wine": "#4a1822", "slate": "#2a3036"}
"""The table's cloths, each with the colour of its edge; their other colours are in `base.css`."""
PACES = {"lively": Pace(0.4, 0.1, 0.6), "normal": Pace(1.5, 1.0, 1.0), "calm": Pace(3.0, 4.0, 1.4)}


@dataclass(frozen=True, slots=True)
class Settings:
    """A browser's settings for the table."""

    four_colours: bool = False
    """Diamonds blue, clubs green."""
    large: bool = False
    """Large text and large indices."""
    child: bool = False
    """Whether the first lessons are in the edition for children, where the language has one."""
    pace: Literal["lively", "normal", "calm"] = "normal"
    hold: float = 0.0
    """Seconds a complete trick lies on the table; 0: as the pace says."""
    window: float = WINDOW
    """Seconds that "au sept" stays open at the tables that this browser sets."""
    sorted: bool = False
    """Whether the hand is sorted after each draw; else each card keeps its place until the player sorts."""
    across: bool = False
    """Whether the table turns towards the player on turn, for two players with the device between them."""
    sound: bool = False
    felt: Literal["green", "blue", "wine", "slate"] = "green"
    theme: Literal["auto", "light", "dark"] = "auto"
    """The colours of pages and panels; auto: as the device asks."""
    motion: Literal["auto", "less"] = "auto"
    """Whether things move; auto: as the device asks."""
    backs: Literal["keep", "vines", "river", "woods"] = "keep"
    indices: Literal["fr", "en", ""] = ""
    """Letters on the cards, A R D V or A K Q J; empty: those of the language."""
    recall: bool = False
    """Show all that a player with perfect memory would know, not only what §14 lets a player look at."""
    tally: Literal["ask", "always", "off"] = "ask"
    """When one's own points of this partie are shown: on request, always, or never."""
    volume: float = 0.6
    """Volume of sounds and of the voice, from 0 to 1."""
    aloud: bool = False
    """Whether a voice of the device reads the player's hand and what happens."""
    touch: Literal["", "once", "twice"] = ""
    """Touches that play a card; empty: two where everything is larger, else one."""
    emblem: Literal["", "kh", "qh", "jh", "ks", "qs", "js", "kd", "qd", "jd", "kc", "qc", "jc"] = ""
    """The face card shown to others as this player's picture; empty: none."""

    @property
    def held(self) -> float:
        """Seconds a complete trick lies on the table."""
        return self.hold or PACES[self.pace].hold

    @property
    def touches_twice(self) -> bool:
        """Whether the first touch of a card only chooses it."""
        return self.touch == "twice" or (not self.touch and self.large)


LIMITS = {"hold": (0.5, 10.0), "window": (5.0, 60.0), "volume": (0.1, 1.0)}
"""Ranges of settings: seconds, and for the volume a share."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A browser's request for a page."""

    language: Language
    csrf: str
    """The CSRF token of forms."""
    guest: str
    """The browser's guest identifier: seats with this `guest` are its own."""
    name: str = ""
    """The last name given; may be empty."""
    level: int = 0
    """The level last played against; 0 before the first time."""
    settings: Settings = field(default=Settings())
    push: str = ""
    """The server's public key for push messages; empty if it sends none."""
    letters: bool = False
    """Whether the server sends e-mail notifications."""
    offline: bool = False
    """Whether the page is made in the browser, without a network."""
    off: frozenset[str] = frozenset()
    """What this server has switched off (`site.SWITCHES`)."""
    programs: tuple[str, ...] = ()
    """Names of the programs that may be seated."""
    banner: str = ""
    """What the server's keeper tells everybody now."""
    rests: bool = False
    """Whether maintenance is going on, and all clocks stand still."""
    told: bool = True
    """False if the keeper has something to tell this visitor."""
    member: bool = False
    """Whether the browser is signed in to an account."""
    child: bool = False
    """Whether this page is in the edition for children."""
    zone: tzinfo | None = None
    """The visitor's time zone; None: that of this machine, which is the visitor's own if `offline`."""

    def day_in_words(self, at: float) -> str:
        """The date of a time in seconds since 1970, in the visitor's time zone and language."""
        return date_in_words(day_of(datetime.fromtimestamp(at, UTC), self.zone), self.language)

    @property
    def edition(self) -> Language:
        """The catalogue of the page's sentences: the language, or its edition for children."""
        return CHILD if self.child and self.language == "fr" else self.language

    @property
    def motion(self) -> float:
        """Factor for the duration of cards' movements."""
        return PACES[self.settings.pace].motion

    @property
    def edge(self) -> str:
        """The colour around the page, on devices that show one."""
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
                *(["still"] if chosen.motion == "less" else []),
            )
        )
