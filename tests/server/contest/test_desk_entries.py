"""Entries at the door."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from chouine.contest import ContestOpened, Details, Entered, commit, formula_for
from chouine.contest.people import Person
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import Volunteer, plain_text


def test_nobody_is_doubled_without_a_word(desk: Volunteer, store: ContestStore) -> None:
    text = "Nom;Commune\nJean Bordier;Vendôme\nLéa Petit;Troo"
    desk.bring_in(csv=text)
    shown = desk.post("/import", csv=text.upper())
    assert "Tous ceux de cette liste sont déjà inscrits" in plain_text(shown)
    assert "même nom : 1 Jean Bordier" in plain_text(shown)
    assert "Personne n’a été inscrit" in plain_text(desk.confirm())
    assert desk.answer.status_code == 422
    assert len(store.contest.entrants) == 2
    desk.post("/import", csv="Nom;Famille\nBordier Jean;Bordier\nLea Pettit;\nMax;")
    assert "presque le même nom : 2 Léa Petit" in plain_text(desk.answer.text)
    seen = desk.answer
    desk.confirm(row=["2"])
    assert [one.name for one in store.people.values()][2:] == ["Bordier Jean", "Max"]
    desk.answer = seen  # the form is sent again by a reload: the page lists the acts done since
    desk.confirm()
    assert desk.answer.status_code == 422
    assert len(store.contest.entrants) == 4
    assert "Le numéro 2 a presque le même nom : Léa Petit, Troo" in plain_text(
        desk.post("/entries", name="Lea Petitt")
    )
    assert len(store.contest.entrants) == 4, "the twin is named before anybody is entered"


def test_who_is_entered_in_advance_is_not_entered_again_at_the_door(
    desk: Volunteer, store: ContestStore
) -> None:
    """The same name asks first, and offers the entry to mark as here; a namesake is entered all the same."""
    desk.bring_in(csv="Nom;Commune\nJean Bordier;Vendôme")
    page = plain_text(desk.post("/entries", name="bordier jean", village="VENDOME", lady="1", paid="1"))
    assert 'href="/entries/1">' in desk.answer.text
    assert len(store.contest.entrants) == 1
    assert "Le numéro 1 a le même nom : Jean Bordier" in page
    assert "n’est pas encore là" in page
    desk.post_twice("/entries", act="enter", name="bordier jean", village="VENDOME", lady="1", paid="1")
    assert store.contest.entrant(2).details.lady
    assert store.contest.entrant(2).paid == 1000


def test_who_comes_is_marked_as_here_in_the_list(desk: Volunteer) -> None:
    """Who owes money is then asked for it."""
    desk.bring_in(csv="Nom;Payé\nLéa;oui\nMax;")
    assert desk.get("/entries").text.count('value="here"') == 2
    for which, page in (("1", "/entries"), ("2", "/entries/2")):
        desk.post(f"/entries/{which}", act="here")
        assert desk.answer.url.path == page
    assert "Paie 10,00 €" in plain_text(desk.answer.text)
    assert 'value="here"' not in desk.get("/entries").text


def test_a_refused_entry_is_not_typed_again(desk: Volunteer, store: ContestStore) -> None:
    store._file.execute("PRAGMA query_only = ON")
    page = desk.post("/entries", name="Zoé", village="Troo", lady="1", meals="2")
    for typed in ('value="Zoé"', 'value="Troo"', 'name="lady" value="1" checked', 'value="2"'):
        assert typed in page
    assert 'name="paid" value="1" checked' not in page


def test_who_comes_late_is_told_the_table(desk: Volunteer, store: ContestStore) -> None:
    desk.bring_in(csv="Nom\nLéa\nMax\nNoé\nPia", here="1")
    for absent in (2, 3):
        desk.post(f"/entries/{absent}", act="away")
    desk.enter("Zoé")
    desk.draw()
    page = plain_text(desk.post("/entries/2", act="here"))
    assert "Tour 1 · Table 2 · " in page
    assert " – Max" in page
    desk.post("/entries/3", act="here")
    (exempt,) = store.contest.main[0].exempt
    name = store.people[exempt].name
    assert f"À prévenir aussi : {name} · Tour 1 · exempt" in plain_text(desk.answer.text)
    assert exempt in (1, 4, 5), "never who came late"
    page = plain_text(desk.post("/entries", name="Yves"))
    assert f"Tour 1 · Table 3 · {name} – Yves" in page


def test_one_undo_takes_a_list_back(desk: Volunteer, store: ContestStore) -> None:
    text = "Nom;Payé\nLéa;oui\nMax;"
    desk.bring_in(csv=text)
    desk.post("/log", undo=str(store.contest.head.n), reason="autre liste")
    assert not store.contest.entrants
    desk.bring_in(csv=text)
    assert [one.paid for one in store.contest.entrants.values()] == [1000, 0]


def test_names_are_found_however_they_are_written(desk: Volunteer, store: ContestStore) -> None:
    for name in ("Jean Bordier", "Patrick O’Brien", "Léa Œuvrard", "Jean-Noël Petit"):
        desk.enter(name, village="St-Calais")
    public = Volunteer(desk.app, "http://10.0.0.9")
    for asked in (
        "Bordier Jean",
        "obrien",
        "o'brien",
        "o’brien",
        "oeuvrard",
        "jean noel",
        "jeannoel",
        "O BRIEN",
    ):
        assert "<small>" in desk.get(f"/entries?q={asked}").text, asked
        assert "<h2>" in public.get(f"/public?q={asked}").text, asked
    assert "<small>" in desk.get("/entries?q=saint calais petit").text
    desk.draw()
    desk.post("/results", table="bordier jean", score="20")
    assert len(store.contest.main[0].open) == 1


@pytest.mark.parametrize("name", ["\u3164", "007", "L" + "\u0301" * 23 + "éa", "Lisоn"])
def test_a_name_that_cannot_be_shown_is_refused_at_the_desk(
    desk: Volunteer, store: ContestStore, name: str
) -> None:
    assert 'role="alert"' in desk.post("/entries", name=name)
    assert desk.answer.status_code == 422
    assert not store.contest.entrants


def test_former_years_are_suggested(store: ContestStore, tmp_path: Path) -> None:
    act = ContestOpened(formula_for("lavardin"), commit("x"), "2026")
    with closing(ContestStore.create(tmp_path / "2026.chouine", act, "x", "test")) as before:
        before.do(Entered(1, Details(lady=True)), "entry 1", Person("Zoé Ancien", "Troo"))
    (tmp_path / "broken.chouine").write_bytes(b"x" * 1000)
    desk = Volunteer(desk_application(store)).open()
    suggested = 'label="Troo" data-village="Troo" data-surname="Ancien" data-forename="Zoé" data-lady'
    assert f'value="Zoé Ancien" {suggested}' in desk.get("/entries").text
    desk.enter("Zoé Ancien", village="Troo")
    assert 'value="Zoé Ancien"' not in desk.get("/entries").text
    assert "Le numéro 1 a le même nom" in desk.post("/entries", name="zoé ancien", village="Troo")
