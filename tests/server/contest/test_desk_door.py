"""The door list and the accounts."""

from __future__ import annotations

import re

import pytest

from chouine.contest import ranking
from chouine.contest.views import payments, totals
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import Volunteer, plain_text

LIST = """Nom;Prénom;Commune;Repas
Zola;Émile;Troo;
de La Tour;Jean;Vendôme;1
Épron;Agnès;Troo;
Bordier;Léa;;
Daubert;Luc;;"""


@pytest.fixture
def desk(store: ContestStore) -> Volunteer:
    desk = Volunteer(desk_application(store)).open()
    desk.bring_in(csv=LIST)
    return desk


def rows(page: str) -> list[str]:
    return re.findall(r"<b>(\d+)</b> <span>", page)


def test_who_is_missing_is_listed_by_surname_and_touched_once(desk: Volunteer) -> None:
    """Here and paid, with a meal or later; the list shortens, and what is touched wrongly is taken back."""
    page = desk.get("/door")
    assert rows(page.text) == ["4", "5", "2", "3", "1"]
    assert "Est là et paie 10,00 €" in plain_text(page.text)
    assert "Est là et paie 25,00 €" in plain_text(page.text), "with the meal that was ordered"
    page_text = desk.post("/door", number="3", act="here")
    assert "Épron Agnès · payé : 10,00 €" in plain_text(page_text)
    assert rows(page_text) == ["4", "5", "2", "1"]
    desk.post("/door", number="4", act="meal")
    desk.post("/door", number="1", act="later")
    found = {n: (one.here, one.paid, one.details.meals) for n, one in desk.contest.entrants.items()}
    assert found == {
        1: (True, 0, 0), 2: (False, 0, 1), 3: (True, 1000, 0), 4: (True, 2500, 1), 5: (False, 0, 0),
    }  # fmt: skip
    desk.post("/door", act="undo", line=str(desk.contest.head.n - 1))
    assert (
        desk.contest.entrants[4].here,
        desk.contest.entrants[4].paid,
        desk.contest.entrants[4].details.meals,
    ) == (False, 0, 0)
    assert rows(desk.answer.text) == ["4", "5", "2"]


def test_a_search_and_two_keys_check_somebody_in(desk: Volunteer) -> None:
    """The first match has the focus, so that Enter marks it; then the search has it again."""
    page = desk.get("/door?q=latour").text
    assert rows(page) == ["2"]
    assert re.findall(r'value="here" autofocus', page)
    assert rows(desk.get("/door?q=da").text) == ["5"]
    assert rows(desk.get("/door?q=ro").text) == ["3", "1"], "Épron and Troo: no name begins so"
    assert rows(desk.get("/door?q=l").text)[0] == "4", "Léa Bordier before Émile Zola"
    assert 'id="q" name="q" value="" autocomplete="off" autofocus' in desk.post(
        "/door", number="2", act="here"
    )


def test_two_doors_mark_nobody_twice(desk: Volunteer) -> None:
    other = Volunteer(desk.app, "http://10.0.0.7").join("entry")
    seen = str(desk.contest.head.n)
    other.post("/door", number="3", act="here", seen=seen)
    desk.post("/door", number="3", act="here", seen=seen)
    assert desk.answer.status_code == 422
    assert desk.contest.entrants[3].paid == 1000
    line = str(desk.contest.head.n)
    third = Volunteer(desk.app, "http://10.0.0.8").join("entry")
    third.post("/door", act="undo", line=line)
    assert third.answer.status_code == 403
    desk.post("/door", act="undo", line=line)
    assert not desk.contest.entrants[3].here


def test_who_never_came_owes_nothing_and_has_no_rank(desk: Volunteer) -> None:
    """Nor who withdrew before the draw; what they had paid is to be given back."""
    for number in ("1", "2", "3"):
        desk.post("/door", number=number, act="here")
    desk.post("/entries/3", act="withdraw")
    assert totals(desk.contest).due == 1000 + 2500
    assert "Rendre 10,00 €" in plain_text(desk.get("/entries/3").text)
    desk.draw()
    assert [one.number for one in ranking(desk.contest)] == [1, 2]
    assert totals(desk.contest).due == 1000 + 2500
    desk.post("/entries/3", act="paid")
    assert [(one.number, one.cents) for one in payments(desk.contest)] == [
        (1, 1000),
        (2, 2500),
        (3, 1000),
        (3, -1000),
    ]
    assert totals(desk.contest).paid == totals(desk.contest).due


def test_the_treasurer_has_who_paid_how_much_when_and_where(desk: Volunteer) -> None:
    other = Volunteer(desk.app, "http://10.0.0.7").join("entry")
    desk.post("/door", number="1", act="here")
    other.post("/door", number="2", act="here")
    other.post("/door", number="3", act="later")
    desk.post("/door", act="undo", line=str(desk.contest.head.n))
    other.post("/door", number="4", act="later")
    page = plain_text(desk.get("/print/accounts").text)
    assert "Dû 35,00 €" not in page
    assert "45,00 €" in page
    assert "Payé 35,00 €" in page
    assert "entrée 1" in page
    assert re.search(r"\d+ h( \d\d)? 2 de La Tour Jean inscriptions à l’entrée 1 25,00 €", page)
    assert "4 Bordier Léa doit 10,00 €" in page
    assert "Zola Émile doit" not in page
    assert "Daubert" not in page, "who has not come owes nothing"
    assert "La trésorerie" in page
