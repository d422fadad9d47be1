"""The levels as people of the valley: those to choose from, and why one does not answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from chouine.ai.levels import LEVELS, UNAIDED, highest_level, level_of
from chouine.phrases import N_, say
from chouine.phrases.personas import PERSONAS
from chouine.server.pages.portraits import person
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words
from chouine.table.entries import SeatHolder


class Opponent(NamedTuple):
    """A level that can be chosen."""

    level: int
    name: str
    character: str
    face: Markup

    @property
    def player(self) -> str:
        """The registry name of the level."""
        return f"level:{self.level}"


def opponents(visit: Visit) -> list[Opponent]:
    """The levels that can be chosen here, easiest first."""
    return [
        Opponent(level, PERSONAS[level - 1][0], say(f"persona/{level}", visit.language), person(level))
        for level in range(1, highest_for(visit) + 1)
    ]


def highest_for(visit: Visit) -> int:
    """The highest level that can run here and is not switched off."""
    return min(highest_level(), UNAIDED) if "levels" in visit.off else highest_level()


def usual_level(visit: Visit) -> int:
    """The level a visitor played against last, else the easiest: a newcomer should win now and then."""
    return min(visit.level or LEVELS[0], highest_for(visit))


def easier(visit: Visit, holders: Sequence[SeatHolder], winner: int | None) -> Opponent | None:
    """The level below the one against which the visitor has just lost a match alone; None if there is none."""
    if len(holders) != 2 or winner is None or holders[1 - winner].guest != visit.guest:
        return None
    level = level_of(holders[winner].player)
    return opponents(visit)[min(level - 1, highest_for(visit)) - 1] if level and level > LEVELS[0] else None


AWAY = N_("The computer is away: the partie will go on when it is back.")
GETTING_READY = N_("%(name)s is getting ready. The partie will go on by itself.")
NEEDS = N_("%(name)s plays level %(level)s, which needs numba where this table is served: %(how)s")


def away_sentence(words: Words, holder: SeatHolder) -> str:
    """The sentence why a computer has not answered."""
    level = level_of(holder.player)
    message = NEEDS if level > highest_level() else GETTING_READY if level > UNAIDED else AWAY
    values = {"name": holder.name, "level": level, "how": "pip install 'chouine[fast]'"}
    return words.gettext(message) % values
