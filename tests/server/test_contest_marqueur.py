"""The score keeper at a contest's table: two players, one phone, the result at the desk."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chouine.desk.contest_store import ContestStore
from chouine.server.contest.app import desk_application
from chouine.tournament import ContestOpened, RoundTable, commit, formula_for
from tests.server.test_contest_desk import SEED, Volunteer

MANCHE = "th cap100- ts cap100- tc cap100-"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    act = ContestOpened(formula_for("lavardin"), commit(SEED), "Lavardin")
    made = ContestStore.create(tmp_path / "contest.chouine", act, SEED, "test")
    yield made
    made.close()


@pytest.fixture
def desk(store: ContestStore) -> Volunteer:
    """The desk, with round 1 of four players drawn."""
    desk = Volunteer(desk_application(store)).open()
    for name in ("Anne", "Basile", "Clotilde", "Donatien"):
        desk.enter(name)
    desk.post("/draw/main", card="Qh")
    return desk


class Phone(Volunteer):
    """A phone that has scanned a table's code."""

    def scan(self, desk: Volunteer, table: int) -> Phone:
        page = desk.get("/print/codes").text
        self.address = re.findall(rf"http://127\.0\.0\.1(/marqueur/{table}/\w+)", page)[0]
        return self

    def tap(self, acts: str) -> str:
        for act in acts.split():
            fields = {"act": act}
            if act.startswith("c"):
                fields = {"act": "count", "der": act[1], "points-0": act[3:-1], "points-1": ""}
            n = re.search(r'name="n" value="(\d+)"', self.get(self.address).text)
            assert n
            self.answer = self.send(self.address, n=n[1], **fields)
        return self.answer.text


def table_of(desk: Volunteer, number: int) -> RoundTable:
    return desk.contest.main[0].table(number)


def test_both_confirm_and_the_result_is_an_act_of_the_contest(desk: Volunteer) -> None:
    phone = Phone(desk.app).scan(desk, 1)
    assert "Table 1" in phone.get(phone.address).text
    page = phone.tap(f"da {MANCHE} {MANCHE}")
    assert "Confirmez tous les deux" in page
    phone.tap("oa")
    assert not table_of(desk, 1).decided
    page = phone.tap("ob")
    table = table_of(desk, 1)
    assert table.score is not None
    assert (table.score.manches, table.score.parties, table.by) == ((2, 0), (6, 0), "table 1")
    assert "La table de marque" in page
    assert desk.contest.main[0].open == (table_of(desk, 2),)
    assert "table 1" in desk.get("/log").text


def test_a_phone_keeps_its_sheet_and_the_next_match_begins_an_empty_one(desk: Volunteer) -> None:
    phone = Phone(desk.app).scan(desk, 1)
    phone.tap("da th sa20h")
    assert "vingt de cœur" in phone.get(phone.address).text
    desk.post("/round/main/1", act="swap", one=str(table_of(desk, 1).players[0]),
              other=str(table_of(desk, 2).players[0]), reason="même famille")  # fmt: skip
    assert "vingt de cœur" not in phone.get(phone.address).text


def test_a_result_that_the_desk_has_already_is_shown_and_not_written_over(desk: Volunteer) -> None:
    phone = Phone(desk.app).scan(desk, 2)
    phone.tap(f"da {MANCHE} {MANCHE} oa")
    desk.post("/results", table="2", score="12")
    before = desk.contest
    page = phone.get(phone.address).text
    assert "1-2" in page
    phone.send(phone.address, n="14", act="ob")
    assert desk.contest == before


def test_only_a_table_s_own_code_opens_its_sheet(desk: Volunteer) -> None:
    phone = Phone(desk.app).scan(desk, 1)
    key = phone.address.rpartition("/")[2]
    for address in (f"/marqueur/2/{key}", "/marqueur/1/0000", "/marqueur/99/0000"):
        assert phone.get(address).status_code == 404
        assert phone.send(address, n="0", act="da").status_code == 404
    assert phone.get("/results", follow=False).status_code == 303
    assert phone.get("/print/codes", follow=False).status_code == 303


@pytest.mark.parametrize("cookie", ["x", "main-1-1-2:da.zz", "main-1-1-2:" + "m." * 900, "é", ":::"])
def test_a_cookie_that_cannot_be_read_is_an_empty_sheet(desk: Volunteer, cookie: str) -> None:
    phone = Phone(desk.app).scan(desk, 1)
    page = phone.http.build_request("GET", phone.address, headers={b"Cookie": f"sheet1={cookie}".encode()})
    answer = asyncio.run(phone.http.send(page))
    assert answer.status_code == 200
    assert 'value="da"' in answer.text


def test_nobody_plays_before_the_draw(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    phone = Phone(desk.app).scan(desk, 1)
    answer = phone.get(phone.address)
    assert answer.status_code == 404
    assert "une fois le tour tiré" in answer.text
