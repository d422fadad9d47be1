"""A user's browser that records its faults: errors, warnings, failed requests, requests to other hosts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Protocol

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, Response

from tests.browser.house import Guest

Size = tuple[int, int]
PHONE: Size = (360, 740)
DESKTOP: Size = (1280, 800)
TAKEN = r"^(409 for POST .*/(act|pick|pass)|422 for POST .*/act)(\?|$)"
"""Faults that are not a defect: the table changed before a command arrived.

Two players pick the same card of the spread pack, a key is pressed twice, "au sept" has just timed out (§11), or the
page showed another seat on turn at the second press.
"""
LOCALES = {"fr": "fr-FR", "en": "en-GB"}

REMEMBER = r"""selector => {
  const moments = (window.remembered ??= {})[selector] ??= [];
  const look = () => {
    const found = [...document.querySelectorAll(selector)];
    const text = found.map(e => e.textContent.trim().replace(/\s+/g, " ")).join(" ");
    const last = moments.at(-1);
    if (last?.many !== found.length || last.text !== text)
      moments.push({many: found.length, text, at: performance.now()});
  };
  look();
  new MutationObserver(look).observe(document, {subtree: true, childList: true, characterData: true});
}"""
SEEN = "([selector, text]) => remembered[selector].some(moment => moment.text.includes(text))"
NEVER = "selector => remembered[selector].every(moment => moment.many === 0)"
SHOWN = """([selector, many]) => {
  const moments = remembered[selector], begun = moments.findIndex(moment => moment.many === many);
  const ended = moments.slice(begun).find(moment => moment.many !== many);
  return begun < 0 || !ended ? null : (ended.at - moments[begun].at) / 1000;
}"""

SHOW = """away => {
  Object.defineProperty(document, "hidden", {get: () => away, configurable: true});
  Object.defineProperty(document, "visibilityState", {get: () => away ? "hidden" : "visible", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""

PATIENT = """{
  const later = window.setTimeout;
  window.setTimeout = (does, delay, ...values) => later(does, delay === 8_000 ? 1e9 : delay, ...values);
}"""
"""No eight seconds pass: a page waits for each answer until it comes, and shows the end of a contest until a tap."""

OVERTAKEN = r"Not attached to an active page|net::ERR_ABORTED"
"""What Chromium answers to a reload when the page's own refresh comes first."""


class VisitedSite(Protocol):
    """What a browser visits: a house, or a contest's desk."""

    @property
    def url(self) -> str: ...


def prolong_motion(page: Page) -> None:
    """Let a table's motions last a thousand times as long: a busy machine looks late."""
    page.evaluate("document.getElementById('table').dataset.motion = 1000")


def reload(page: Page) -> None:
    """Reload a page that also refreshes itself, as it does without JavaScript; again if that came first."""
    while True:
        try:
            page.reload()
        except Error as error:
            if not re.search(OVERTAKEN, str(error)):
                raise
        else:
            return


def resize(page: Page, size: Size) -> None:
    """Resize the window and wait until the page has the new size: a busy browser answers earlier."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("size => innerWidth === size[0] && innerHeight === size[1]", arg=list(size))


def show(page: Page, *, away: bool) -> None:
    """Tell a page and its frames that they are out of sight, or back."""
    for frame in page.frames:
        frame.evaluate(SHOW, away)


@dataclass
class Visitor:
    """A browser and its first tab. `expected` matches the faults that the test provokes."""

    house: VisitedSite
    context: BrowserContext
    page: Page
    scripts: bool
    faults: list[str] = field(default_factory=list)
    expected: str = r"(?!)"

    @classmethod
    def of(
        cls,
        browser: Browser,
        house: VisitedSite,
        guest: Guest | None = None,
        language: str = "fr",
        size: Size = PHONE,
        *,
        scripts: bool = True,
        still: bool = False,
        **context: Any,
    ) -> Visitor:
        """A new browser, or that of a known guest; `still`: prefers reduced motion."""
        opened = browser.new_context(
            locale=LOCALES[language],
            viewport={"width": size[0], "height": size[1]},
            java_script_enabled=scripts,
            reduced_motion="reduce" if still else "no-preference",
            has_touch=size == PHONE,
            **context,
        )
        if guest is not None:
            opened.add_cookies([{"name": "chouine", "value": guest.token, "url": house.url}])
        visitor = cls(house, opened, opened.new_page(), scripts)
        opened.on("console", visitor._check_message)
        opened.on("weberror", lambda error: visitor._fault(f"error: {error.error}"))
        opened.on("request", visitor._check_request)
        opened.on("response", visitor._check_response)
        return visitor

    def go(self, address: str) -> Page:
        """Open an address of the house in the first tab."""
        self.page.goto(self.house.url + address)
        return self.page

    def withhold_typeface(self) -> None:
        """Never let the site's fonts come: pages are shown in those of the device."""
        self.context.route("**/*.woff2*", lambda route: route.abort())

    def remember(self, selector: str) -> None:
        """Record all changes of the elements from now on, since a busy machine may look too late."""
        self.page.evaluate(REMEMBER, selector)

    def has_seen(self, selector: str, text: str) -> None:
        """Wait until the recorded elements contain or have contained a text."""
        self.page.wait_for_function(SEEN, arg=[selector, text])

    def has_never_seen(self, selector: str) -> bool:
        """Whether the recorded elements were never shown."""
        return bool(self.page.evaluate(NEVER, selector))

    def seconds_shown(self, selector: str, many: int) -> float:
        """Wait until `many` recorded elements have come and gone; the seconds they were shown, by the page's clock."""
        seconds: float = self.page.wait_for_function(SHOWN, arg=[selector, many]).json_value()
        return seconds

    def _check_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self._fault(f"console {message.type}: {message.text}")

    def _check_request(self, request: Request) -> None:
        if not request.url.startswith((self.house.url + "/", "data:", "blob:")):
            self._fault(f"asked another host: {request.url}")

    def _check_response(self, response: Response) -> None:
        if response.status >= 400:
            self._fault(f"{response.status} for {response.request.method} {response.url}")

    def _fault(self, text: str) -> None:
        if not re.search(self.expected, text):
            self.faults.append(text)
