"""A contest's morning at human speed, by keyboard alone, in Chromium: entries, draw, slips, results.

`python -m benchmarks.volunteers`: two doors each enter 50 people, typing names and villages; the desk then cuts a
card, draws and opens the 42 slips as a PDF; results are typed table by table. A key takes 150 ms, and before each
person and each slip there is a pause for listening or reading. `--list DOORS`: instead 84 people of a list are checked
in at one or two doors, each found by a few letters and marked here and paid.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from playwright.async_api import Browser, Page, async_playwright

from chouine.contest import Entered
from chouine.contest.people import name_parts
from chouine.server.contest.contest_store import ContestStore
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
        if await self.page.locator("[name=told]").count():  # somebody has almost this name
            await asyncio.sleep(LISTEN)
            await self.and_wait(lambda: self.press("Enter"))

    async def check_in(self, number: int) -> None:
        """Find one person of the door list by letters of both names, and mark them here and paid."""
        first, last = name_parts(person(number).name)[::-1]
        await asyncio.sleep(LISTEN)
        await self.type(f"{last[:4]} {first[:3]}")
        await self.and_wait(lambda: self.press("Enter"))
        focused = await self.page.evaluate("document.activeElement.closest('li')?.textContent ?? ''")
        if f"{last} {first}" not in focused:
            raise LookupError(f"{last} {first}: {focused}")
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
    await desk.reach("Tirer au sort")
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


async def door_list(hall: Hall, browser: Browser, doors: int, entries: int = 84) -> None:
    """Check everybody in at the doors, and print how long it took."""
    with closing(ContestStore(hall.path)) as store:
        for number in range(1, entries + 1):
            store.do(Entered(number, here=False), "desk", person(number))
    hall.start()
    volunteers = [
        Volunteer(await (await browser.new_context(locale="fr-FR")).new_page()) for _ in range(doors)
    ]
    for one in volunteers:
        await one.page.goto(hall.opening)
        await one.page.goto(f"{hall.url}/door")
    began = time.monotonic()

    async def at_door(nth: int) -> None:
        for number in range(1 + nth, entries + 1, doors):
            await volunteers[nth].check_in(number)

    await asyncio.gather(*map(at_door, range(doors)))
    taken = time.monotonic() - began
    found = hall.contest.entrants.values()
    paid = sum(one.here and one.paid == 1000 for one in found)
    print(f"{paid} checked in by {doors} in {taken:.0f} s, {doors * taken / entries:.1f} s each")


async def run(entries: int, doors: int) -> None:
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        if not doors:
            hall.start()
        try:
            async with async_playwright() as playwright:
                program = browser_program()
                browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                await (door_list(hall, browser, doors) if doors else morning(hall, browser, entries))
        finally:
            hall.end()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100)
    parser.add_argument("--list", type=int, default=0, choices=(0, 1, 2), metavar="DOORS")
    args = parser.parse_args()
    asyncio.run(run(args.entries, args.list))


if __name__ == "__main__":
    main()
