"""Records as HTML tables."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from chouine.notation import Comment, read_record
from chouine.notation.drawing import draw_record, html_table, view_of
from tests.notation.test_records import LAVARDIN


def text_of(html: str) -> str:
    """The words of a table, without markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_a_record_is_a_row_a_trick() -> None:
    record = read_record(LAVARDIN)
    html = record._repr_html_()
    assert html.count("<tr>") == 16 + 1
    assert "trumps diamonds ♦" in html[: html.index("</caption>")]
    words = text_of(html)
    for part in draw_record(record, "en")[-1], "Jean draws", "→ Jean takes 13", "(+40)":
        assert part in words
    assert "gagne 196-44" in text_of(record.html("fr"))


def test_cards_are_legible_on_any_ground() -> None:
    """Each card has a white ground of its own, and its suit's colour."""
    html = html_table("", (), [["Q♥ 10♠ · trumps diamonds ♦"]])
    assert re.findall(r'style="background:#fff;[^"]*color:(#\w+)">([^<]+)<', html) == [
        ("#c2182b", "Q♥"),
        ("#1b1b26", "10♠"),
    ]


def test_a_table_with_and_without_heads() -> None:
    assert "<thead>" not in html_table("", (), [["a"]])
    assert '<th scope="col"' in html_table("", ("act",), [["a", "b"], ["c"]])
    assert '<td colspan="2"' in html_table("", ("act",), [["a", "b"], ["c"]])


def test_what_a_record_says_is_escaped() -> None:
    record = read_record(LAVARDIN)
    tags = tuple((name, "<script>" if name == "Site" else value) for name, value in record.tags)
    html = replace(record, tags=tags, items=(*record.items, Comment("<img src=x>"))).html()
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;img src=x&gt;" in html


def test_a_partie_without_an_act_is_drawn_too() -> None:
    record = read_record(LAVARDIN)
    begun = replace(record, items=(), result=replace(record.result, winner=None, by="unfinished"))
    assert "In progress" in text_of(begun.html())
    assert view_of(begun, None).turn == 0


def test_what_a_seat_knows_at_the_end_of_a_record() -> None:
    record = read_record((Path(__file__).parents[1] / "records" / "lavardin.cgn").read_text(encoding="utf-8"))
    assert view_of(record, 0).result == record.result
    assert view_of(record, 0).observer == 0
    assert not view_of(record, 0).deal.hands[1].known
    assert view_of(record, None).deal == record.deal
