"""A championship as volunteers run it, by the page and the sheet of instructions, whose names the test taps.

84 made-up players at night, 22 by day: three late, two absent, a wrong result found a round later, a laptop that breaks
after round 2 and another that resumes from the stick. The lower number is the better player, so the palmarès is known.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chouine.contest import Contest, ranking
from chouine.contest.check import check_log
from chouine.contest.people import Person, surname_first
from chouine.contest.ranking import prizes
from chouine.server.contest.spreadsheet import as_ods
from tests.browser.conftest import Halls, Visits
from tests.browser.hall import Hall, person
from tests.browser.visitor import DESKTOP

LATE = 3
"""Players who come after the first draw."""
AT_THE_DOOR = 1 / 4
"""Share of the players who are not in the imported list."""
ABSENT = (7, 14)


def touch(page: Page, name: str) -> None:
    """Click the link or button of this name, as the instructions call it."""
    named = re.compile(
        f"^{re.escape(' '.join(name.split()))}"
    )  # a browser's names of things have plain spaces
    page.get_by_role("button", name=named).or_(page.get_by_role("link", name=named)).first.click()


def enter(page: Page, number: int) -> None:
    """Enter a person by keys and check the number shown."""
    who = person(number)
    page.get_by_label("Nom", exact=True).fill(who.name)
    page.get_by_label("Commune").fill(who.village)
    if number % 3 == 0:
        page.get_by_label("Dame").check()
    page.keyboard.press("Enter")
    given, another = page.locator(".given"), page.get_by_role("button", name="Inscrire quelqu’un d’autre")
    expect(given.filter(has_text=str(number)).or_(another)).to_be_visible()
    if another.is_visible():  # almost the same name
        another.click()
    expect(given).to_contain_text(f"{number}")


def type_results(page: Page, contest: Contest, wrong: int = 0) -> None:
    """Enter all open results: the lower number wins by a belle, but loses at the table of `wrong`."""
    touch(page, "Résultats")
    for round_ in contest.all_rounds():
        for table in round_.open:
            better = table.players.index(min(table.players))
            winner = 1 - better if wrong in table.players else better
            most = round_.match.manches
            digits = [most - 1, most - 1]
            digits[winner] = most
            page.get_by_label("Table, ou un nom").fill(str(table.number))
            page.keyboard.press("Tab")
            page.keyboard.type("".join(map(str, digits)))
            page.keyboard.press("Enter")
            expect(page.locator(".given")).to_contain_text(re.compile(rf"Table {table.number}\b"))


def draw(page: Page, name: str) -> None:
    """Draw a round by its link, with a cut card, and call its tables."""
    touch(page, "Lavardin")
    touch(page, name)
    page.get_by_role("button", name="dame de cœur").click()
    touch(page, "Tirer au sort")  # asked again, with the card's name
    touch(page, "Les tables sont appelées")
    expect(page.get_by_role("button", name=re.compile("^Les tables sont appelées"))).to_have_count(0)


def morning(page: Page, folder: Path, players: int) -> None:
    """Open the contest, import a list, enter people at the door, mark two as absent."""
    page.get_by_label("Son nom").fill("Lavardin 2027")
    page.get_by_label("Prix d’une inscription").fill("10")
    touch(page, "Ouvrir le concours")
    listed = folder / "inscrits.ods"
    many = players - LATE - round(players * AT_THE_DOOR)
    rows = [(one.name, one.village, "x" if number % 3 == 0 else "") for number, one in numbered_people(many)]
    listed.write_bytes(as_ods([("Nom", "Commune", "Dame"), *rows]))
    touch(page, "Inscriptions")
    touch(page, "Importer une liste")
    page.get_by_label("Le fichier").set_input_files(listed)
    touch(page, "Lire la liste")
    page.get_by_label("Tous sont là").check()
    touch(page, "Les inscrire tous")
    touch(page, "Inscriptions")
    for number in range(many + 1, players - LATE + 1):
        enter(page, number)
    for number in ABSENT:
        page.get_by_label("Chercher un nom").fill(str(number))
        touch(page, "Chercher")
        page.locator(f"#n{number} a").click()
        touch(page, "N’est pas là")


def two_rounds(page: Page, hall: Hall, players: int) -> None:
    """Enter late players into round 1, with a wrong result for number 1; play round 2 and the consolante."""
    draw(page, "Faire le tirage du tour 1")
    touch(page, "Imprimer les fiches")
    expect(page.locator(".slip")).to_have_count((players - LATE - len(ABSENT)) // 2)
    touch(page, "Retour à la table de marque")
    touch(page, "Inscriptions")
    for number in range(players - LATE + 1, players + 1):
        enter(page, number)
    assert len(hall.contest.main[0].players) == players - len(ABSENT)
    type_results(page, hall.contest, wrong=1)
    draw(page, "Faire le tirage du tour 2")
    draw(page, "Faire le tirage du tour 1 de la consolante")
    type_results(page, hall.contest)


def put_right(page: Page, contest: Contest) -> None:
    """Correct the result of number 1: the page warns of tables to be replayed."""
    wrong = contest.main[0].table_of(1)
    assert wrong is not None
    touch(page, "Lavardin")
    touch(page, "Tour 1")
    number = page.locator("b", has_text=re.compile(f"^{wrong.number}$"))
    page.locator(".tables a").filter(has=number).click()
    page.get_by_label("Raison de la correction").fill("fiche lue à l’envers")
    touch(page, f"2–\N{WORD JOINER}1 {person(1).name}")
    expect(page.get_by_role("alert")).to_contain_text("rejouer")
    touch(page, "Corriger")


def to_the_end(page: Page, hall: Hall) -> None:
    """Play all rounds of both draws, check the palmarès and reveal the seed."""
    while True:
        page.goto(hall.url)
        link = page.get_by_role("link", name=re.compile("^Faire le tirage"))
        if not link.count():
            break
        draw(page, " ".join(str(link.first.text_content()).split()))  # accessible names have no hard spaces
        type_results(page, hall.contest)
    touch(page, "Le palmarès")
    expect(page.locator(".ranking li").first).to_contain_text(surname_first(person(1)))
    touch(page, "Lavardin")
    touch(page, "Tout ce qui a été fait")
    touch(page, "Clore le concours")
    touch(page, "Clore le concours")  # asked again
    expect(page.get_by_text("La graine")).to_be_visible()


@pytest.mark.first
@pytest.mark.parametrize("players", [22, pytest.param(84, marks=pytest.mark.nightly)])
def test_a_rehearsal(halls: Halls, tmp_path: Path, visit: Visits, players: int) -> None:
    hall, other = (halls(name, made=False) for name in ("Chouine", "autre"))
    hall.start()
    hall.path = hall.folder / "lavardin-2027.chouine"
    page = visit(hall, size=DESKTOP).page
    page.goto(hall.opening)
    morning(page, tmp_path, players)
    two_rounds(page, hall, players)
    hall.kill()  # the laptop breaks; another resumes from the stick
    other.start()
    other.path = other.folder / hall.path.name
    page = visit(other, size=DESKTOP).page
    page.goto(other.opening)
    page.locator("summary", has_text="Depuis une clé").click()
    page.get_by_label("Le fichier de la clé").set_input_files(hall.path)
    touch(page, "Reprendre le concours")
    assert other.contest == hall.contest
    put_right(page, other.contest)
    type_results(page, other.contest)
    to_the_end(page, other)
    found = ranking(other.contest)
    losers = {n for table in other.contest.main[0].played for n in table.losers}
    assert found[0].number == 1
    won = {(one.kind, one.rank): one.winners for one in prizes(other.contest)}
    assert won["lady", 1][0] % 3 == 0
    assert won["consolante", 1] == (min(losers),)
    assert not check_log(other.contest.lines).breaches


def numbered_people(many: int) -> list[tuple[int, Person]]:
    return [(number, person(number)) for number in range(1, many + 1)]
