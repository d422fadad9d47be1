"""A passkey's whole life in Chromium, with an authenticator that its developer tools make; and browsers without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Route, expect

from chouine.server.accounts.card import secret_in, text_of
from tests.browser.conftest import Opens
from tests.browser.engines import OTHERS
from tests.browser.house import House
from tests.browser.pairs import THEMES
from tests.browser.test_every_page import SET, beyond_width, faults_by, room_on
from tests.browser.visitor import DESKTOP, PHONE, Size
from tests.needs import need
from tests.patience import PATIENCE

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


MINE = "Tirez une carte"
"""What a new table asks whose seat it is, and nobody else."""


@contextmanager
def device(browser: Browser, house: House) -> Iterator[tuple[Page, CDPSession, str]]:
    """A browser with an authenticator: its first page, its developer tools, and the authenticator's number."""
    context = browser.new_context(locale="fr-FR", viewport={"width": 360, "height": 740})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto(house.url.replace("127.0.0.1", "localhost"))
    try:
        yield page, tools, made["authenticatorId"]
    finally:
        context.close()


def go(page: Page, house: House, path: str) -> None:
    page.goto(house.url.replace("127.0.0.1", "localhost") + path)


def keys_of(tools: CDPSession, which: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tools.send("WebAuthn.getCredentials", {"authenticatorId": which})[
        "credentials"
    ]
    return found


def sign_in(page: Page, house: House) -> None:
    go(page, house, "/account")
    page.get_by_role("button", name="Me connecter avec une clé d’accès").click()


def test_a_passkey_is_made_signs_in_elsewhere_and_is_removed(browser: Browser, house: House) -> None:
    """One tap makes the account with what was done before; a synchronised copy signs in on another device."""
    with device(browser, house) as (page, tools, which), device(browser, house) as (other, others, second):
        page.get_by_role("button", name="Jouer contre").first.click()
        expect(page.locator("#table")).to_be_visible()
        table = page.url
        go(page, house, "/account")
        page.get_by_role("button", name="Avec une clé d’accès", exact=True).click()
        expect(page.locator("main")).to_contain_text("Votre compte est créé")
        (key,) = keys_of(tools, which)
        assert key["isResidentCredential"]
        assert key["rpId"] == "localhost"
        page.goto(table)
        expect(page.locator("main")).to_contain_text(MINE)

        sign_in(other, house)
        expect(other.locator("form[data-passkey=enter] [role=status]")).to_contain_text("Cela n’a pas marché")
        others.send("WebAuthn.addCredential", {"authenticatorId": second, "credential": key})
        sign_in(other, house)
        expect(other.locator("main")).to_contain_text("La connexion est faite")
        other.goto(table)
        expect(other.locator("main")).to_contain_text(MINE)

        go(page, house, "/account")
        expect(page.locator("main")).to_contain_text("Chrome, Linux")
        page.get_by_role("button", name="Déconnecter : Chrome, Linux").click()
        other.goto(table)
        expect(other.locator("h1")).to_be_visible()
        expect(other.locator("main")).not_to_contain_text(MINE)

        go(page, house, "/account")
        page.get_by_role("button", name="Déconnecter ce navigateur").click()
        sign_in(page, house)  # the copy has counted as far: one of the two is a clone
        expect(page.get_by_role("alert")).to_contain_text("n’a pas été acceptée")
        sign_in(page, house)
        expect(page.locator("main")).to_contain_text("La connexion est faite")
        page.locator("summary", has_text="Clé d’accès").click()
        page.get_by_role("button", name="Retirer : Clé d’accès").click()
        expect(page.locator("main")).to_contain_text("cela ne connecte plus personne")
        expect(page.locator("main")).to_contain_text("Rien ne vous connecte")
        sign_in(other, house)
        expect(other.get_by_role("alert")).to_contain_text("Aucun compte n’a ici cette clé d’accès")


REFUSED = """const get = navigator.credentials.get.bind(navigator.credentials);
navigator.credentials.get = asked => get(asked).catch(error => { window.refused = error.name; throw error; });"""


def test_a_passkey_of_another_name_is_not_asked_for(browser: Browser, house: House) -> None:
    """The browser itself refuses another site's name, and the page says that it did not work."""

    def name_elsewhere(route: Route) -> None:
        answer = route.fetch()
        options = re.sub(r"(rpId&#34;: *&#34;)[^&]+", r"\1elsewhere.example", answer.text())
        route.fulfill(response=answer, body=options)

    with device(browser, house) as (page, _, _):
        page.add_init_script(REFUSED)
        page.route("**/account", name_elsewhere)
        go(page, house, "/account")
        form = page.locator("form[data-passkey=enter]")
        assert json.loads(str(form.get_attribute("data-options")))["rpId"] == "elsewhere.example"
        page.get_by_role("button", name="Me connecter avec une clé d’accès").click()
        expect(form.locator("[role=status]")).to_contain_text("Cela n’a pas marché")
        assert page.evaluate("refused") == "SecurityError"  # and not for want of a key


@pytest.mark.parametrize(("locale", "size"), [("fr-FR", PHONE), ("en-GB", DESKTOP)])
def test_the_pages_are_accessible(browser: Browser, house: House, locale: str, size: Size) -> None:
    """The ways in, the card, one's own account and the question of a link: by axe-core, with large letters."""
    need("axe")
    context = browser.new_context(locale=locale, viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(1000 * PATIENCE)
    page, faults = context.new_page(), {}

    def look(name: str) -> None:
        page.wait_for_load_state()  # with its style sheets, also after a click
        found = [fault for theme in THEMES for fault in faults_by(page, theme)] + room_on(page)
        page.evaluate(SET, "34px")
        if found := found + beyond_width(page):
            faults[name] = found

    go(page, house, "/settings")
    page.locator("form.settings button").click()
    go(page, house, "/account")
    look("guest")
    page.locator("form:has(input[value=card]) button").click()
    look("card")
    words = " ".join(page.locator(".member-card li").all_inner_texts())
    go(page, house, "/account")
    for summary in page.locator("details.more > summary").all():
        summary.click()
    look("member")
    secret = secret_in(words)
    assert secret
    go(page, house, f"/account/card/{text_of(secret)}")
    look("question")
    page.locator("main form button").click()
    expect(page.locator("main [role=status]").first).to_be_visible()
    context.close()
    assert faults == {}


def test_without_scripts_the_card_remains(browser: Browser, house: House) -> None:
    context = browser.new_context(locale="fr-FR", java_script_enabled=False)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    go(page, house, "/account")
    expect(page.locator("[data-without]")).to_contain_text("Une carte fait la même chose")
    expect(page.locator("[data-passkey]").first).to_be_hidden()
    page.get_by_role("button", name="Avec une carte de membre").click()
    expect(page.locator(".member-card li")).to_have_count(12)
    context.close()


@pytest.mark.parametrize("engine", OTHERS)
def test_other_engines_say_what_they_cannot(engine: str, house: House, open_in: Opens) -> None:
    """At an address without a name nobody makes passkeys: one sentence says so, and the card works."""
    page = open_in(engine, house, "/account", house.guest("Anne"), PHONE)
    shown = "css => document.querySelector(css)?.textContent ?? ''"
    assert "une adresse qui commence par https" in page.evaluate(shown, "[data-without]")
    go(page, house, "/account")
    works = page.evaluate("() => Boolean(window.PublicKeyCredential)")
    assert works == (engine == "firefox")
    assert ("Les clés d’accès ne marchent pas" in page.evaluate(shown, "[data-without]")) != works
    assert page.evaluate("() => document.querySelector('[data-passkey]').hidden") != works
    page.locator("form[action='/account'] button").first.click()
    page.wait_for_function("() => document.querySelectorAll('.member-card li').length === 12")
