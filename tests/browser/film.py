"""Film strips of motion at the table, to be looked at: `python -m tests.browser.film [FOLDER [STRIP...]]`.

Each strip shows many frames in one picture, for phone and desktop, French and English, light and dark. The page's clock
and animations are stopped and advanced by a fixed step, so that strips are the same on any machine. `python -m
tests.browser.film FOLDER engines` takes strips of three engines, one under another; only animations are stopped there.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import time

from playwright.sync_api import Browser, Page

from chouine.phrases import Language
from chouine.server.pages.visit import Settings
from tests.browser import moments
from tests.browser.engines import ENGINES, Engines
from tests.browser.house import ROOT, Guest, House
from tests.browser.launched import launch
from tests.browser.moments import Moment
from tests.browser.visitor import DESKTOP, PHONE, Size, Visitor

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
    for (const animation of document.getAnimations()) {
      if (!(animation instanceof CSSAnimation) || film.playing.some(one => one.animation === animation)) continue;
      if (animation.playState !== "running") continue;
      animation.pause();
      film.playing.push({animation, begun: film.now});
    }
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
"""Milliseconds of the page's clock between two frames."""
COLUMNS = 7
"""Frames of a phone side by side."""
NEWS = 500
"""Real milliseconds to wait for an act to reach the page."""
SEEN: list[tuple[Size, Language, bool]] = [
    (PHONE, "fr", False),
    (PHONE, "en", True),
    (DESKTOP, "en", False),
    (DESKTOP, "fr", True),
]
"""Window, language, dark or not."""
SHEET = """<style>
  body {{ display: grid; grid-template-columns: repeat({columns}, {width}px); gap: 6px; margin: 6px; }}
  img {{ width: 100%; display: block; }}
</style>{pictures}"""


class Film:
    """Tables of one guest, and the strips taken of them."""

    def __init__(
        self,
        browser: Browser,
        house: House,
        seen: tuple[Size, Language, bool],
        folder: Path,
        wanted: list[str],
    ) -> None:
        self.size, self.language, dark = seen
        self.browser, self.house, self.wanted = browser, house, wanted
        self.folder = folder / f"{self.size[0]}-{self.language}{'-dark' if dark else ''}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.guest = house.guest("Irma", self.language, settings=Settings())
        self.visitor = Visitor.of(
            browser,
            house,
            self.guest,
            self.language,
            self.size,
            color_scheme="dark" if dark else "light",
        )

    def strip(self, name: str, game: str, act: Callable[[Page], object], frames: int) -> None:
        """Take frames from an act on."""
        if self.wanted and name not in self.wanted:
            return
        page = self.visitor.go(f"/table/{game}")
        page.clock.install(time=time())
        self.visitor.go(f"/table/{game}")
        page.wait_for_timeout(NEWS)
        page.evaluate(STILLED)
        page.clock.pause_at(time() + 5)
        act(page)
        pictures = []
        for nth in range(frames):
            page.wait_for_timeout(NEWS if nth < 3 else 50)
            page.evaluate("now => film.at(now)", nth * STEP)
            pictures.append(page.screenshot(animations="allow"))
            page.clock.run_for(STEP)
        self.sheet(name, pictures)

    def engines(self) -> None:
        """The deal, the exchange, and the trick with the draw: a row for each engine."""
        rows: dict[str, list[bytes]] = {"engines-deal": [], "engines-exchange": [], "engines-trick": []}
        with closing(Engines()) as engines:
            for engine in ENGINES:
                page = (
                    self.visitor.page
                    if engine == "chromium"
                    else engines.page(engine, self.house, self.guest, PHONE)
                )
                for name in rows:
                    rows[name] += self.row(page, name)
        for name, row in rows.items():
            self.sheet(name, row)

    def row(self, page: Page, name: str) -> list[bytes]:
        """As many frames as a sheet has columns, from an act on."""
        if deal := name == "engines-deal":
            game = self.house.table([self.guest, Guest("", "friend", "Basile")])
            self.house.pick_cards(game)
        else:
            game = self.table(moments.SEVEN, 1)
        page.goto(f"{self.house.url}/table/{game}")
        page.wait_for_timeout(2 * NEWS)
        page.evaluate(STILLED)
        if deal:
            self.house.cut_pack(game)
        else:
            page.locator(".offers .exchange" if name == "engines-exchange" else ".hand .card").first.click()
        frames = []
        for nth in range(COLUMNS):
            page.wait_for_timeout(NEWS)
            page.evaluate("now => film.at(now)", nth * STEP)
            frames.append(page.screenshot())
        return frames

    def sheet(self, name: str, pictures: list[bytes]) -> None:
        """Save all frames in one picture, in reading order."""
        phone = self.size == PHONE
        images = [f'<img src="data:image/png;base64,{b64encode(one).decode()}">' for one in pictures]
        page = self.browser.new_page(viewport={"width": 1664, "height": 100})
        page.set_content(
            SHEET.format(
                columns=COLUMNS if phone else 4, width=230 if phone else 405, pictures="".join(images)
            )
        )
        page.screenshot(path=self.folder / f"{name}.png", full_page=True)
        page.close()

    def table(self, moment: Moment, seat: int, terms: str = "1x1") -> str:
        others = Guest("", "friend", "Basile")
        chairs = [self.guest, others] if seat == 0 else [others, self.guest]
        return self.house.table(chairs, moment.rules, terms, moment.deal, moment.played)

    def all(self) -> None:
        """Deal, exchange and declaration by either side, trick and draw, chouine, count."""
        game = self.house.table([self.guest, Guest("", "friend", "Basile")])
        self.house.pick_cards(game)
        self.strip("deal", game, lambda _: self.house.cut_pack(game), 14)
        mine = self.table(moments.SEVEN, 1)
        self.strip("exchange", mine, lambda page: page.locator(".offers .exchange").click(), 12)
        theirs = self.table(moments.SEVEN, 0)
        self.strip("exchanged", theirs, lambda _: self.house.play(theirs, "7x"), 12)
        draw = self.table(moments.SEVEN, 1)
        self.strip("trick", draw, lambda page: page.locator(".hand .card").first.click(), 21)
        declared = self.table(moments.TWENTY, 0)
        self.strip("declaration", declared, lambda page: page.locator(".offer button").first.click(), 14)
        other = self.table(moments.TWENTY, 1)
        self.strip("declared", other, lambda _: self.house.play(other, "Qd+20d"), 14)
        chouine = self.table(moments.CHOUINE, 1)
        self.strip("chouine", chouine, lambda page: page.locator(".offer button").first.click(), 28)
        count = self.table(moments.LAST_CARD, 0, "3x1")
        self.strip("count", count, lambda _: self.house.play(count, "Tc"), 42)
        lost = self.table(moments.LAST_CARD, 1)
        self.strip("lost", lost, lambda page: page.locator(".hand .card").first.click(), 21)


def main(folder: Path, wanted: list[str]) -> None:
    with launch() as (house, browser):
        if wanted == ["engines"]:
            Film(browser, house, SEEN[0], folder, wanted).engines()
            return
        for seen in SEEN:
            Film(browser, house, seen, folder, wanted).all()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".film", sys.argv[2:])
