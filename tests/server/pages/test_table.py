"""The table's page: what may be done is a button, and nothing else is needed."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from chouine.cards import CardSet
from chouine.notation.french import arranged
from chouine.partie import Exchange, Play, Taken
from chouine.server.pages import Settings, Visit, frame_of, table_page
from chouine.server.pages.counting import counts_of
from chouine.server.room import Chair, Phase
from tests.server.pages.tables import played

STATIC = Path("src/chouine/server/static")
FRENCH, ENGLISH = Visit("fr", "s3cret", "a"), Visit("en", "s3cret", "a")
ALL = [
    ("classic", "2x2", "ab"),
    ("classic", "2x2", "aa"),
    ("three", "2", "a-b"),
    ("four;figure=held", "1", "abcd"),
    ("mondoubleau", "2x2", "a-"),
    ("mondoubleau-three", "1", "aab"),
    ("mondoubleau-four", "1", "a---"),
]


class Forms(HTMLParser):
    """A page's forms: where each is sent, its fields, its buttons."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str], list[tuple[str, str]]]] = []
        self.attributes: set[str] = set()
        self.inline: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.attributes |= told.keys()
        if (tag == "script" and "src" not in told) or tag == "style":
            self.inline.append(tag)
        if tag == "form":
            assert told["method"] == "post"
            self.forms.append((told["action"], {}, []))
        elif tag == "input" and self.forms and told.get("type") == "hidden":
            self.forms[-1][1][told["name"]] = told["value"]
        elif tag == "button" and "name" in told:
            self.forms[-1][2].append((told["name"], told["value"]))


@pytest.mark.parametrize(("rules", "format_", "guests"), ALL)
def test_every_form_carries_what_the_table_asks(rules: str, format_: str, guests: str) -> None:
    for moment in played(rules, format_, guests, 1):
        page = Forms(table_page(FRENCH, "g", moment.after, 0))
        for action, fields, _ in page.forms:
            assert fields["csrf"] == "s3cret"
            if action.startswith("/table/"):
                assert action.startswith("/table/g/")
                assert fields["id"]
                assert int(fields["seat"]) in moment.after.seats


@pytest.mark.parametrize(("rules", "format_", "guests"), ALL)
def test_what_is_legal_is_a_button_and_only_cards_of_the_hand_besides(
    rules: str, format_: str, guests: str
) -> None:
    """Refused cards may be tapped too: the table then says why."""
    for moment in played(rules, format_, guests, 2):
        room = moment.after
        if room.phase is not Phase.PLAY or room.state is None or 0 not in room.awaited or room.window:
            continue
        html = frame_of(FRENCH, "g", room, 0).html
        offered = {value for _, _, buttons in Forms(html).forms for name, value in buttons if name == "token"}
        legal = room.state.legal(0)
        held = {str(card) for card in CardSet(room.state.position.hands[0])}
        assert offered == {str(action) for action in legal} | held
        playable = {str(action.card) for action in legal if isinstance(action, Play)}
        barred = set(re.findall(r'value="(\w\w)" class="card barred"', html))
        assert barred == held - playable


def test_au_sept_looks_the_same_with_the_seven_or_without() -> None:
    """§11"""
    seen = set()
    for seed in range(40):
        for moment in played("classic", "1x1", "ab", seed):
            room = moment.after
            if 0 in room.window and room.state is not None:
                html = frame_of(FRENCH, "g", room, 0).html
                asked = re.search(r'<section class="banner au-sept".*?</section>', html, re.DOTALL)
                assert asked is not None
                seen.add((Exchange() in room.state.legal(0), re.sub(r'"id" value="\w+"', "", asked[0])))
    assert len(seen) == 2
    assert len({shown for _, shown in seen}) == 1


@pytest.mark.parametrize(("rules", "format_", "guests"), ALL)
@pytest.mark.parametrize("visit", [FRENCH, ENGLISH])
def test_pages_obey_the_policy(rules: str, format_: str, guests: str, visit: Visit) -> None:
    """No inline style, script or handler, whatever the moment."""
    for moment in played(rules, format_, guests, 3):
        page = Forms(table_page(visit, "g", moment.after, 0))
        assert not page.inline
        assert not [name for name in page.attributes if name == "style" or name.startswith("on")]


def test_names_are_escaped() -> None:
    for moment in played("classic", "1", "ab", 4, most=8):
        chairs = tuple(Chair(chair.player, "<b>&", chair.guest) for chair in moment.after.chairs)
        html = table_page(FRENCH, "g", replace(moment.after, chairs=chairs), 0)
        assert "<b>&<" not in html
        assert "&lt;b&gt;&amp;" in html


def test_several_players_of_one_device_do_not_see_each_other_s_hands() -> None:
    for moment in played("classic", "1", "aa", 5):
        room = moment.after
        if room.phase is not Phase.PLAY or room.state is None or room.window:
            continue
        (awaited,) = room.awaited
        html = frame_of(FRENCH, "g", room, 1 - awaited).html
        assert 'class="hand' not in html
        assert f"?as={awaited}" in html
        assert 'class="hand ready"' in frame_of(FRENCH, "g", room, awaited).html
        assert 'class="hand' not in frame_of(FRENCH, "g", room, None).html


def test_only_the_opponent_s_last_trick_can_be_looked_at() -> None:
    """§14; all of them where the player chose perfect recall."""
    recall = Visit("fr", "", "a", settings=Settings(recall=True))
    most = 0
    for moment in played("classic", "1", "ab", 6):
        room = moment.after
        if room.phase is not Phase.PLAY or room.state is None:
            continue
        taken = sum(isinstance(event, Taken) and event.seat == 1 for event in room.state.events)
        assert tricks_of_opponent(frame_of(FRENCH, "g", room, 0).html) == min(taken, 1)
        assert tricks_of_opponent(frame_of(recall, "g", room, 0).html) == taken
        most = max(most, taken)
    assert most > 2


def tricks_of_opponent(html: str) -> int:
    pile = re.search(r'data-key="pile-1".*?</details>', html, re.DOTALL)
    assert pile is not None
    return pile[0].count("<li>")


@pytest.mark.parametrize(
    "rules", ["classic", "three;again=difference", "four;figure=held", "mondoubleau;again=full"]
)
def test_the_count_laid_out_is_the_full_count(rules: str) -> None:
    """§12"""
    counted = 0
    for moment in played(rules, "3", "abcd"[: 4 if "four" in rules else 3 if "three" in rules else 2], 7):
        state = moment.after.state
        if (
            moment.after.phase is Phase.COUNT
            and state
            and state.result
            and state.result.by in ("points", "nulle")
        ):
            for count, points in zip(counts_of(state), state.result.points, strict=True):
                declared = sum(said.counts for said in count.declared)
                assert count.in_brisques + count.in_heads + declared + count.der == points
            counted += 1
    assert counted


@pytest.mark.parametrize(
    ("hand", "order"),
    [
        ("AT.K.Q.J", "As Ts Kh Jc Qd"),
        ("A..KQ.J", "As Kd Qd Jc"),
        (".A7.K.J", "Ah 7h Jc Kd"),
        ("A7...K", "As 7s Kc"),
    ],
)
def test_a_hand_is_sorted_red_and_black(hand: str, order: str) -> None:
    """§14: P's advice."""
    assert " ".join(map(str, arranged(CardSet(hand)))) == order


def test_the_table_weighs_little() -> None:
    """All of a table's files compressed: its scripts within 30 KiB, everything within 150 KB."""
    scripts = sum(packed(path.read_bytes()) for path in (STATIC / "js").glob("*.js"))
    assert scripts < 30 * 1024
    room = [moment.after for moment in played("classic", "1", "a-", 8, most=20)][-1]
    others = ["css/base.css", "css/table.css", "deck/deck.css", "deck/deck.svg", "icon.svg"]
    rest = sum(packed((STATIC / name).read_bytes()) for name in others)
    assert scripts + rest + packed(table_page(FRENCH, "g", room, 0).encode()) < 150_000


def packed(data: bytes) -> int:
    return len(gzip.compress(data, mtime=0))
