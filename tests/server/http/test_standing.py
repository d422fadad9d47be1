"""The pages of one's rating and figures, through a whole server."""

from __future__ import annotations

from pathlib import Path

from tests.server.serving import serving


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
