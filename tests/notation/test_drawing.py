"""Parties and positions drawn for people."""

from __future__ import annotations

import re
from dataclasses import replace
from gzip import compress
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import Card, CardSet
from chouine.notation import (
    Comment,
    Record,
    Setup,
    partie_line,
    read_position,
    read_record,
    read_records,
    read_view,
)
from chouine.notation.display import arrange, declaration_spoken, face, faces
from chouine.notation.drawing import draw_record, draw_setup, html_table, view_of
from chouine.partie import Declaration, Result, State
from chouine.phrases import Language
from chouine.phrases.typography import french_print
from tests.laws.strategies import moments
from tests.notation.test_records import HEAD, LAVARDIN


@pytest.mark.parametrize(
    ("card", "french", "english"),
    [("Ks", "R♠", "K♠"), ("Qh", "D♥", "Q♥"), ("Jc", "V♣", "J♣"), ("Td", "10♦", "10♦"), ("As", "A♠", "A♠")],
)
def test_a_card_as_people_read_it(card: str, french: str, english: str) -> None:
    assert (face(Card(card), "fr"), face(Card(card), "en")) == (french, english)


@pytest.mark.parametrize(
    ("said", "french", "english"),
    [
        ("20d", "J’ai un vingt de carreau", "I have a twenty of diamonds"),
        ("30h", "J’ai un trente de cœur", "I have a thirty of hearts"),
        ("40s", "J’ai un quarante de pique", "I have a forty of spades"),
        ("50", "J’ai un cinquante", "I have a fifty"),
        ("30", "J’ai un trente", "I have a thirty"),
        ("chc", "Chouine de trèfle", "Chouine of clubs"),
    ],
)
def test_what_is_said(said: str, french: str, english: str) -> None:
    """§9.5: Declarations as spoken."""
    assert (declaration_spoken(Declaration(said), "fr"), declaration_spoken(Declaration(said), "en")) == (
        french,
        english,
    )


@pytest.mark.parametrize(
    ("hand", "order"),
    [
        ("Q7.97..8", "D♠ 7♠ 9♥ 7♥ 8♣"),
        ("K.A.A97.", "A♥ R♠ A♦ 9♦ 7♦"),
        ("A.A.A.A", "A♠ A♥ A♣ A♦"),
        ("..97.8", "8♣ 9♦ 7♦"),
        ("...", ""),
    ],
)
def test_a_hand_is_sorted_red_and_black_alternating(hand: str, order: str) -> None:
    """§14: A hand is sorted with red and black suits alternating."""
    assert faces(arrange(CardSet(hand)), "fr") == order


def test_the_example_drawn() -> None:
    lines = draw_record(read_record(LAVARDIN), "fr")
    assert lines[:5] == [
        "Championnat du monde de la Chouine · Lavardin · 2026.03.15 · Jean; Charles · 3x2 · 2 · 3 · 0-1 2-0",
        "classic",
        "Charles donne · atout carreau ♦ · retourne V♦",
        "Jean  D♠ 7♠ 9♥ 7♥ 8♣",
        "Charles  R♥ 7♣ A♦ 9♦ 7♦",
    ]
    assert lines[5] == (
        " 1.  Jean D♠  Charles prend V♦ contre le sept  Charles 7♣  → Jean ramasse 3  Jean tire V♣  Charles tire 8♦"
    )
    assert french_print("Jean D♦ « J’ai un vingt de carreau » (+40)") in lines[10]
    assert lines[15].endswith("{talon épuisé}")
    assert lines[-1] == "Jean gagne 196-44"


def test_an_observer_sees_its_own_cards_alone() -> None:
    lines = draw_record(read_record(LAVARDIN), "en", 1)
    assert lines[3:5] == ["Jean  ? ? ? ? ?", "Charles  K♥ 7♣ A♦ 9♦ 7♦"]
    assert lines[5].endswith("Jean draws ?  Charles draws 8♦")


def test_remarks_are_drawn_variations_are_not() -> None:
    text = f"{HEAD}\n{{un \x1b[2J début}} 1. Qs! (1. 7s) 7c *"
    lines = draw_record(read_record(text), "fr")
    assert lines[4] == "{un  [2J début}"
    assert lines[5].startswith(" 1.  a D♠  !  b 7♣")


def test_au_sept_begins_a_trick() -> None:
    """§11: An "au sept" begins a new trick in the drawing."""
    line = (
        "classic b T.AKQJ..|.8.KQ.KQ 8s JsTdAdThJdAsTcKs9hJc7dAc7s9dQs9s8d8c7h7c9c : "
        "Ts 8h Qh Kc+20c Ah Qd Kh Qc Tc Td Jd Jc Ad As Ac Jh Kd Js 9d 8c 7x"
    )
    [record] = read_records([line])
    assert isinstance(record, Record)
    assert draw_record(record, "fr")[-2] == french_print("11.  a dit « au sept »  b prend 8♠ contre le sept")


def test_the_endgame_drawn() -> None:
    setup = read_position("classic a A.AT.T.A|K.J.7.TK - d - TQ..KQ.Q7|J987.KQ987.AJ98.J98 20d|20c")
    assert draw_setup(setup, "en")[:2] == [
        "classic · a to act · trumps diamonds ♦",
        "a  A♠ A♥ 10♥ A♣ 10♦ · “I have a twenty of diamonds” · taken 10♠ Q♠ K♦ Q♦ Q♣ 7♣ (23)",
    ]
    assert draw_setup(setup, "fr", 1)[1].startswith("a  ? ? ? ? ? · ")


@given(moments(), st.sampled_from(["fr", "en"]), st.data())
def test_any_partie_can_be_drawn(state: State, language: Language, data: st.DataObject) -> None:
    """Any partie can be drawn, and for an observer only its view's cards are."""
    observer = data.draw(st.sampled_from([None, *range(state.rules.seats)]))
    record = Record.of(state)
    lines = draw_record(record, language, observer)
    assert sum(line[:3].strip().rstrip(".").isdigit() for line in lines) >= state.position.tricks
    if observer is None:
        assert draw_setup(Setup.of(state), language)
        return
    view = state.view(observer)
    shown = Record(record.rules, view.deal, record.items, record.result, record.tags)
    assert len(draw_record(shown, language)) == len(lines)
    if read_view(partie_line(view), observer) == view:
        assert draw_record(shown, language) == lines
    setup = Setup.of(state)
    hands = draw_setup(setup, language, observer)[1 : 1 + state.rules.seats]
    for seat, (hand, line) in enumerate(zip(setup.hands, hands, strict=True)):
        if seat != observer:
            assert line.partition(" · ")[0].split()[1:] == ["?"] * len(hand)


def test_how_a_stopped_partie_ends() -> None:
    for by in ("misdeal", "concede", "forfeit", "fault", "nulle", "unfinished", "chouine"):
        record = read_record(f"{HEAD}\n1. Qs 7c *")
        stopped = Record(record.rules, record.deal, record.items, Result(0, (3, 0), by))
        assert draw_record(stopped, "fr")[-1] != draw_record(stopped, "en")[-1]


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


RECORDS = Path(__file__).parents[1] / "records"
SVG = "{http://www.w3.org/2000/svg}"


def record() -> Record:
    found = next(read_records((RECORDS / "lavardin.cgn").read_text(encoding="utf-8")))
    assert isinstance(found, Record)
    return found


def frames(svg: str) -> list[ET.Element]:
    root = ET.fromstring(svg)  # noqa: S314  our own text
    return [group for group in root.iter(f"{SVG}g") if "film" in group.get("class", "")]


def cards_in(frame: ET.Element) -> list[str]:
    """The cards of a frame, by their names in the deck."""
    names = [use.get("href", "").rpartition("-")[2] for use in frame.iter(f"{SVG}use")]
    return sorted(name for name in names if re.fullmatch(r"[atkqj987][shdc]", name))


@pytest.mark.parametrize("observer", [None, 0, 1])
def test_each_frame_shows_what_is_known_of_the_hands_the_trick_and_the_turnup(observer: int | None) -> None:
    """After the deal and each act, and once more for each full trick (§3, §4): all of it, or what a seat may see."""
    whole = record()
    drawn = frames(whole.svg(observer=observer))
    views = [state.open_view if observer is None else state.view(observer) for state in whole.states()]
    shown, full = 0, 0
    for view in views:
        if len(view.tricks) > full:
            full = len(view.tricks)
            assert {str(card).lower() for card in view.tricks[-1].cards} <= set(cards_in(drawn[shown]))
            shown += 1
        cards = [card for seat in range(2) for card in view.held(seat).known]
        cards += [played.card for played in view.table]
        cards += [view.turnup] if view.turnup is not None else []
        assert cards_in(drawn[shown]) == sorted(str(card).lower() for card in cards)
        shown += 1
    assert shown == len(drawn)


def test_it_is_one_small_file_that_stands_still_where_motion_is_unwelcome() -> None:
    svg = record().svg("fr")
    assert len(compress(svg.encode())) < 15_000
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-reduced-motion:no-preference" in svg
    assert "prefers-color-scheme:dark" in svg
    assert "\ue000" not in svg
    names = set(re.findall(r"@keyframes (\S+?){", svg))
    assert len(names) == 2
    assert names.isdisjoint(re.findall(r"@keyframes (\S+?){", record().svg("en"))), "two films on a page"
