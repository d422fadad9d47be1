"""Measure what a page costs a device: `python -m tests.browser.memory [LEVEL]`.

Megabytes of memory (the proportional set size of Chromium's process for the page) while a partie is played without a
network, and wake-ups a minute (voluntary context switches of all its threads) while nothing happens, in sight and out
of sight, with and without a network. A headless Chromium always shows its pages, so that they are told they are out of
sight: what is counted is what the pages do, not what the browser would slow down by itself. Less motion is wanted, as
a headless Chromium would also go on with the animations of hidden pages, which browsers stop.
"""

from __future__ import annotations

import sys
import time

from playwright.sync_api import BrowserContext, Page

from tests.browser.airplane import to_a_card
from tests.browser.download import PATIENCE
from tests.browser.house import House
from tests.browser.launched import launch
from tests.browser.moments import LAVARDIN
from tests.browser.processes import megabytes, switches
from tests.browser.test_takeaway import play_out
from tests.browser.visitor import PHONE, show

LEVEL = 8
WATCHED = 30.0
"""Seconds in which wake-ups are counted."""


def tell(what: str, figure: float, unit: str) -> None:
    sys.stdout.write(f"{what:48} {figure:7.0f} {unit}\n")
    sys.stdout.flush()


def tell_memory(what: str, page: Page) -> None:
    page.wait_for_timeout(3_000)
    tell(what, megabytes(), "MB")


def tell_wakes(what: str, page: Page) -> None:
    """Count over a while in which nothing happens, after another in which what was under way has ended."""
    page.wait_for_timeout(5_000)
    before, began = switches(), time.monotonic()
    time.sleep(WATCHED)
    tell(what, (switches() - before) / (time.monotonic() - began) * 60, "wake-ups a minute")


def offline(context: BrowserContext, house: House, level: int) -> None:
    """The memory of a partie without a network, and wake-ups while the player thinks."""
    page = context.new_page()
    page.goto(house.url)
    page.click("#takeaway-ask")
    page.click("#takeaway-go")
    page.locator("#takeaway-kept").wait_for()
    page.close()
    house.kill()
    page = context.new_page()
    page.goto(house.url, wait_until="commit")
    site = page.frame_locator("#site")
    site.locator("details.choose > summary").wait_for()
    tell_memory("without a network: the first page", page)
    site.locator("details.choose > summary").click()
    site.locator(".choices select[name='chair-1']").select_option(f"level:{level}")
    site.locator(".choices [name=format][value='1x1']").check(force=True)
    site.locator("form.choices button.main").click()
    to_a_card(site)
    tell_memory(f"a table with level {level}", page)
    tell_wakes("the player thinks", page)
    play_out(page, site)
    tell_memory("a partie was played", page)
    show(page, away=True)
    page.wait_for_timeout(35_000)
    tell_memory("out of sight for half a minute", page)
    tell_wakes("out of sight", page)
    show(page, away=False)
    page.wait_for_timeout(5_000)
    tell_memory("back in sight", page)
    page.close()


def online(context: BrowserContext, house: House) -> None:
    """The wake-ups of a table that waits for its player, and of one that waits for the other."""
    guest = house.guest("Irma")
    context.add_cookies([{"name": "chouine", "value": guest.token, "url": house.url}])
    for player in (0, 1):
        seats = [guest, house.guest("Jules")]
        game = house.table(seats if player == 0 else seats[::-1], deal=LAVARDIN)
        page = context.new_page()
        page.goto(f"{house.url}/table/{game}")
        page.locator(".hand .card").first.wait_for()
        what = "one's own turn" if page.locator(".hand.ready").count() else "the other's turn"
        tell_memory(f"with a network: {what}", page)
        tell_wakes(what, page)
        show(page, away=True)
        tell_wakes(f"{what}, out of sight", page)
        page.close()


def main(level: int) -> None:
    with launch() as (house, browser):
        context = browser.new_context(
            viewport={"width": PHONE[0], "height": PHONE[1]}, locale="fr-FR", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        online(context, house)
        offline(context, house, level)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LEVEL)
