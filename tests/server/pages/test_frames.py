"""§14: what frames show each observer at each moment."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from chouine.cards import PACK, Card, CardSet
from chouine.partie import Exchanged, Played, Shown, State, Taken
from chouine.partie.state import EventHistory
from chouine.server.pages.frames import Frame, Viewer
from chouine.server.pages.visit import Settings, Visit
from chouine.server.pages.words import words_of
from chouine.table import Opened, Phase, TableState
from chouine.table.entries import Acted
from chouine.table.evolve import opening_state
from chouine.table.state import Pack
from tests.laws.worlds import another_world
from tests.needs import at_length
from tests.server.pages.tables import NAMES, Moment, chairs, random_match, step

RECALLING = Visit("en", "csrf", "a", settings=Settings(recall=True))
VISITS = (Visit("fr", "csrf", "a"), RECALLING)
TABLES = [
    ("classic", "2x2", "ab"),
    ("three;again=full", "2", "a-b"),
    ("four", "1", "abcd"),
    ("mondoubleau", "2", "aa"),
]
UNSEEN = re.compile(r'<dd data-ask="u">.*?</dd>')
"""With perfect recall the page lists the unseen cards."""
DRAWN = re.compile(r"#card-([akqjt987][shdc])")


def in_play(rules: str, format_: str, guests: str, seed: int) -> Iterator[Moment]:
    for moment in random_match(rules, format_, guests, seed):
        if moment.after.state is not None and moment.after.phase is Phase.PLAY:
            yield moment


def frames_shown(visit: Visit, moment: Moment, observer: int | None) -> list[Frame]:
    return Viewer(visit, "g", observer).frames(moment.before, moment.entry, moment.after)


@pytest.mark.parametrize(("rules", "format_", "guests"), at_length(TABLES))
def test_no_frame_names_a_card_its_observer_cannot_place(rules: str, format_: str, guests: str) -> None:
    for moment in in_play(rules, format_, guests, 1):
        state = moment.after.state
        assert state is not None
        for observer in (None, *moment.after.seats):
            unseen = state.view(observer).unseen
            for visit in VISITS:
                for frame in frames_shown(visit, moment, observer):
                    assert not cards_in(frame.html) & unseen
                    told = UNSEEN.sub("", frame.html) + "".join(frame.say)
                    assert not [card for card in unseen if words_of(visit).card(card) in told]


def cards_in(html: str) -> CardSet:
    """The cards drawn in the page."""
    return CardSet(Card(name[0].upper() + name[1]) for name in DRAWN.findall(html))


@pytest.mark.parametrize(("rules", "format_", "guests"), at_length(TABLES))
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


@pytest.mark.parametrize(("rules", "format_", "guests"), at_length(TABLES))
def test_a_viewer_carried_on_shows_what_a_new_one_does(
    rules: str, format_: str, guests: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda _: "1")
    viewers: dict[int | None, Viewer] = {}
    for moment in random_match(rules, format_, guests, 8):
        for observer in (None, *moment.after.seats):
            viewer = viewers.setdefault(observer, Viewer(RECALLING, "g", observer))
            carried = viewer.frames(moment.before, moment.entry, moment.after)
            assert carried == frames_shown(RECALLING, moment, observer)


def in_world(table: TableState, other: State) -> TableState:
    """The table with the cards of another world."""
    if table.state is None or table.phase is not Phase.PLAY:
        return table
    past = other._replace(history=EventHistory(other.events[: len(table.state.events)]))
    return replace(table, state=past, pack=Pack("".join(map(str, PACK)), "nonce"))


def with_same_ids(
    monkeypatch: pytest.MonkeyPatch, moment: Moment, observer: int | None
) -> tuple[object, ...]:
    """Frames and page, with equal form numbers."""
    numbers = count()
    monkeypatch.setattr(secrets, "token_hex", lambda _: str(next(numbers)))
    visit = VISITS[0]
    return (frames_shown(visit, moment, observer), Viewer(visit, "g", observer).page(moment.after))


def test_a_full_trick_is_held_before_it_is_taken() -> None:
    held = 0
    for moment in in_play("classic", "2x2", "a-", 3):
        before, after = moment.before.state, moment.after.state
        news = after.events[len(before.events) :] if before and after else ()
        told = frames_shown(VISITS[0], moment, 0)
        assert [frame.hold for frame in told] == ([True, False] if any_of(Taken, news) else [False])
        if any_of(Taken, news):
            trick = re.search(r'<ol class="trick.*?</ol>', told[0].html, re.DOTALL)
            assert trick is not None
            assert len(cards_in(trick[0])) == 2
            assert told[0].html.count("laid-open") == sum(isinstance(event, Shown) for event in news)
            held += 1
    assert held > 10


def any_of(kind: type, events: tuple[object, ...]) -> bool:
    return any(isinstance(event, kind) for event in events)


def test_the_last_trick_is_held_before_the_count() -> None:
    ends = [
        moment
        for moment in random_match("classic", "2x2", "a-", 4)
        if moment.after.phase in (Phase.COUNT, Phase.OVER)
    ]
    ends = [moment for moment in ends if moment.before.phase is Phase.PLAY]
    for moment in ends:
        trick, counted = frames_shown(VISITS[0], moment, 0)
        assert trick.hold
        assert 'class="trick' in trick.html
        assert 'id="headline"' in counted.html
    assert ends


CHOUINE = "b 9.QJ.J.9|ATKQJ... Jc 8cAhKc7hTcQcAd7s9hQdKdKh7cTd7d8sAc8h8dTh9d"
"""A deal in which seat b holds the chouine of spades."""


def test_the_trick_of_a_chouine_is_held_before_the_count() -> None:
    """§10: the full trick of a chouine is held, though not taken, with its cards and the chouine laid open."""
    table = opening_state(Opened("classic", "1x1", chairs("ab"), deal=CHOUINE), 0.0)
    lead, _ = step(table, Acted(0, "9c"))
    said = "Ks+chs"
    _, moment = step(lead, Acted(1, said))
    for observer in (None, 0, 1):
        trick, counted = frames_shown(VISITS[0], moment, observer)
        assert (trick.hold, counted.hold) == (True, False)
        laid = re.search(r'<ol class="trick.*?</ol>', trick.html, re.DOTALL)
        assert laid is not None
        assert cards_in(laid[0]) == CardSet([Card("9c"), Card(said[:2])])
        assert trick.html.count("laid-open") == 1
        assert trick.html.count('class="bubble"') == 1
        assert 'class="chouine"' in counted.html


def trick_of(state: State) -> list[object]:
    """The events since the last trick was taken."""
    taken = [nth for nth, event in enumerate(state.events) if isinstance(event, Taken)]
    return list(state.events[taken[-1] + 1 if taken else 0 :])


def test_an_exchange_is_shown_until_its_trick_is_taken() -> None:
    """§11: the banner disappears when the exchange's trick is taken, for continuous and for new viewers."""
    cleared = 0
    for seed in range(4):
        viewers = {observer: Viewer(VISITS[0], "g", observer) for observer in (None, 0, 1)}
        for moment in in_play("classic", "2", "ab", seed):
            state = moment.after.state
            assert state is not None
            exchanged = any_of(Exchanged, tuple(trick_of(state)))
            for observer, viewer in viewers.items():
                last = viewer.frames(moment.before, moment.entry, moment.after)[-1]
                assert ("banner exchanged" in last.html) == exchanged
                assert ("banner exchanged" in frames_shown(VISITS[0], moment, observer)[-1].html) == exchanged
            cleared += not exchanged and any_of(Exchanged, state.events)
    assert cleared > 20


def test_every_card_played_is_said_to_everybody() -> None:
    for moment in in_play("classic", "1", "ab", 5):
        before, after = moment.before.state, moment.after.state
        news = after.events[len(before.events) :] if before and after else ()
        for event in news:
            if isinstance(event, Played):
                for observer in (None, 0, 1):
                    said = "".join(
                        sentence
                        for frame in frames_shown(VISITS[0], moment, observer)
                        for sentence in frame.say
                    )
                    assert words_of(VISITS[0]).the(event.card) in said


@pytest.mark.parametrize(("rules", "guests"), [("classic", "ab"), ("four", "abcd")])
def test_one_is_spoken_to_and_the_others_are_named(rules: str, guests: str) -> None:
    for visit, you in zip(VISITS, ("Vous", "You"), strict=True):
        for moment in random_match(rules, "1", guests, 7):
            own = [text for frame in frames_shown(visit, moment, 0) for text in (frame.html, *frame.say)]
            assert not [text for text in own if NAMES[0] in text]
            assert f">{you}<" in own[0]
            assert f">{NAMES[1]}<" in own[0]
            watched = frames_shown(visit, moment, None)[0].html
            assert all(f">{name}<" in watched for name in NAMES[: len(guests)])


def test_players_of_one_device_are_all_named() -> None:
    for moment in random_match("classic", "1", "aa", 7):
        for observer in (None, 0, 1):
            html = frames_shown(VISITS[0], moment, observer)[0].html
            assert all(f">{name}<" in html for name in NAMES[:2])
            assert ">Vous<" not in html


def test_the_tirage_is_held() -> None:
    """§2: the frame that completes the tirage is held and shows the cards drawn."""
    moments = list(random_match("classic", "1", "ab", 6, most=3))
    last = next(moment for moment in moments if moment.after.tirages)
    (frame,) = frames_shown(VISITS[0], last, 0)
    assert frame.hold
    assert len(frame.say) == 2
    assert cards_in(frame.html) == CardSet(last.after.tirages[0].cards)


def test_no_card_of_the_spread_pack_is_in_the_page_before_all_have_drawn() -> None:
    """§2: before all have drawn, the page shows no card of the spread pack."""
    for moment in random_match("four", "1", "abcd", 7, most=3):
        for frame in frames_shown(VISITS[0], moment, 0):
            assert not cards_in(frame.html)
