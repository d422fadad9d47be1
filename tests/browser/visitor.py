"""A person's browser: what it sends is watched, and every fault it reports is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

from tests.browser.house import Guest, House

Size = tuple[int, int]
PHONE: Size = (360, 740)
DESKTOP: Size = (1280, 800)
TAKEN = r"^(409 for POST .*/(act|pick|pass)|422 for POST .*/act)(\?|$)"
"""What a visitor may expect: the table had moved on when a command came. Two reach for the same card of the spread
pack; a key is pressed twice; "au sept" has just closed (§11). Or it was shown already that another is on turn when the
key came down a second time, which is told."""
LOCALES = {"fr": "fr-FR", "en": "en-GB"}


@dataclass
class Visitor:
    """One browser and its first tab. `expected` matches what the browser reports and the test provokes."""

    house: House
    context: BrowserContext
    page: Page
    scripts: bool
    faults: list[str] = field(default_factory=list)
    expected: str = r"(?!)"

    @classmethod
    def of(
        cls,
        browser: Browser,
        house: House,
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
