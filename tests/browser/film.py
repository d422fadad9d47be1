"""Film strips of what moves at the table, for people to look at: `python -m tests.browser.film [FOLDER]`.

Time stands still in the page: its clock and its animations are put on by so much before each picture, so that a strip
is the same on any machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

from playwright.sync_api import Browser, Page, sync_playwright

from chouine.server.pages.visit import Settings
from chouine.table import commands as ask
from tests.browser import moments
from tests.browser.house import ROOT, Guest, House
from tests.browser.moments import Moment
from tests.browser.visitor import DESKTOP, PHONE, Size, Visitor
from tests.needs import browser_program

STILLED = """() => {
  const film = (window.film = {now: 0, playing: []});
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    animation.pause();
    film.playing.push({animation, begun: film.now});
    return animation;
  };
  film.at = now => {
    film.now = now;
    for (const {animation, begun} of film.playing) {
      const time = (now - begun) * animation.playbackRate;
      if (animation.playState === "finished" || animation.playState === "idle") continue;
      if (time >= animation.effect.getComputedTiming().endTime) animation.finish();
      else animation.currentTime = time;
    }
  };
}"""
STEP = 120
"""Milliseconds between two pictures."""
NEWS = 500
"""Milliseconds of real time for what was done to be told."""


class Film:
    """One guest's table, and the strips taken of it."""

    def __init__(self, browser: Browser, house: House, size: Size, folder: Path) -> None:
        self.house, self.folder = house, folder / str(size[0])
        self.folder.mkdir(parents=True, exist_ok=True)
        self.guest = house.guest("Irma", settings=Settings())
        self.visitor = Visitor.of(browser, house, guest=self.guest, size=size)

    def strip(self, name: str, game: str, act: Callable[[Page], object], frames: int) -> None:
        """Pictures from an act on."""
        page = self.visitor.go(f"/table/{game}")
        page.clock.install(time=time())
        self.visitor.go(f"/table/{game}")
        page.wait_for_timeout(NEWS)
        page.evaluate(STILLED)
        page.clock.pause_at(time() + 5)
        act(page)
        for nth in range(frames):
            page.wait_for_timeout(NEWS if nth < 2 else 50)
            page.evaluate("now => film.at(now)", nth * STEP)
            page.screenshot(path=self.folder / f"{name}-{nth:02}.png", animations="allow")
            page.clock.run_for(STEP)

    def table(self, moment: Moment, seat: int, terms: str = "1x1") -> str:
        others = Guest("", "friend", "Basile")
        chairs = [self.guest, others] if seat == 0 else [others, self.guest]
        return self.house.table(chairs, moment.rules, terms, moment.deal, moment.played)

    def all(self) -> None:
        """Deal, exchange by either, draw, declaration, trick, chouine, count."""
        game = self.house.table([self.guest, Guest("", "friend", "Basile")])
        while (room := self.house.room(game)).phase.value == "tirage":
            seat = min(room.awaited)
            place = next(place for place in range(32) if place not in room.picks)
            self.house.do(lambda tables, seat=seat, place=place: tables.do(game, ask.Pick(seat, place)))  # type: ignore[misc]
        cutter = min(self.house.room(game).awaited)
        self.strip(
            "deal",
            game,
            lambda _: self.house.do(lambda tables: tables.do(game, ask.CutAt(cutter, 16))),
            14,
        )
        mine = self.table(moments.SEVEN, 1)
        self.strip("exchange", mine, lambda page: page.locator(".offers .exchange").click(), 9)
        theirs = self.table(moments.SEVEN, 0)
        self.strip("exchanged", theirs, lambda _: self.house.play(theirs, "7x"), 9)
        draw = self.table(moments.SEVEN, 1)
        self.strip("draw", draw, lambda page: page.locator(".hand .card").first.click(), 20)
        declared = self.table(moments.TWENTY, 0)
        self.strip("declaration", declared, lambda page: page.locator(".offer button").first.click(), 14)
        other = self.table(moments.TWENTY, 1)
        self.strip("declared", other, lambda _: self.house.play(other, "Qd+20d"), 14)
        chouine = self.table(moments.CHOUINE, 1)
        self.strip("chouine", chouine, lambda page: page.locator(".offer button").first.click(), 26)
        count = self.table(moments.LAST_CARD, 0, "3x1")
        self.strip("count", count, lambda _: self.house.play(count, "Tc"), 24)
        lost = self.table(moments.LAST_CARD, 1)
        self.strip("lost", lost, lambda page: page.locator(".hand .card").first.click(), 20)


def main(folder: Path) -> None:
    with TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        house = House(Path(data) / "chouine.db")
        house.start()
        for size in (PHONE, DESKTOP):
            Film(browser, house, size, folder).all()
        browser.close()
        house.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".film")
