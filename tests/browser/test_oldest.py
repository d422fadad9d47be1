"""Chromium 92, the oldest that is supported, as it was: a whole match on a phone, by touch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, sync_playwright

from tests.browser.house import House
from tests.browser.player import Player
from tests.browser.visitor import PHONE, Visitor
from tests.needs import OLDEST, need
from tests.patience import PATIENCE, wait_until

pytestmark = pytest.mark.nightly

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--single-process", "--no-zygote"]
"""It was built to run alone in one process."""
MIDDLE = """([e]) => {
  if (!e) return null;
  e.scrollIntoView({block: "nearest"});
  const {x, y, width, height} = e.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
WIDE = "() => [document.documentElement.scrollWidth, document.querySelector('.trick .card')?.offsetWidth]"


@pytest.fixture
def oldest() -> Iterator[Browser]:
    need("oldest")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(OLDEST), args=ARGUMENTS)
        yield browser
        browser.close()


def touch(target: Locator) -> None:
    """Touch the middle, unless it is gone: Playwright's own taps ask for what this browser lacks."""
    if middle := target.evaluate_all(MIDDLE):
        target.page.touchscreen.tap(*middle)


def test_a_whole_match_in_the_oldest_browser(own_house: House, oldest: Browser) -> None:
    """Against the computer at its usual speed, from the tirage to the end of a match of two parties."""
    own_house.usual = True
    own_house.start()
    guest = own_house.guest("Irma")
    game = own_house.table([guest, "level:1"], terms="1x2")
    visitor = Visitor.of(oldest, own_house, guest)
    visitor.context.set_default_timeout(1000 * PATIENCE)
    assert oldest.version.startswith("92.")
    page = visitor.go(f"/table/{game}")
    player = Player(page, choose=touch)
    widths: list[int | None] = [None, None]

    def measure_card() -> bool:
        player.play_until(".trick .card")
        widths[:] = page.evaluate(WIDE)
        return widths[1] is not None  # else the trick was taken meanwhile; one that the other leads stays

    wait_until("a card to be measured", measure_card)
    width, card = widths
    assert width == PHONE[0]
    assert card is not None
    assert card > 60
    acts = player.play_out()
    assert own_house.room(game).match.over
    assert {"play", "go-on"} <= set(acts)
    visitor.context.close()
    assert visitor.faults == []
