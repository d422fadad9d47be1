"""The first page: one button plays at once; every preset, option and length can be chosen without JavaScript."""

from __future__ import annotations

from dataclasses import replace

import pytest
from starlette.datastructures import FormData

from chouine.ai.levels import LEVELS, UNAIDED
from chouine.match.score import Format, Match
from chouine.names import NAME_LENGTH
from chouine.phrases import Language
from chouine.phrases.personas import PERSONAS
from chouine.rules.options import OPTIONS, PRESETS, VALUES, Rules
from chouine.server.forms import opened_by
from chouine.server.pages import opponents as offering
from chouine.server.pages.home import Summary, home_page
from chouine.server.pages.opponents import away_sentence, opponents
from chouine.server.pages.visit import Visit
from chouine.server.pages.wording import FORMATS, OPTION_WORDS, differences, field_name
from chouine.server.pages.words import words_of
from chouine.table import Phase, TableState
from chouine.table.brief import Brief
from chouine.table.entries import SeatHolder
from tests.server.pages.matches import Table, play_match, seating
from tests.server.pages.reading import Form, Page
from tests.server.serving import Forms


def briefs_of(*rooms: TableState) -> list[tuple[str, Brief]]:
    return [(f"g{nth}", Brief.of(table)) for nth, table in enumerate(rooms, 1)]


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
    }
    buttons = at_once(Visit("fr", "a-token", "guest-0"))
    assert buttons[0] == ("chair-1", "level:1")
    assert buttons[1:] == [("chair-1", f"level:{level}") for level in LEVELS]


def test_a_newcomer_is_offered_the_guide_before_anything_else() -> None:
    """Then Lison; whoever has played finds the last opponent first, and the guide below."""
    html = home_page(Visit("en", "a-token", "guest-0"), [])
    assert html.index('href="/learn/partie"') < html.index('value="level:1"') < html.index('value="level:3"')
    known = home_page(Visit("en", "a-token", "guest-0", level=4), [])
    assert known.index('value="level:4"') < known.index('href="/learn/partie"')


@pytest.mark.parametrize(("winner", "level", "offered"), [(1, 4, 3), (1, 1, None), (0, 4, None)])
def test_after_a_lost_match_an_easier_opponent_and_its_luck(
    winner: int, level: int, offered: int | None
) -> None:
    """Only after a match lost alone against a computer, and never somebody stronger."""
    table = Table(seed=1)
    table.play_to(Phase.OVER)
    holders = (SeatHolder("person", "Jean", "guest-0"), SeatHolder(f"level:{level}", "Odile"))
    brief = replace(Brief.of(table.table), holders=holders, winner=winner)
    html = home_page(Visit("en", "a-token", "guest-0", level=level), [("g", brief)])
    assert ("Odile won. Easier:" in html) == (offered is not None)
    assert (f"level {offered}" in html.split("Odile won. Easier:")[-1][:60]) == (offered is not None)
    assert ("/match/g/review?seat=0" in html) == (offered is not None)


def at_once(visit: Visit) -> list[tuple[str, str]]:
    """The buttons that start a match, the large one first."""
    return next(form for form in Forms(home_page(visit, [])).found if form.action == "/new").buttons


def test_whom_one_played_against_last_is_offered_first() -> None:
    visit = Visit("en", "a-token", "guest-0", level=5)
    assert at_once(visit)[0] == ("chair-1", "level:5")
    page = Page(home_page(visit, []))
    assert "against Odette, first to win three deals (parties)" in page.text
    assert page.forms[-1].sent["chair-1"] == "level:5"


def test_what_is_in_progress_comes_first() -> None:
    """Matches in progress come before the play button, one's turn first; three are visible, the rest folded."""
    waiting, mine = Table(seed=1), Table(seed=2)
    for table, own in ((waiting, False), (mine, True)):
        table.play_to(Phase.PLAY)
        while (0 in table.table.awaited) != own:
            table.step()
    rooms = [waiting.table, waiting.table, waiting.table, mine.table]
    html = home_page(VISIT, briefs_of(*rooms))
    assert html.index('href="/table/g4"') < html.index('href="/table/g1"') < html.index('class="at-once"')
    assert html.index('href="/table/g2"') < html.index('class="more"') < html.index('href="/table/g3"')
    assert 'class="going"' not in home_page(VISIT, [])


@pytest.mark.parametrize("preset", ["three", "four", "mondoubleau"])
def test_other_ways_to_play_are_in_sight(preset: str) -> None:
    """Each other preset has one button for a match against computers."""
    form = forms()[1]
    assert ("preset", preset) in next(
        found for found in Forms(home_page(VISIT, [])).found if ("preset", preset) in found.buttons
    ).buttons
    opened = opened_by(FormData({**form.sent, "preset": preset}), "guest-0")
    assert opened.rules == preset
    assert [chair.player for chair in opened.chairs][1:] == ["level:1"] * (len(opened.chairs) - 1)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_level_is_somebody_of_whom_something_is_said(language: Language) -> None:
    offered = opponents(Visit(language, "a-token", "guest-0"))
    assert [one.level for one in offered] == list(LEVELS)
    assert len({one.name for one in offered} | {one.character for one in offered}) == 2 * len(LEVELS)
    names = [name for names in PERSONAS for name in names]
    assert len(set(names)) == len(names) == 4 * len(LEVELS)
    assert all(len(name) <= NAME_LENGTH for name in names)


def test_without_the_compiler_only_what_can_be_played_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offering, "highest_level", lambda: UNAIDED)
    visit = Visit("fr", "a-token", "guest-0", level=8)
    assert at_once(visit)[0] == ("chair-1", f"level:{UNAIDED}")
    assert at_once(visit)[-1] == ("chair-1", f"level:{UNAIDED}")


def test_what_one_won_against_each_is_told() -> None:
    """Wins count finished matches against that computer alone, none against friends or on a shared device."""
    me, anselme = SeatHolder("person", "Jean", "guest-0"), SeatHolder("level:8", "Anselme")
    friend = SeatHolder("person", "Basile", "guest-1")

    def brief(*holders: SeatHolder, winner: int | None = None) -> tuple[str, Brief]:
        phase = Phase.PLAY if winner is None else Phase.OVER
        return "g", Brief(holders, (), (0,) * len(holders), phase, frozenset(), winner)

    matches = [
        brief(me, anselme, winner=0),
        brief(anselme, me, winner=0),
        brief(me, anselme),
        brief(me, anselme, anselme, winner=0),
        brief(me, friend, winner=0),
        brief(me, me, winner=0),
    ]
    text = Page(home_page(Visit("fr", "a-token", "guest-0"), matches)).text
    assert text.count("Matchs gagnés") == 1
    assert "Matchs gagnés : 1 sur 2." in text.replace("\N{NO-BREAK SPACE}", " ")


def test_why_a_computer_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    chairs = [
        SeatHolder("random", "Trôo"),
        SeatHolder("level:3", "Léontine"),
        SeatHolder("level:8", "Anselme"),
    ]
    assert away_sentence(WORDS, chairs[0]).endswith("à son retour.")
    assert away_sentence(WORDS, chairs[1]) == away_sentence(WORDS, chairs[0])
    assert away_sentence(WORDS, chairs[2]).startswith("Anselme se prépare")
    monkeypatch.setattr(offering, "highest_level", lambda: UNAIDED)
    assert "chouine[fast]" in away_sentence(WORDS, chairs[2])
    assert away_sentence(WORDS, chairs[1]) == away_sentence(WORDS, chairs[0])


def test_a_friend_gets_a_chair_and_a_device_is_shared() -> None:
    _, _, friend, device, _ = forms()
    assert (friend.sent["chair-0"], friend.sent["chair-1"]) == ("me", "friend")
    assert "move" not in friend.sent
    assert (friend.offered["move"], friend.sent["reserve"]) == (["86400"], "172800")
    assert (device.sent["chair-0"], device.sent["chair-1"]) == ("me", "me")
    assert {"name-0", "name-1"} <= device.sent.keys()


def test_everything_can_be_chosen() -> None:
    """The form has every preset and every value of every option (§1–§17), with the preset's own selected."""
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
    """§13: each offered length is a valid format."""
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
    page = Page(home_page(VISIT, briefs_of(table.table, play_match(seed=1), seating())))
    assert [link for link in page.links if "/g" in link] == ["/table/g1", "/table/g3", "/match/g2"]
    assert "Contre Charles" in page.text
    assert "Il manque quelqu’un" in page.text


def test_a_summary_knows_whom_the_table_waits_for() -> None:
    table = Table(seed=5)
    table.play_to(Phase.PLAY)
    awaited = min(table.table.awaited)
    assert Summary.of("g", Brief.of(table.table), f"guest-{awaited}", WORDS).my_turn
    assert not Summary.of("g", Brief.of(table.table), f"guest-{1 - awaited}", WORDS).my_turn
    over = play_match(seed=1)
    scores = [Summary.of("g", Brief.of(over), f"guest-{seat}", WORDS).parties for seat in (0, 1)]
    assert scores == [over.match.score, over.match.score[::-1]], "one's own first"
    assert over.match.score[0] != over.match.score[1]
    won = [Summary.of("g", Brief.of(over), f"guest-{seat}", WORDS).won for seat in (0, 1)]
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
