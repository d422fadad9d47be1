"""Touch: a card rises under the finger and is played on release."""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN, TWENTY
from tests.browser.player import HELD, WAITING_CARD
from tests.browser.visitor import PHONE

WATCH = """() => {
  window.taps = [];
  for (const kind of ["touchend", "mousedown", "submit", "click"])
    document.addEventListener(kind, ({target}) => target !== document && taps.push(kind), {capture: true});
}"""


TIMELESS = "() => { Object.defineProperty(Event.prototype, 'timeStamp', {get: () => 1}); }"
"""No touch of a page takes time: on a busy machine each would last too long to be a tap."""
RESTS = "() => document.querySelector('.hand').getAnimations({subtree: true}).length === 0"


class Finger:
    """A finger at the first playable card of a page."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)
        page.wait_for_function(RESTS)
        box = page.locator(WAITING_CARD).first.bounding_box()
        assert box is not None
        self.x, self.y = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2

    def comes(self) -> None:
        self._is("touchStart", [{"x": self.x, "y": self.y}])

    def goes(self, x: float, y: float) -> None:
        self.x, self.y = self.x + x, self.y + y
        self._is("touchMove", [{"x": self.x, "y": self.y}])

    def leaves(self) -> None:
        self._is("touchEnd", [])

    def _is(self, kind: str, points: list[dict[str, float]]) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def table(house: House, visit: Visits) -> Page:
    guest = house.guest("Rose")
    game = house.table([guest, house.guest("Sylvain")], deal=LAVARDIN)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.locator(WAITING_CARD).first.wait_for()
    page.evaluate(WATCH)
    page.evaluate(TIMELESS)
    return page


def test_a_card_is_played_as_the_finger_leaves(house: House, visit: Visits) -> None:
    """The card is played on touchend, without waiting for the browser's emulated mouse events."""
    page = table(house, visit)
    finger = Finger(page)
    before = page.locator(WAITING_CARD).first.evaluate("card => card.getBoundingClientRect().top")
    finger.comes()
    risen = page.locator(".hand .risen")
    expect(risen).to_have_count(1)
    page.wait_for_function(
        "before => document.querySelector('.risen').getBoundingClientRect().top < before - 4", arg=before
    )
    finger.leaves()
    expect(page.locator(".trick .card")).to_have_count(1)
    expect(page.locator(".hand .card")).to_have_count(4)
    assert page.evaluate("taps") == ["touchend", "submit"]


def test_what_is_open_beside_the_hand_closes(house: House, visit: Visits) -> None:
    """Playing a card by touch closes an open panel, like any tap outside it."""
    guest = house.guest("Rose", hold=HELD)
    game = house.table([guest, house.guest("Sylvain")], deal=TWENTY.deal, played=TWENTY.played)
    page = visit(house, guest=guest, size=PHONE).go(f"/table/{game}")
    page.evaluate(TIMELESS)
    page.locator(".status > summary").click()
    expect(page.locator(".status[open]")).to_have_count(1)
    finger = Finger(page)
    finger.comes()
    finger.leaves()
    expect(page.locator(".trick [data-place='0'] .card")).to_have_count(1)
    expect(page.locator(".status[open]")).to_have_count(0)


@pytest.mark.parametrize(("x", "y"), [(0, -60), (-40, 0)], ids=["scrolled", "dragged"])
def test_a_finger_that_goes_elsewhere_plays_nothing(house: House, visit: Visits, x: float, y: float) -> None:
    """A finger that moves away plays nothing, and the card can be played afterwards."""
    page = table(house, visit)
    finger = Finger(page)
    finger.comes()
    expect(page.locator(".hand .risen")).to_have_count(1)
    finger.goes(x / 2, y / 2)
    finger.goes(x / 2, y / 2)
    finger.leaves()
    expect(page.locator(".hand .risen")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(5)
    assert "submit" not in page.evaluate("taps")
    again = Finger(page)
    again.comes()
    again.leaves()
    expect(page.locator(".trick .card")).to_have_count(1)
