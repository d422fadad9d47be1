"""A random player that acts by what the page offers, without knowing the rules."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Error, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.visitor import reload

WAITING_CARD = ".hand.ready .card:not(.barred)"
OFFERS = {
    "pick": "form[action*='/pick'] button",
    "cut": "form[action*='/cut'] button",
    "pass": "form[action*='/pass'] button",
    "exchange": ".offers .exchange",
    "declare": ".offer button",
    "play": WAITING_CARD,
    "curtain": ".curtain a.button:not(.plain)",
    "go-on": "form[action*='/go-on'] button",
}
"""Controls by which a page asks for an act, the most specific first."""
FIRST = "offers => Object.keys(offers).find(name => document.querySelector(offers[name]))"
OVER = ".sheet.count form[action*='/revanche'] button, .sheet.count a.button[href^='/table/']"
SHORT = 2_000
"""Milliseconds for a tap: its target may disappear, and the table's other players must get their turns."""
LONGEST = 900.0
"""Seconds for a partie, on a busy machine."""


HELD = 300.0
"""Seconds of a hold that only a tap can end."""


def take_trick(page: Page) -> None:
    """Tap until the trick is taken: the card is shown before the server's answer, when it cannot be taken yet."""
    trick = page.locator(".trick .card")
    for _ in range(200):
        if not trick.count():
            break
        page.locator(".trick").click()
        page.wait_for_timeout(250)
    expect(trick).to_have_count(0, timeout=1_000)


def tap(target: Locator) -> None:
    target.click(timeout=SHORT)


def follow(target: Locator) -> None:
    """Tap what leads to another page, and wait for that, however long it takes to come."""
    with target.page.expect_navigation():
        target.click(timeout=SHORT, no_wait_after=True)


REACHED = """e => {
  if (!e.isConnected || e.matches(".barred")) return "gone";
  const focus = document.activeElement;
  if (focus === e) return "here";
  return e.closest(".hand, .fan") ? (focus?.closest(".hand, .fan") ? "among" : "beside") : "elsewhere";
}"""
"""The position of the focus relative to the target."""


def by_keys(target: Locator) -> None:
    """Focus the target by Tab, or by arrows within the hand and the spread pack, and press Enter."""
    page = target.page
    element = target.element_handle()
    for nth in range(150):
        reached = element.evaluate(REACHED)
        if reached == "gone":
            return  # the table has changed meanwhile
        if reached == "here":
            page.keyboard.press("Enter")
            return
        arrow = reached == "among" or (reached == "beside" and nth == 0)
        page.keyboard.press("ArrowRight" if arrow else "Tab")
    raise AssertionError(f"the keyboard does not reach {target}")


@dataclass
class Player:
    """Plays at a page by `choose`: tap or keys. Without JavaScript it reloads the page while waiting."""

    page: Page
    scripts: bool = True
    choose: Callable[[Locator], None] = tap

    def __post_init__(self) -> None:
        if not self.scripts:
            self.choose = follow

    def first_offer(self) -> tuple[str, Locator] | None:
        """The kind of act the page asks for, and its control."""
        name = self.page.evaluate(FIRST, OFFERS)
        return (name, self.page.locator(OFFERS[name]).first) if name else None

    @property
    def over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def step(self, before: str = "") -> str | None:
        """Make the act asked for and return its kind; None if nothing is asked for, or only `before`."""
        try:
            asked = self.first_offer()
        except Error:
            return None  # the page is navigating
        if asked is None:
            if not self.scripts:
                self.page.wait_for_timeout(100)
                reload(self.page)
            else:
                self.page.wait_for_timeout(50)
            return None
        if OFFERS[asked[0]] == before:
            return None  # it appeared meanwhile
        try:
            self.choose(asked[1])
        except Error as error:
            if not isinstance(error, TooLate) and "detached" not in str(error):
                raise
            return None
        return asked[0]

    def play_until(self, selector: str) -> None:
        """Play until the page contains `selector`."""
        until = time.monotonic() + LONGEST
        while not self.page.locator(selector).count():
            assert time.monotonic() < until, f"no {selector}"
            self.step(before=selector)

    def play_out(self, *others: Player) -> list[str]:
        """Play until the match is over on all pages; the kinds of acts this player made."""
        asked: list[str] = []
        until = time.monotonic() + LONGEST
        while not (self.over and all(other.over for other in others)):
            assert time.monotonic() < until, f"not over after {asked}"
            if (done := self.step()) is not None:
                asked.append(done)
            for other in others:
                other.step()
        return asked
