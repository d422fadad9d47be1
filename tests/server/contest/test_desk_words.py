"""The words of the desk where a program's own would show: names of rounds, winners, empty fields, exempt entries."""

from __future__ import annotations

import re
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.contest import ContestOpened, Entered, ListEntered, commit, formula_for, ranking
from chouine.contest.formula import Kind
from chouine.contest.people import Person
from chouine.match import Format
from chouine.rules import Rules
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.standing import winners
from chouine.server.pages.sheet import sheet_page
from chouine.server.pages.visit import Visit
from chouine.table.sheet import Sheet
from tests.server.contest.volunteer import NAMES, SEED, Volunteer, open_fresh, plain_text


@pytest.fixture
def final(store: ContestStore) -> Volunteer:
    """The desk of a contest of seven, of whom one is exempt, with its final drawn."""
    desk = Volunteer(desk_application(store)).open()
    desk.enter_some(7)
    for nth in range(3):
        desk.draw()
        if nth < 2:
            desk.play("main", winner=1)
    return desk


PAGES = ("/", "/round/main/3", "/table/main/3/1", "/log", "/public", "/screen", "/print/slips/main/3",
         "/print/calls/main/3", "/print/tree/main", "/results.csv")  # fmt: skip


@pytest.mark.parametrize("address", PAGES)
def test_the_final_is_called_so_everywhere(final: Volunteer, address: str) -> None:
    page = plain_text(final.get(address).text)
    assert "Finale" in page
    assert "Tour 3" not in page


def test_the_log_tells_of_one_entry_and_one_amount(desk: Volunteer) -> None:
    """In the language of who reads, and an amount is not broken at the end of a line."""
    desk.enter_some(8)
    desk.post("/entries/8", act="paid")
    found = unescape(desk.get("/log").text)
    assert "Inscription\N{NO-BREAK SPACE}: 8 " in found
    assert "10,00\N{NO-BREAK SPACE}€" in found
    desk.http.headers["Accept-Language"] = "en"
    assert "€10.00" in desk.get("/log").text


def test_the_page_that_draws_names_the_round(desk: Volunteer) -> None:
    desk.enter_some(8).draw()
    desk.play("main")
    for address in ("/", "/results", "/entries", "/round/main/1"):
        assert "Faire le tirage : Demi-finales" in plain_text(desk.get(address).text), address
    assert "Le tirage · Demi-finales" in plain_text(desk.get("/draw/main").text)
    assert "Faire le tirage : Consolante · Demi-finales" in plain_text(desk.get("/").text)
    desk.draw("consolante")
    desk.play("consolante")
    assert "Faire le tirage : Consolante · Finale" in plain_text(desk.get("/").text)


def test_who_wins_is_told_with_the_winner_s_manches_first(final: Volunteer) -> None:
    page = plain_text(final.get("/table/main/3/1").text)
    assert re.search(r"2–1 \S+ \S+ gagne 2–1 ", page), page
    assert "gagne 2–1" in plain_text(final.post("/results", table="1", score="12"))


def test_a_phone_tells_the_winner_s_manches_first() -> None:
    manches = " th xa" * 3, " th xb" * 3, " da" + " th xa" * 3
    sheet = Sheet.read(Rules.of_preset("classic"), Format(3, 2), f"da{''.join(manches)}".split())
    page = plain_text(sheet_page(Visit("fr", "", ""), sheet, ["Anne", "Basile"]))
    assert "Basile gagne le match. Manches 2–1." in page
    assert "La manche est à Basile, 3–0." in page


def test_several_under_the_table_are_told_apart() -> None:
    sheet = Sheet.read(Rules.of_preset("three"), Format(3, 1), ["da", *["th", "cap100p10p0"] * 3])
    page = plain_text(sheet_page(Visit("fr", "", ""), sheet, ["Anne", "Gaëlle", "Zoé"]))
    assert "Gaëlle passe sous la table ! Zoé passe sous la table !" in page


def test_an_exempt_entry_has_no_table(final: Volunteer) -> None:
    exempt = final.contest.main[0].exempt[0]
    assert "Tour 1 · exemption" in plain_text(final.get(f"/entries/{exempt}").text) or final.contest.main[1:]
    assert ";exemption;" in final.get("/results.csv").text
    for address in ("/print/calls/main/1", "/round/main/1", f"/public?q={exempt}", "/results.csv"):
        page = plain_text(final.get(address).text)
        assert "xemption" in page, address
        assert "able 0" not in page


@pytest.mark.parametrize(
    ("address", "fields", "said"),
    [
        ("/round/main/3", {"act": "swap", "reason": "x"}, "Écrivez les numéros des deux joueurs."),
        (
            "/round/main/3",
            {"act": "pair", "one": "1", "reason": "x"},
            "Écrivez les numéros des deux joueurs.",
        ),
        ("/log", {"act": "undo", "reason": "x"}, "Écrivez le numéro."),
        ("/results", {"score": "21"}, "Écrivez le numéro d’une table, ou un nom."),
        ("/results", {"table": "1"}, "Écrivez le résultat."),
    ],
)
def test_an_empty_field_is_not_the_number_0(
    final: Volunteer, address: str, fields: dict[str, str], said: str
) -> None:
    page = plain_text(final.post(address, **fields))
    assert final.answer.status_code == 422
    assert said in page


def test_diplomas_name_places_for_anybody(final: Volunteer) -> None:
    final.play("main")
    final.post_twice("/log", act="end", reason="orage")
    page = plain_text(final.get("/print/diplomas").text)
    assert "Première place" in page
    assert "2e place" in page
    assert "Vainqueur" not in page


def test_a_line_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_fresh(tmp_path)
    desk = Volunteer(desk_application(store)).open()
    desk.enter_some(3)
    lines = [str(line) for line in store.contest.lines]
    store.close()
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join([*lines[:2], lines[2].replace('"number":2', '"number":9'), *lines[3:]]))
    assert main(["concours", "check", str(log), "--language", "fr"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Ligne 3\xa0: Le sceau ne suit pas")
    assert said.count("igne 3") == 1


@pytest.mark.parametrize(("language", "said"), [("en", "Round 1"), ("fr", "Tour 1")])
def test_papers_and_exports_are_in_the_contest_s_language(tmp_path: Path, language: str, said: str) -> None:
    """Whoever prints them; the pages of the desk are in each helper's."""
    act = ContestOpened(formula_for("lavardin"), commit(SEED), "Village", language=language)
    store = ContestStore.create(tmp_path / "one.chouine", act, SEED, "test")
    desk = Volunteer(desk_application(store)).open()
    desk.enter_some(4).draw()
    for helper in ("en", "fr"):
        desk.http.headers["Accept-Language"] = helper
        for address in ("/print/slips/main/1", "/print/calls/main/1", "/print/tree/main", "/results.csv"):
            assert said in plain_text(desk.get(address).text), (helper, address)
        for address in ("/print/accounts", "/print/digest"):
            assert f'<html lang="{language}"' in desk.get(address).text, (helper, address)
        assert ("Round 1" if helper == "en" else "Tour 1") in plain_text(desk.get("/round/main/1").text)
    store.close()


@pytest.mark.parametrize("kind", ["lavardin", "swiss"])
def test_a_text_for_the_newspaper(tmp_path: Path, kind: Kind) -> None:
    """About 150 words in French, with the winner and the prizes; nothing before the end."""
    store = open_fresh(tmp_path, kind)
    desk = Volunteer(desk_application(store)).open()
    for nth, name in enumerate(NAMES[:8]):
        desk.enter(name, village="Troo" if nth % 2 else "Sougé", **({"lady": "1"} if nth > 4 else {}))
    assert "pas encore fini" in plain_text(desk.get("/print/press").text)
    for stage in ("main", "consolante") if kind == "lavardin" else ("main",):
        for _ in range({"main": 3, "consolante": 2}[stage] if kind == "lavardin" else 5):
            desk.draw(stage)
            desk.play(stage)
    found = re.search(r"<article.*?</article>", desk.get("/print/press").text, re.DOTALL)
    assert found
    text = plain_text(found[0])
    assert 120 <= len(text.split()) <= 180, text
    winner = store.people[ranking(store.contest)[0].number].name
    assert f"Première place : {winner}" in text
    assert "8 joueurs, venus de 2 communes" in text
    assert ("a gagné la finale contre" in text) == (kind == "lavardin")
    assert "carte coupée par le public" in text
    assert " : première place :" not in text
    store.close()


def test_a_storm_after_one_round_is_one_round_in_the_newspaper(desk: Volunteer) -> None:
    desk.enter_some(5).draw()
    desk.play("main")
    desk.post_twice("/log", act="end", reason="orage")
    page = plain_text(desk.get("/print/press").text)
    assert "Après un seul tour, la première place revient à" in page


def test_a_poster_tells_any_match(tmp_path: Path) -> None:
    store = open_fresh(tmp_path, matches=("4",))
    assert "Une manche de 4 parties" in plain_text(
        Volunteer(desk_application(store)).open().get("/print/poster").text
    )
    store.close()


def test_a_poster_has_what_is_known_and_room_for_the_rest(desk: Volunteer) -> None:
    page = plain_text(desk.get("/print/poster").text)
    assert "Inscription : 10,00 €" in page
    assert "Deux manches de trois, et la belle" in page
    assert "………" in page
    page = plain_text(desk.get("/print/poster?when=Dimanche+7+mars&where=%3Cb%3ETroo").text)
    assert "Dimanche 7 mars" in page
    assert "<b>Troo" in page
    assert "………" not in page


@pytest.mark.parametrize("seats", [2, 3])
def test_forms_for_when_the_computer_dies(tmp_path: Path, seats: int) -> None:
    """Who is in, with a mark for each round played, and blank forms; those who have withdrawn are left out."""
    store = open_fresh(tmp_path, "lavardin", **({"seats": seats, "matches": ("3",)} if seats > 2 else {}))
    desk = Volunteer(desk_application(store)).open()
    desk.enter_some(7)
    desk.post("/entries/7", act="withdraw")
    desk.draw()
    page = desk.get("/print/by-hand").text
    assert NAMES[5] in page
    assert NAMES[6] not in page
    assert "<td>+</td>" not in page
    table = store.contest.main[0].played[0]
    desk.post("/results", table="1", score="20" if seats == 2 else "100")
    page = desk.get("/print/by-hand").text
    assert page.count("<td>+</td>") == 1
    assert page.count("<td>−</td>") == len(table.players) - 1
    assert page.count("Table ……") == (2 if seats == 2 else 1)  # one sheet, both sides
    store.close()


def test_one_slip_alone_with_its_room_and_villages(tmp_path: Path) -> None:
    act = ContestOpened(formula_for("lavardin"), commit(SEED), "Village", rooms=(("Salle", 1), ("Bar", 9)))
    store = ContestStore.create(tmp_path / "one.chouine", act, SEED, "test")
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:4]:
        desk.enter(name, village="Les Roches-l’Évêque")
    desk.draw()
    page = plain_text(desk.get("/print/slips/main/1").text)
    assert re.findall(r"Table (\d) (Salle|Bar) (\d)", page) == [("1", "Salle", "1"), ("2", "Bar", "1")]
    assert page.count("Les Roches-l’Évêque") == 4
    alone = plain_text(desk.get("/print/slips/main/1?table=2").text)
    assert "Table 2 Bar 1" in alone
    assert "Table 1" not in alone
    assert 'href="/print/slips/main/1?table=2"' in desk.get("/table/main/1/2").text
    store.close()


def test_names_first_then_tables_then_the_champion_on_the_screen(tmp_path: Path) -> None:
    """39 tables are found in two pages of 7 seconds; with the first result the pages are of tables."""
    store = open_fresh(tmp_path, "tree", consolante="none")
    desk = Volunteer(desk_application(store)).open()
    store.do(ListEntered(tuple(Entered(number) for number in range(1, 79))), "desk",
             {number: Person(f"{NAMES[number % 20]} {number}") for number in range(1, 79)})  # fmt: skip
    desk.draw()
    pages = [desk.get(f"/screen?page={nth}").text for nth in range(3)]
    assert [re.findall(r'data-seconds="(\d+)"', page) for page in pages] == [["7"]] * 3
    assert "Trouvez votre table" in plain_text(pages[0])
    found = [name for page in pages[:2] for name in re.findall(r"<li><span[^>]*>([^<]+)</span>", page)]
    assert len(set(found)) == 78
    assert pages[2].count("<li>") == pages[0].count("<li>")  # around again
    table = store.contest.main[0].open[0]
    desk.post("/results", table=str(table.number), score="20")
    assert "Trouvez votre table" not in plain_text(desk.get("/screen").text)
    desk.post_twice("/log", act="end", reason="orage")
    while_open = plain_text(desk.get("/screen").text)
    assert "Le concours est gagné par" not in while_open
    store.close()


def test_a_first_place_that_is_shared_has_no_single_winner(tmp_path: Path) -> None:
    """After a storm two, then many, are equal: neither the newspaper nor the screen names one of them alone."""
    with closing(open_fresh(tmp_path, "rounds", rounds=2)) as store:
        desk = Volunteer(desk_application(store)).open().enter_some(4)
        desk.draw()
        desk.play("main")
        desk.post_twice("/log", act="end", reason="orage")
        firsts = ", ".join(store.people[number].name for number in winners(store.contest))
        assert f"la première place est partagée par {firsts}" in plain_text(desk.get("/print/press").text)
        page = plain_text(desk.get("/screen").text)
        assert "La première place est partagée par" in page
        assert "gagné par" not in page
        desk.post("/log", undo=str(store.contest.head.n), reason="accalmie")
        for name in NAMES[4:14]:
            desk.enter(name)
        desk.draw()
        desk.post_twice("/log", act="end", reason="orage")
        assert "Trouvez votre table" not in plain_text(desk.get("/screen").text), "nobody plays any more"


def test_a_contest_ended_before_the_draw_takes_no_entries_anywhere(desk: Volunteer) -> None:
    for address in ("/public", "/screen"):
        assert "Les inscriptions sont ouvertes" in plain_text(desk.get(address).text)
    desk.post_twice("/log", act="end", reason="orage")
    for address in ("/public", "/screen"):
        page = plain_text(desk.get(address).text)
        assert "Les inscriptions sont ouvertes" not in page
        assert "Le concours est terminé" in page


def test_the_champion_is_the_first_page_at_the_end(final: Volunteer) -> None:
    final.play("main")
    final.draw("consolante")
    while final.contest.consolante[-1].open:
        final.play("consolante")
        if len(final.contest.consolante[-1].tables) > 1:
            final.draw("consolante")
    winner = ranking(final.contest)[0].number
    page = plain_text(final.get("/screen").text)
    assert f"Le concours est gagné par {final.app.state.desk.store.people[winner].name}" in page
