"""What is too long for the server stays in its form, and the browser says so at the field."""

from __future__ import annotations

from playwright.sync_api import expect

from chouine.server.imports import LARGEST
from tests.browser.conftest import Visits
from tests.browser.house import House

FAULT = "one => one.validationMessage"


def test_a_text_that_is_too_long_is_not_sent(house: House, visit: Visits) -> None:
    visitor = visit(house, language="en")
    visitor.expected = r"^422 for POST .*/import"
    page = visitor.go("/import")
    text, send = page.locator("textarea"), page.locator("main form button").first
    for long in (
        "é" * (LARGEST // 2 + 1),
        "x" * (LARGEST - 20) + "\n" * 15,
    ):  # in bytes, of which a line's end has two
        text.fill(long)
        send.click()
        assert text.evaluate(FAULT).startswith("The file is too long: 50 KB at most.")
        expect(text).to_have_value(long)
        expect(page).to_have_title("Import parties from a file")
    page.locator("input[type=file]").set_input_files(
        {"name": "long.cgn", "mimeType": "text/plain", "buffer": b"x" * (LARGEST + 1)}
    )
    text.fill("")
    send.click()
    assert page.locator("input[type=file]").evaluate(FAULT).startswith("The file is too long")
    page.locator("input[type=file]").set_input_files([])
    text.fill("classic b …")
    send.click()
    expect(page.locator("[role=alert]")).to_be_visible()
