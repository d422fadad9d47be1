"""A partie as one moving picture: its frames, what it hides, and its size."""

from __future__ import annotations

import re
from gzip import compress
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from chouine.notation import Record, read_records

RECORDS = Path(__file__).parents[1] / "records"
SVG = "{http://www.w3.org/2000/svg}"


def record() -> Record:
    found = next(read_records((RECORDS / "lavardin.cgn").read_text(encoding="utf-8")))
    assert isinstance(found, Record)
    return found


def frames(svg: str) -> list[ET.Element]:
    root = ET.fromstring(svg)  # noqa: S314  our own text
    return [group for group in root.iter(f"{SVG}g") if "film" in group.get("class", "")]


def laid(frame: ET.Element) -> list[str]:
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
            assert {str(card).lower() for card in view.tricks[-1].cards} <= set(laid(drawn[shown]))
            shown += 1
        cards = [card for seat in range(2) for card in view.held(seat).known]
        cards += [played.card for played in view.table]
        cards += [view.turnup] if view.turnup is not None else []
        assert laid(drawn[shown]) == sorted(str(card).lower() for card in cards)
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
