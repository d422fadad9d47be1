"""Help at the table, as a newcomer uses it: explanations, and moves taken back."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, expect

from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import (
    CHOUINE,
    FOUR,
    FOUR_OFFERS,
    MONDOUBLEAU,
    QUARTERON,
    THREE,
    THREE_OFFERS,
    TWENTY,
    Moment,
)
from tests.browser.player import Player
from tests.browser.tour import tap_until_shown
from tests.browser.visitor import PATIENT, Size, resize
from tests.patience import REVIEWED, wait_until


def test_an_act_is_taken_back(house: House, visit: Visits) -> None:
    """Taking back restores the state before the card, without the computer's answer, and another card can be played."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest).go(f"/table/{game}")
    hand = page.locator(".hand.ready .card")
    expect(hand).to_have_count(5)
    before = house.room(game).state
    page.locator("#card-7s").click()
    expect(page.locator("#card-7s")).to_have_count(0)
    expect(hand).to_have_count(5)  # the computer has answered, so that targets no longer move
    page.locator("#help > summary").click()
    page.locator("form[action*='/take-back'] button").click()
    expect(page.locator(".hand.ready #card-7s")).to_have_count(1)
    assert house.room(game).state == before
    expect(page.locator(".me .tag", has_text="avec aide")).to_be_visible()
    page.locator("#card-js").click()
    expect(page.locator("#card-js")).to_have_count(0)


def test_the_play_is_explained_as_it_goes(house: House, visit: Visits) -> None:
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    visitor = visit(house, guest=guest)
    page = visitor.go(f"/table/{game}")
    page.locator("#help > summary").click()
    page.locator("form[action*='/explain'] button").click()
    expect(page.locator(".explained")).to_contain_text("répondez ce que vous voulez")
    page.locator(".offer button").first.click()
    expect(page.locator("#live")).to_contain_text("Mariage d’atout")
    expect(page.locator(".explained")).to_contain_text("20 × 2 = 40 points")
    expect(page.locator(".explained")).to_contain_text("Vous faites le pli")
    page.locator(".explained a", has_text="atout").first.click()
    expect(page).to_have_url(re.compile("/rules"))
    page.go_back()
    expect(page.locator(".explained")).to_be_visible()


def test_a_card_tapped_while_help_is_asked_for_is_played(house: House, visit: Visits) -> None:
    """The answer to the help is slow; the tap of an announcement that came meanwhile is not lost."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    visitor, asked = visit(house, guest=guest), list[Route]()
    visitor.context.add_init_script(PATIENT)
    page = visitor.go(f"/table/{game}")

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/explain", hold)
    page.locator("#help > summary").click()
    with page.expect_request("**/explain"):
        page.locator("form[action*='/explain'] button").click()
    page.locator(".offer button").first.click()
    wait_until("the question", lambda: page.evaluate("1") and asked)
    (first,) = asked
    first.continue_()
    expect(page.locator(".explained")).to_contain_text("Mariage d’atout")


ROOM = """() => {
  const help = document.querySelector("#help"), root = document.documentElement;
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const boxes = what => [...document.querySelectorAll(what)]
    .filter(e => e.checkVisibility({visibilityProperty: true}))
    .map(e => [e.id || e.className || e.tagName, e.getBoundingClientRect()]);
  const play = ".hand .card, .trick .card, #prompt, .figure, .saying, .exchange, .au-sept";
  const look = open => {
    help.open = open;
    return boxes(play).map(([name, box]) => `${name} ${JSON.stringify(box)}`).concat(`page ${root.scrollHeight}`);
  };
  const folded = look(false), moved = look(true).filter((each, nth) => each !== folded[nth]);
  const offers = document.querySelector(".offers"), offered = boxes(".figure, .saying, .exchange");
  const own = ".trick .card, .hand .card, #prompt";
  const still = () => boxes(own).map(([name, box]) => `${name} ${JSON.stringify(box)}`);
  const before = still(), hidden = boxes(own).flatMap(([name, box]) => offered.filter(([, offer]) => over(box, offer))
    .map(([what]) => `${what} covers ${name}`));
  offers?.style.setProperty("display", "none");
  const pushed = still().filter((each, nth) => each !== before[nth]).map(each => `offers move: ${each}`);
  offers?.style.removeProperty("display");
  const asks = boxes(".helping button, .helping summary");
  const covered = [...boxes(".told"), ...asks].flatMap(([what, one]) => boxes(play)
    .filter(([, other]) => over(one, other)).map(([name]) => `${what} covers ${name}`));
  const small = asks.filter(([, box]) => box.height < 48).map(([what]) => `${what} is small`);
  const fits = !root.style.fontSize && !(root.matches(".large") && innerWidth < 360 && document.querySelector(".many"));
  const grown = fits && root.scrollHeight > innerHeight ? [`page ${root.scrollHeight} high`] : [];
  const beyond = boxes("body *").filter(([, box]) => box.width && box.right > innerWidth + 1).map(([name]) => name);
  if (root.scrollWidth > innerWidth) grown.push(`page ${root.scrollWidth} wide: ${beyond}`);
  return [...moved.map(each => `moves: ${each}`), ...pushed, ...hidden, ...covered, ...small, ...grown];
}"""
"""What is wrong with the place that help and offers take: what they move or cover."""
LOOK = """([large, text]) => {
  document.documentElement.classList.toggle("large", large);
  document.documentElement.style.fontSize = text;
}"""
LOOKS: list[tuple[Size, bool, str]] = [
    ((360, 740), False, ""),
    ((360, 740), True, ""),
    ((360, 740), False, "200%"),
    ((320, 568), False, ""),
    ((320, 568), True, ""),
    ((320, 568), False, "200%"),
    ((768, 1024), True, ""),
    ((1024, 768), False, ""),
    ((1280, 800), True, ""),
    ((740, 360), False, ""),
]
"""Window, everything larger or not, and the size of the text."""


def faults_of_help(page: Page) -> list[str]:
    """What help moves or covers at this moment, in every look."""
    found = list[str]()
    for size, large, text in LOOKS:
        resize(page, size)
        page.evaluate(LOOK, [large, text])
        found += [f"{size}, large {large}, text {text or 'usual'}: {fault}" for fault in page.evaluate(ROOM)]
    page.evaluate(LOOK, [False, ""])
    resize(page, LOOKS[0][0])
    return found


def explain_partie(house: House, visit: Visits, moment: Moment) -> Page:
    """A partie of Anne's against computers, explained."""
    anne = house.guest("Anne", settings=Settings(hold=0.5))
    seats = {"three": 3, "four": 4}.get(moment.rules, 2)
    chairs = [anne if seat == moment.seat else "heuristic" for seat in range(seats)]
    terms = "1x1" if seats == 2 else "1"
    game = house.table(chairs, moment.rules, terms, moment.deal, moment.played)
    page = visit(house, guest=anne, still=True).go(f"/table/{game}")
    page.locator("#help > summary").click()
    page.locator("form[action*='/explain'] button").click()
    expect(page.locator(".explained")).to_be_visible()
    return page


def test_help_moves_and_covers_nothing(house: House, visit: Visits) -> None:
    """What is explained, and each step of advice, where a mariage may be announced too."""
    page = explain_partie(house, visit, TWENTY)
    found = faults_of_help(page)
    for shown in (".advice", ".advice .act", ".asks .kept"):
        tap_until_shown(page, "form[action*='/advice'] button", shown)
        found += [f"{shown}: {fault}" for fault in faults_of_help(page)]
    assert found == []


@pytest.mark.parametrize("moment", [CHOUINE, QUARTERON, THREE_OFFERS, FOUR_OFFERS])
def test_the_most_offers_move_and_cover_nothing(house: House, visit: Visits, moment: Moment) -> None:
    """§9, §11: four figures, three with the exchange, and two with three and four seats."""
    page = explain_partie(house, visit, moment)
    expect(page.locator(".several")).to_be_visible()
    assert faults_of_help(page) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("moment", "least"),
    [
        (replace(TWENTY, played="Qs"), 15),
        (replace(THREE, played="", seat=1), 9),
        (replace(FOUR, played="", seat=3), 7),
        (MONDOUBLEAU, 15),
    ],
)
def test_help_moves_and_covers_nothing_in_a_whole_partie(
    house: House, visit: Visits, moment: Moment, least: int
) -> None:
    """At each of one's turns, from the first answer to the last card."""
    page = explain_partie(house, visit, moment)
    found, player, turns = list[str](), Player(page), 0
    while not page.locator("section.count").count():
        found += [f"turn {turns}: {fault}" for fault in faults_of_help(page)]
        while player.step() in (None, "exchange"):
            pass
        expect(page.locator(".hand.ready, .au-sept form, section.count").first).to_be_visible()
        turns += 1
    assert turns >= least
    assert not found, "\n".join(found)


ARROW = """() => {
  const card = document.querySelector('.hand .advised'), style = getComputedStyle(card, '::before');
  const top = card.getBoundingClientRect().bottom - parseFloat(style.bottom) - parseFloat(style.height);
  return top - document.querySelector('#prompt').getBoundingClientRect().bottom;
}"""
"""The distance of the arrow of advice from the line above, in pixels."""


SLOW_ANSWER = """{
  const reach = fetch;
  window.fetch = async (request) => {
    const answer = await reach(request);
    if ((request.url ?? request).includes('/advice')) await new Promise((done) => setTimeout(done, 2_000));
    return answer;
  };
}"""
"""The stream brings advice long before the answer to the question for it, as on a slow network."""


def test_the_next_question_counts_before_the_last_is_answered(house: House, visit: Visits) -> None:
    """It is not taken for the same tap again."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    visitor = visit(house, guest=guest)
    visitor.context.add_init_script(SLOW_ANSWER)
    page = visitor.go(f"/table/{game}")
    page.locator("#help > summary").click()
    button = page.locator("form[action*='/advice'] button")
    for question in ("Conseil", "Que jouer ?", "Pourquoi ?"):
        expect(button).to_have_text(question, use_inner_text=True, timeout=1000 * REVIEWED)
        button.click()
    expect(button).to_be_disabled(timeout=1000 * REVIEWED)  # nothing is left to ask


@pytest.mark.parametrize("size", [(360, 740), (768, 1024)])
def test_the_arrow_of_advice_covers_nothing(house: House, visit: Visits, size: Size) -> None:
    """It leaves "your turn" free."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest, size=size).go(f"/table/{game}")
    page.locator("#help > summary").click()
    for _ in range(2):
        page.locator("form[action*='/advice'] button").click()
        expect(page.locator(".advice")).to_be_visible(timeout=1000 * REVIEWED)
    expect(page.locator(".hand .advised")).to_have_count(1, timeout=1000 * REVIEWED)
    assert page.evaluate(ARROW) >= 0
