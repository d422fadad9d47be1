"""Play on a small tablet, in each engine: `python -m tests.browser.tablet [ENGINE...]`.

The browser, without the server, has two gigabytes and a sixth of the processor, as control groups allow (version 1, as
root). Told are seconds from the address to a card that can be played, from a tap to the computer's answer, and the same
without a network, after Chouine was taken along; megabytes of the largest process for a page, and of the whole browser;
and how often a process was ended for want of memory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

from playwright.sync_api import Browser, Page

from tests.browser.engines import ENGINES, Engines
from tests.browser.house import House
from tests.browser.launched import launch
from tests.browser.moments import LAVARDIN
from tests.browser.player import WAITING_CARD, Player
from tests.browser.processes import descendants, megabytes
from tests.browser.test_engines import LONGEST, tap
from tests.browser.visitor import PHONE

SHARE = 6
"""The processor's cores are shared among so many."""
MEMORY = 2 << 30
"""Bytes."""
PERIOD = 12_000
"""Microseconds in which the share is used up: short, since a slow processor does not stop for long."""
GROUPS = Path("/sys/fs/cgroup")
ANSWERED = "() => document.querySelector(\".trick li[data-place='1'], .pile .taken\")"
SHOWS_SITE = "() => !document.querySelector('#site').hidden"


@contextmanager
def group() -> Iterator[tuple[Path, Path]]:
    """The folders of a control group for the processor and for memory."""
    processor, memory = GROUPS / "cpu/tablet", GROUPS / "memory/tablet"
    for folder in (processor, memory):
        folder.mkdir()
    try:
        (processor / "cpu.cfs_period_us").write_text(str(PERIOD))
        (processor / "cpu.cfs_quota_us").write_text(str((os.cpu_count() or 1) * PERIOD // SHARE))
        (memory / "memory.limit_in_bytes").write_text(str(MEMORY))
        yield processor, memory
    finally:
        for folder in (processor, memory):
            folder.rmdir()


def confine(folders: tuple[Path, Path], pids: set[int]) -> None:
    """Put processes into the group; those that they start from now on belong to it too.

    Except single threads of WebKit's with real-time priority, which have no share of a processor.
    """
    for folder, pid in product(folders, pids):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                (folder / "tasks").write_text(thread.name)


def tell(what: str, figure: float, unit: str) -> None:
    sys.stdout.write(f"  {what:40} {figure:8.1f} {unit}\n")
    sys.stdout.flush()


def wait(page: Page, expression: str) -> None:
    page.wait_for_function(expression, timeout=LONGEST)


@contextmanager
def watch_memory() -> Iterator[list[int]]:
    """The megabytes of the largest process for a page, looked at each second."""
    sizes, over = [0], Event()

    def watch() -> None:
        while not over.wait(1.0):
            sizes.append(megabytes())

    thread = Thread(target=watch)
    thread.start()
    yield sizes
    over.set()
    thread.join()


def with_a_network(page: Page, house: House, address: str) -> None:
    began = perf_counter()
    page.goto(house.url + address)
    wait(page, f"() => document.querySelector('{WAITING_CARD}')")
    tell("the table, until a card can be played", perf_counter() - began, "s")
    began = perf_counter()
    page.locator(WAITING_CARD).first.click()
    wait(page, ANSWERED)
    tell("a card, until it is answered", perf_counter() - began, "s")
    with watch_memory() as sizes:
        Player(page).play_until(".sheet.count")
    tell("a page's process, while a partie is played", max(sizes), "MB")


def without_a_network(page: Page, house: House) -> None:
    page.goto(house.url)
    began = perf_counter()
    tap(page, "#takeaway-ask", "#takeaway-go")
    wait(page, "() => !document.querySelector('#takeaway-kept').hidden")
    tell("taken along", perf_counter() - began, "s")
    house.kill()
    began = perf_counter()
    page.goto(f"{house.url}/offline")
    wait(page, SHOWS_SITE)
    site = page.frame("site")
    assert site is not None
    site.wait_for_function("() => document.querySelector('form.at-once button.huge')", timeout=LONGEST)
    tell("the first page without a network", perf_counter() - began, "s")
    began = perf_counter()
    site.locator("form.at-once button.huge").first.click(timeout=LONGEST)
    player = Player(site)  # type: ignore[arg-type]
    with watch_memory() as sizes:
        player.play_until(WAITING_CARD)
        tell("a table, until a card can be played", perf_counter() - began, "s")
        began = perf_counter()
        player.play_until(".sheet.count")
        tell("a partie", perf_counter() - began, "s")
        page.wait_for_timeout(5_000)
    tell("a page's process, at most", max(sizes), "MB")
    tell("a page's process, five seconds after", sizes[-1], "MB")


def main(engines: list[str]) -> None:
    for engine in engines:
        sys.stdout.write(f"{engine}\n")
        with launch() as (house, chromium), group() as folders:
            play(engine, house, chromium, folders)


def play(engine: str, house: House, chromium: Browser, folders: tuple[Path, Path]) -> None:
    """Everything in one engine, of which only its own browser is confined."""
    others, before = Engines(), set(descendants(os.getpid()))
    guest = house.guest("Irma")
    game = house.table([guest, "heuristic"], deal=LAVARDIN)
    if engine == "chromium":
        context = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="fr-FR")
        context.set_default_timeout(LONGEST)
        context.add_cookies([{"name": "chouine", "value": guest.token, "url": house.url}])
        page, started = context.new_page(), set(descendants(browser_of(before)))
        started.add(browser_of(before))
    else:
        page = others.page(engine, house, guest, PHONE)
        started = set(descendants(os.getpid())) - before
    confine(folders, started)
    with_a_network(page, house, f"/table/{game}")
    without_a_network(page, house)
    memory = folders[1]
    tell("the whole browser", int((memory / "memory.max_usage_in_bytes").read_text()) / (1 << 20), "MB")
    ended = (memory / "memory.oom_control").read_text().split()
    tell("processes ended for want of memory", int(ended[ended.index("oom_kill") + 1]), "")
    others.close()
    chromium.close()


def browser_of(pids: set[int]) -> int:
    """Chromium's first process."""
    return min(pid for pid in pids if b"--remote-debugging-pipe" in Path(f"/proc/{pid}/cmdline").read_bytes())


if __name__ == "__main__":
    main(sys.argv[1:] or ENGINES)
