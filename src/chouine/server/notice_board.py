"""What the server's keeper tells everybody: a banner until some time, and maintenance, in which all tables rest.

It is stored, and every node looks now and then. A maintenance counts as an outage: no heartbeat is written, so that the
first one afterwards credits its time to all clocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, tzinfo

import msgspec
import sqlalchemy as sa

from chouine.phrases import N_, Language, translations
from chouine.phrases.naming import hour_in_words
from chouine.server.database import again_and_again
from chouine.server.order import KeeperActs
from chouine.server.schema import setting
from chouine.server.store import Store

LOOKS = 2.0
"""Seconds between two looks."""
LONGEST = 190
"""Most characters of a banner in a language."""
PREFIX = "notice-"
"""How the names of settings begin that hold what is announced, each field in a row of its own, for their length."""
COMING = N_(
    "At %(hour)s this server rests for maintenance, about %(minutes)s minutes: tables and clocks stop, nothing is lost."
)
RESTING = N_(
    "Maintenance until about %(hour)s: tables and clocks rest, nothing is lost. Play goes on by itself."
)


class Announcement(msgspec.Struct, frozen=True):
    """What is announced. Times are seconds since 1970; 0: none."""

    fr: str = ""
    en: str = ""
    until: float = 0.0
    begins: float = 0.0
    """When maintenance begins, and when it will have ended."""
    ends: float = 0.0

    def rests(self, now: float) -> bool:
        """Whether maintenance is going on."""
        return self.begins <= now < self.ends

    def text(self, language: Language, zone: tzinfo | None, now: float) -> str:
        """The sentences to show at a time, in a language; empty for none."""
        words, said = translations(language).gettext, []
        if now < self.ends:
            rests = self.rests(now)
            at = datetime.fromtimestamp(self.ends if rests else self.begins, zone)
            minutes = max(1, round((self.ends - self.begins) / 60))
            when = {"hour": hour_in_words(at, language), "minutes": minutes}
            said.append(words(RESTING if rests else COMING) % when)
        if now < self.until:
            said.append(self.fr if language == "fr" else self.en)
        return " ".join(said)


async def announce(store: Store, **values: str | float) -> None:
    """Store some fields of `Announcement`."""
    await store.keep_settings({f"{PREFIX}{name}": str(value) for name, value in values.items()})


@dataclass
class NoticeBoard:
    """What this node knows of it, and of whom the keeper has something to tell."""

    order: KeeperActs
    announced: Announcement = field(default_factory=Announcement)
    untold: frozenset[str] = frozenset()
    _state: tuple[object, ...] = ()

    def rests(self) -> bool:
        """Whether maintenance is going on."""
        return self.announced.rests(self.order.tables.clock())

    def text(self, language: Language, zone: tzinfo | None) -> str:
        """The sentences to show now; empty for none."""
        return self.announced.text(language, zone, self.order.tables.clock())

    async def look(self) -> None:
        """Read what is announced, and wake all streams if it is something else than before."""
        tables = self.order.tables
        query = sa.select(setting).where(setting.c.name.startswith(PREFIX, autoescape=True))
        rows = await tables.store.database.rows(query)
        found = {row.name.removeprefix(PREFIX): row.value for row in rows}
        self.announced, self.untold = (
            msgspec.convert(found, Announcement, strict=False),
            await self.order.guests_to_tell(),
        )
        state = (self.rests(), self.text("fr", None), self.text("en", None))
        if state != self._state:
            self._state = state
            tables.notify_all()

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        await again_and_again(self.look, LOOKS)
