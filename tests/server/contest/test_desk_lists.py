"""Lists and spreadsheets that go out and come in."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import httpx
import pytest

from chouine.contest.lists import read_rows
from chouine.contest.people import Person
from chouine.server.contest import read_cells, spreadsheet
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import Volunteer, plain_text


def test_lists_go_out_and_come_in(desk: Volunteer, store: ContestStore) -> None:
    page = desk.post("/import", csv="Nom,Commune,Dame,Repas\nZoé,Troo,x,2\n=L+1,,,\n", here="1")
    assert not store.contest.entrants
    assert "2 personnes peuvent être inscrites" in plain_text(page)
    desk.confirm()
    assert [one.details.lady for one in store.contest.entrants.values()] == [True, False]
    assert all(one.here for one in store.contest.entrants.values())
    text = desk.get("/entries.csv").text
    assert text.startswith("\ufeffNuméro;Nom;Commune;")
    assert "Zoé;Troo" in text
    assert "'=L+1" in text
    page = desk.bring_in(csv="nom;repas\nLuc;2\nMax;deux")
    assert [person.name for person in store.people.values()] == ["Zoé", "=L+1", "Luc"]


def test_a_page_shows_what_a_list_holds(desk: Volunteer, store: ContestStore) -> None:
    """Columns left out, rows with errors, sums; a column assigned is looked at again before anybody is entered."""
    page = plain_text(desk.post("/import", csv="Nom;Hameau;Repas\nLéa;Troo;1\nMax;Sougé;deux\nTotal;;3\n"))
    for shown in (
        "Hameau par exemple « Troo »",
        "Laissée de côté",
        "Ligne 3",
        "écrivez 0, 1, 2… Max · Sougé · deux",
        "Ligne 4 Total · 3",
    ):
        assert shown in page, page
    assert "sans les lignes en erreur" in page
    columns = ["name", "village", ""]
    page = plain_text(desk.confirm(column=columns))
    assert not store.contest.entrants
    assert "2 personnes peuvent être inscrites" in page
    desk.confirm()
    assert [person.village for person in store.people.values()] == ["Troo", "Sougé"]


def test_a_row_completes_who_is_entered(desk: Volunteer, store: ContestStore) -> None:
    """Village, meals, payment and presence; nothing the second time, and one undo takes all of it back."""
    desk.post("/entries", name="Bordier", first="Jean", away="1")
    desk.enter("Petit", first="Léa", village="Troo", paid="1", lady="1")
    text = "Nom;Prénom;Ville;Repas;Payé;Présent\nBordier;Jean;Sougé;1;oui;x\nPetit;Léa;;2;10;\nDurand;Zoé;Troo;;;"
    assert "compléter le numéro 1" in plain_text(desk.post("/import", csv=text))
    page = plain_text(desk.confirm())
    assert "1 personne inscrite." in page
    assert "2 fiches complétées." in page
    found = {n: (one.here, one.paid, one.details.meals) for n, one in store.contest.entrants.items()}
    assert found == {1: (True, 2500, 1), 2: (True, 1000, 2), 3: (False, 0, 0)}
    assert {n: one.village for n, one in store.people.items()} == {1: "Sougé", 2: "Troo", 3: "Troo"}
    villages = [one.details.village for one in store.contest.entrants.values()]
    assert villages[1] == villages[2] != villages[0] > 0
    assert store.contest.entrants[2].details.lady
    done = store.contest.head.n
    desk.post("/import", csv=text)
    assert "Personne n’a été inscrit" in plain_text(desk.confirm())
    desk.post("/log", undo=str(done), reason="autre liste")
    assert {n: (one.here, one.paid) for n, one in store.contest.entrants.items()} == {
        1: (False, 0),
        2: (True, 1000),
    }
    assert {n: one.village for n, one in store.people.items() if n < 3} == {1: "", 2: "Troo"}


def test_a_total_is_no_player_unless_it_is_ticked(desk: Volunteer, store: ContestStore) -> None:
    """Jean Somme is one. Titles above a list without a heading are skipped, and its columns named by hand."""
    page = desk.post("/import", csv="Concours du 7 mars;\nBordier Jean;Troo\nSomme Jean;Sougé\nTotal;2")
    assert "Concours du 7 mars" in page
    page = desk.confirm("look", column=["turned", "village"])
    assert '<input type="checkbox" name="row" value="3">' in page
    desk.confirm(row=["3"])
    assert [(one.name, one.surname) for one in store.people.values()] == [
        ("Jean Bordier", "Bordier"),
        ("Jean Somme", "Somme"),
    ]


@pytest.mark.parametrize("heading", ["Ville", "Localité", "Commune", "VILLE (obligatoire)"])
def test_columns_as_clubs_name_them(heading: str) -> None:
    rows = [
        ["Club de Lavardin"],
        [],
        ["Civilité", "Nom", "Prénoms", heading, "Catégorie", "Sexe", "N° licence", "Payé"],
        ["Mme", "Petit", "Léa", "Troo", "Loisir", "F", "12", "chèque 10 €"],
        ["M.", "Durand", "Luc", "Troo", "Jeune", "H", "13", "non"],
    ]
    listing = read_rows(rows)
    assert [column.kind for column in listing.columns] == [
        "lady",
        "name",
        "first",
        "village",
        "junior",
        "lady",
        "",
        "paid",
    ]
    assert [(one.lady, one.junior, one.paid) for one in listing.people] == [
        (True, False, None),
        (False, True, 0),
    ]
    assert not listing.faults


def saved_by_an_office() -> bytes:
    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def text(content: str, repeated: int = 1) -> str:
        many = f'table:number-columns-repeated="{repeated}" office:value-type="string"'
        return f"<table:table-cell {many}><text:p>{content}</text:p></table:table-cell>"

    empty = '<table:table-cell table:number-columns-repeated="{}"/>'
    two = '<table:table-cell office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell>'
    rows = (
        row(text("Nom"), text("Prénom"), empty.format(1), text("Dame"), text("Repas"), empty.format(16379)),
        row(text("Péan"), text("Jeanne"), empty.format(1), text("x"), two, empty.format(16379)),
        row(empty.format(16384)),
        row(text("=L+1"), empty.format(16383)),
        row(text("Hervé"), text("Noël"), empty.format(16382)),
        row(empty.format(16384)).replace("table-row>", 'table-row table:number-rows-repeated="1048571">', 1),
    )
    return spreadsheet.ods_file(content_of("".join(rows)))


def content_of(rows: str) -> str:
    """The sheet of an OpenDocument spreadsheet with these rows."""
    empty = spreadsheet.template("spreadsheet").render(rows=())
    return empty.replace("</table:table>", f"{rows}</table:table>")


def ods_of(*rows: tuple[object, ...]) -> bytes:
    return spreadsheet.as_ods(rows)


def upload(desk: Volunteer, content: bytes) -> httpx.Response:
    """Have a file read."""
    return desk.upload("/import", "file", "list", content, here="1")


def test_spreadsheets_go_out_and_come_in(desk: Volunteer, store: ContestStore) -> None:
    """Sheets as LibreOffice saves them, with repeated cells and a million empty rows; exports can be imported."""
    assert upload(desk, saved_by_an_office()).status_code == 200
    desk.confirm()
    assert [person.name for person in store.people.values()] == ["Jeanne Péan", "=L+1", "Noël Hervé"]
    assert [one.details.meals for one in store.contest.entrants.values()] == [2, 0, 0]
    assert store.contest.entrants[1].details.lady
    out = desk.get("/entries.ods").content
    assert [row.person for row in read_rows(spreadsheet.read_file(out)).people] == list(store.people.values())
    for what in ("results", "ranking"):
        assert desk.get(f"/{what}.ods").content.startswith(b"PK")


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 nothing",
        pytest.param(b"nom\n" + b"x" * 200_000, id="a cell without end"),
        b"\xd0\xcf\x11\xe0" + b"\0" * 600,
        b"\xff\xfe\0\0",
        b"\0",
        ods_of(),
        ods_of(("nom",), ("A",))[:-30],
    ],
)
def test_what_is_no_list_is_refused_with_a_sentence(
    desk: Volunteer, store: ContestStore, content: bytes
) -> None:
    answer = upload(desk, content)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert not store.contest.entrants


def test_what_unpacks_to_more_than_a_list_is_not_unpacked(store: ContestStore) -> None:
    file = BytesIO(saved_by_an_office())
    with ZipFile(file, "a", ZIP_DEFLATED) as folder:
        folder.writestr("Pictures/1", bytes(spreadsheet.LARGEST_UNPACKED))
    assert len(file.getvalue()) < 100_000
    desk = Volunteer(desk_application(store)).open()
    assert 'role="alert"' in upload(desk, file.getvalue()).text
    assert not store.contest.entrants


@pytest.mark.parametrize("damage", ["millions", "unclosed"])
def test_a_damaged_spreadsheet_holds_nobody_up(
    store: ContestStore, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """A sheet of 17 thousand million cells, or with an unclosed table, is refused after a timeout."""
    monkeypatch.setattr(read_cells, "PATIENCE", 5)
    cell = '<table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p>'
    rows = (
        f'<table:table-row table:number-rows-repeated="1048571">{cell}</table:table-cell></table:table-row>'
    )
    content = content_of(rows)
    if damage == "unclosed":
        content = content_of("ROWS").replace("</table:table>", "</tab:table>")
    file = spreadsheet.ods_file(content)
    assert upload(Volunteer(desk_application(store)).open(), file).status_code == 422


def test_latin_letters_of_an_old_spreadsheet(desk: Volunteer, store: ContestStore) -> None:
    upload(desk, "Nom;Prénom;Commune\nÉpron;Noël;Trôo\n".encode("cp1252"))
    desk.confirm()
    assert store.people[1] == Person("Noël Épron", "Trôo")


def test_a_refused_list_counts_what_was_ticked(desk: Volunteer, store: ContestStore) -> None:
    desk.enter("Bordier", first="Jean")
    page = plain_text(desk.post("/import", csv="Nom\nJean Bordier\nJean Bordiet\n"))
    assert "1 personne peut être inscrite" in page
    assert "1 ligne complète" in page
    page = desk.confirm(row=[], merge=[])
    assert "0 personne peut être inscrite" in plain_text(page)
    assert "1 ligne complète" not in plain_text(page)
    assert 'name="row" value="3" checked' not in page
    assert len(store.contest.entrants) == 1


def test_a_doubt_that_is_new_in_a_refused_list_is_ticked_as_the_first_ones(
    desk: Volunteer, store: ContestStore
) -> None:
    """Somebody was entered at another laptop meanwhile: without a tick the row would be left out unseen."""
    desk.post("/import", csv="Nom\nJean Bordiet\nMarthe Loir\nOdette Dupin\n")
    shown = desk.answer
    desk.enter("Bordier", first="Jean")
    desk.enter("Loir", first="Marthe")
    desk.answer = shown
    page = desk.confirm()
    assert len(store.contest.entrants) == 2
    assert 'name="row" value="2" checked' in page
    assert 'name="merge" value="3" checked' in page
    desk.confirm(merge=[])
    assert sorted(one.name for one in store.people.values()) == [
        "Jean Bordier",
        "Jean Bordiet",
        "Marthe Loir",
        "Odette Dupin",
    ]
