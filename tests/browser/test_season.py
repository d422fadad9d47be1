"""The pages of a season in Chromium: the club's, those of its keeper, paper, and the folder for any web site."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from chouine.cli import main
from chouine.phrases import Language
from chouine.season.acts import Announced, Booked, MemberSet, SeasonOpened, SeasonRules
from chouine.server.contest.season_store import SeasonStore
from tests.browser.conftest import Halls, Visits
from tests.browser.hall import Hall
from tests.browser.pairs import Theme
from tests.browser.test_every_page import faults_by, faults_of, room_on
from tests.browser.visitor import DESKTOP, PHONE, Size
from tests.needs import need
from tests.season.evenings import evening

LONG = "Marie-Thérèse Lhéritier de Saint-Rimay, Couture-sur-Loir"
NAMES = ["Jean Bordier, Troo", LONG, "Paul Épron", "Anne Dutertre"]
SOON = (datetime.now() + timedelta(days=9)).strftime("%Y-%m-%dT20:00")  # noqa: DTZ005


@pytest.fixture
def club(halls: Halls, tmp_path: Path) -> Hall:
    """A club with a season of eight evenings, one of its players in two spellings, and the next one announced."""
    hall = halls(made=False)
    hall.path = tmp_path / "club.saison"
    opened = SeasonOpened("Challenge du Loir", "Lavardin", SeasonRules(best=6))
    with closing(SeasonStore.create(hall.path, opened, "t")) as store:
        for nth in range(8):
            names = [*NAMES[nth % 4 :], *NAMES[: nth % 4]]
            spelt = (name.replace("Épron", "Épront") if nth > 5 else name for name in names)
            store.take([evening(nth, *spelt)], "t")
        store.do(MemberSet(2, lady=True, since="2019-09-15", consent=True), "t")
        night = store.do(
            Announced(SOON, "Salle des fêtes de Lavardin", "Soirée de Noël", 1000, 2), "t"
        ).head.n
        for number in (1, 2, 3):
            store.do(Booked(night, number), "t")
    hall.listen(["saison", "open", str(hall.path)], told=True)
    return hall


@pytest.mark.parametrize(("language", "size"), [("fr", PHONE), ("en", DESKTOP)])
def test_every_page_of_a_season(
    club: Hall, visit: Visits, language: Language, size: Size, tmp_path: Path
) -> None:
    """No faults by axe-core, no sideways scrolling, targets of 48 pixels with 8 between."""
    need("axe")
    with closing(SeasonStore(club.path)) as store:
        night = max(store.season.nexts)
        code = store.token(night, 1)
    visitor = visit(club, language=language, size=size)
    # axe asks for style sheets, which a folder does not answer
    visitor.expected = "file:|net::ERR_FAILED|load preload assets"
    page = visitor.page
    page.goto(club.opening)
    faults = {}
    for address in (
        "/keep", "/keep/people", "/keep/next", "/", "/evening/1", f"/register/{night}", f"/cancel/{night}/{code}",
        "/print/ranking", f"/print/poster/{night}",
    ):  # fmt: skip
        visitor.go(address)
        for details in page.locator("details").all()[:3]:
            details.evaluate("one => one.open = true")
        theme: Theme = "dark" if size == PHONE else "light"
        found = faults_by(page, theme) + ([] if address.startswith("/print") else room_on(page))
        if found:
            faults[address] = found
    main(["saison", "publish", str(club.path), str(tmp_path / "site"), "--language", language])
    for name in ("index.html", "evening-1.html"):
        page.goto((tmp_path / "site" / name).as_uri())
        if found := faults_of(page) + room_on(page):
            faults[name] = found
    assert faults == {}


def test_a_keeper_merges_and_somebody_registers(club: Hall, visit: Visits) -> None:
    """By the buttons of the pages, as a keeper and a visitor on a phone use them."""
    keeper = visit(club, size=PHONE)
    page = keeper.page
    page.goto(club.opening)
    page.get_by_role("button", name="Une seule personne : garder Paul Épron", exact=True).click()
    expect(page.get_by_role("heading", name="Une personne, ou deux ?")).to_have_count(0)
    expect(page.locator("ol.ranking").first.locator("li")).to_have_count(4)
    visitor = visit(club, size=PHONE).go("/")
    visitor.get_by_role("link", name="S’inscrire").click()
    visitor.get_by_label("Prénom et nom").fill("Zoé Gaudin")
    visitor.get_by_role("button", name="S’inscrire").click()
    expect(visitor.get_by_role("status")).to_have_text("Vous êtes sur la liste d’attente.")
    visitor.get_by_role("link", name="La page pour annuler").click()
    visitor.get_by_role("button", name="Annuler mon inscription").click()
    expect(visitor.get_by_role("status")).to_have_text("L’inscription est annulée.")
