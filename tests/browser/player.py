"""Whoever plays at a page, by what the page offers: no rule is known here either."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Error, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

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
"""What a page may ask of a player, the most telling first."""
FIRST = "offers => Object.keys(offers).find(name => document.querySelector(offers[name]))"
OVER = ".sheet.count form[action*='/revanche'] button, .sheet.count a.button[href^='/table/']"
SHORT = 2_000
"""Milliseconds for a tap: what was offered may be gone by then, and the others at the table must go on."""
LONGEST = 120.0
"""Seconds for a partie, on a busy machine."""


def tap(target: Locator) -> None:
    target.click(timeout=SHORT)


REACHED = """e => {
  if (!e.isConnected || e.matches(".barred")) return "gone";
  const focus = document.activeElement;
  if (focus === e) return "here";
  return e.closest(".hand, .fan") ? (focus?.closest(".hand, .fan") ? "among" : "beside") : "elsewhere";
}"""
"""Where the focus is, as seen from what it should come to."""


def by_keys(target: Locator) -> None:
    """Tab, or the arrows in a hand and in the spread pack, until it has the focus; then Enter."""
    page = target.page
    element = target.element_handle()
    for nth in range(150):
        reached = element.evaluate(REACHED)
        if reached == "gone":
            return  # the table has moved on meanwhile
        if reached == "here":
            page.keyboard.press("Enter")
            return
        arrow = reached == "among" or (reached == "beside" and nth == 0)
        page.keyboard.press("ArrowRight" if arrow else "Tab")
    raise AssertionError(f"the keyboard does not reach {target}")


@dataclass
class Player:
    """`choose` does it: by tapping, or by keys. Without scripts the page is asked for again while it waits."""

    page: Page
    scripts: bool = True
    choose: Callable[[Locator], None] = tap

    def offered(self) -> tuple[str, Locator] | None:
        """What the page asks for now, and where."""
        name = self.page.evaluate(FIRST, OFFERS)
        return (name, self.page.locator(OFFERS[name]).first) if name else None

    @property
    def over(self) -> bool:
        return self.page.locator(OVER).count() > 0

    def step(self, before: str = "") -> str | None:
        """Do what is asked for, if anything, but not this; what it was."""
        try:
            asked = self.offered()
        except Error:
            return None  # the page is just being left
        if asked is None:
            if not self.scripts:
                self.page.wait_for_timeout(100)
                self.page.reload()
            else:
                self.page.wait_for_timeout(50)
            return None
        if OFFERS[asked[0]] == before:
            return None  # it came since it was looked for
        try:
            self.choose(asked[1])
        except Error as error:
            if not isinstance(error, TooLate) and "detached" not in str(error):
                raise
            return None
        return asked[0]

    def play_until(self, selector: str) -> None:
        """Until the page has that."""
        until = time.monotonic() + LONGEST
        while not self.page.locator(selector).count():
            assert time.monotonic() < until, f"no {selector}"
            self.step(before=selector)

    def play_out(self, *others: Player) -> list[str]:
        """Until the match is over for all; what this player was asked for."""
        asked: list[str] = []
        until = time.monotonic() + LONGEST
        while not (self.over and all(other.over for other in others)):
            assert time.monotonic() < until, f"not over after {asked}"
            if (done := self.step()) is not None:
                asked.append(done)
            for other in others:
                other.step()
        return asked
