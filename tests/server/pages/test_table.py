"""The table's page: each possible act is a button, and nothing else is needed."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import pytest

from chouine.cards import CardSet
from chouine.notation.display import arrange
from chouine.partie import Declared, Exchange, Play, Taken
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Settings, Visit
from chouine.table import Phase, SeatHolder
from chouine.table.count import counts_of
from chouine.table.snapshot import SeatBoard
from tests.needs import at_length
from tests.server.pages.tables import random_match

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


TAG = re.compile(r"""<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>""")


class StartTag(HTMLParser):
    """A start tag as browsers parse it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tag = ""
        self.attributes: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        self.attributes = {name: value or "" for name, value in attrs}


start_tag = lru_cache(4096)(StartTag)
"""Cached, since pages of one match share most of their tags and parsing is slow."""


class Forms:
    """A page's forms: addresses, hidden fields and buttons."""

    def __init__(self, html: str) -> None:
        self.forms: list[tuple[str, dict[str, str], list[tuple[str, str]]]] = []
        self.places: dict[str, int] = {}
        self.apart: list[tuple[str, str, str]] = []
        self.attributes: set[str] = set()
        self.inline: list[str] = []
        tags = TAG.findall(html)
        assert len(tags) == len(re.findall("<[a-zA-Z]", html)), "a tag that does not end"
        for text in tags:
            self.begin(start_tag(text))
        for form, name, value in self.apart:  # buttons may be outside their form
            self.forms[self.places[form]][2].append((name, value))

    def begin(self, start: StartTag) -> None:
        tag, told = start.tag, start.attributes
        self.attributes |= told.keys()
        if (tag == "script" and "src" not in told) or tag == "style":
            self.inline.append(tag)
        if tag == "form":
            assert told["method"] == "post"
            self.places[told.get("id", "")] = len(self.forms)
            self.forms.append((told["action"], {}, []))
        elif tag == "input" and self.forms and told.get("type") == "hidden":
            self.forms[-1][1][told["name"]] = told["value"]
        elif tag == "button" and "form" in told:
            self.apart.append((told["form"], told["name"], told["value"]))
        elif tag == "button" and "name" in told:
            self.forms[-1][2].append((told["name"], told["value"]))


@pytest.mark.parametrize(("rules", "format_", "guests"), at_length(ALL))
def test_what_is_legal_is_a_button_and_only_cards_of_the_hand_besides(
    rules: str, format_: str, guests: str
) -> None:
    """Refused cards have buttons too: the table then says why."""
    for moment in random_match(rules, format_, guests, 2):
        table = moment.after
        if table.phase is not Phase.PLAY or table.state is None or 0 not in table.awaited or table.window:
            continue
        html = Viewer(FRENCH, "g", 0).frame(table).html
        offered = {value for _, _, buttons in Forms(html).forms for name, value in buttons if name == "token"}
        legal = table.state.legal(0)
        held = {str(card) for card in CardSet(table.state.position.hands[0])}
        assert offered == {str(action) for action in legal} | held
        playable = {str(action.card) for action in legal if isinstance(action, Play)}
        barred = set(re.findall(r'value="(\w\w)" class="card barred"', html))
        assert barred == held - playable


@pytest.mark.parametrize("guests", ["ab", "aa"])
def test_au_sept_offers_the_exchange_to_the_holder_alone(guests: str) -> None:
    """§11: behind a curtain the exchange is offered to all; the time is the same for seats without a seven."""
    seen = set()
    for seed in range(40):
        for moment in random_match("classic", "1x1", guests, seed):
            table = moment.after
            if 0 in table.window and table.state is not None:
                observer = 0 if guests == "ab" else None
                html = Viewer(FRENCH, "g", observer).frame(table).html
                asked = re.search(r'<section class="banner au-sept".*?</section>', html, re.DOTALL)
                assert asked is not None
                assert "/table/g/pass" in asked[0]
                assert 'data-seconds="12"' in asked[0]
                seen.add((Exchange() in table.state.legal(0), 'value="7x"' in asked[0]))
    assert seen == ({(True, True), (False, False)} if guests == "ab" else {(True, True), (False, True)})


@pytest.mark.parametrize(("rules", "format_", "guests"), at_length(ALL))
@pytest.mark.parametrize("visit", [FRENCH, ENGLISH])
def test_forms_carry_what_the_table_asks_and_pages_obey_the_policy(
    rules: str, format_: str, guests: str, visit: Visit
) -> None:
    """No page has inline style, scripts or handlers."""
    for moment in random_match(rules, format_, guests, 3):
        page = Forms(Viewer(visit, "g", 0).page(moment.after))
        assert not page.inline
        assert not [name for name in page.attributes if name == "style" or name.startswith("on")]
        for action, fields, _ in page.forms:
            assert fields["csrf"] == "s3cret"
            if action.startswith("/table/"):
                assert action.startswith("/table/g/")
                assert fields["id"]
                assert int(fields["seat"]) in moment.after.seats


@pytest.mark.parametrize(("guests", "said"), [("ab", True), ("a-b", True), ("a-", False), ("aa", False)])
def test_phrases_are_offered_where_somebody_hears_them(guests: str, *, said: bool) -> None:
    """Phrases are offered if another person sits at another device."""
    rules = "three" if len(guests) == 3 else "classic"
    table = [moment.after for moment in random_match(rules, "1", guests, 4, most=8)][-1]
    assert ('name="phrase"' in Viewer(FRENCH, "g", 0).page(table)) == said


def test_without_scripts_a_page_that_waits_says_that_it_asks_again() -> None:
    """Without JavaScript a page reloads, and says so, while others are on turn or a revanche is awaited."""
    rooms = [moment.after for moment in random_match("classic", "1x1", "ab", 3)]
    for table in (*rooms, replace(rooms[-1], ready=frozenset({0}))):
        page = Viewer(FRENCH, "g", 0).page(table)
        waits = 0 not in table.awaited if table.phase is not Phase.OVER else 0 in table.ready
        assert ('http-equiv="refresh"' in page) == waits
        assert ("toutes les trois secondes" in page) == waits


def test_names_are_escaped() -> None:
    for moment in random_match("classic", "1", "ab", 4, most=8):
        chairs = tuple(SeatHolder(chair.player, "<b>&", chair.guest) for chair in moment.after.holders)
        html = Viewer(FRENCH, "g", 0).page(replace(moment.after, holders=chairs))
        assert "<b>&<" not in html
        assert "&lt;b&gt;&amp;" in html


def test_several_players_of_one_device_do_not_see_each_other_s_hands() -> None:
    for moment in random_match("classic", "1", "aa", 5):
        table = moment.after
        if table.phase is not Phase.PLAY or table.state is None or table.window:
            continue
        (awaited,) = table.awaited
        html = Viewer(FRENCH, "g", 1 - awaited).frame(table).html
        assert 'class="hand' not in html
        assert f"?as={awaited}" in html
        assert 'class="hand ready"' in Viewer(FRENCH, "g", awaited).frame(table).html
        assert 'class="hand' not in Viewer(FRENCH, "g", None).frame(table).html


def test_only_the_opponent_s_last_trick_can_be_looked_at() -> None:
    """§14: the opponent's last trick only; all of them with perfect recall."""
    recall = Visit("fr", "", "a", settings=Settings(recall=True))
    most = 0
    for moment in random_match("classic", "1", "ab", 6):
        table = moment.after
        if table.phase is not Phase.PLAY or table.state is None:
            continue
        taken = sum(isinstance(event, Taken) and event.seat == 1 for event in table.state.events)
        assert tricks_of_opponent(Viewer(FRENCH, "g", 0).frame(table).html) == min(taken, 1)
        assert tricks_of_opponent(Viewer(recall, "g", 0).frame(table).html) == taken
        most = max(most, taken)
    assert most > 2


TALLY = re.compile(r'data-key="pile-0".*?class="tally">(\d+)', re.DOTALL)
ALWAYS = Visit("fr", "", "a", settings=Settings(tally="always", recall=True))


@pytest.mark.parametrize("rules", ["classic", "three", "mondoubleau"])
def test_the_running_tally_counts_what_the_player_has_been_shown(rules: str) -> None:
    """§14: one's own tricks that lie in the pile, and one's declarations; no more while a trick lies on the table."""
    guests, counted = "abc"[: 3 if rules == "three" else 2], 0
    for moment in random_match(rules, "5", guests, 6):
        table = moment.after
        if table.phase is not Phase.PLAY or table.state is None:
            continue
        board = SeatBoard.of(table.state.view(0))
        own = sum(CardSet(trick.cards).points for trick in board.taken[0])
        said = sum(
            event.counts for event in board.view.events if isinstance(event, Declared) and event.seat == 0
        )
        html = Viewer(ALWAYS, "g", 0).frame(table).html
        found = TALLY.search(html)
        assert int(found[1] if found else -1) == own + said
        assert f"{own + said}\N{NO-BREAK SPACE}point" in status_of(html)
        counted += bool(own and said)
    assert counted


@pytest.mark.parametrize("tally", ["ask", "always", "off"])
def test_points_are_shown_by_choice_and_never_without_help(tally: Literal["ask", "always", "off"]) -> None:
    """On request they are in the pile and in the table in words.

    At a contest's table, and at one opened without help, they are nowhere, nor are all tricks.
    """
    visit = Visit("en", "", "a", settings=Settings(tally=tally, recall=True))
    contest = f"c-{'x' * 30}"
    for moment in random_match("classic", "1", "ab", 6):
        table = moment.after
        if table.phase is not Phase.PLAY or table.state is None:
            continue
        for table_id, seat in (("g", 0), (contest, 0), ("g", None)):
            html = Viewer(visit, table_id, seat).frame(table).html
            shown = table_id == "g" and tally != "off" and seat == 0
            assert ("declarations included" in html) == (shown or (table_id == "g" and tally != "off"))
            assert ('data-ask="p"' in html) == shown
            assert ('class="tally"' in html) == (shown and tally == "always")
        assert tricks_of_opponent(Viewer(visit, contest, 0).frame(table).html) <= 1
        unaided = replace(table, opened=replace(table.opened, unaided=True))
        for observer in (0, None):
            html = Viewer(visit, "g", observer).page(unaided)
            assert not re.search(r'declarations included|data-ask="[pu]"|class="tally"|<kbd>[pu]</kbd>', html)
            assert "A table without help" in html
            assert tricks_of_opponent(html) <= 1


def test_a_trick_on_the_table_is_not_counted_yet() -> None:
    """While a complete trick is shown, its taker's points are still those of before."""
    held = 0
    for moment in random_match("classic", "1", "ab", 6):
        frames = Viewer(ALWAYS, "g", 0).frames(moment.before, moment.entry, moment.after)
        if len(frames) < 2 or not frames[0].hold or moment.before.state is None:
            continue
        before = TALLY.search(Viewer(ALWAYS, "g", 0).frame(moment.before).html)
        lying = TALLY.search(frames[0].html)
        if before and lying and "Declared" not in repr(moment.entry):
            assert int(lying[1]) >= int(before[1])
            held += int(lying[1]) == int(before[1])
    assert held > 2


def status_of(html: str) -> str:
    """The answer to the key p."""
    found = re.search(r'data-ask="p">([^<]*)', html)
    return found[1] if found else ""


def tricks_of_opponent(html: str) -> int:
    pile = re.search(r'data-key="pile-1".*?</details>', html, re.DOTALL)
    assert pile is not None
    return pile[0].count("<li>")


@pytest.mark.parametrize(
    "rules", ["classic", "three;again=difference", "four;figure=held", "mondoubleau;again=full"]
)
def test_the_count_laid_out_is_the_full_count(rules: str) -> None:
    """§12: the count's parts add up to the points."""
    counted = 0
    for moment in random_match(
        rules, "3", "abcd"[: 4 if "four" in rules else 3 if "three" in rules else 2], 7
    ):
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
    """§14: the order that the rules advise."""
    assert " ".join(map(str, arrange(CardSet(hand)))) == order


def test_the_table_weighs_little() -> None:
    """All compressed files of the table: scripts within 30 KiB, everything within 150 KB."""
    scripts = sum(packed_size(path.read_bytes()) for path in imports_of(STATIC / "js" / "table.js"))
    assert scripts < 30 * 1024
    table = [moment.after for moment in random_match("classic", "1", "a-", 8, most=20)][-1]
    others = ["css/base.css", "css/table.css", "deck/deck.css", "deck/deck.svg", "icon.svg"]
    rest = sum(packed_size((STATIC / name).read_bytes()) for name in others)
    assert scripts + rest + packed_size(Viewer(FRENCH, "g", 0).page(table).encode()) < 150_000


@pytest.mark.parametrize(("rules", "format_", "guests"), [("four", "1", "abcd"), ("classic", "1x1", "ab")])
def test_a_single_partie_is_no_manche(rules: str, format_: str, guests: str) -> None:
    """§13: a single partie agreed upon makes no manche, so that its loser does not pass under the table."""
    over = [moment.after for moment in random_match(rules, format_, guests, 9)][-1]
    html = Viewer(FRENCH, "g", 0).frame(over).html
    assert 'id="headline"' in html
    assert 'class="news"' not in html


@pytest.mark.parametrize("seed", range(3))
def test_who_passes_under_the_table_is_told_once_and_why(seed: int) -> None:
    """§13: passing under the table is reported once, with its reason."""
    over = [moment.after for moment in random_match("four", "2", "abcd", seed)][-1]
    under = over.match.sous_la_table
    html = Viewer(ENGLISH, "g", 0).frame(over).html
    news = re.findall(r'<p class="news">([^<]+)</p>', html)
    told = [sentence for sentence in news if "under the table" in sentence]
    assert len(told) == (0 in under) + any(seat for seat in under)
    assert all("won no partie" in sentence for sentence in told)


def imports_of(script: Path, known: frozenset[Path] = frozenset()) -> frozenset[Path]:
    """A script with all that it imports, at once or later."""
    found = known | {script}
    for name in re.findall(r"""(?:from |import\()"(\./[\w./]+)\"""", script.read_text()):
        if (other := script.parent / name) not in found:
            found = imports_of(other, found)
    return found


def packed_size(data: bytes) -> int:
    return len(gzip.compress(data, mtime=0))


@pytest.mark.parametrize(("guests", "turned"), [("aa", True), ("ab", False), ("aab", False)])
def test_the_table_turns_towards_the_second_of_two_on_one_device(guests: str, turned: bool) -> None:  # noqa: FBT001
    """Only for two players of one device: with two devices or three players the table does not turn."""
    visit = replace(FRENCH, settings=Settings(across=True))
    rules = "three" if len(guests) == 3 else "classic"
    shown = {
        "across" in Viewer(visit, "g", None).frame(moment.after).html.partition(">")[0]
        for moment in random_match(rules, "1x1", guests, 3)
        if moment.after.phase is Phase.PLAY and moment.after.awaited == {1}
    }
    assert shown == {turned}
