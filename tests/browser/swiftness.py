"""How soon a tapped card is drawn, and how smoothly cards move: `python -m tests.browser.swiftness [TAPS]`.

On a phone's page with the processor throttled, from Chromium's own trace: milliseconds from the finger's coming to the
picture of the risen card, and from its leaving to the picture with the card on its way; the time the page's main thread
worked for that, which a busy machine changes less; and the pictures shown of those due while cards move.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright

from chouine.table import commands as ask
from tests.browser.house import Guest, House
from tests.browser.moments import SEVEN
from tests.browser.player import WAITING_CARD
from tests.browser.visitor import PHONE, Visitor
from tests.needs import browser_program

THROTTLED = 4
"""Times slower than this machine's processor."""
TAPS = 9
TOUCH = 80
"""Milliseconds a finger stays."""
CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "cc",
    "disabled-by-default-devtools.timeline.frame",
]
Event = dict[str, Any]
Figures = dict[str, float]


class Trace:
    """What Chromium did meanwhile; its times are microseconds."""

    def __init__(self, written: bytes) -> None:
        self.events: list[Event] = json.loads(written)["traceEvents"]

    def tap(self) -> Figures:
        """Milliseconds of the tap: by the clock, and of the main thread's processor time."""
        timed = [event for event in self.events if event["name"] == "EventTiming" and event["ph"] == "b"]
        (came,) = [event for event in timed if event["args"]["data"]["type"] == "pointerdown"]
        (left,) = [event for event in timed if event["args"]["data"]["type"] == "touchend"]
        told = left["args"]["data"]
        ends = left["ts"] + 1000 * (told["commitFinishTime"] - told["timeStamp"])
        tasks = [event for event in self.events if event["name"] == "RunTask" and event["ph"] == "X"]
        worked = [
            event["tdur"] / 1000
            for event in tasks
            if event["tid"] == left["tid"]
            and event["pid"] == left["pid"]
            and left["ts"] <= event["ts"] < ends
        ]
        return {
            "finger to risen card": came["args"]["data"]["duration"],
            "tap to picture": told["duration"],
            "handler": told["processingEnd"] - told["processingStart"],
            "main thread": sum(worked),
        }

    def pictures(self) -> Figures:
        """How many were due while something moved, how many of them were shown, and the most missed in a row."""
        due = [
            report
            for event in self.events
            if event["name"] == "PipelineReporter"
            and (report := event["args"].get("frame_reporter"))
            and report["has_compositor_animation"]
            and report["state"] != "STATE_NO_UPDATE_DESIRED"
        ]
        shown = {report["frame_sequence"] for report in due if report["state"] != "STATE_DROPPED"}
        every = {report["frame_sequence"] for report in due}
        run = longest = 0
        for one in sorted(every):
            run = 0 if one in shown else run + 1
            longest = max(longest, run)
        return {
            "pictures due": len(every),
            "shown, %": 100 * len(shown) / len(every),
            "missed in a row": longest,
        }


def touch(session: CDPSession, page: Page, target: str) -> None:
    """As a finger does: down, a moment, up."""
    box = page.locator(target).first.bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 3, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(TOUCH)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


class Phone:
    """A guest's slow phone at tables of the house."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.browser, self.house = browser, house
        self.guest, self.friend = house.guest("Irma", hold=0.5), Guest("", "friend", "Basile")

    def traced(
        self, game: str, ready: str, act: Callable[[CDPSession, Page], object], done: str, many: int
    ) -> Trace:
        """From an act until so many are there, and the cards lie."""
        visitor = Visitor.of(self.browser, self.house, self.guest, size=PHONE, device_scale_factor=2)
        page = visitor.go(f"/table/{game}")
        page.locator(ready).first.wait_for()
        session = visitor.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
        page.wait_for_timeout(500)
        self.browser.start_tracing(page=page, categories=CATEGORIES)
        act(session, page)
        expect(page.locator(done)).to_have_count(many)
        page.wait_for_timeout(1500)
        trace = Trace(self.browser.stop_tracing())
        visitor.context.close()
        return trace

    def trick(self) -> Trace:
        """One's own card answers; the trick is taken, and each draws."""
        game = self.house.table([self.friend, self.guest], deal=SEVEN.deal, played=SEVEN.played)
        return self.traced(
            game, WAITING_CARD, lambda session, page: touch(session, page, WAITING_CARD), ".past .card", 2
        )

    def deal(self) -> Trace:
        """The cards are dealt, and the turnup turned."""
        game = self.house.table([self.guest, self.friend])
        while (room := self.house.room(game)).phase.value == "tirage":
            seat = min(room.awaited)
            place = next(place for place in range(32) if place not in room.picks)
            self.house.do(lambda tables, seat=seat, place=place: tables.do(game, ask.Pick(seat, place)))  # type: ignore[misc]
        cutter = min(self.house.room(game).awaited)

        def cut(*_: object) -> None:
            self.house.do(lambda tables: tables.do(game, ask.CutAt(cutter, 16)))

        return self.traced(game, ".pack-edge", cut, ".hand .card", 5)


def tell(what: str, figures: dict[str, list[float]]) -> None:
    """A line for each figure."""
    sys.stdout.write(f"processor throttled {THROTTLED} times, {what}: median (least, most)\n")
    for name, values in figures.items():
        sys.stdout.write(f"{name:32} {median(values):7.1f} ({min(values):.1f}, {max(values):.1f})\n")


def main(taps: int) -> None:
    figures: dict[str, list[float]] = defaultdict(list)
    with TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        house = House(Path(data) / "chouine.db")
        house.start()
        phone = Phone(browser, house)
        for _ in range(taps):
            trick, deal = phone.trick(), phone.deal()
            for name, value in trick.tap().items():
                figures[name].append(value)
            for scene, trace in (("trick and draw", trick), ("deal", deal)):
                for name, value in trace.pictures().items():
                    figures[f"{scene}: {name}"].append(value)
        browser.close()
        house.stop()
    tell(f"{taps} taps", figures)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TAPS)
