"""The first page: one button plays at once; every preset, option and length can be chosen without a script."""

from __future__ import annotations

import pytest

from chouine.match.format import Format
from chouine.match.score import Match
from chouine.rules.options import OPTIONS, PRESETS, VALUES, Rules
from chouine.server.pages.home import Summary, home_page
from chouine.server.pages.visit import Language, Visit
from chouine.server.pages.wording import FORMATS, OPTION_WORDS, differences, field_name
from chouine.server.pages.words import words_of
from chouine.server.room import Phase
from tests.server.pages.matches import Table, finished, seating
from tests.server.pages.reading import Form, Page

VISIT = Visit("fr", "a-token", "guest-0", "Jean <b>")
WORDS = words_of(VISIT)


def forms(language: Language = "fr") -> list[Form]:
    page = Page(home_page(Visit(language, "a-token", "guest-0", "Jean"), []))
    return [form for form in page.forms if form.action == "/new"]


def test_the_first_button_plays_at_once() -> None:
    first = forms()[0]
    assert first.method == "post"
    assert first.sent == {
        "csrf": "a-token",
        "rules": "classic",
        "format": "3x1",
        "chair-0": "me",
        "name-0": "Jean",
        "chair-1": "heuristic",
    }


def test_a_friend_gets_a_chair_and_a_device_is_shared() -> None:
    _, friend, device, _ = forms()
    assert (friend.sent["chair-0"], friend.sent["chair-1"]) == ("me", "friend")
    assert (device.sent["chair-0"], device.sent["chair-1"]) == ("me", "me")
    assert {"name-0", "name-1"} <= device.sent.keys()


def test_everything_can_be_chosen() -> None:
    """Every preset and every value of every option (§1-§17) is in the form, the preset's own ticked."""
    form = forms()[-1]
    assert form.offered["preset"] == list(PRESETS)
    for option in OPTIONS:
        offered = [value for value in form.offered[field_name(option)] if value]
        assert offered == list(VALUES[option])
        plain = VALUES[option][0] if option != "declare" else ""
        assert form.sent[field_name(option)] == plain
    for seat in range(4):
        assert form.offered[f"chair-{seat}"][:2] == ["me", "friend"]
        assert f"name-{seat}" in form.sent


@pytest.mark.parametrize("name", FORMATS)
def test_13_lengths_are_lengths(name: str) -> None:
    """§13"""
    assert str(Format.parse(name)) == name
    Match.new(Rules(), Format.parse(name))


def test_every_option_is_worded_with_its_section() -> None:
    assert set(OPTION_WORDS) == set(OPTIONS)
    for option, wording in OPTION_WORDS.items():
        assert set(wording.answers) == set(VALUES[option])
        assert f"§{wording.section}" in (Rules.__doc__ or "") or 1 <= wording.section <= 17


def test_differences_tell_what_is_not_the_preset() -> None:
    assert differences(Rules.parse("mondoubleau")) == []
    assert [section for section, _, _ in differences(Rules.parse("classic;head=always;tie=nobody"))] == [
        8,
        12,
    ]


def test_one_s_matches_are_listed() -> None:
    table = Table(seed=5)
    table.play_to(Phase.COUNT)
    page = Page(home_page(VISIT, [("g1", table.room), ("g2", finished(seed=1)), ("g3", seating())]))
    assert [link for link in page.links if "/g" in link] == ["/table/g1", "/table/g3", "/match/g2"]
    assert "Contre Charles" in page.text
    assert "Il manque quelqu'un" in page.text


def test_a_summary_knows_whom_the_table_waits_for() -> None:
    table = Table(seed=5)
    table.play_to(Phase.PLAY)
    awaited = min(table.room.awaited)
    assert Summary.of("g", table.room, f"guest-{awaited}", WORDS).my_turn
    assert not Summary.of("g", table.room, f"guest-{1 - awaited}", WORDS).my_turn
    over = finished(seed=1)
    won = [Summary.of("g", over, f"guest-{seat}", WORDS).won for seat in (0, 1)]
    assert won.count(True) == 1
    assert won.index(True) == over.match.winner


def test_names_and_errors_are_text_not_markup() -> None:
    html = home_page(VISIT, [], error="<script>")
    assert "Jean <b>" not in html
    assert "<script>" not in html
    assert 'role="alert"' in html
    assert 'role="alert"' not in home_page(VISIT, [])


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_field_has_its_label(language: Language) -> None:
    page = Page(home_page(Visit(language, "t", "g"), []))
    named = {
        one for one in page.ids if "name-" in one or one.startswith("chair-") or one in ("move", "reserve")
    }
    assert named <= page.labelled
    assert len(page.ids) == len(set(page.ids))
    assert "style" not in page.attributes
    assert not any(name.startswith("on") for name in page.attributes)
