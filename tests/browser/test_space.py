"""The board fills any window: large cards, no overlaps, no scroll bar."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from chouine.phrases import Language
from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import (
    AFTER_TALON,
    CHOUINE,
    FOUR_SAYS,
    LAST_CARD,
    LAVARDIN,
    MONDOUBLEAU,
    SEVEN,
    THREE,
    TWENTY,
    Moment,
)
from tests.browser.visitor import Size, resize

SIZES: dict[Size, float] = {
    (320, 568): 0.27,
    (360, 740): 0.27,
    (640, 360): 0.26,
    (740, 360): 0.34,
    (768, 1024): 0.2,
    (1024, 768): 0.2,
    (1280, 800): 0.2,
    (2560, 1440): 0.2,
}
"""Window sizes, each with the least width of a trick's card as a share of the shorter side, with offers and without."""
MANY, TALON, HAND = 0.115, 0.115, 0.17
"""The least shares for a card of a trick of three or four, for the talon, and for a card of the hand."""
MOST = 0.5
LEAD = Moment("classic", LAVARDIN, "Qs", 1)
FRIENDS = ("Marie-Madeleine", "Jean-Christophe", "Donatien")

PARTS = """() => {
  const parts = {};
  const put = (name, selector) => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility())
    .forEach((e, nth) => parts[`${name} ${nth}`] = e.getBoundingClientRect().toJSON());
  put("trick", ".trick .card");
  put("talon", ".talon .card");
  put("trump", ".trump");
  put("rule", ".rule");
  put("name", ".others .name");
  put("backs", ".others .backs");
  put("pile", ".pile > summary");
  put("prompt", "#prompt");
  put("offer", ".offers > *");
  put("hand", ".hand .card");
  put("menu", ".menu > summary");
  put("status", ".status > summary");
  put("score", ".score .side");
  return parts;
}"""
BOXES = "of => [...document.querySelectorAll(of)].map(e => e.getBoundingClientRect().toJSON())"
SCROLLS = (
    "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
)
HIGH = "document.querySelector('.score').offsetHeight > document.querySelector('.bar').offsetHeight"
Box = dict[str, float]


def overlaps(one: Box, other: Box) -> bool:
    """Whether two boxes share more than a rounded corner; rotated cards have larger boxes."""
    spare = 0.06 * min(one["width"], one["height"], other["width"], other["height"]) + 1
    return (
        min(one["right"], other["right"]) - max(one["left"], other["left"]) > spare
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > spare
    )


def kind(name: str) -> str:
    return name.partition(" ")[0]


def collisions(parts: dict[str, Box]) -> list[tuple[str, str]]:
    """Overlapping parts of the board; cards of the same hand, trick or talon may overlap."""
    names = list(parts)
    return [
        (one, other)
        for nth, one in enumerate(names)
        for other in names[nth + 1 :]
        if kind(one) != kind(other) and overlaps(parts[one], parts[other])
    ]


def outside(parts: dict[str, Box], size: Size) -> list[str]:
    return [
        name
        for name, box in parts.items()
        if box["left"] < -1 or box["top"] < -1 or box["right"] > size[0] + 1 or box["bottom"] > size[1] + 1
    ]


def at_each_size(page: Page, check: Callable[[Size, dict[str, Box]], list[Any]]) -> dict[str, list[Any]]:
    """The faults at each window size."""
    found: dict[str, list[Any]] = {}
    for size in SIZES:
        resize(page, size)
        parts: dict[str, Box] = page.evaluate(PARTS)
        wrong = [*collisions(parts), *outside(parts, size), *check(size, parts)]
        if page.evaluate(SCROLLS):
            wrong.append("it scrolls")
        if wrong:
            found[f"{size[0]}x{size[1]}"] = wrong
    return found


def seat_at(house: House, moment: Moment, seat: int, two: str = "1x1") -> tuple[Guest, str]:
    anne = house.guest("Anne", settings=Settings(hold=10.0))
    friends = iter(FRIENDS)
    seats = {"three": 3, "four": 4}.get(moment.rules, 2)
    chairs = [anne if at == seat else Guest("", f"{moment.rules}-{at}", next(friends)) for at in range(seats)]
    terms = two if seats == 2 else "1"
    return anne, house.table(chairs, moment.rules, terms, moment.deal, moment.played)


@pytest.mark.parametrize(
    ("moment", "seat"), [(LEAD, 0), (TWENTY, 0), (SEVEN, 1)], ids=["lead", "offer", "exchange"]
)
def test_two_seats(house: House, visit: Visits, moment: Moment, seat: int) -> None:
    """The cards of trick, talon and hand have at least their shares of the window."""
    anne, game = seat_at(house, moment, seat)
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    expect(page.locator(".trick .card")).to_have_count(1)

    def check(size: Size, parts: dict[str, Box]) -> list[Any]:
        width = {name: parts[f"{name} 0"]["width"] / min(size) for name in ("trick", "hand")}
        talon = min(parts["talon 0"]["width"], parts["talon 0"]["height"]) / min(size)
        wanted = (
            ("trick", width["trick"], SIZES[size]),
            ("talon", talon, TALON),
            ("hand", width["hand"], HAND),
        )
        return [(name, share) for name, share, least in wanted if not least <= share <= MOST]

    assert at_each_size(page, check) == {}


def test_the_drawing_and_the_count(house: House, visit: Visits) -> None:
    """The spread pack's cards and the button after the count are visible, except on the smallest phone."""
    anne = house.guest("Anne")
    spread = house.table([anne, house.guest("Basile")], terms="5x2")
    played = f"{LAST_CARD.played} Tc"
    counted = house.table([anne, house.guest("Basile")], "classic", "3x2", LAST_CARD.deal, played)
    visitor = visit(house, guest=anne, still=True)
    wrong = []
    for game, selector, least in ((spread, ".fan .card", 0.085), (counted, ".next .main", 0.1)):
        page = visitor.go(f"/table/{game}")
        for size in list(SIZES)[1:]:
            resize(page, size)
            boxes = page.evaluate(BOXES, selector)
            found = outside({selector: boxes[-1]}, size)
            if found or boxes[0]["width"] < least * min(size):
                wrong.append((size, found, boxes[0]["width"]))
    assert wrong == []


def test_the_score_of_manches_stays_in_the_bar(house: House, visit: Visits) -> None:
    """The manche's score with two long names stays in the bar and covers nothing."""
    anne, game = seat_at(house, LEAD, 0, "5x2")
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    expect(page.locator(".score .manche")).to_be_visible()

    def check(size: Size, parts: dict[str, Box]) -> list[Any]:
        manche = page.evaluate(BOXES, ".score .manche")[0]
        upright = size[0] < size[1]
        return outside({"manche": manche}, size) + (["high"] if upright and page.evaluate(HIGH) else [])

    assert at_each_size(page, check) == {}


@pytest.mark.parametrize(("moment", "seat"), [(THREE, 1), (FOUR_SAYS, 2)], ids=["three", "four"])
def test_more_seats(house: House, visit: Visits, moment: Moment, seat: int) -> None:
    """The cards of a trick have their share and cover neither names, talon nor hand."""
    anne, game = seat_at(house, moment, seat)
    while (state := house.room(game).state) is not None and state.turn != seat:
        house.play(game, next(token for token in map(str, state.legal()) if "+" not in token))
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    expect(page.locator(".hand.ready .card")).to_have_count(3)

    def check(size: Size, parts: dict[str, Box]) -> list[Any]:
        share = parts["trick 0"]["width"] / min(size)
        return [] if share >= MANY else [("trick", share)]

    assert at_each_size(page, check) == {}


@pytest.mark.parametrize("size", [(360, 740), (768, 1024)])
def test_the_talon_covers_no_card_of_three_in_larger_text(house: House, visit: Visits, size: Size) -> None:
    """Upright it stands between the others' cards, above one's own; how many are left stands upon the pack."""
    anne, game = seat_at(house, THREE, 0)
    page = visit(house, guest=anne, size=size, still=True).go(f"/table/{game}")
    for text in ("100%", "200%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", text)
        parts = page.evaluate(PARTS)
        (left,), (pack,) = page.evaluate(BOXES, ".talon .left"), page.evaluate(BOXES, ".talon .pack")
        assert len([name for name in parts if kind(name) == "trick"]) == 2
        assert [pair for pair in collisions(parts) if "trick" in map(kind, pair)] == [], text
        assert outside({"left": left, "pack": pack}, size) == []
        assert pack["left"] - 1 <= left["left"] < left["right"] <= pack["right"] + 1, text


def test_a_pause_moves_nothing(house: House, visit: Visits) -> None:
    """What holds up play lies upon the table: nothing makes room for it."""
    anne, game = seat_at(house, AFTER_TALON, 1)
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    page.locator(".hand.ready").wait_for()
    still = ".others .name, .talon, .trick .card, .me .name, .hand"
    before = page.evaluate(BOXES, still)
    page.locator(".menu > summary").click()
    page.locator("form[action*='/pause'] button").click()
    expect(page.locator(".paused button")).to_be_in_viewport()
    assert page.evaluate(BOXES, still) == before


def test_four_declarations_fit_and_cover_nothing(house: House, visit: Visits) -> None:
    """Their names beside or below one another, and the card to be answered, the hand and what is said free."""
    anne, game = seat_at(house, CHOUINE, 1)
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    expect(page.locator(".offer .figure")).to_have_count(4)
    expect(page.locator(".saying:visible .verb")).to_contain_text("Annoncer une chouine de pique")
    for size in SIZES:
        resize(page, size)
        names, saying = page.evaluate(BOXES, ".offer .figure"), page.evaluate(BOXES, ".offer .saying")[0]
        free = page.evaluate(BOXES, ".trick .card, .hand, #prompt")
        parts = [*names, saying, *free]
        assert not [
            (one, other)
            for one, other in combinations(parts, 2)
            if (one in names or one is saying) and overlaps(one, other)
        ], size
    page.locator(".figure", has_text="Vingt").click()
    expect(page.locator(".saying:visible button")).to_have_count(2)


def test_that_there_is_no_trump_is_said_beside_the_talon(house: House, visit: Visits) -> None:
    """§17: in Mondoubleau no turnup lies between them."""
    anne, game = seat_at(house, MONDOUBLEAU, 0)
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    (pack,), (trump,) = page.evaluate(BOXES, ".talon .pack"), page.evaluate(BOXES, ".trump")
    assert 0 < trump["left"] - pack["right"] < pack["width"] / 2


def test_what_the_other_says_lies_beside_their_tricks_in_large_letters(house: House, visit: Visits) -> None:
    """On a tablet there is little room between the cards of the other seat and its tricks."""
    anne = house.guest("Anne", settings=Settings(large=True))
    basile = Guest("", "friend-Basile", "Basile")
    game = house.table([basile, anne], AFTER_TALON.rules, "1x1", AFTER_TALON.deal, AFTER_TALON.played)
    page = visit(house, guest=anne, size=(1024, 768), still=True).go(f"/table/{game}")
    (bubble,) = page.evaluate(BOXES, ".others .bubble")
    parts = page.evaluate(BOXES, ".others .pile > summary, .others .backs")
    assert [part for part in parts if overlaps(bubble, part)] == []


VERB = """() => {
  const line = document.querySelector("#prompt").getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(document.querySelector("#prompt .waits").lastChild);
  const verb = range.getBoundingClientRect();
  return verb.width > 0 && verb.right <= line.right + 1 && line.right <= innerWidth;
}"""
"""Whether the last words of the turn line are seen whole."""


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_long_name_is_cut_in_the_turn_line_and_never_the_verb(
    house: House, visit: Visits, language: Language
) -> None:
    guest, jeanne = house.guest("Anne", language), Guest("", "friend-jeanne", "Mamie Jeanne de Vendôme")
    game = house.table([jeanne, guest], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest, language=language).go(f"/table/{game}")
    expect(page.locator("#prompt")).to_contain_text("Jeanne")
    for size in SIZES:
        resize(page, size)
        for large in (False, True):
            page.evaluate("large => document.documentElement.classList.toggle('large', large)", large)
            assert page.evaluate(VERB), (size, large)
