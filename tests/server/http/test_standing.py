"""The pages of one's rating and figures, through a whole server."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from chouine.partie import Played
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.entries import Opened, SeatHolder
from chouine.table.state import TableState
from tests.server.serving import serving
from tests.server.stores import play_on


def test_a_rated_match_from_the_form_to_the_page(tmp_path: Path) -> None:
    """Set, agreed to, left: the one who left it has lost it, and what others may see is chosen on the same page."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        host, friend = served.visit("en"), served.visit("en")
        table_id = host.open(**{"name-0": "Marthe", "move": "60", "rated": "1"})
        link = host.links(table_id)[1]
        assert "Proposed: this match counts" in host.get(f"/table/{table_id}/links").text
        friend.get(link)
        answer = friend.submit(friend.form(link), name="Lucien", rated="1")
        assert answer.status_code == 200
        assert "This match counts for the rating." in host.get(f"/match/{table_id}").text
        assert friend.tell(table_id, "forfeit", 1).json()["ok"]
        page = host.get("/mine/rating").text
        assert "Lucien" in page
        assert "<td>+" in page
        assert "<td>−" in friend.get("/mine/rating").text
        assert "<dt>Matches</dt><dd>1 won, 0 lost</dd>" in host.get("/mine/feats").text
        host.get("/mine/rating")
        saved = host.submit(host.form("/mine/rating"), rating="1")
        assert "Saved." in saved.text
        assert saved.text.count(" checked") == 1
        assert host.http.post("/mine/rating", data={"play": "1"}).status_code == 403


def test_a_newcomer_is_stored_by_neither_page(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        guest = served.visit("fr")
        assert "Pas encore" in guest.get("/mine/feats").text
        assert guest.get("/mine/rating").status_code == 200


def two_cards_lie(table: TableState) -> bool:
    """Whether two cards lie on the table."""
    return table.state is not None and sum(isinstance(event, Played) for event in table.state.events) >= 2


async def given_up(database: str, guest: str, rules: str) -> str:
    """A match that its other player gives up after two cards."""
    store = Store.at(database)
    try:
        tables = Tables(store)
        chairs = SeatHolder("person", "Marthe", guest), SeatHolder("person", "Lucien", "b" * 32)
        table_id = await tables.open(Opened(rules, "1x1", chairs))
        await play_on(tables, table_id, two_cards_lie)
        await tables.do(table_id, ask.Concede(1))
        return table_id
    finally:
        await store.close()


def test_the_latest_parties_are_reviewed_at_the_press_of_a_button(tmp_path: Path) -> None:
    """Those by the classic rules: the levels' costs are by these."""
    path = tmp_path / "chouine.db"
    with serving(f"sqlite:///{path}", tmp_path / "errors") as served:
        host = served.visit("en")
        host.open(**{"name-0": "Marthe"})
        (guest,) = re.findall(r"<code>(\w{32})</code>", host.get("/mine").text)
        database = f"sqlite+aiosqlite:///{path}"
        classic, other = (
            asyncio.run(given_up(database, guest, rules)) for rules in ("classic", "mondoubleau")
        )
        host.get("/learn/own")
        assert "The reviews are being made" in host.submit(host.form("/learn/own")).text
        with host.http.stream("GET", f"/match/{classic}/1/review/stream") as answer:
            assert [line for line in answer.iter_lines() if line.startswith("data: ")]
        page = host.get("/learn/own").text
        assert f"/match/{classic}/1/review" in page
        assert f"/match/{other}/1/review" not in page
        assert host.http.post("/learn/own").status_code == 403
