"""The page that tests a device, and the code in which its results are read out by telephone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from chouine.phrases import N_
from chouine.server.frame_updates import HELLO
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.routes.context import Context
from chouine.server.routes.play import LongAnswer


class DeviceCheck(NamedTuple):
    """Something that a device can or cannot do, in words."""

    works: str
    fails: str
    """What is missing for it, and what can be done."""


CHECKS = {
    "cookies": DeviceCheck(
        N_("Cookies are kept: you are known again."),
        N_("Cookies are refused: nobody here knows you again. Allow them in the settings of the browser."),
    ),
    "storage": DeviceCheck(
        N_("The browser keeps the order of your cards."),
        N_(
            "The browser keeps nothing between two visits: perhaps it is in private mode, or blocks data of sites."
        ),
    ),
    "recent": DeviceCheck(
        N_("The browser is recent enough."),
        N_(
            "The browser is older than this site expects: pages look plain. Update the browser, or the device."
        ),
    ),
    "news": DeviceCheck(
        N_("News of the table comes at once."),
        N_("Something in this network holds news back: it comes every two seconds. Try another network."),
    ),
    "quick": DeviceCheck(
        N_("The server answers within a second."),
        N_("The server takes more than a second to answer: the network is slow or weak."),
    ),
    "clock": DeviceCheck(
        N_("The clock of the device is right."),
        N_("The clock of the device is wrong by more than a minute. Set it right, by itself if possible."),
    ),
    "secure": DeviceCheck(
        N_("The connection is encrypted."),
        N_("The connection is not encrypted: the device allows neither notifications nor offline play."),
    ),
    "offline": DeviceCheck(
        N_("Chouine can be downloaded, to play without a network."),
        N_(
            "Chouine cannot be downloaded: that takes an encrypted connection and a browser of 2023 or later."
        ),
    ),
    "push": DeviceCheck(
        N_("The device can tell you when it is your turn."),
        N_(
            "The device cannot tell you of your turn. On an iPhone or iPad first put Chouine on the home screen."
        ),
    ),
    "voice": DeviceCheck(
        N_("The device has a voice that reads English aloud."),
        N_("The device has no voice of its own in English. It can be added in the settings of the device."),
    ),
    "motion": DeviceCheck(
        N_("Cards glide over the table."),
        N_("Cards do not glide: the device asks for less motion. That can be changed in its settings."),
    ),
    "sound": DeviceCheck(
        N_("You heard the sound."),
        N_("You heard no sound: turn the volume up, and the switch for silence off."),
    ),
}
"""In the order of the code; a new one goes to the end."""
STATES = ("", "works", "fails")
"""Results of a check; the first: not known."""
BROWSERS = ("", "Chrome", "Edge", "Firefox", "Safari", "Samsung Internet")
SYSTEMS = ("", "Windows", "macOS", "iOS", "Android", "Linux", "ChromeOS")
VERSIONS = 256
WIDTHS = (320, 360, 400, 500, 800, 1100, 1500)
"""Widths of windows in CSS pixels: a code tells how many of these a device's is not below."""
TEXTS = (17, 20, 26)
"""The same for the size of text."""
BASES = (len(BROWSERS), VERSIONS, len(SYSTEMS), len(WIDTHS) + 1, len(TEXTS) + 1)
DIGITS, PROOF = 12, 97
"""Digits of the number, and the modulus of the two digits after it: a wrong digit, or two exchanged, are noticed."""

PAUSE = 1.5
"""Seconds between the two events of the trial stream."""


class WrongCode(ValueError):
    """A code that no device has shown."""


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """What a device's code tells."""

    states: dict[str, str]
    """The state of each check, as in `STATES`."""
    browser: str
    """Empty if unknown."""
    version: int
    system: str
    width: tuple[int, int]
    """The window's width: at least the first, below the second; 0 where there is no such bound. CSS pixels."""
    text: tuple[int, int]
    """The size of text, likewise."""


def read_code(code: str) -> DeviceReport:
    """The report in a code, whatever is between its digits. Raises `WrongCode`."""
    digits = "".join(sign for sign in code if sign.isascii() and sign.isdigit())
    number = int(digits[:DIGITS] or 0)
    if len(digits) != DIGITS + 2 or number % PROOF != int(digits[DIGITS:]):
        raise WrongCode
    parts = []
    for base in reversed((*[len(STATES)] * len(CHECKS), *BASES)):
        number, part = divmod(number, base)
        parts.append(part)
    if number:
        raise WrongCode
    text, width, system, version, browser, *checks = parts
    return DeviceReport(
        {name: STATES[state] for name, state in zip(CHECKS, reversed(checks), strict=True)},
        BROWSERS[browser],
        version,
        SYSTEMS[system],
        bounds_of(WIDTHS, width),
        bounds_of(TEXTS, text),
    )


def bounds_of(bounds: tuple[int, ...], nth: int) -> tuple[int, int]:
    """The bounds around the class `nth`; 0 where there is none."""
    ends = (0, *bounds, 0)
    return ends[nth], ends[nth + 1]


def device_page(visit: Visit, code: str = "", now: int = 0) -> str:
    """The page that tests this device, or tells what another's code says. `now`: the server's clock, in seconds."""
    report, wrong = None, False
    if code:
        try:
            report = read_code(code)
        except WrongCode:
            wrong = True
    numbers = {"known": STATES, "browsers": BROWSERS, "systems": SYSTEMS, "widths": WIDTHS, "texts": TEXTS}
    return render(
        visit,
        "device.html",
        here="/device",
        checks=CHECKS,
        report=report,
        wrong=wrong,
        code=code,
        now=now,
        numbers={**numbers, "versions": VERSIONS, "digits": DIGITS, "proof": PROOF},
    )


async def page(request: Request) -> Response:
    """Test this device, or tell what the code of another says."""
    context = await Context.of(request)
    code = request.query_params.get("code", "")
    return await context.page(device_page(context.visit, code, int(context.tables.clock())))


async def trial_events() -> AsyncIterator[bytes]:
    """Two events with a pause between them: together they come through what holds streams back."""
    yield HELLO
    await asyncio.sleep(PAUSE)
    yield b"data: .\n\n"


async def news(request: Request) -> Response:
    """The trial stream."""
    return LongAnswer(await Context.of(request), trial_events())
