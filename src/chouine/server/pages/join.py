"""The page of a play link, and the page with the links to empty seats."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from chouine.names import NAME_LENGTH
from chouine.server.pages import wording
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render, static
from chouine.server.pages.match import names_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table import Phase, TableState

HERE_ONLY = ("127.0.0.1", "::1", "localhost")
"""Host names that mean the device itself: links with them are useless elsewhere."""

PICTURE = "icons/invitation.png"
"""The preview picture of an invitation, the same for all."""


def join_page(
    visit: Visit, table_id: str, table: TableState, seat: int, secret: str, site: str = "", refused: str = ""
) -> str:
    """The page of a seat's link: an invitation, or for its holder the way to continue on this device.

    `site` is the site's address, for the preview picture that messengers show; `refused`: why a name was refused.
    """
    return render(
        visit,
        "join.html",
        here=f"/join/{table_id}/{seat}/{secret}",
        table_id=table_id,
        table=table,
        holder=table.holders[seat],
        name=words_of(visit).player(table.holders[seat].name, seat),
        hosts=[holder.name for holder in table.holders if holder.guest and holder.name],
        proposed=any(holder.rated for holder in table.holders),
        picture=f"{site}{static(PICTURE)}" if site else "",
        wording=wording,
        changed=wording.differences(table.match.rules),
        name_length=NAME_LENGTH,
        refused=refused,
    )


def links_page(visit: Visit, table_id: str, table: TableState, links: Mapping[int, str]) -> str:
    """The players of a table and its links: one to send for each empty seat, one to keep for one's own."""
    site = next((link.split("/join/")[0] for link in links.values()), "")
    here_only = urlsplit(site).hostname in HERE_ONLY
    empty = {seat: link for seat, link in links.items() if table.holders[seat].guest is None}
    return render(
        visit,
        "links.html",
        here=f"/table/{table_id}/links",
        table_id=table_id,
        table=table,
        waiting=table.phase is Phase.SEATING,
        empty=empty,
        codes={} if here_only else {seat: code_of(link) for seat, link in empty.items()},
        names=names_of(table, words_of(visit)),
        own={seat: link for seat, link in links.items() if table.holders[seat].guest == visit.guest},
        watch=f"{site}/table/{table_id}" if site else "",
        here_only=here_only,
        wording=wording,
        changed=wording.differences(table.match.rules),
    )
