"""Pictures of every page and phase, to be looked at: `python -m tests.browser.shots [FOLDER]`."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser

from chouine.phrases import Language
from tests.browser.house import ROOT, House
from tests.browser.launched import launch
from tests.browser.tour import Tour
from tests.browser.visitor import DESKTOP, PHONE, Size, Visitor

SEEN: list[tuple[Language, Size]] = [("fr", PHONE), ("en", PHONE), ("fr", DESKTOP), ("en", DESKTOP)]


def take(browser: Browser, house: House, language: Language, size: Size, folder: Path) -> None:
    """Save a full-page screenshot of each stop."""
    folder.mkdir(parents=True, exist_ok=True)

    def visit(house: House, **wishes: object) -> Visitor:
        return Visitor.of(browser, house, **wishes)  # type: ignore[arg-type]

    for name, page in Tour.of(house, visit, language, size).stops():
        page.screenshot(path=folder / f"{name}.png", full_page=True)


def main(folder: Path) -> None:
    with launch() as (house, browser):
        for language, size in SEEN:
            take(browser, house, language, size, folder / f"{language}-{size[0]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".screenshots")
