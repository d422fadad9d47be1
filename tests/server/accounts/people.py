"""What visitors do with accounts, in tests."""

from __future__ import annotations

import re

from tests.server.serving import Browser


def press(browser: Browser, what: str, **fields: str) -> str:
    """Press the button of the account's page that does this; returns the page shown then."""
    browser.get("/account")
    form = next(form for form in browser.forms("/account") if form.fields.get("what") == what)
    return browser.submit(form, **fields).text


def make_card(browser: Browser) -> tuple[list[str], str]:
    """Make a member's card: its words, and the path in its QR code."""
    page = press(browser, "card")
    words = re.findall(r"<li>(\w+)</li>", page)
    assert len(words) == 12
    return words, page


def type_words(browser: Browser, words: list[str], **fields: str) -> str:
    """Sign in by the words of a card; returns the page shown then."""
    browser.get("/account")
    return browser.submit(browser.form("/account/words"), words=" ".join(words), **fields).text


def member_cookie(browser: Browser) -> str:
    """The cookie by which a browser is signed in; empty if it is not."""
    return next((value for name, value in browser.http.cookies.items() if name.endswith("-member")), "")


def guest_cookie(browser: Browser) -> str:
    """The other cookie; empty if there is none."""
    found = (value for name, value in browser.http.cookies.items() if re.fullmatch(r"chouine-\w{8}", name))
    return next(found, "")
