"""The list of players waiting for a partner, and the page to block or report a former opponent."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from chouine.names import NAME_LENGTH
from chouine.server.pages.env import render
from chouine.server.pages.home import Meeting
from chouine.server.pages.join import HERE_ONLY
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.waits import LONGEST, Blocked
from chouine.table import TableState

SECONDS = 4
"""Seconds after which the list is fetched again; longer without a script."""


def partners_page(
    visit: Visit, meeting: Meeting, blocked: Mapping[str, Blocked], refused: str, host: str
) -> str:
    """The page on which one waits. `refused`: why the last form was refused; `host`: the host name of the request."""
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
    """The list alone, for the first page or for its own."""
    return render(visit, "partners/list.html", meeting=meeting, home=home, name_length=NAME_LENGTH)


def people_page(
    visit: Visit,
    table_id: str,
    table: TableState,
    others: Collection[int],
    blocked: Collection[int],
    ids: Mapping[int, str],
    refused: str,
    *,
    done: bool,
) -> str:
    """The page about a table's other players. `ids`: of their pages, by seat; `done`: one was just blocked."""
    words = words_of(visit)
    return render(
        visit,
        "partners/people.html",
        here=f"/match/{table_id}/people",
        table_id=table_id,
        others={seat: words.player(table.holders[seat].name, seat) for seat in others},
        blocked=blocked,
        ids=ids,
        done=done,
        refused=refused,
    )
