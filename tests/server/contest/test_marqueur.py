"""The score keeper at a contest's table: two players, their phones, the result at the desk."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from chouine.contest import RoundTable
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import Volunteer, plain_text

MANCHE = "th cap100- ts cap100- tc cap100-"


@pytest.fixture
def desk(desk: Volunteer) -> Volunteer:
    """The desk, with round 1 of four players drawn."""
    desk.enter_some(4).draw(card="Qh")
    return desk


class Phone(Volunteer):
    """A phone that has scanned the code of a table's slip."""

    def scan(self, desk: Volunteer, table: int, round_: int = 1, stage: str = "main") -> Phone:
        page = desk.get(f"/print/slips/{stage}/{round_}").text
        found = re.findall(rf"http://127\.0\.0\.1(/marqueur/{stage}/{round_}/{table}/\w+)", page)
        self.address = found[0]
        return self

    def at(self, address: str) -> Phone:
        self.address = address
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


def two_phones(desk: Volunteer, table: int = 1) -> tuple[Phone, Phone]:
    return Phone(desk.app).scan(desk, table), Phone(desk.app).scan(desk, table)


def test_both_confirm_and_the_result_is_an_act_of_the_contest(desk: Volunteer) -> None:
    phone, other = two_phones(desk)
    assert "Table 1" in phone.get(phone.address).text
    page = phone.tap(f"da {MANCHE} {MANCHE}")
    assert "Chacun confirme" in page
    phone.tap("oa")
    assert not table_of(desk, 1).decided
    assert "6–0" not in plain_text(other.get(other.address).text)
    page = other.tap("ob")
    table = table_of(desk, 1)
    assert table.score is not None
    assert (table.score.manches, table.score.parties, table.by) == ((2, 0), (6, 0), "table 1")
    assert "La table de marque" in page
    assert desk.contest.main[0].open == (table_of(desk, 2),)
    names = [f"{player} {desk.app.state.desk.store.people[player].name}" for player in table.players]
    assert f"confirmé par téléphone\xa0: {', '.join(names)}" in desk.get("/log").text
    assert desk.contest.head.act.confirmed == table.players  # type: ignore[union-attr]


def test_one_phone_confirms_for_one_player_only(desk: Volunteer) -> None:
    """It shows the code for the other's phone; without one the desk enters the result, and sees who confirmed."""
    phone, other = two_phones(desk)
    phone.tap(f"da {MANCHE} {MANCHE} oa")
    page = phone.tap("ob")
    assert phone.answer.status_code == 422
    assert "sur son propre téléphone" in page
    assert "<svg" in page
    phone.tap("ob")
    other.send(other.address, n="15", act="ob")  # it has never loaded the page, so it has no identity
    assert not table_of(desk, 1).decided
    name = desk.app.state.desk.store.people[table_of(desk, 1).players[0]].name
    page = plain_text(desk.get("/results").text)
    assert f"2–0 · confirmé par téléphone : {table_of(desk, 1).players[0]} {name}" in page
    other.tap("ob")
    assert table_of(desk, 1).decided


def test_a_phone_that_takes_its_confirmation_back_confirms_for_the_other(desk: Volunteer) -> None:
    phone, other = two_phones(desk)
    phone.tap(f"da {MANCHE} {MANCHE} oa")
    n = re.search(r'name="n" value="(\d+)"', phone.get(phone.address).text)
    assert n
    phone.send(phone.address, n=n[1], what="undo")
    phone.tap("ob")
    other.tap("oa")
    assert table_of(desk, 1).decided


def test_a_code_of_round_1_writes_nothing_in_round_2(desk: Volunteer) -> None:
    """Nor does the code of another table, of a draw that was undone, or one that an earlier version printed."""
    old = Phone(desk.app).scan(desk, 1)
    undone = desk.contest.head.n
    desk.post("/log", undo=str(undone), reason="graine mal lue")
    assert "fiche de ce tour" in old.get(old.address).text
    desk.draw(card="Qh")
    assert old.get(old.address).status_code == 404
    first, stranger = two_phones(desk)
    desk.play("main")
    desk.draw(card="7s")
    before = desk.contest
    for phone in (first, stranger):
        answer = phone.get(phone.address)
        assert answer.status_code == 404
        assert "fiche de ce tour" in answer.text
        for act in ("da", "oa", "ob"):
            assert phone.send(phone.address, n="0", act=act).status_code == 404
    second = Phone(desk.app).scan(desk, 1, 2)
    key = first.address.rpartition("/")[2]
    for address in (f"/marqueur/main/2/1/{key}", f"/marqueur/1/{key}"):
        assert "fiche de ce tour" in stranger.get(address).text
        assert stranger.send(address, n="0", act="da").status_code == 404
    assert second.get(second.address).status_code == 200
    assert desk.contest == before


def test_a_result_that_is_undone_is_confirmed_again_by_both(desk: Volunteer) -> None:
    phone, other = two_phones(desk)
    phone.tap(f"da {MANCHE} {MANCHE} oa")
    other.tap("ob")
    desk.post("/log", undo=str(desk.contest.head.n), reason="pas cette table")
    assert "6–0" not in plain_text(phone.tap("oa"))
    assert not table_of(desk, 1).decided
    other.tap("ob")
    assert table_of(desk, 1).decided


def test_a_sheet_survives_a_restart_without_its_confirmations(desk: Volunteer, store: ContestStore) -> None:
    phone, other = two_phones(desk)
    phone.tap(f"da {MANCHE} {MANCHE} oa")
    app = desk_application(store)
    phone.app = other.app = app
    for one in (phone, other):
        one.http._transport = httpx.ASGITransport(app)
    page = phone.get(phone.address).text
    assert "Chacun confirme" in page
    phone.tap("oa")
    other.tap("ob")
    assert store.contest.main[0].table(1).decided


def test_the_result_alone_in_three_touches(desk: Volunteer) -> None:
    """The first opens the list of results (a `details`), the second is the result, the third confirms it."""
    phone, other = two_phones(desk)
    page = phone.get(phone.address).text
    found = re.search(r"<summary>Le résultat du match.*?</details>", page, re.DOTALL)
    assert found
    names = [desk.app.state.desk.store.people[player].name for player in table_of(desk, 1).players]
    said = re.findall(
        r'value="(w\d\d)">([^<]*)<', found[0].replace("\xa0", " ").replace("\N{WORD JOINER}", "")
    )
    assert said == [
        ("w20", f"{names[0]} gagne 2–0"), ("w21", f"{names[0]} gagne 2–1"),
        ("w12", f"{names[1]} gagne 2–1"), ("w02", f"{names[1]} gagne 2–0"),
    ]  # fmt: skip
    assert f"{names[1]} gagne le match. Manches 2–\N{WORD JOINER}1." in phone.tap("w12").replace("\xa0", " ")
    phone.tap("oa")
    assert "Manches 2–1" in plain_text(other.tap("ob"))
    score = table_of(desk, 1).score
    assert score is not None
    assert (score.manches, score.parties) == ((1, 2), ())
    assert "gagne 2–1" in plain_text(phone.get(phone.address).text)


def test_one_sheet_a_table_whoever_reads_its_code(desk: Volunteer, store: ContestStore) -> None:
    """Two phones write one sheet in turn; after a restart it is the longest copy, whichever phone comes first."""
    phone, other = two_phones(desk)
    phone.tap("da th sa20h")
    assert "<li>vingt de cœur" in other.get(other.address).text
    other.tap("sb20s")
    app = desk_application(store)
    for one in (phone, other):
        one.app = app
        one.http._transport = httpx.ASGITransport(app)
    assert "<li>vingt de pique" not in phone.get(phone.address).text
    for one in (other, phone, Phone(app).at(phone.address)):
        page = one.get(one.address).text
        assert "<li>vingt de cœur" in page
        assert "<li>vingt de pique" in page
    phone.tap("xa")
    other.tap("th")
    assert "Partie 2" in phone.get(phone.address).text


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
    assert "gagne 2–1" in plain_text(page)
    phone.send(phone.address, n="14", act="ob")
    assert desk.contest == before


def test_only_a_table_s_own_code_opens_its_sheet(desk: Volunteer) -> None:
    phone = Phone(desk.app).scan(desk, 1)
    key = phone.address.rpartition("/")[2]
    wrong = (f"main/1/2/{key}", "main/1/1/0000", "main/1/99/0000", f"consolante/1/1/{key}", f"x/1/1/{key}")
    for address in (f"/marqueur/{each}" for each in wrong):
        assert phone.get(address).status_code == 404
        assert phone.send(address, n="0", act="da").status_code == 404
    assert phone.get("/results", follow=False).status_code == 303
    assert phone.get("/print/slips/main/1", follow=False).status_code == 303
    door = Volunteer(desk.app, "http://10.0.0.7").join("entry")
    assert "/marqueur/" not in door.get("/print/slips/main/1").text


@pytest.mark.parametrize("cookie", ["x", "main-1-1-2:da.zz", "main-1-1-2:" + "m." * 900, "é", ":::"])
def test_a_cookie_that_cannot_be_read_is_an_empty_sheet(desk: Volunteer, cookie: str) -> None:
    phone = Phone(desk.app).scan(desk, 1)
    page = phone.http.build_request("GET", phone.address, headers={b"Cookie": f"sheet1={cookie}".encode()})
    answer = asyncio.run(phone.http.send(page))
    assert answer.status_code == 200
    assert 'value="da"' in answer.text
