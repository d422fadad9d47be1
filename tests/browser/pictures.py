"""The pictures of the README and the site, from the real server: `make pictures`."""

from __future__ import annotations

import sys
from base64 import b64decode
from pathlib import Path

from playwright.sync_api import Page, expect

from chouine.phrases import Language
from chouine.server.pages.visit import Settings
from tests.browser.house import ROOT, House
from tests.browser.launched import launch
from tests.browser.moments import TWENTY
from tests.browser.visitor import DESKTOP, PHONE, Size, Visitor

FOLDER = ROOT / "docs" / "pictures"
TAKEN: dict[str, tuple[Language, Size]] = {
    f"table-{name}-{language}": (language, size)
    for language in ("fr", "en")
    for name, size in (("phone", PHONE), ("desktop", DESKTOP))
}
QUALITY = 60


def webp(page: Page) -> bytes:
    """A screenshot as WebP, which Playwright itself cannot save."""
    asked = {"format": "webp", "quality": QUALITY}
    return b64decode(page.context.new_cdp_session(page).send("Page.captureScreenshot", asked)["data"])


def table(house: House, visitor: Visitor, guest: object) -> Page:
    """A partie in which the seat on turn may declare a mariage in trumps."""
    game = house.table([guest, "level:3"], TWENTY.rules, "3x2", TWENTY.deal, TWENTY.played)  # type: ignore[list-item]
    page = visitor.go(f"/table/{game}")
    expect(page.locator(".hand button").first).to_be_visible()
    return page


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with launch() as (house, browser):
        for name, (language, size) in TAKEN.items():
            guest = house.guest("Jeanne", language, settings=Settings(hold=10.0))
            visitor = Visitor.of(
                browser,
                house,
                guest,
                language,
                size,
                still=True,
                device_scale_factor=2 if size == PHONE else 1,
            )
            (folder / f"{name}.webp").write_bytes(webp(table(house, visitor, guest)))
            visitor.context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
