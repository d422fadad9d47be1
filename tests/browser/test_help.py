"""Help at the table, as a newcomer uses it: explanations, and moves taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from chouine.server.pages.visit import Settings
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import TWENTY
from tests.browser.player import Player
from tests.browser.tour import tap_until_sent
from tests.browser.visitor import Size, resize


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
    page = visit(house, guest=guest).go(f"/table/{game}")
    asked = list[Route]()

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/explain", hold)
    page.locator("#help > summary").click()
    page.locator("form[action*='/explain'] button").click()
    page.locator(".offer button").first.click()
    page.wait_for_timeout(100)
    (first,) = asked
    first.continue_()
    expect(page.locator(".explained")).to_contain_text("Mariage d’atout")


ROOM = """told => {
  const help = document.querySelector("#help"), root = document.documentElement;
  const play = ".hand .card, .trick .card, #prompt, .offer, .offers .exchange, .au-sept";
  const boxes = (what) => [...document.querySelectorAll(what)].filter(e => e.checkVisibility({visibilityProperty: true}))
    .map(e => [e.id || e.className || e.tagName, e.getBoundingClientRect()]);
  const look = open => {
    help.open = open;
    return [`page ${root.scrollHeight}`, ...boxes(play).map(([name, box]) => `${name} ${box.x} ${box.y} ${box.width} ${box.height}`)];
  };
  const folded = look(false), open = look(true);
  const moved = open.filter((each, nth) => each !== folded[nth]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const helps = boxes(".told, .helping button, .helping summary"), low = ([, box]) => box.height < 48;
  const covered = helps.flatMap(([what, one]) => boxes(play).filter(([, other]) => over(one, other))
    .map(([name]) => `${what} covers ${name}`));
  const small = helps.filter(low).map(([what, box]) => `${what} is ${box.height} high`);
  const grown = !root.style.fontSize && root.scrollHeight > innerHeight ? [`the page is ${root.scrollHeight} high`] : [];
  return [...moved.map(each => `moves: ${each}`), ...covered, ...small, ...grown];
}"""
"""What is wrong with the place that help takes: what it moves or covers."""
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


LOOK = """([large, text]) => {
  document.documentElement.classList.toggle("large", large);
  document.documentElement.style.fontSize = text;
}"""


def faults_of_help(page: Page) -> list[str]:
    """What help moves or covers at this moment, in every look."""
    found = list[str]()
    for size, large, text in LOOKS:
        resize(page, size)
        page.evaluate(LOOK, [large, text])
        found += [f"{size}, large {large}, text {text or 'usual'}: {fault}" for fault in page.evaluate(ROOM)]
    page.evaluate("document.documentElement.style.fontSize = ''")
    resize(page, LOOKS[0][0])
    return found


def test_help_moves_and_covers_nothing_in_a_whole_partie(house: House, visit: Visits) -> None:
    """At each of one's turns, from the first lead to the last card, explained, and advised at one."""
    guest = house.guest("Anne", settings=Settings(hold=0.5))
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, "Qs")
    page = visit(house, guest=guest, still=True).go(f"/table/{game}")
    page.locator("#help > summary").click()
    page.locator("form[action*='/explain'] button").click()
    expect(page.locator(".explained")).to_be_visible()
    found, player = list[str](), Player(page)
    for turn in range(16):
        page.locator(".hand.ready, .au-sept form, section.count").first.wait_for()
        if page.locator("section.count").count():
            break
        found += [f"turn {turn}, explained: {fault}" for fault in faults_of_help(page)]
        for shown in (".advice", ".advice .act", ".asks .kept") if turn == 1 else ():
            tap_until_sent(page, "form[action*='/advice'] button", "**/advice")
            expect(page.locator(shown)).to_be_attached()
            found += [f"advised, {shown}: {fault}" for fault in faults_of_help(page)]
        while player.step() in (None, "exchange"):
            pass
        expect(page.locator(".hand.ready, .au-sept form, section.count").first).to_be_visible()
    assert found == []


ARROW = """() => {
  const card = document.querySelector('.hand .advised'), style = getComputedStyle(card, '::before');
  const top = card.getBoundingClientRect().bottom - parseFloat(style.bottom) - parseFloat(style.height);
  return top - document.querySelector('#prompt').getBoundingClientRect().bottom;
}"""
"""The distance of the arrow of advice from the line above, in pixels."""


@pytest.mark.parametrize("size", [(360, 740), (768, 1024)])
def test_the_arrow_of_advice_covers_nothing(house: House, visit: Visits, size: Size) -> None:
    """It leaves "your turn" free."""
    guest = house.guest("Anne")
    game = house.table([guest, "heuristic"], TWENTY.rules, "1x1", TWENTY.deal, TWENTY.played)
    page = visit(house, guest=guest, size=size).go(f"/table/{game}")
    page.locator("#help > summary").click()
    for _ in range(2):
        page.locator("form[action*='/advice'] button").click()
        expect(page.locator(".advice")).to_be_visible()
    expect(page.locator(".hand .advised")).to_have_count(1)
    assert page.evaluate(ARROW) >= 0
