"""At the desk: settings changed, latecomers told their table, who forfeited asked about, a newer stick taken."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from chouine.contest import Entered
from chouine.contest.people import Person
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore, resume
from tests.server.contest.volunteer import NAMES, Volunteer, open_fresh, plain_text


@pytest.fixture
def desk(store: ContestStore) -> Volunteer:
    desk = Volunteer(desk_application(store)).open()
    desk.enter_some(6, paid="1")
    return desk


def test_the_desk_changes_its_mind(desk: Volunteer) -> None:
    """Title, price and rooms; a refusal keeps what was typed, and other roles see the page without its form."""
    page = desk.get("/settings").text
    assert 'value="Lavardin"' in page
    assert 'value="10,00"' in page
    fields = {"title": "Troo", "fee": "12", "kind": "lavardin", "consolante": "first", "seats": "2"}
    desk.post("/settings", **fields, rooms="Bar")
    assert desk.answer.status_code == 422
    assert 'value="12"' in desk.answer.text
    desk.post("/settings", **fields, rooms="Bar 4")
    assert (desk.contest.opened.title, desk.contest.opened.fee, desk.contest.opened.rooms) == (
        "Troo",
        1200,
        (("Bar", 4),),
    )
    assert "Troo" in desk.answer.text
    assert "doit 2,00 €" in plain_text(desk.get("/entries").text)
    page = desk.post("/settings", act="stop", seen="1")
    assert desk.answer.status_code == 422
    assert 'value="Troo"' in page
    desk.draw()
    desk.post("/settings", **{**fields, "kind": "tree"}, rooms="Bar 4")
    assert "ne changent plus" in plain_text(desk.answer.text)
    door = Volunteer(desk.app, "http://10.0.0.7").join("entry")
    assert 'name="title"' not in door.get("/settings").text


def test_a_latecomer_is_told_the_table_and_nobody_else_is_exempt_for_it(desk: Volunteer) -> None:
    """Who makes room is named too, in every way to come late: a new entry, the door list, an entry's page."""
    for name in NAMES[6:8]:
        desk.post("/entries", name=name, away="1")
    desk.draw()
    page = plain_text(desk.post("/entries", name=NAMES[8]))
    assert "Tour 1 · Table" in page
    assert "À prévenir aussi" in page
    assert desk.contest.main[0].exempt[0] < 7
    page = plain_text(desk.post("/door", number="7", act="here"))
    assert "Tour 1 · Table" in page
    assert not desk.contest.main[0].exempt
    page = plain_text(desk.post("/entries/8", act="here"))
    assert "À prévenir aussi" in page
    assert desk.contest.main[0].exempt[0] < 7


def test_who_forfeited_is_asked_about_before_the_consolante(desk: Volunteer) -> None:
    desk.draw()
    table = desk.contest.main[0].played[0]
    gone = table.players[0]
    desk.post(f"/table/main/1/{table.number}", act="forfeit", number=str(gone))
    desk.play("main")
    assert "forfait" in plain_text(desk.get("/draw/consolante").text)
    desk.post("/draw/consolante", card="Qh")
    assert desk.answer.status_code == 422
    answer = {f"plays-{gone}": "no"}
    page = plain_text(desk.post("/draw/consolante", card="Qh", **answer))
    assert "Repartis" in page
    assert "2 inscrits. Tables : 1" in page
    desk.post_twice("/draw/consolante", card="Qh", act="draw", **answer)
    assert desk.contest.entrants[gone].withdrawn
    assert gone not in desk.contest.consolante[0].players


def test_a_player_of_an_evening_skips_a_round(tmp_path: Path) -> None:
    desk = Volunteer(desk_application(open_fresh(tmp_path, "rounds"))).open()
    desk.enter_some(6).draw()
    assert 'value="away"' not in desk.get("/entries/1").text
    desk.play("main")
    assert "Saute le prochain tour" in plain_text(desk.get("/entries/1").text)
    desk.post("/entries/1", act="away")
    desk.post("/entries", name=NAMES[6])
    desk.draw()
    assert set(desk.contest.main[1].players) == {2, 3, 4, 5, 6, 7}
    desk.post("/entries/1", act="here")
    desk.play("main")
    desk.draw()
    assert len(desk.contest.main[2].players) == 7


def test_copies_are_not_compared_with_one_that_is_not_there(
    desk: Volunteer, store: ContestStore, tmp_path: Path
) -> None:
    """A stick that was pulled out, and none at all: one sentence says so, and no other that both hold the same."""
    assert "contiennent les mêmes opérations" in plain_text(desk.get("/copies").text)
    (tmp_path / "usb" / "contest.chouine").rename(tmp_path / "elsewhere")
    page = plain_text(desk.get("/copies").text)
    assert "n’existe pas" in page
    assert "mêmes opérations" not in page
    store.copy = None
    page = plain_text(desk.get("/copies").text)
    assert "pas encore de seconde copie" in page
    assert "mêmes opérations" not in page


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("taken", ["stick", "laptop"])
def test_a_newer_stick_is_compared_and_one_of_the_two_taken(
    desk: Volunteer, store: ContestStore, tmp_path: Path, taken: str, *, both: bool
) -> None:
    """Another laptop has gone on with the stick; the page says which is ahead, and what each has done since."""
    with closing(resume(tmp_path / "usb" / "contest.chouine", tmp_path / "other.chouine")) as other:
        for name in ("Zoé Neuve", "Yves Neuf"):
            other.do(Entered(other.contest.next_number), "entry 9", Person(name))
        theirs = other.contest
    if both:
        desk.enter("Xavier Seul")
    store.update_copy()
    ours = store.contest
    assert 'href="/copies"' in desk.get("/").text
    page = plain_text(desk.get("/copies").text)
    assert ("La clé est en avance : elle a 2 opérations de plus" in page) != both
    assert ("Depuis : 1 sur cet ordinateur, 2 sur la clé" in page) == both
    desk.post("/copies", act=taken)
    assert store.contest == (theirs if taken == "stick" else ours)
    assert store.copied
    assert "/copies" not in desk.get("/").text
    names = [person.name for person in store.people.values()]
    assert ("Zoé Neuve" in names) == (taken == "stick")
    with closing(ContestStore(store.path)) as again:
        assert again.contest == store.contest
    folder = tmp_path if taken == "stick" else tmp_path / "usb"
    kept = [
        file
        for file in folder.glob("*.chouine")
        if file not in (store.path, store.copy, tmp_path / "other.chouine")
    ]
    assert len(kept) == 1, "what was not taken is kept"
    with closing(ContestStore(kept[0])) as aside:
        assert aside.contest == (ours if taken == "stick" else theirs)


def test_an_evening_stops_after_fewer_rounds_and_who_skips_one_is_not_missing(tmp_path: Path) -> None:
    """One touch ends six announced rounds after the second; whoever rests is no latecomer, and comes back."""
    with closing(open_fresh(tmp_path, "rounds", rounds=6)) as store:
        desk = Volunteer(desk_application(store)).open()
        desk.enter_some(5).draw()
        assert "S’arrêter après" not in plain_text(desk.get("/").text)  # tables are playing
        desk.play("main")
        assert "Saisir les résultats" not in plain_text(desk.get("/").text)
        desk.post("/entries/3", act="away")
        page = plain_text(desk.get("/entries").text)
        assert "saute le prochain tour" in page
        assert "pas encore là" not in page
        assert "Personne ne manque" in plain_text(desk.get("/door").text)
        assert f"Saute ce tour : {NAMES[2]}." in plain_text(desk.post("/draw/main", card="7s", act="draw"))
        desk.draw()
        desk.play("main")
        assert "Rejoue" in plain_text(desk.get("/entries/3").text)
        before = desk.contest.opened
        page = plain_text(desk.post("/settings", act="stop"))
        assert desk.contest.formula.rounds == 2
        assert (desk.contest.opened.title, desk.contest.opened.fee) == (before.title, before.fee)
        assert "Le palmarès" in page
        assert "Consolante" not in plain_text(desk.get("/palmares").text)
