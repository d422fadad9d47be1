"""Chouine can be installed on a phone's home screen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visits
from tests.browser.house import House

WINDOWED = True
"""Chromium checks installability only with a window."""


@pytest.mark.parametrize("language", ["fr", "en"])
def test_nothing_keeps_a_browser_from_installing(house: House, visit: Visits, language: str) -> None:
    """Chromium reports no error of the manifest, except that private windows cannot install."""
    visitor = visit(house, language=language)
    page = visitor.go("/")
    devtools = visitor.context.new_cdp_session(page)
    read = devtools.send("Page.getAppManifest")
    assert read["errors"] == []
    assert f"language={language}" in read["url"]
    said = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in said} <= {"in-incognito"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colour_round_the_page_goes_with_it(house: House, visit: Visits, scheme: str) -> None:
    page = visit(house, color_scheme=scheme).go("/")
    shown = page.locator("meta[name=theme-color]").evaluate_all(
        "all => all.filter(one => matchMedia(one.media).matches).map(one => one.content)"
    )
    assert shown == [{"light": "#173d2e", "dark": "#10261d"}[scheme]]
