"""Who waits for a partner, in a list; and what a player may do about whoever sat opposite."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from chouine.phrases import N_
from chouine.server.online.waits import LONGEST, Blocked
from chouine.server.pages.env import render
from chouine.server.pages.home import NAME_LENGTH
from chouine.server.pages.join import HERE_ONLY
from chouine.server.pages.meeting import Meeting
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table import TableState

SECONDS = 4
"""After which the list is asked for again; without a script, less often."""
REASONS = {
    "name": N_("An insulting name"),
    "delay": N_("Lets the other wait on purpose, or leaves"),
    "other": N_("Something else"),
}
MOST_WORDS = 300


def partners_page(
    visit: Visit, meeting: Meeting, blocked: Mapping[str, Blocked], refused: str, host: str
) -> str:
    """The page where one waits; `refused` why the last form was, `host` by which name the server was asked for."""
    return render(
        visit,
        "partners/index.html",
        here="/partners",
        meeting=meeting,
        blocked=blocked,
        refused=refused,
        here_only=host in HERE_ONLY,
        longest=int(LONGEST / 60),
        seconds=SECONDS,
        name_length=NAME_LENGTH,
    )


def partners_list(visit: Visit, meeting: Meeting, *, home: bool) -> str:
    """The list alone, as the first page has it or its own."""
    return render(visit, "partners/list.html", meeting=meeting, home=home, name_length=NAME_LENGTH)


def people_page(
    visit: Visit,
    game: str,
    room: TableState,
    others: Collection[int],
    blocked: Collection[int],
    reported: Collection[int],
    done: str,
    refused: str,
) -> str:
    """Whoever sat at a table with the visitor: not to be met again, or reported; `done` is what was done just now."""
    words = words_of(visit)
    return render(
        visit,
        "partners/people.html",
        here=f"/match/{game}/people",
        game=game,
        others={seat: words.player(room.holders[seat].name, seat) for seat in others},
        blocked=blocked,
        reported=reported,
        done=done,
        refused=refused,
        reasons=REASONS,
        most_words=MOST_WORDS,
    )
