"""Measure the latency of taps and the smoothness of moving cards: `python -m tests.browser.swiftness [TAPS]`.

On a phone's page with a throttled processor, from Chromium's trace: milliseconds from touch to the frame with the risen
card, and from release to the first frame with the moving card; the main thread's processor time for the latter, which
depends less on the machine's load; and the frames shown of those due during motion.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.house import Guest, House
from tests.browser.launched import launch
from tests.browser.moments import SEVEN
from tests.browser.player import WAITING_CARD
from tests.browser.visitor import PHONE, Visitor

THROTTLED = 4
"""Factor by which the processor is slowed down."""
TAPS = 9
TOUCH = 80
"""Milliseconds from touch to release."""
CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "cc",
    "disabled-by-default-devtools.timeline.frame",
]
Event = dict[str, Any]
Figures = dict[str, float]


class Trace:
    """A Chromium trace; its times are microseconds."""

    def __init__(self, written: bytes) -> None:
        self.events: list[Event] = json.loads(written)["traceEvents"]

    def tap(self) -> Figures:
        """Milliseconds of the tap by the clock, and the main thread's processor time for it."""
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
        """Number of frames due during motion, percentage shown, and most missed in a row."""
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
    """Touch an element, wait and release."""
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

    def trace(
        self, game: str, ready: str, act: Callable[[CDPSession, Page], object], done: str, many: int
    ) -> Trace:
        """The trace from an act until `done` matches `many` elements and the motion has ended."""
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
        """A tapped card completes the trick, which is taken; both seats draw."""
        game = self.house.table([self.friend, self.guest], deal=SEVEN.deal, played=SEVEN.played)
        return self.trace(
            game, WAITING_CARD, lambda session, page: touch(session, page, WAITING_CARD), ".past .card", 2
        )

    def deal(self) -> Trace:
        """The deal, up to the turnup."""
        game = self.house.table([self.guest, self.friend])
        self.house.pick_cards(game)
        return self.trace(game, ".pack-edge", lambda *_: self.house.cut_pack(game), ".hand .card", 5)


def tell(what: str, figures: dict[str, list[float]]) -> None:
    """Print the median and range of each figure."""
    sys.stdout.write(f"processor throttled {THROTTLED} times, {what}: median (least, most)\n")
    for name, values in figures.items():
        sys.stdout.write(f"{name:32} {median(values):7.1f} ({min(values):.1f}, {max(values):.1f})\n")


def main(taps: int) -> None:
    figures: dict[str, list[float]] = defaultdict(list)
    with launch() as (house, browser):
        phone = Phone(browser, house)
        for _ in range(taps):
            trick, deal = phone.trick(), phone.deal()
            for name, value in trick.tap().items():
                figures[name].append(value)
            for scene, trace in (("trick and draw", trick), ("deal", deal)):
                for name, value in trace.pictures().items():
                    figures[f"{scene}: {name}"].append(value)
    tell(f"{taps} taps", figures)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TAPS)
