"""The page behind a play link, and the links themselves while chairs are empty."""

from __future__ import annotations

from collections.abc import Mapping

from chouine.server.pages import wording
from chouine.server.pages.env import render
from chouine.server.pages.home import NAME_LENGTH
from chouine.server.pages.visit import Visit
from chouine.server.room import Room


def join_page(visit: Visit, game: str, room: Room, seat: int, secret: str) -> str:
    """An invitation: who invites, to what, and a chair. Or what became of that chair."""
    chair = room.chairs[seat]
    return render(
        visit,
        "join.html",
        here=f"/join/{game}/{seat}/{secret}",
        game=game,
        room=room,
        seat=seat,
        hosts=[other.name for other in room.chairs if other.player == "person" and other.guest],
        mine=chair.guest == visit.guest,
        free=chair.player == "person" and chair.guest is None,
        wording=wording,
        changed=wording.differences(room.match.rules),
        name_length=NAME_LENGTH,
    )


def links_page(visit: Visit, game: str, room: Room, links: Mapping[int, str]) -> str:
    """The table before everyone has come: who sits, and for each empty chair of `links` the link to send."""
    return render(
        visit,
        "links.html",
        here=f"/table/{game}",
        game=game,
        room=room,
        links=links,
        wording=wording,
        changed=wording.differences(room.match.rules),
    )
