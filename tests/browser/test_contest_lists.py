"""The page that shows a list before it is entered, in Chromium."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from chouine.phrases import Language
from chouine.server.contest.contest_store import ContestStore
from tests.browser.conftest import Halls, Visits
from tests.browser.hall import Hall
from tests.browser.test_contest import at_the_desk
from tests.browser.test_every_page import APART, FINGER, TARGETS, faults_of, room_on
from tests.browser.visitor import DESKTOP, PHONE, Size
from tests.needs import need

LIST = """Club de Vendôme;;;;;
Nom;Prénom;Ville;Sexe;Hameau;Repas
Péan;Jeanne;St-Calais;F;La Ville-aux-Clercs;1
Hervé;Noël;Vendôme;M;;deux
Petit;Léa;Sougé-sur-Braye;F;;1
Pettit;Léa;Sougé;;;
Total;;;;;2
"""
SHOTS = os.environ.get("CHOUINE_SHOTS", "")
"""A folder for pictures of the page, to be looked at."""


@pytest.mark.parametrize(
    ("language", "size"),
    [("fr", PHONE), ("en", DESKTOP), *([("en", PHONE), ("fr", DESKTOP)] if SHOTS else [])],
)
def test_a_list_is_looked_through(halls: Halls, visit: Visits, language: Language, size: Size) -> None:
    """A volunteer drops a file, assigns a column, and enters everybody; the same file again enters nobody."""
    need("axe")
    hall = halls()
    hall.start()
    visitor = at_the_desk(hall, visit, language, size)
    visitor.expected = r"^422 for POST .*/import"
    page = visitor.go("/import")
    page.locator("#file").set_input_files(
        {"name": "club.txt", "mimeType": "text/plain", "buffer": LIST.replace(";", "\t").encode("utf-16")}
    )
    page.locator("main button").click()
    expect(page.locator("#column-5")).to_have_value("")
    page.locator("#column-5").select_option("family")
    page.locator("button[value=look]").click()
    expect(page.locator("#column-5")).to_have_value("family")
    assert faults_of(page) + room_on(page) == []
    assert page.evaluate(TARGETS, [FINGER, APART]) == []
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{language}-{size[0]}.png", full_page=True)
    page.locator("button[value=enter]").click()
    expect(page.locator(".given")).to_contain_text("3")
    assert names_in(hall) == ["Jeanne Péan", "Léa Petit", "Léa Pettit"]
    page.locator("#csv").fill(LIST)
    page.locator("main button").click()
    expect(page.locator("[name=row]")).to_have_count(4)
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{language}-{size[0]}-again.png", full_page=True)
    page.locator("button[value=enter]").click()
    expect(page.locator("[role=alert]").first).to_be_visible()
    assert len(names_in(hall)) == 3


def names_in(hall: Hall) -> list[str]:
    with closing(ContestStore(hall.path)) as store:
        return [person.name for person in store.people.values()]
