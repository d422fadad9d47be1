"""Every page and phase: accessible by axe-core, without horizontal scrolling, with targets large and far enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import Any

import pytest
from playwright.sync_api import Page

from chouine.phrases import Language
from chouine.server.pages.visit import FELTS, Settings
from tests.browser.conftest import Visits
from tests.browser.house import ROOT, House
from tests.browser.lettering import SELECT, lettering_faults
from tests.browser.moments import FOUR, SEVEN, TWENTY
from tests.browser.pairs import (
    LANGUAGES,
    SCREENS,
    THEMES,
    TURNS,
    VIEWS,
    Screen,
    Theme,
    by_pairs,
    rules_of,
    themes_of,
    views_of,
)
from tests.browser.tour import PARTS, Tour
from tests.browser.visitor import DESKTOP, PHONE, Size, resize
from tests.needs import need

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
FROM_EDGE = 4
"""Least distance of a part from the border of the box that it is in, in CSS pixels."""
FINGER, APART = 48, 8
"""Least size of a target and distance between two, in CSS pixels. Excepted are links in a sentence (WCAG 2.5.8); the
cards of a hand, which overlap as in a real one; and the spread pack, whose 32 cards are in sight together, each as
good as another: they are 44 pixels wide and may touch.
"""

WIDE = 768
"""From this width offers stand upon the player's own seat."""

NARROW = """() => [...document.querySelectorAll("body *")]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, pre, .unseen"))
  .map(e => `${e.tagName}.${e.getAttribute("class")}`).slice(0, 5)"""
TARGETS = """([least, apart]) => {
  const seen = e => e.checkVisibility({visibilityProperty: true}) && !e.closest(".unseen, .skip, svg");
  const alone = e => e.parentElement.textContent.trim() === e.textContent.trim();
  const within = e => getComputedStyle(e).display === "inline" && !alone(e); // a link in a sentence (WCAG 2.5.8)
  const boxes = [...document.querySelectorAll("a[href], button, select, summary, input:not([type=hidden])")]
    .filter(seen)
    .filter(e => !(e.matches("a") && within(e)))
    .map(e => e.matches("[type=checkbox], [type=radio]") ? e.closest("label") ?? e : e)
    .map(e => [e, e.getBoundingClientRect()]);
  const shown = ([e, box], nth) => {
    const over = boxes.slice(nth + 1).map(([_, other]) => other).find(other =>
      Math.abs(other.top - box.top) < 10 && other.left > box.left && other.left < box.right && e.matches(".card"));
    return over ? over.left - box.left : box.width;
  };
  const over = "dialog, .panel, .over, .paused, #push, #beside, .trouble, .site-banners, .steps, .back";
  const layer = e => e.closest(over);
  const near = ([a, one], [b, other]) => layer(a) === layer(b) && !a.contains(b) && !b.contains(a)
    && Math.max(one.left - other.right, other.left - one.right) < apart - 0.1
    && Math.max(one.top - other.bottom, other.top - one.bottom) < apart - 0.1;
  const named = e => `${e.outerHTML.slice(0, 90)} ${e.textContent.trim().slice(0, 20)}`;
  const touch = ".hand, .fan, .pack-edge";
  const together = (one, other) => one.closest(touch) && one.closest(touch) === other.closest(touch);
  const close = boxes.flatMap((one, nth) => boxes.slice(nth + 1)
    .filter(other => near(one, other) && !together(one[0], other[0]))
    .map(other => `${named(one[0])} CLOSE TO ${named(other[0])}`));
  const rounded = value => Math.round(value * 10) / 10;
  const small = boxes.map((one, nth) => [one[0], rounded(shown(one, nth)), rounded(one[1].height)])
    .filter(([e, width, height]) => Math.min(width, height) < (e.closest(".fan") ? 44 : least))
    .map(([e, width, height]) => `${named(e)} ${width}x${height}`);
  return [...small, ...close];
}"""

INSIDE = """least => [...document.querySelectorAll("details")].flatMap(box => {
  const edge = parseFloat(getComputedStyle(box).borderLeftWidth), was = box.open;
  if (!edge || !box.checkVisibility()) return [];
  box.open = true;
  const left = box.getBoundingClientRect().left + edge;
  const parts = [...box.querySelectorAll("input:not([type=hidden]), select, textarea, button, label, p")];
  const tight = parts.filter(e => e.checkVisibility() && !e.closest("summary, .unseen, .scroll"))
    .filter(e => e.getBoundingClientRect().left - left < least)
    .map(e => `${e.outerHTML.slice(0, 90)} AT THE EDGE OF ${box.querySelector("summary").textContent.trim()}`);
  box.open = was;
  return tight;
})"""
"""What touches the left border of a box that folds out."""
LAID = """([text, width, scale]) => {
  document.documentElement.style.fontSize = text;
  return innerWidth === width && devicePixelRatio === scale;
}"""
SET = "size => document.documentElement.style.fontSize = size"
OVER = """() => {
  const seen = e => e.checkVisibility({visibilityProperty: true});
  const bar = ".bar > *, .bar nav > *, .bar .tools > *, .score .side, .status > summary";
  const seats = ".others .name, .others .pile > summary, .bubble, .over > *, .line > *, .hand, .helping > *";
  const parts = [...document.querySelectorAll(`${bar}, ${seats}, .talon, .trump, .trick .card`)];
  const lie = ".trick, .stock:has(.rule)"; // cards lie upon each other
  const together = (one, other) => one.closest(lie) && one.closest(lie) === other.closest(lie);
  const boxes = parts.filter(seen).map(e => [e, e.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const name = e => `${e.tagName}.${e.getAttribute("class")}`;
  return boxes.flatMap(([one, a], nth) => boxes.slice(nth + 1)
    .filter(([other, b]) => !one.contains(other) && !together(one, other) && over(a, b))
    .map(([other]) => `${name(one)} over ${name(other)}`));
}"""

COLOURS = """
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = parts(colour).map(part => (part / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = e => { // the first colour of a gradient, or a colour that hides what is below it
    const {backgroundColor, backgroundImage} = getComputedStyle(e);
    const [, , , alpha = 1] = parts(backgroundColor);
    return /gradient.*?(rgba?\\([^)]*\\))/.exec(backgroundImage)?.[1] ?? (alpha > 0.5 ? backgroundColor : null);
  };
  const behind = e => {
    while (e && !ground(e)) e = e.parentElement;
    return ground(e ?? document.documentElement) ?? getComputedStyle(document.body).backgroundColor;
  };"""
"""How light colours are, and what is behind an element: axe looks at texts alone."""
PALE_SIGNS = """() => {
  const ink = document.createElement("i");
  const of = {s: "spades", h: "hearts", d: "diamonds", c: "clubs"};
  return [...document.querySelectorAll("svg.sign")].filter(e => e.checkVisibility()).flatMap(e => {
    const suit = of[e.querySelector("use").getAttribute("href").at(-1)];
    ink.style.color = getComputedStyle(e).getPropertyValue(`--deck-${suit}`);
    const found = contrast(ink.style.color, behind(e));
    return found < 3 ? [`a sign of ${suit} has a contrast of ${found.toFixed(1)}`] : [];
  });
}""".replace("() => {", "() => {" + COLOURS, 1)
"""Suit signs that can hardly be seen on what is behind them."""
PALE_RINGS = """() => {
  const {scrollingElement} = document, {scrollTop} = scrollingElement, found = new Set();
  const ringed = e => {
    const {outlineStyle, outlineWidth, clipPath, opacity} = getComputedStyle(e);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && clipPath === "none" && opacity !== "0";
  };
  const ends = "a[href], button, select, summary, textarea, input:not([type=hidden]), [tabindex='0']";
  for (const e of document.querySelectorAll(ends)) {
    if (!e.checkVisibility({visibilityProperty: true}) || e.disabled || e.closest(".skip")) continue;
    e.focus({preventScroll: true});
    if (document.activeElement !== e) continue;
    const ring = [e, e.nextElementSibling, e.closest("label"), e.parentElement].find(one => one && ringed(one));
    const named = `${e.outerHTML.slice(0, 80)} ${e.textContent.trim().slice(0, 20)}`;
    const {outlineColor, outlineOffset} = getComputedStyle(ring ?? e), within = parseFloat(outlineOffset) < 0;
    const seen = ring && contrast(outlineColor, behind(within ? ring : ring.parentElement));
    if (!(seen >= 3)) found.add(`the ring has a contrast of ${seen?.toFixed(1)} around ${named}`);
  }
  document.activeElement.blur(); // a card that has the focus is raised
  scrollingElement.scrollTop = scrollTop;
  return [...found];
}""".replace("() => {", "() => {" + COLOURS, 1)
"""What can be reached by the keyboard, and whose ring can hardly be seen."""

CUT = """() => {
  const corner = 12, near = e => {
    const {x, width} = e.getBBox();
    return x < corner || x + width > e.ownerSVGElement.viewBox.baseVal.width - corner;
  };
  const wide = e => e.offsetWidth > e.parentElement.clientWidth + 1;
  const seen = (of, is) => [...document.querySelectorAll(of)].filter(e => e.checkVisibility() && is(e));
  return [...seen("select", cutsChoice).map(e => `${e.name} cuts ${e.selectedOptions[0].text}`),
    ...seen(".graph text", near).map(e => `${e.textContent} is cut`),
    ...seen("div.scroll > table", wide).map(e => `table.${e.className} is cut`)];
}""".replace("() => {", "() => {" + SELECT, 1)

VIOLATIONS = "options => axe.run(options).then(found => found.violations)"
"""Violations only: the list of passed checks is long."""


def faults_of(page: Page, *rules: str) -> list[str]:
    """axe-core's violations, of all rules unless some are given."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found: list[dict[str, Any]] = page.evaluate(VIOLATIONS, options)
    return [
        f"{violation['id']}: {node['html'][:160]} {[check['message'] for check in node['any']][:1]}"
        for violation in found
        for node in violation["nodes"][:3]
    ]


def beyond_width(page: Page) -> list[str]:
    """Elements beyond the page's width."""
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return page.evaluate(NARROW) or ["the page"] if wide else []


def room_on(page: Page) -> list[str]:
    """Elements beyond the page's width, faults of texts, what is cut, and targets smaller than a finger."""
    seen = page.evaluate(CUT), page.evaluate(TARGETS, [FINGER, APART])
    return [*beyond_width(page), *lettering_faults(page), *chain.from_iterable(seen)]


def larger_text(page: Page) -> list[str]:
    """What larger text breaks, moves beyond the page's width, or on a phone lays upon other parts of the table."""
    upon = page.evaluate(OVER) if page.evaluate("innerWidth") < WIDE else []
    return [*beyond_width(page), *upon, *page.evaluate(CUT), *lettering_faults(page)]


def put_on(page: Page, theme: Theme) -> None:
    """Set the theme. A sheet for the other one is loaded late, and no event waits for it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        "() => [...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet)"
    )


def room_in(page: Page, views: Sequence[tuple[Screen, Theme]], theme: Theme) -> list[str]:
    """What is wrong with the room on a page in each of these views. It has this theme, and is left as others find it.

    Views in one theme are looked at together: each change makes the browser style and paint the whole page anew.
    """
    session, here = page.context.new_cdp_session(page), page.viewport_size
    assert here is not None

    def look(screen: Screen, wanted: Theme) -> None:
        nonlocal theme
        (width, height), scale = screen.size, screen.scale
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        session.send("Emulation.setDeviceMetricsOverride", metrics)
        if wanted != theme:
            put_on(page, wanted)
            theme = wanted
        page.wait_for_function(LAID, arg=[screen.text, width, scale])

    before, found = page.evaluate("document.documentElement.style.fontSize"), []
    page.mouse.move(0, 0)  # in a smaller window it would be over another card, and raise it
    for screen, wanted in sorted(views, key=lambda view: view[1] != theme):
        look(screen._replace(text=screen.text or before), wanted)
        wrong = larger_text(page) if screen.text else room_on(page)
        found += [f"{screen}, {wanted}: {fault}" for fault in wrong]
    look(Screen((here["width"], here["height"]), text=before), "light")
    session.detach()
    return found


def faults_by(page: Page, theme: Theme, *rules: str) -> list[str]:
    """axe-core's violations in light or dark mode, in which exactly the pages beside the table are dark."""
    put_on(page, theme)
    dark = page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    wanted = theme == "dark" and page.locator("body.reading").count() > 0
    page.keyboard.press("Tab")  # from now on focus has its ring
    pale = page.evaluate(PALE_SIGNS) + page.evaluate(PALE_RINGS)
    found = ([] if dark == wanted else ["its colours"]) + faults_of(page, *rules) + pale
    return [f"{theme}: {fault}" for fault in found]


@pytest.mark.parametrize(("part", "language", "device"), by_pairs(PARTS, LANGUAGES, (PHONE, DESKTOP)))
def test_every_page(
    house: House,
    visit: Visits,
    part: Callable[[Tour], Iterator[tuple[str, Page]]],
    language: Language,
    device: Size,
) -> None:
    """No page is wider than its window, targets have 48 pixels with 8 between, larger text is whole and over nothing.

    And no violations, in light and dark mode; `make test` asks for all rules in one language, for colours in the other.
    """
    need("axe")
    faults = {}
    for number, (name, page) in enumerate(part(Tour.of(house, visit, language, device))):
        themes, rules = themes_of(number, language), rules_of(number, language)
        found = [fault for theme in themes for fault in faults_by(page, theme, *rules)]
        found += page.evaluate(INSIDE, FROM_EDGE)
        if found := found + room_in(page, views_of(number, language), themes[-1]):
            faults[name] = found
    assert faults == {}, "\n".join(f"{name}: {found}" for name, found in faults.items())


def test_every_pair_of_screen_language_and_theme_is_seen_on_every_page() -> None:
    for turn in range(TURNS):
        seen = [row for row in VIEWS if row[0] == turn]
        levels = [set(column) for column in zip(*seen, strict=True)]
        assert levels[1:] == [set(LANGUAGES), set(SCREENS), set(THEMES)]
        assert () in [rules_of(turn, language) for language in LANGUAGES]
    for first, second in combinations((LANGUAGES, SCREENS, THEMES), 2):
        pairs = {pair for row in VIEWS for pair in combinations(row[1:], 2)}
        assert set(product(first, second)) <= pairs


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_cloth(house: House, visit: Visits, scheme: str) -> None:
    """On every cloth, in light and dark mode, a trick, an offer and the menu have no violations."""
    need("axe")
    guest = house.guest("Anne")
    game = house.table([guest, house.guest("Basile")], deal=TWENTY.deal, played=TWENTY.played)
    page = visit(house, guest=guest, still=True, color_scheme=scheme).go(f"/table/{game}")
    page.locator(".menu > summary").click()
    faults = {}
    for felt in FELTS:
        page.evaluate("felt => document.documentElement.setAttribute('class', felt)", f"deck-fr felt-{felt}")
        if found := faults_of(page):
            faults[felt] = found
    assert faults == {}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_everything_larger_fits_a_small_phone(house: House, visit: Visits, language: Language) -> None:
    """With large cards the spread pack, and a hand with its offers, fit the screen of a small phone, over nothing."""
    guest = house.guest("Anne", language, settings=Settings(large=True))
    visitor = visit(house, guest=guest, language=language, size=(360, 640))
    other = house.guest("Basile")
    tables = {
        "tirage": house.table([guest, other]),
        "exchange": house.table([other, guest], deal=SEVEN.deal, played=SEVEN.played),
        "exchanged": house.table([guest, other], deal=SEVEN.deal, played=f"{SEVEN.played} 7x"),
        "twenty": house.table([guest, other], deal=TWENTY.deal, played=TWENTY.played),
        "four": house.table(
            [house.guest(), guest, house.guest(), other], FOUR.rules, "1", FOUR.deal, FOUR.played
        ),
    }
    for name, game in tables.items():
        page = visitor.go(f"/table/{game}")
        resize(page, PHONE)
        assert page.evaluate(OVER) == [], name
        resize(page, (360, 640))
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), name


def test_an_emblem_is_the_same_where_everything_is_larger(house: House, visit: Visits) -> None:
    """The head of the figure: cards with large letters and figures are drawn otherwise."""
    page = visit(house, guest=house.guest("Anne"), still=True).go("/settings?back=/")
    emblem, drawn = page.locator(".emblems .portrait").first, set()
    for deck in ("standard", "large"):
        page.evaluate(
            "deck => document.documentElement.className = `deck-fr deck-two-colours deck-${deck}`", deck
        )
        drawn.add(emblem.screenshot())
    assert len(drawn) == 1
