"""A person's browser: what it sends is watched, and every fault it reports is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Protocol

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

from tests.browser.house import Guest

Size = tuple[int, int]
PHONE: Size = (360, 740)
DESKTOP: Size = (1280, 800)
TAKEN = r"^(409 for POST .*/(act|pick|pass)|422 for POST .*/act)(\?|$)"
"""What a visitor may expect: the table had moved on when a command came. Two reach for the same card of the spread
pack; a key is pressed twice; "au sept" has just closed (§11). Or it was shown already that another is on turn when the
key came down a second time, which is told."""
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


class Served(Protocol):
    """What a browser goes to: the house, or the desk of a contest."""

    @property
    def url(self) -> str: ...


@dataclass
class Visitor:
    """One browser and its first tab. `expected` matches what the browser reports and the test provokes."""

    house: Served
    context: BrowserContext
    page: Page
    scripts: bool
    faults: list[str] = field(default_factory=list)
    expected: str = r"(?!)"

    @classmethod
    def of(
        cls,
        browser: Browser,
        house: Served,
        guest: Guest | None = None,
        language: str = "fr",
        size: Size = PHONE,
        *,
        scripts: bool = True,
        still: bool = False,
        **context: Any,
    ) -> Visitor:
        """A browser as it comes, or a guest's whom the server knows; `still`: it asks for no motion."""
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
        opened.on("console", visitor._logged)
        opened.on("weberror", lambda error: visitor._fault(f"error: {error.error}"))
        opened.on("request", visitor._asked)
        opened.on("response", visitor._answered)
        return visitor

    def go(self, address: str) -> Page:
        """The first tab, at an address of the house."""
        self.page.goto(self.house.url + address)
        return self.page

    def remember(self, selector: str) -> None:
        """Keep what is shown there from now on: a moment may be over before a busy machine looks for it."""
        self.page.evaluate(REMEMBER, selector)

    def has_seen(self, selector: str, text: str) -> None:
        """Wait until what is remembered there contained a text, whether or not it is still shown."""
        self.page.wait_for_function(SEEN, arg=[selector, text])

    def has_never_seen(self, selector: str) -> bool:
        """Whether nothing remembered there was ever shown."""
        return bool(self.page.evaluate(NEVER, selector))

    def seconds_shown(self, selector: str, many: int) -> float:
        """Wait until so many elements there have come and gone; how long they stayed, by the page's clock."""
        seconds: float = self.page.wait_for_function(SHOWN, arg=[selector, many]).json_value()
        return seconds

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self._fault(f"console {message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.house.url + "/", "data:", "blob:")):
            self._fault(f"asked another host: {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._fault(f"{response.status} for {response.request.method} {response.url}")

    def _fault(self, text: str) -> None:
        if not re.search(self.expected, text):
            self.faults.append(text)
