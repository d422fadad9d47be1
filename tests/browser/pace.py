"""Measure a partie's duration at each pace, for a player who answers at once: `python -m tests.browser.pace [TIMES]`.

Against the default level, on an unmodified server, from the first card in the hand to the count, without tirage, cut,
or taps that end a hold. A busy machine can only make it longer.
"""

from __future__ import annotations

import sys
from statistics import median

from playwright.sync_api import Browser

from chouine.server.pages.visit import PACES
from tests.browser.house import House
from tests.browser.launched import launch
from tests.browser.player import FIRST, OFFERS, Player
from tests.browser.visitor import Visitor

TIMES = 2
COUNT = ".sheet.count"
LONGEST = 300_000
"""Most milliseconds of a partie."""
ANSWERING = """async ([offers, ended]) => {
  const begun = performance.now(), asked = FIRST;
  while (!document.querySelector(ended)) {
    const name = asked(offers);
    if (name) document.querySelector(offers[name]).click();
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - begun;
}""".replace("FIRST", FIRST)


def partie(browser: Browser, house: House, pace: str) -> float:
    """Seconds of one partie."""
    visitor = Visitor.of(browser, house, house.guest("Irma", hold=0.0))
    page = visitor.go("/settings?back=/")
    page.locator("#pace").select_option(pace)
    page.locator("form.settings button").first.click()
    page.goto(f"{house.url}/")
    page.locator("form.at-once button.huge").click()
    page.wait_for_url("**/table/*")
    Player(page).play_until(".hand .card")
    page.set_default_timeout(LONGEST)
    taken: float = page.evaluate(ANSWERING, [OFFERS, COUNT])
    visitor.context.close()
    return taken / 1000


def main(times: int) -> None:
    with launch(usual=True) as (house, browser):
        for pace in PACES:
            taken = sorted(partie(browser, house, pace) for _ in range(times))
            told = ", ".join(f"{seconds:.1f}" for seconds in taken)
            sys.stdout.write(f"{pace:8} {median(taken):5.1f} s ({told})\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES)
