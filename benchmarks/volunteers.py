"""A contest's morning at human speed, by keyboard alone, in Chromium: entries, draw, slips, results.

`python -m benchmarks.volunteers`: two doors each enter 50 people, typing names and villages; the desk then cuts a
card, draws and opens the 42 slips as a PDF; results are typed table by table. A key takes 150 ms, and before each
person and each slip there is a pause for listening or reading.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from playwright.async_api import Browser, Page, async_playwright

from tests.browser.hall import Hall, person
from tests.needs import browser_program

KEY = 0.15
"""Seconds between keys: 80 characters in 12 seconds, the speed of a typist (80 words a minute)."""
LISTEN = 2.0
"""Seconds to hear a name or read a slip."""
MOST_TABS = 60


class Volunteer:
    """A simulated typist."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)
            await asyncio.sleep(KEY)

    async def type(self, text: str) -> None:
        for sign in text:
            await self.page.keyboard.insert_text(sign)
            await asyncio.sleep(KEY)

    async def reach(self, text: str) -> None:
        """Press Tab until the link or button with this text has focus, then Enter."""
        for _ in range(MOST_TABS):
            await self.press("Tab")
            if text in (await self.page.evaluate("document.activeElement.textContent")):
                await self.and_wait(lambda: self.press("Enter"))
                return
        raise LookupError(text)

    async def and_wait(self, act: Callable[[], Awaitable[None]]) -> None:
        """Act, and wait until the resulting page has loaded."""
        async with self.page.expect_navigation(wait_until="load"):
            await act()

    async def enter(self, number: int) -> None:
        """Enter one person: name, village, and for every third "lady"."""
        who = person(number)
        await asyncio.sleep(LISTEN)
        await self.type(who.name)
        await self.press("Tab")
        await self.type(who.village)
        if number % 3 == 0:
            await self.press("Tab", "Space")
        await self.and_wait(lambda: self.press("Enter"))

    async def result(self, table: int, score: str) -> float:
        """Type a slip; return the seconds from its first key to the confirmation page."""
        began = time.monotonic()
        await self.type(str(table))
        await self.press("Tab")
        await self.type(score)
        await self.and_wait(lambda: self.press("Enter"))
        told = await self.page.locator(".given").text_content()
        if f"Table {table}" not in (told or ""):
            raise LookupError(told)
        return time.monotonic() - began


async def morning(hall: Hall, browser: Browser, entries: int) -> None:
    """Run the whole morning and print each step."""
    desk, door = [Volunteer(await (await browser.new_context(locale="fr-FR")).new_page()) for _ in range(2)]
    await desk.page.goto(hall.opening)
    await door.page.goto(f"{hall.url}/join")
    await door.type(hall.pin("entry"))
    await door.press("Tab", "ArrowDown")
    await door.and_wait(lambda: door.press("Enter"))
    for one in (desk, door):
        await one.reach("Inscrire à l")
    began = time.monotonic()

    async def fifty(one: Volunteer, first: int) -> None:
        for number in range(first, entries + 1, 2):
            await one.enter(number)

    await asyncio.gather(fifty(desk, 1), fifty(door, 2))
    last = time.monotonic()
    found = hall.contest
    print(f"{len(found.entrants)} entries by two doors in {last - began:.0f} s")
    await desk.reach("Tirer le tour 1")
    await desk.type("D♥")
    await desk.and_wait(lambda: desk.press("Enter"))
    await desk.reach("Imprimer les fiches")
    await desk.page.locator("#print:focus").wait_for()
    with TemporaryDirectory() as folder:
        await desk.page.pdf(path=Path(folder) / "slips.pdf", prefer_css_page_size=True)
        sheets = len(pypdfium2.PdfDocument(Path(folder) / "slips.pdf"))
    tables = hall.contest.main[0].played
    print(
        f"{len(tables)} slips on {sheets} sheets ready {time.monotonic() - last:.1f} s after the last entry"
    )
    await desk.page.goto(f"{hall.url}/results")
    taken = []
    for table in tables[:20]:
        await asyncio.sleep(LISTEN)
        taken.append(await desk.result(table.number, "21" if table.number % 2 else "02"))
    print(f"a result: {statistics.median(taken):.1f} s at the median, {max(taken):.1f} s at most")


async def run(entries: int) -> None:
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        hall.start()
        try:
            async with async_playwright() as playwright:
                program = browser_program()
                browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                await morning(hall, browser, entries)
        finally:
            hall.end()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100)
    asyncio.run(run(parser.parse_args().entries))


if __name__ == "__main__":
    main()
