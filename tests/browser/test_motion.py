"""Motion of cards: turned over when drawn, dealt one by one, and never over text to be read."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import CHOUINE, LAST_CARD, LAVARDIN, SEVEN, THIRTY, TWENTY
from tests.browser.pairs import by_pairs
from tests.browser.visitor import DESKTOP, PHONE, Size, prolong_motion

WATCH = """() => {
  window.flown = [];
  const number = flyer => {
    const box = document.querySelector(".talon .left").getBoundingClientRect();
    flyer.style.pointerEvents = "auto";
    return Boolean(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".left"));
  };
  new MutationObserver(records => {
    const added = records.flatMap(record => [...record.addedNodes]);
    for (const flyer of added.filter(node => node.matches?.(".flyer:has(.reverse)"))) {
      const [flight] = flyer.firstElementChild.getAnimations();
      const all = flyer.getAnimations({subtree: true});
      const { delay } = flight.effect.getTiming();
      const before = getComputedStyle(flyer).opacity;
      for (const each of all) each.currentTime = delay + 10;
      window.flown.push({
        card: flyer.querySelector("use").getAttribute("href").replace(/.*#/, ""),
        delay, before, during: getComputedStyle(flyer).opacity, read: number(flyer),
        turned: flight.effect.getKeyframes()[0].transform.includes("rotateY(180deg)"),
        moves: [...new Set(all.flatMap(each => each.effect.getKeyframes()).flatMap(Object.keys))].sort(),
      });
      for (const each of all) each.currentTime = 0;
    }
  }).observe(document.body, {childList: true});
}"""


MOVES = ["composite", "computedOffset", "easing", "offset", "opacity", "transform"]
"""Properties that a moving card may animate: none that needs layout or paint."""


def flown(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("flown")
    return found


def test_a_card_drawn_is_turned_over_on_its_way(house: House, visit: Visits) -> None:
    """A drawn card is invisible until it starts to move, and never hides the talon's number of cards."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=SEVEN.deal, played=SEVEN.played)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    before = {card.get_attribute("data-card") for card in page.locator(".hand .card").all()}
    page.evaluate(WATCH)
    page.locator(".hand .card").first.click()
    expect(page.locator(".past .card")).to_have_count(2)
    expect(page.locator(".hand .card")).to_have_count(5)
    held = {card.get_attribute("data-card") for card in page.locator(".hand .card").all()}
    (drawn,) = held - before
    (flight,) = flown(page)
    assert flight == {
        "card": f"card-{drawn}",
        "delay": flight["delay"],
        "before": "0",
        "during": "1",
        "read": True,
        "turned": True,
        "moves": MOVES,
    }
    expect(page.locator(".flyer")).to_have_count(0)


def test_cards_are_dealt_one_by_one(house: House, visit: Visits) -> None:
    """§3: the cards are dealt one by one, then the turnup is turned over."""
    guest, other = house.guest("Irma"), house.guest("Jules")
    game = house.table([guest, other])
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    house.pick_cards(game)
    expect(page.locator(".pack-edge")).to_have_count(1)
    page.evaluate(WATCH)
    house.cut_pack(game)
    expect(page.locator(".hand .card")).to_have_count(5)
    *dealt, turnup = flown(page)
    state = house.room(game).state
    assert state is not None
    assert {flight["card"] for flight in dealt} == {f"card-{card}".lower() for card in state.view(0).hand}
    delays = [flight["delay"] for flight in dealt]
    assert len(set(delays)) == 5
    assert delays == sorted(delays)
    assert turnup["delay"] > delays[-1]
    assert all(flight["turned"] for flight in (*dealt, turnup))


def test_a_card_laid_by_another_is_turned_over(house: House, visit: Visits) -> None:
    """Another player's card is turned over on its way, and other elements of the page are not replaced."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=LAVARDIN)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.evaluate(WATCH)
    page.evaluate(
        "() => { for (const each of document.querySelectorAll('.board, .hand .face')) each.known = true; }"
    )
    house.play(game, "Qs")
    expect(page.locator(".trick .card")).to_have_count(1)
    assert [(flight["card"], flight["turned"]) for flight in flown(page)] == [("card-qs", True)]
    assert (
        page.evaluate(
            "[...document.querySelectorAll('.board, .hand .face')].filter(each => each.known).length"
        )
        == 6
    )


CROSSED = """() => {
  window.crossed = [];
  new MutationObserver(records => {
    for (const flyer of records.flatMap(record => [...record.addedNodes]).filter(node => node.matches?.(".flyer"))) {
      const [flight] = flyer.getAnimations(), [turn] = flyer.firstElementChild.getAnimations();
      flight.pause();
      const {duration} = flight.effect.getComputedTiming();
      const middle = part => {
        flight.currentTime = part * duration;
        const box = flyer.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      const frames = turn.effect.getKeyframes();
      window.crossed.push({
        card: flyer.querySelector("use").getAttribute("href").replace(/.*#/, ""),
        path: [0, 0.5, 0.999].map(middle),
        back: [frames.at(0), frames.at(-1)].map(frame => frame.transform.includes("rotateY(180deg)")),
      });
      flight.play();
    }
  }).observe(document.body, {childList: true});
}"""


def crossing(page: Page) -> dict[str, dict[str, Any]]:
    """The two exchanged cards by name; the sign of `side` is the side of the straight line on which the card passes."""
    page.wait_for_function("() => crossed.length === 2")
    found: list[dict[str, Any]] = page.evaluate("crossed")
    for card in found:
        (x, y), (at_x, at_y), (to_x, to_y) = card["path"]
        card["side"] = (to_x - x) * (at_y - y) - (to_y - y) * (at_x - x)
    return {card["card"]: card for card in found}


def test_the_seven_and_the_turnup_pass_one_another(house: House, visit: Visits) -> None:
    """§11: the exchanging player sees both faces; the other sees the seven turned over and the turnup hidden."""
    guests = [house.guest("Irma"), house.guest("Jules")]
    game = house.table(guests, deal=SEVEN.deal, played=SEVEN.played)
    pages = [visit(house, guest=guest, size=PHONE).go(f"/table/{game}") for guest in guests]
    for page in pages:
        page.locator(".hand .card").first.wait_for()
        page.evaluate(CROSSED)
    pages[SEVEN.seat].locator(".offers .exchange").click()
    theirs, own = map(crossing, pages)
    assert set(own) == set(theirs) == {"card-7d", "card-jd"}
    assert [own[name]["back"] for name in ("card-7d", "card-jd")] == [[False, False], [False, False]]
    assert [theirs[name]["back"] for name in ("card-7d", "card-jd")] == [[True, False], [False, True]]
    for cards in (own, theirs):
        # Their directions are opposite: two that both keep left, or both right, pass each other.
        assert cards["card-7d"]["side"] * cards["card-jd"]["side"] > 0
        expect(pages[0].locator(".flyer")).to_have_count(0)


def test_a_trick_comes_together_before_it_goes_to_its_taker(house: House, visit: Visits) -> None:
    guest = house.guest("Irma")
    game = house.table([guest, house.guest("Jules")], deal=LAVARDIN, played="Qs")
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.evaluate("""() => {
      const animate = Element.prototype.animate;
      window.gathered = [];
      Element.prototype.animate = function (frames, timing) {
        const card = this.querySelector("use")?.getAttribute("href").replace(/.*#card-/, "");
        if (this.matches(".flyer") && frames.length === 3) window.gathered.push([card, this.offsetWidth]);
        return animate.call(this, frames, timing);
      };
    }""")
    house.play(game, "7c")
    page.wait_for_function("() => gathered.length >= 2")
    gathered = page.evaluate("gathered.slice(0, 2)")
    assert [card for card, _ in gathered] == ["qs", "7c"]
    # The copies are as large as in the trick and shrink: WebKit would blur small ones, enlarged.
    small = page.locator(".pile .card").first.evaluate("card => card.offsetWidth")
    assert all(width > 2 * small for _, width in gathered)


FEAST = ".feast"


def at_the_end(house: House, visit: Visits, *, still: bool = False, watched: str = "() => {}") -> Page:
    """The page of a player who wins the match by the last card, with a slowed-down celebration.

    `watched`: a function that the page calls before that card is laid.
    """
    guest = house.guest("Irma")
    moment = LAST_CARD
    game = house.table([guest, house.guest("Jules")], moment.rules, "1x1", moment.deal, moment.played)
    page = visit(house, guest=guest, size=PHONE, still=still).go(f"/table/{game}")
    page.locator(".trick .card").first.wait_for()
    prolong_motion(page)
    page.evaluate(watched)
    house.play(game, "Tc")
    return page


ARRIVED = """() => document.querySelector(".feast .plate").getAnimations().forEach(one => one.finish())"""


@pytest.mark.parametrize("still", [False, True])
def test_a_match_won_is_celebrated_until_a_tap(house: House, visit: Visits, *, still: bool) -> None:
    """The celebration shows the same text, without animation if reduced motion is preferred."""
    page = at_the_end(house, visit, still=still)
    expect(page.locator(f"{FEAST} .title")).to_have_text("Vous gagnez la partie, 196–\N{WORD JOINER}44.")
    expect(page.locator(FEAST)).to_have_attribute("aria-hidden", "true")
    moving = page.evaluate(
        "document.getAnimations().filter(one => one.effect.target.closest('.feast')).length"
    )
    assert (moving == 0) == still
    page.evaluate(ARRIVED)
    plate = page.locator(f"{FEAST} .plate").bounding_box()
    assert plate is not None
    assert abs(plate["x"] + plate["width"] / 2 - PHONE[0] / 2) < 2
    assert abs(plate["y"] + plate["height"] / 2 - PHONE[1] / 2) < PHONE[1] / 10
    page.locator(FEAST).click()
    expect(page.locator(FEAST)).to_have_count(0)
    expect(page.locator("#headline")).to_be_visible()


def test_a_key_ends_a_feast_and_presses_nothing(house: House, visit: Visits) -> None:
    page = at_the_end(house, visit)
    expect(page.locator(FEAST)).to_be_visible()
    revanche = page.locator("form[action*='/revanche'] button")
    revanche.focus()
    page.keyboard.press("Enter")
    expect(page.locator(FEAST)).to_have_count(0)
    expect(revanche).to_be_enabled()
    page.keyboard.press("Enter")
    expect(revanche).to_have_count(0)


def test_a_chouine_s_feast_covers_the_window(house: House, visit: Visits) -> None:
    """§10: the celebration covers the window of the smallest phone; that of the won partie follows it."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=CHOUINE.deal, played=CHOUINE.played)
    page = visit(house, guest=guest, size=(320, 568)).go(f"/table/{game}")
    prolong_motion(page)
    page.locator(".offer button").first.click()
    expect(page.locator(f"{FEAST} .title")).to_have_text("Chouine de pique")
    assert page.locator(FEAST).bounding_box() == {"x": 0, "y": 0, "width": 320, "height": 568}
    page.evaluate(ARRIVED)
    plate = page.locator(f"{FEAST} .plate").bounding_box()
    assert plate is not None
    assert 0 <= plate["x"] < plate["x"] + plate["width"] <= 320
    page.locator(FEAST).click()
    expect(page.locator(f"{FEAST} .title")).to_contain_text("Vous gagnez la partie")


def test_a_declaration_is_celebrated_and_play_goes_on(house: House, visit: Visits) -> None:
    """§9: the points of a declaration are shown over the table, which can be used meanwhile."""
    guest = house.guest("Irma")
    game = house.table([guest, house.guest("Jules")], deal=TWENTY.deal, played=TWENTY.played)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    prolong_motion(page)
    page.locator(".offer button").first.click()
    expect(page.locator(f"{FEAST} .title")).to_have_text("Vingt de carreau")
    expect(page.locator(f"{FEAST} .plate")).to_contain_text("+40")
    page.locator(".menu > summary").click()
    expect(page.locator(".menu")).to_have_attribute("open", "")
    expect(page.locator(FEAST)).to_have_count(0)


ADDED = """() => {
  window.sums = [];
  document.addEventListener("animationstart", ({animationName, target}) => {
    const count = animationName === "told" && target.closest(".count");
    if (count) window.sums.push([count.ariaLabel, count.querySelector(".total .sum").textContent]);
  });
}"""
"""Notes a sum at once, after the table has changed it: on a busy machine all lines may begin in one frame."""

COUNTED = """() => {
  const lines = document.querySelectorAll(".counts dl > div").length;
  return lines > 0 && sums.length >= lines;
}"""


def test_a_count_is_added_up_line_by_line(house: House, visit: Visits) -> None:
    page = at_the_end(house, visit, watched=ADDED)
    page.locator(FEAST).click()
    page.wait_for_function(COUNTED)
    for who, total in (("Vous", 196), ("Jules", 44)):
        told = [int(value) for name, value in page.evaluate("sums") if name == who]
        lines = page.locator(f".count[aria-label={who}] dl > div:not(.total) .sum").all_inner_texts()
        assert told == list(accumulate(map(int, lines), initial=0))
        assert told[-1] == total


THINKING = "document.querySelector('.others .backs').getAnimations().length"


@pytest.mark.parametrize("still", [False, True])
def test_the_hand_of_who_thinks_stirs(house: House, visit: Visits, *, still: bool) -> None:
    """The other hand is animated while its player is on turn, unless reduced motion is preferred."""
    guest = house.guest("Irma")
    game = house.table([guest, house.guest("Jules")], deal=LAVARDIN, played="Qs")
    page = visit(house, guest=guest, size=PHONE, still=still).go(f"/table/{game}")
    expect(page.locator(".others .seat.awaited")).to_have_count(1)
    assert page.evaluate(THINKING) == (0 if still else 1)
    house.play(game, "7c")
    page.wait_for_function(f"() => !{THINKING}")


SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const meant = ".backs, .hand, .speech";
      const moved = entry.sources.filter(({node}) => node instanceof Element && !node.closest(meant));
      const box = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join();
      const told = moved.map(({node, previousRect: was, currentRect: is}) =>
        `${box(was)} -> ${box(is)} ${node.outerHTML.slice(0, 80)}`);
      if (told.length) window.shifts.push([entry.value, ...told]);
    }
  }).observe({type: "layout-shift"});
}"""


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_nothing_jumps_while_a_partie_is_played(house: House, visit: Visits, size: Size) -> None:
    """The layout does not shift from the first card to the last but one, with an exchange and declarations.

    The page's player taps nothing, so that no shift is excused as a response. Cards of a hand that close up are
    animated by transforms, and a replaced speech bubble would count as a shift: both are left out.
    """
    guest = house.guest("Irma", hold=0.5)
    game = house.table([house.guest("Jules"), guest], deal=LAVARDIN)
    page = visit(house, guest=guest, size=size).go(f"/table/{game}")
    page.locator(".hand .card").first.wait_for()
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    page.evaluate(SHIFTS)
    tokens = LAST_CARD.played.split()
    for nth, token in enumerate(tokens):
        house.play(game, token)
        state = house.room(game).state
        if nth % 8 == 7 and state is not None and (left := state.view(1).talon):
            # A page that falls far behind on a busy machine would load itself again.
            expect(page.locator(".talon b").first).to_have_text(str(left))
    expect(page.locator(".hand .card")).to_have_count(1)
    assert page.evaluate("shifts") == []


TRICK = "() => JSON.stringify(document.querySelector('.trick .card').getBoundingClientRect())"


OFFERS = {"one": TWENTY, "two": THIRTY, "exchange": SEVEN}
SIZES = ((360, 740), (390, 844), (768, 1024), (1024, 768), (1280, 800), (740, 360))


@pytest.mark.parametrize(("offer", "size", "large"), by_pairs(tuple(OFFERS), SIZES, (False, True)))
def test_the_card_to_be_answered_stays_when_offers_go(
    house: House, visit: Visits, offer: str, size: Size, *, large: bool
) -> None:
    """One offer or two (§9), the exchange (§11): between two players the trick has the same place without them."""
    moment = OFFERS[offer]
    guest = house.guest("Irma", settings=Settings(large=large))
    seats = [guest, house.guest("Jules")] if moment.seat == 0 else [house.guest("Jules"), guest]
    game = house.table(seats, deal=moment.deal, played=moment.played)
    page = visit(house, guest=guest, size=size, still=True).go(f"/table/{game}")
    offers = page.locator(".offers")
    expect(offers).to_be_visible()
    before = page.evaluate(TRICK)
    offers.evaluate("offers => offers.remove()")
    assert page.evaluate(TRICK) == before


BREATHING = """() => {
  window.breaths = [];
  new MutationObserver(() => {
    const on = document.getElementById("table").classList.contains("breath");
    if (on !== (window.breaths.length % 2 === 1)) window.breaths.push(performance.now());
  }).observe(document.getElementById("table"), {attributes: true, attributeFilter: ["class"]});
}"""
ASKED = """() => {
  const later = window.setTimeout;
  window.setTimeout = (does, delay, ...values) => {
    if (document.getElementById("table").classList.contains("breath")) {
      window.held ??= delay;
      window.begun ??= performance.now();
    }
    return later(does, delay, ...values);
  };
}"""
"""Notes from when and for how many milliseconds a breath is to be held: on a busy machine it is held for longer."""


@pytest.mark.parametrize("still", [False, True])
def test_a_breath_is_held_before_the_last_card(house: House, visit: Visits, *, still: bool) -> None:
    """Half a second before the card that decides; never if less motion is wanted."""
    guest = house.guest("Irma")
    moment = LAST_CARD
    game = house.table([guest, house.guest("Jules")], moment.rules, "1x1", moment.deal, moment.played)
    visitor = visit(house, guest=guest, size=PHONE, still=still)
    page = visitor.go(f"/table/{game}")
    page.locator(".trick .card").first.wait_for()
    visitor.remember(FEAST)
    page.evaluate(BREATHING)
    page.evaluate(ASKED)
    house.play(game, "Tc")
    visitor.has_seen(FEAST, "Vous gagnez la partie")
    breaths = page.evaluate("breaths")
    assert len(breaths) == (0 if still else 2)
    assert page.evaluate("window.held") == (None if still else 500)
    assert still or breaths[1] - page.evaluate("window.begun") >= 490


TAPPED = """() => {
  const table = document.getElementById("table"), later = window.setTimeout;
  window.setTimeout = (does, delay, ...values) =>
    later(does, table.classList.contains("breath") ? 1e9 : delay, ...values);
  new MutationObserver(() => table.classList.contains("breath") && dispatchEvent(new Event("pointerdown")))
    .observe(table, {attributes: true, attributeFilter: ["class"]});
}"""
"""Taps as soon as a breath is held, which nothing else would end."""


def test_a_tap_ends_a_held_breath(house: House, visit: Visits) -> None:
    """Before a chouine (§10), whose cards then are as large as in the hand."""
    guest = house.guest("Irma")
    game = house.table([house.guest("Jules"), guest], deal=CHOUINE.deal, played=CHOUINE.played)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    prolong_motion(page)
    page.evaluate(BREATHING)
    page.evaluate(TAPPED)
    page.locator(".offer button").first.click()
    expect(page.locator(f"{FEAST} .title")).to_have_text("Chouine de pique")
    assert page.locator(f"{FEAST} .card").last.evaluate("card => card.offsetWidth") >= 84
    assert len(page.evaluate("breaths")) == 2


@pytest.mark.parametrize(("was", "says"), [("", " open"), (" open", "")])
def test_a_page_that_changes_leaves_folded_what_was_folded(
    house: House, visit: Visits, was: str, says: str
) -> None:
    """And open what was opened, whatever the new page says; its other attributes are those of the new one."""
    morphed = """async pages => {
      const {morph} = await import("/static/js/morph.js");
      const [old, fresh] = pages.map(innerHTML => Object.assign(document.createElement("div"), {innerHTML}));
      morph(old, fresh);
      return Object.fromEntries([...old.firstChild.attributes].map(({name, value}) => [name, value]));
    }"""
    pages = [f"<details{was} class=a lang=fr></details>", f"<details{says} class=b title=c></details>"]
    found = visit(house).go("/").evaluate(morphed, pages)
    assert found == {"class": "b", "title": "c"} | ({"open": ""} if was else {})
