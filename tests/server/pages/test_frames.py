"""§14: what frames show each observer, moment by moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from chouine.cards import PACK, Card, CardSet
from chouine.partie import Played, Shown, State, Taken
from chouine.server.pages import Frame, Seen, Settings, Visit, frames, look, table_page
from chouine.server.pages.words import words_of
from chouine.server.room import Phase, Room
from chouine.server.room.state import Pack
from tests.laws.worlds import another_world
from tests.server.pages.tables import NAMES, Moment, played

RECALLING = Visit("en", "csrf", "a", settings=Settings(recall=True))
VISITS = (Visit("fr", "csrf", "a"), RECALLING)
TABLES = [
    ("classic", "2x2", "ab"),
    ("three;again=full", "2", "a-b"),
    ("four", "1", "abcd"),
    ("mondoubleau", "2", "aa"),
]
UNSEEN = re.compile(r'<dd data-ask="u">.*?</dd>')
"""With perfect recall the page lists the cards not seen."""
DRAWN = re.compile(r"#card-([akqjt987][shdc])")


def in_play(rules: str, format_: str, guests: str, seed: int) -> Iterator[Moment]:
    for moment in played(rules, format_, guests, seed):
        if moment.after.state is not None and moment.after.phase is Phase.PLAY:
            yield moment


def shown(visit: Visit, moment: Moment, observer: int | None) -> list[Frame]:
    return frames(visit, "g", moment.before, moment.entry, moment.after, Seen(observer))


@pytest.mark.parametrize(("rules", "format_", "guests"), TABLES)
def test_no_frame_names_a_card_its_observer_cannot_place(rules: str, format_: str, guests: str) -> None:
    for moment in in_play(rules, format_, guests, 1):
        state = moment.after.state
        assert state is not None
        for observer in (None, *moment.after.seats):
            unseen = state.view(observer).unseen
            for visit in VISITS:
                for frame in shown(visit, moment, observer):
                    assert not drawn(frame.html) & unseen
                    told = UNSEEN.sub("", frame.html) + "".join(frame.say)
                    assert not [card for card in unseen if words_of(visit).card(card) in told]


def drawn(html: str) -> CardSet:
    """The cards whose drawing is in the page."""
    return CardSet(Card(name[0].upper() + name[1]) for name in DRAWN.findall(html))


@pytest.mark.parametrize(("rules", "format_", "guests"), TABLES)
def test_frames_are_the_same_in_every_world_an_observer_may_be_in(
    rules: str, format_: str, guests: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared, rng = 0, Random(7)
    for moment in list(in_play(rules, format_, guests, 2))[::5]:
        for observer in (None, *moment.after.seats):
            state = moment.after.state
            assert state is not None
            other = another_world(state.view(observer), rng)
            if other is None or other.deal == state.deal:
                continue
            elsewhere = Moment(in_world(moment.before, other), moment.entry, in_world(moment.after, other))
            told = [with_same_ids(monkeypatch, each, observer) for each in (moment, elsewhere)]
            assert told[0] == told[1]
            compared += 1
    assert compared > 5


@pytest.mark.parametrize(("rules", "format_", "guests"), TABLES)
def test_a_memory_carried_on_shows_what_one_told_anew_does(
    rules: str, format_: str, guests: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "command_id", lambda: "1")
    memories: dict[int | None, Seen] = {}
    for moment in played(rules, format_, guests, 8):
        for observer in (None, *moment.after.seats):
            seen = memories.setdefault(observer, Seen(observer))
            carried = frames(RECALLING, "g", moment.before, moment.entry, moment.after, seen)
            assert carried == shown(RECALLING, moment, observer)


def in_world(room: Room, other: State) -> Room:
    """The room as it would be had the cards lain so."""
    if room.state is None or room.phase is not Phase.PLAY:
        return room
    past = replace(other, events=other.events[: len(room.state.events)])
    return replace(room, state=past, pack=Pack("".join(map(str, PACK)), "nonce"))


def with_same_ids(
    monkeypatch: pytest.MonkeyPatch, moment: Moment, observer: int | None
) -> tuple[object, ...]:
    """Frames and page, forms numbered alike."""
    numbers = count()
    monkeypatch.setattr(look, "command_id", lambda: str(next(numbers)))
    visit = VISITS[0]
    return (shown(visit, moment, observer), table_page(visit, "g", moment.after, observer))


def test_a_full_trick_is_held_before_it_is_taken() -> None:
    held = 0
    for moment in in_play("classic", "2x2", "a-", 3):
        before, after = moment.before.state, moment.after.state
        news = after.events[len(before.events) :] if before and after else ()
        told = shown(VISITS[0], moment, 0)
        assert [frame.hold for frame in told] == ([True, False] if any_of(Taken, news) else [False])
        if any_of(Taken, news):
            trick = re.search(r'<ol class="trick.*?</ol>', told[0].html, re.DOTALL)
            assert trick is not None
            assert len(drawn(trick[0])) == 2
            assert told[0].html.count("laid-open") == sum(isinstance(event, Shown) for event in news)
            held += 1
    assert held > 10


def any_of(kind: type, events: tuple[object, ...]) -> bool:
    return any(isinstance(event, kind) for event in events)


def test_the_last_trick_is_held_before_the_count() -> None:
    ends = [
        moment
        for moment in played("classic", "2x2", "a-", 4)
        if moment.after.phase in (Phase.COUNT, Phase.OVER)
    ]
    ends = [moment for moment in ends if moment.before.phase is Phase.PLAY]
    for moment in ends:
        trick, counted = shown(VISITS[0], moment, 0)
        assert trick.hold
        assert 'class="trick' in trick.html
        assert 'id="headline"' in counted.html
    assert ends


def test_every_card_played_is_said_to_everybody() -> None:
    for moment in in_play("classic", "1", "ab", 5):
        before, after = moment.before.state, moment.after.state
        news = after.events[len(before.events) :] if before and after else ()
        for event in news:
            if isinstance(event, Played):
                for observer in (None, 0, 1):
                    said = "".join(
                        sentence for frame in shown(VISITS[0], moment, observer) for sentence in frame.say
                    )
                    assert words_of(VISITS[0]).the(event.card) in said


@pytest.mark.parametrize(("rules", "guests"), [("classic", "ab"), ("four", "abcd")])
def test_one_is_spoken_to_and_the_others_are_named(rules: str, guests: str) -> None:
    for visit, you in zip(VISITS, ("Vous", "You"), strict=True):
        for moment in played(rules, "1", guests, 7):
            own = [text for frame in shown(visit, moment, 0) for text in (frame.html, *frame.say)]
            assert not [text for text in own if NAMES[0] in text]
            assert f">{you}<" in own[0]
            assert f">{NAMES[1]}<" in own[0]
            watched = shown(visit, moment, None)[0].html
            assert all(f">{name}<" in watched for name in NAMES[: len(guests)])


def test_players_of_one_device_are_all_named() -> None:
    for moment in played("classic", "1", "aa", 7):
        for observer in (None, 0, 1):
            html = shown(VISITS[0], moment, observer)[0].html
            assert all(f">{name}<" in html for name in NAMES[:2])
            assert ">Vous<" not in html


def test_the_tirage_is_held() -> None:
    """§2"""
    moments = list(played("classic", "1", "ab", 6, most=3))
    last = next(moment for moment in moments if moment.after.tirages)
    (frame,) = shown(VISITS[0], last, 0)
    assert frame.hold
    assert len(frame.say) == 2
    assert drawn(frame.html) == CardSet(last.after.tirages[0].cards)


def test_no_card_of_the_spread_pack_is_in_the_page_before_all_have_drawn() -> None:
    """§2"""
    for moment in played("four", "1", "abcd", 7, most=3):
        for frame in shown(VISITS[0], moment, 0):
            assert not drawn(frame.html)
