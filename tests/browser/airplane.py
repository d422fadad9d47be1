"""Measure how soon Chouine starts offline on a phone: `python -m tests.browser.airplane [STARTS]`.

Chouine is taken along, the server is killed, and a match is left with a card to play. Each start then opens it as from
the icon, with the processor throttled, and reports milliseconds to the first paint, to the first playable card, and
from a card to the computer's answer, which keeps its usual delay.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from time import perf_counter

from playwright.sync_api import BrowserContext, Error, FrameLocator, Page

from tests.browser.download import PATIENCE
from tests.browser.house import House
from tests.browser.launched import launch
from tests.browser.swiftness import THROTTLED, tell
from tests.browser.test_takeaway import VERBS
from tests.browser.visitor import PHONE
from tests.patience import wait_until

STARTS = 7
CARD = ".hand.ready button:not([aria-disabled])"
ANSWERED = ".trick li[data-place='1'], .pile .taken"
ONWARD = ", ".join(f"form[action$='/{verb}'] button" for verb in VERBS)
SEEN = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def open_page(context: BrowserContext, house: House) -> tuple[Page, FrameLocator]:
    """Open Chouine in a new, throttled page."""
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    page.goto(house.url, wait_until="commit")
    return page, page.frame_locator("#site")


def to_a_card(site: FrameLocator) -> None:
    """Answer whatever the page asks until a card can be played."""

    def ready() -> bool:
        try:
            if site.locator(ONWARD).count():
                site.locator(ONWARD).first.click(timeout=2_000)
        except Error:
            return False  # the button disappeared meanwhile
        return site.locator(CARD).count() > 0

    wait_until("a card to be played", ready)


def start(context: BrowserContext, house: House) -> dict[str, float]:
    """One start in which a card is played and answered; the page is left ready for the next start."""
    began = perf_counter()

    def since() -> float:
        return 1000 * (perf_counter() - began)

    page, site = open_page(context, house)
    site.locator(CARD).first.wait_for()
    figures = {"card": since(), "something to see": float(page.evaluate(SEEN))}
    began = perf_counter()
    site.locator(CARD).first.click()
    site.locator(ANSWERED).first.wait_for()
    figures["answer"] = since()
    to_a_card(site)
    page.wait_for_timeout(3_000)  # time to store the page for the next start
    page.close()
    return figures


def main(starts: int) -> None:
    figures: dict[str, list[float]] = defaultdict(list)
    with launch() as (house, browser):
        context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="fr-FR")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(house.url)
        page.click("#takeaway-ask")
        page.click("#takeaway-go")
        page.locator("#takeaway-kept").wait_for()
        page.close()
        house.kill()

        page, site = open_page(context, house)
        site.locator("details.choose > summary").click()
        site.locator(".choices select[name='chair-1']").select_option("level:8")
        site.locator(".choices [name=format][value='3x2']").check(force=True)
        site.locator("form.choices button.main").click()
        to_a_card(site)
        page.wait_for_timeout(3_000)
        page.close()
        for _ in range(starts):
            for name, value in start(context, house).items():
                figures[name].append(value)
    tell(f"{starts} starts, milliseconds", figures)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STARTS)
