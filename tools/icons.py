"""Render the icons for phones and older browsers, and the picture for invitations: `python -m tools.icons`.

Uses `static/icon.svg`, the deck and Chromium.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.needs import browser_program

STATIC = Path(__file__).parents[1] / "src" / "chouine" / "server" / "static"
ICONS = {
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "touch-180.png": (180, 1.0),
    "mask-512.png": (512, 0.8),
}
"""Each icon's side in pixels, and the part that the drawing takes: masks may crop all but the middle."""
FAVICON = 32
DESKTOP = Path(__file__).parents[1] / "packaging" / "desktop"
PROGRAMS = {"table.ico": "icon.svg", "contest.ico": "contest.svg"}
"""The icons of the programs to start by a double click, and their drawings."""
SIDES = (256, 48, 32, 16)
"""Their sides in pixels."""
FELT = "#173d2e"
INVITATION = 1200, 630
"""Width and height in pixels of the picture that messengers show with a link."""
FAN = {"jh": -28, "qh": -14, "kh": 0, "th": 14, "ah": 28}
"""Its cards, each with its angle in degrees; it contains no words."""


def main() -> None:
    """Write every icon."""
    folder = STATIC / "icons"
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        page = browser.new_page()
        for name, (side, share) in ICONS.items():
            (folder / name).write_bytes(draw(page, side, share, ground=not name.startswith("icon")))
        favicon = {FAVICON: draw(page, FAVICON, 1.0, ground=False)}
        (folder / "favicon.ico").write_bytes(as_ico(favicon))
        for name, drawing in PROGRAMS.items():
            sides = {side: draw(page, side, 1.0, ground=False, drawing=drawing) for side in SIDES}
            (DESKTOP / name).write_bytes(as_ico(sides))
        (folder / "invitation.png").write_bytes(invitation(page))
        browser.close()


def draw(page: Page, side: int, share: float, *, ground: bool, drawing: str = "icon.svg") -> bytes:
    """The icon as PNG; with `ground` it has no transparency."""
    svg = (STATIC / drawing).read_text("utf-8")
    page.set_viewport_size({"width": side, "height": side})
    colour = FELT if ground else "transparent"
    styles = f"svg {{ display: block; width: {share:.0%}; margin: {(1 - share) / 2:.0%} }}"
    page.set_content(f"<style>body {{ margin: 0; background: {colour} }} {styles}</style>{svg}")
    return page.screenshot(omit_background=True)


def invitation(page: Page) -> bytes:
    """Five cards of the deck in a fan, on felt, as PNG."""
    width, height = INVITATION
    sprite, styles = ((STATIC / "deck" / name).read_text("utf-8") for name in ("deck.svg", "deck.css"))
    cards = "".join(
        f'<g transform="rotate({angle} 440 900) translate(320 60)">'
        f'<use href="#card-{card}" width="240" height="336"/></g>'
        for card, angle in FAN.items()
    )
    ground = FELT  # plain, for a small file
    shadow = "svg.fan g { filter: drop-shadow(0 4px 10px #0008) }"
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(
        f"<html class='deck-fr deck-standard deck-two-colours'><style>{styles} {shadow} body {{ margin: 0; "
        f"background: {ground} }}</style><div hidden>{sprite}</div>"
        f"<svg class=fan width={width} height={height} viewBox='-130 -15 1140 598.5'>{cards}</svg>"
    )
    return page.screenshot()


def as_ico(pngs: Mapping[int, bytes]) -> bytes:
    """PNGs by their sides as an `.ico` file: header, a directory entry for each, images. A side of 256 is written 0."""
    head, at, entries = struct.pack("<HHH", 0, 1, len(pngs)), 6 + 16 * len(pngs), b""
    for side, png in pngs.items():
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(png), at)
        at += len(png)
    return head + entries + b"".join(pngs.values())


if __name__ == "__main__":
    main()
