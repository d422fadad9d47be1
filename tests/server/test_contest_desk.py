"""The desk of a contest by its pages alone, as volunteers use it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import httpx
import pytest
from starlette.applications import Starlette

from chouine.desk import spreadsheet
from chouine.desk.contest_store import ContestStore, resume
from chouine.desk.lists import read_rows
from chouine.desk.people import Person
from chouine.server.contest import sheets
from chouine.server.contest.app import desk_application
from chouine.server.contest.desk import Desk
from chouine.server.contest.start import Start
from chouine.tournament import Contest, ContestOpened, Details, Entered, commit, formula_for, palmares
from chouine.tournament.formula import Kind
from tests.server.serving import cookie_in

SEED = "5eed"
NAMES = [f"{first} {last}" for last in ("Bordier", "Chéron", "Dutertre", "Épron") for first in
         ("Agnès", "Benoît", "Céline", "Denis", "Élodie", "Fabrice", "Gisèle", "Hervé", "Irène", "Jules", "Karine",
          "Lucien", "Marthe", "Noël", "Odette", "Paul", "Quentin", "Renée", "Simon", "Thérèse", "Yves")]  # fmt: skip


class Volunteer:
    """A browser at the desk."""

    def __init__(self, app: Starlette, base: str = "http://127.0.0.1") -> None:
        self.app = app
        transport = httpx.ASGITransport(app)
        headers = {"Accept-Language": "fr"}
        self.http = httpx.AsyncClient(
            transport=transport, base_url=base, headers=headers, follow_redirects=True
        )

    @property
    def contest(self) -> Contest:
        contest: Contest = self.app.state.desk.store.contest
        return contest

    def get(self, address: str, *, follow: bool = True) -> httpx.Response:
        return asyncio.run(self.http.get(address, follow_redirects=follow))

    def send(self, address: str, **fields: str) -> httpx.Response:
        return asyncio.run(self.http.post(address, data=fields))

    def open(self) -> Volunteer:
        self.get(f"/open?key={self.app.state.desk.opening}")
        return self

    def join(self, role: str) -> Volunteer:
        assert self.send("/join", pin=self.app.state.desk.pins[role], role=role).status_code == 200
        return self

    def post(self, address: str, **fields: str) -> str:
        """Submit a form with this browser's token and return the next page."""
        found = re.search(r'name="csrf" value="(\w+)"', self.get(address).text)
        assert found, address
        self.answer = self.send(address, csrf=found[1], **fields)
        return self.answer.text

    def sure(self, address: str, **fields: str) -> str:
        """Submit a form, and again on the page that asks whether one is sure; returns the next page."""
        told = re.search(r'name="told" value="(\w+)"', self.post(address, **fields))
        assert told, self.answer.text
        return self.post(address, told=told[1], **fields)

    def bring_in(self, **fields: str) -> str:
        """Have a list read, then confirm what the page shows."""
        self.post("/import", **fields)
        return self.confirm()

    def confirm(self, act: str = "enter", **changed: str | list[str]) -> str:
        """Submit the page that shows a list, with its fields as they stand or as changed."""
        page = self.answer.text
        fields: dict[str, str | list[str]] = {
            name: unescape(value)
            for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
        }
        selects = re.findall(r'<select id="[^"]*" name="column">(.*?)</select>', page, re.DOTALL)
        chosen = [re.search(r'value="(\w*)" selected', one) for one in selects]
        fields |= {"column": [one[1] if one else "" for one in chosen]}
        fields |= {"row": re.findall(r'name="row" value="(\d+)" checked', page)}
        if 'name="here" value="1" checked' in page:
            fields["here"] = "1"
        self.answer = asyncio.run(self.http.post("/import", data={**fields, "act": act, **changed}))
        return self.answer.text

    def enter(self, name: str, **fields: str) -> None:
        self.post("/entries", name=name, **fields)
        assert self.answer.status_code == 200, self.answer.text

    def play(self, stage: str, winner: int = 0) -> None:
        """Enter a win of place `winner`, after a belle if possible, at each open table of the last round."""
        for table in self.contest.rounds(stage)[-1].open:  # type: ignore[arg-type]
            score = ["21", "12"][winner]
            if self.contest.rounds(stage)[-1].match.manches == 1:  # type: ignore[arg-type]
                score = ["10", "01"][winner]
            self.post("/results", table=str(table.number), score=score)
            assert self.answer.status_code == 200, self.answer.text


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    (tmp_path / "usb").mkdir()
    act = ContestOpened(formula_for("lavardin", consolante="first"), commit(SEED), "Lavardin", 1000, 1500)
    made = ContestStore.create(
        tmp_path / "contest.chouine", act, SEED, "test", tmp_path / "usb" / "contest.chouine"
    )
    yield made
    made.close()


def test_a_rehearsal_from_the_door_to_the_palmares(store: ContestStore, tmp_path: Path) -> None:
    """84 players, three late and two absent, a wrong result found a round later, and a new laptop after round 2."""
    app = desk_application(store)
    door, results = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")
    door.bring_in(csv="nom;commune\n" + "\n".join(f"{name};Lavardin" for name in NAMES[:60]), here="1")
    for nth, name in enumerate(NAMES[60:81]):
        door.enter(name, village="Montoire", paid="1", **({"lady": "1"} if nth % 3 == 0 else {}))
    assert len(door.contest.entrants) == 81
    for absent in (3, 4):
        door.post(f"/entries/{absent}", act="away")
    door.post("/draw/main", card="Qh")
    assert door.contest.main[0].card == "Qh"
    for late in NAMES[81:]:
        door.post("/entries", name=late)
    assert len(door.contest.main[0].players) == 82, door.answer.text
    results.play("main")
    door.post("/draw/main", card="7c")
    door.post("/draw/consolante", card="8c")
    # Correct a wrong result of round 1, after a page that shows the consequences.
    wrong = door.contest.main[0].played[0]
    address = f"/table/main/1/{wrong.number}"
    shown = door.post(address, score="1-2", reason="fiche mal lue")
    assert "table 1 : le résultat devient 1-2" in shown.replace("\xa0", " ").replace("\u202f", " ")
    assert door.contest.main[0].played[0].score == wrong.score
    told = re.search(r'name="told" value="(\w+)"', shown)
    assert told
    door.post(address, score="1-2", reason="fiche mal lue", told=told[1])
    assert door.contest.main[0].played[0].winner != wrong.winner
    results.play("main", winner=1)
    results.play("consolante")
    before = door.contest
    # The laptop breaks, and another one resumes the contest from the USB stick.
    store.close()
    again = resume(tmp_path / "usb" / "contest.chouine", tmp_path / "other.chouine")
    door = results = Volunteer(desk_application(again)).open()
    assert door.contest == before
    while "/draw/" in (page := door.get("/").text):
        for stage in ("main", "consolante"):
            if f"/draw/{stage}" in page:
                door.post(f"/draw/{stage}", card="As")
                results.play(stage)
    page = door.get("/palmares").text
    champion = palmares(door.contest).ranking[0].number
    assert again.people[champion].name in page
    assert len(palmares(door.contest).ranking) == 84
    door.sure("/log", act="reveal")
    assert door.contest.seed == SEED
    again.close()


def test_the_cut_card_is_chosen_by_its_name(store: ContestStore) -> None:
    """No keyboard has ♥; and after a new seed the digest to read out is that of the new one."""
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:4]:
        desk.enter(name)
    assert '<option value="Qh">dame de cœur</option>' in unescape(desk.get("/draw/main").text)
    desk.sure("/log", act="end", reason="orage")
    desk.sure("/log", act="reveal")
    desk.post("/log", undo=str(store.contest.head.n), reason="trop tôt")
    desk.post("/log", undo=str(store.contest.head.n - 2), reason="beau temps")
    assert store.contest.commit in (page := desk.get("/draw/main").text)
    assert commit(SEED) not in page


def test_nobody_works_without_having_joined(store: ContestStore) -> None:
    stranger = Volunteer(desk_application(store), "http://10.0.0.9")
    for address in ("/", "/entries", "/results", "/draw/main", "/log", "/entries.csv"):
        assert stranger.get(address, follow=False).headers["location"] == "/join"
    assert str(stranger.send("/entries", name="X").url).endswith("/join")
    assert stranger.get("/public").status_code == 200
    assert stranger.get("/screen").status_code == 200
    assert stranger.get("/open?key=wrong").status_code == 404


@pytest.mark.parametrize(
    ("role", "address", "fields"),
    [
        ("results", "/entries", {"name": "X"}),
        ("entry", "/draw/main", {}),
        ("entry", "/results", {"table": "1", "score": "20"}),
        ("screen", "/log", {"act": "reveal"}),
        ("results", "/log", {"undo": "2", "reason": "x"}),
        ("referee", "/desks", {}),
    ],
)
def test_a_role_does_its_own_work_only(
    store: ContestStore, role: str, address: str, fields: dict[str, str]
) -> None:
    app = desk_application(store)
    worker = Volunteer(app, "http://10.0.0.9").join(role)
    before = store.contest.head.n
    cookie = cookie_in(worker.http.cookies, "desk")
    token = app.state.desk.worker(cookie).csrf
    assert worker.send(address, csrf=token, **fields).status_code == 403 or address == "/desks"
    assert store.contest.head.n == before


def test_a_form_without_its_token_does_nothing(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    assert desk.send("/entries", name="X", csrf="0" * 32).status_code == 403
    assert not store.contest.entrants


def test_a_result_entered_twice_is_refused_with_who_entered_it(store: ContestStore) -> None:
    app = desk_application(store)
    desk, other = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")
    for name in NAMES[:4]:
        desk.enter(name)
    desk.post("/draw/main")
    other.post("/table/main/1/1", score="2-0")
    page = desk.post("/table/main/1/1", score="0-2")
    assert desk.answer.status_code == 422
    assert str(store.contest.main[0].table(1).score) in page
    assert str(store.contest.main[0].table(1).score) == "2-0"
    assert store.contest.main[0].table(1).by == "results 1"


def test_an_entry_changed_meanwhile_is_not_changed_again(store: ContestStore) -> None:
    """Of two payments recorded from the same page the second is refused, and shows the first."""
    app = desk_application(store)
    desk, other = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("entry")
    desk.enter("Agnès")
    seen = str(store.contest.head.n)
    other.post("/entries/1", act="paid", seen=seen)
    page = desk.post("/entries/1", act="paid", seen=seen)
    assert desk.answer.status_code == 422
    assert "inscriptions à l’entrée 1" in page
    assert store.contest.entrants[1].paid == 1000


def four_drawn(store: ContestStore) -> tuple[Volunteer, Volunteer]:
    """The desk and a referee at a contest of six players with round 1 drawn."""
    app = desk_application(store)
    desk, referee = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("referee")
    for name in NAMES[:6]:
        desk.enter(name)
    desk.post("/draw/main")
    return desk, referee


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms."""
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: value for name, value in found if name not in ("csrf", "table", "back")}


def test_two_referees_who_make_the_same_change_make_it_once(store: ContestStore) -> None:
    """The same swap sent twice is done once; a second one would undo the first."""
    desk, referee = four_drawn(store)
    (one, _), (other, _) = (table.players for table in store.contest.main[0].played[:2])
    seen = hidden(desk.get("/round/main/1").text)
    change = {"act": "swap", "one": str(one), "other": str(other), "reason": "même famille"}
    referee.post("/round/main/1", **seen, **change)
    after = store.contest
    page = desk.post("/round/main/1", **seen, **change)
    assert desk.answer.status_code == 422
    assert "arbitre" in page
    assert "même famille" in page
    assert store.contest == after
    referee.post("/log", undo=str(after.head.n), reason="erreur")
    assert "Acte annulé" in desk.post("/round/main/1", **{**seen, "seen": str(after.head.n)}, **change)


def test_two_referees_who_correct_one_result(store: ContestStore) -> None:
    """The second correction is refused and shows the first, before or after its consequences page."""
    desk, referee = four_drawn(store)
    desk.post("/results", table="1", score="20")
    address = "/table/main/1/1"
    shown = hidden(desk.get(address).text)["shown"]
    told = hidden(desk.post(address, shown=shown, score="1-2", reason="fiche"))
    first = hidden(referee.post(address, shown=shown, score="0-2", reason="vue"))
    referee.post(address, **{**first, "score": "0-2", "reason": "vue"})
    assert str(store.contest.main[0].table(1).score) == "0-2"
    for fields in (told, {"shown": shown}):
        page = desk.post(address, **{**fields, "score": "1-2", "reason": "fiche"})
        assert desk.answer.status_code == 422
        assert "0-2" in page
    assert str(store.contest.main[0].table(1).score) == "0-2"


def test_a_result_tapped_for_others_is_refused(store: ContestStore) -> None:
    """A result from an outdated page is refused if the table's players have changed."""
    desk, referee = four_drawn(store)
    shown = re.findall(r'name="shown" value="([^"]*)"', desk.get("/results").text)[0]
    address = "/table/main/1/1"
    before = hidden(desk.get(address).text)
    (one, _), (other, _) = (table.players for table in store.contest.main[0].played[:2])
    referee.post("/round/main/1", act="swap", one=str(one), other=str(other), reason="même famille")
    for to, fields in (("/results", {"table": "1", "shown": shown}), (address, before)):
        page = desk.post(to, score="2-0", **fields)
        assert desk.answer.status_code == 422
        assert NAMES[other - 1] in page
    desk.play("main")
    desk.post("/draw/main")
    desk.post("/results", table="1", shown=shown, score="2-0")
    assert desk.answer.status_code == 422
    assert len(store.contest.main[1].open) == 1
    assert not store.contest.main[0].open


def test_a_result_that_came_meanwhile_is_told_with_its_desk(store: ContestStore) -> None:
    desk, referee = four_drawn(store)
    before = hidden(desk.get("/table/main/1/1").text)
    referee.post("/results", table="1", score="21")
    page = desk.post("/table/main/1/1", **{**before, "act": "result"}, score="0-2")
    assert desk.answer.status_code == 422
    assert "2-1" in page
    assert "arbitre" in page
    page = desk.post("/table/main/1/1", **{**before, "act": "forfeit"}, number="1")
    assert desk.answer.status_code == 422


def test_two_who_draw_the_same_round_draw_it_once(store: ContestStore) -> None:
    desk, referee = four_drawn(store)
    desk.play("main")
    page = desk.get("/draw/main").text
    token = re.search(r'name="csrf" value="(\w+)"', page)
    assert token
    referee.post("/draw/main", **hidden(page), card="Qh")
    answer = desk.send("/draw/main", csrf=token[1], **hidden(page), card="7s")
    assert answer.status_code == 422
    assert "dame de cœur" in answer.text
    assert (len(store.contest.main), store.contest.main[1].card) == (2, "Qh")


def test_nothing_is_offered_that_would_be_refused(store: ContestStore) -> None:
    """After the draw of round 1 nobody can be marked absent, and after its end nobody can enter."""
    app = desk_application(store)
    desk = Volunteer(app).open()
    for name in NAMES[:6]:
        desk.enter(name)
    assert 'value="away"' in desk.get("/entries/1").text
    desk.post("/draw/main")
    assert 'value="away"' not in desk.get("/entries/1").text
    assert 'name="lady"' in desk.get("/entries").text
    assert 'href="/entries">Inscrire' in desk.get("/").text
    desk.play("main")
    page = desk.get("/entries").text
    assert 'name="lady"' not in page
    assert "plus d'inscription" in page.replace("’", "'").replace("&#39;", "'")
    assert 'href="/entries">Inscrire' not in desk.get("/").text


@pytest.mark.parametrize("act", ["end", "reveal"])
def test_nothing_goes_on_after_the_end(store: ContestStore, act: str) -> None:
    """After a storm money and names can still be put right; after the closing nothing can."""
    desk = four_drawn(store)[0]
    desk.post("/results", table="1", score="20")
    desk.sure("/log", act="end", reason="orage")
    if act == "reveal":
        desk.sure("/log", act="reveal")
    offers = ["withdraw", "here", "away", "result", "forfeit", "call", "swap", "pair", "draw"]
    for address in (
        "/",
        "/entries",
        "/entries/1",
        "/results",
        "/round/main/1",
        "/table/main/1/1",
        "/table/main/1/2",
    ):
        page = desk.get(address).text
        assert not [one for one in offers if f'name="act" value="{one}"' in page], address
        assert not re.search(
            r'name="score"|name="lady"' if address != "/entries/1" else 'name="score"', page
        ), address
        assert "Saisir les résultats" not in page
    page = desk.get("/entries/1").text
    assert ('value="amend"' in page) == ('value="paid"' in page) == (act == "end")
    assert 'value="erase"' in page


def test_each_role_is_offered_its_own_work(store: ContestStore) -> None:
    app = four_drawn(store)[0].app
    entry, results = (
        Volunteer(app, f"http://10.0.0.{n}").join(role) for n, role in ((7, "entry"), (8, "results"))
    )
    assert 'class="button" href="/results"' not in entry.get("/").text
    assert 'href="/entries">Inscrire' not in results.get("/").text
    results.play("main")
    for page in ("/", "/results"):
        assert "/draw/" not in results.get(page).text
    assert "/draw/main" in Volunteer(app).open().get("/").text


def test_a_refused_result_and_a_refused_pin_are_not_typed_again(store: ContestStore) -> None:
    desk = four_drawn(store)[0]
    page = desk.post("/results", table="1", score="22")
    assert 'value="1"' in page
    assert 'value="22"' in page
    page = desk.send("/join", pin="12", role="results", label="Odile").text
    assert 'value="12"' in page
    assert 'value="Odile"' in page


def test_the_log_tells_who_is_here_from_who_is_not(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    desk.enter("Zoé")
    desk.post("/entries/1", act="away")
    desk.post("/entries/1", act="here")
    assert "Présence notée : 1 Zoé" in (page := plain(desk.get("/log").text))
    assert "Absence notée : 1 Zoé" in page


def test_who_enters_results_is_not_offered_to_correct_them(store: ContestStore) -> None:
    app = four_drawn(store)[0].app
    results = Volunteer(app, "http://10.0.0.8").join("results")
    results.post("/results", table="1", score="20")
    page = results.get("/table/main/1/1").text
    assert "corrige un résultat" in page
    assert 'name="reason"' not in page


def test_a_stick_that_is_pulled_is_told_until_it_is_back(store: ContestStore, tmp_path: Path) -> None:
    """The desk continues without the stick, which catches up on its return, erased names included."""
    desk, usb = Volunteer(desk_application(store)).open(), tmp_path / "usb"
    desk.enter("Agnès Bordier")
    usb.rename(tmp_path / "pocket")
    desk.enter("Benoît Épron")
    assert "remettez la clé" in desk.get("/").text
    desk.sure("/entries/1", act="erase")
    assert "remettez la clé" in desk.get("/entries").text
    (tmp_path / "pocket").rename(usb)
    desk.enter("Céline Moreau")
    assert "remettez la clé" not in desk.get("/").text
    with closing(ContestStore(usb / "contest.chouine")) as copy:
        assert copy.contest == store.contest
        assert [one.name for one in copy.people.values()] == ["Benoît Épron", "Céline Moreau"]


def test_a_full_disk_is_told_in_a_sentence(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    store._file.execute("PRAGMA query_only = ON")
    assert Volunteer(desk.app).open().get("/entries").status_code == 200  # signed in, and reads
    page = desk.post("/entries", name="Zoé")
    assert desk.answer.status_code == 422
    assert "le disque" in page
    store._file.execute("PRAGMA query_only = OFF")
    desk.enter("Zoé")


def test_two_doors_at_the_same_moment_give_two_numbers(store: ContestStore) -> None:
    app = desk_application(store)
    doors = [Volunteer(app, f"http://10.0.0.{nth}").join("entry") for nth in (7, 8)]
    tokens = [app.state.desk.worker(cookie_in(door.http.cookies, "desk")).csrf for door in doors]

    async def at_once() -> None:
        await asyncio.gather(
            *(
                door.http.post("/entries", data={"csrf": token, "name": f"{name} {nth}"})
                for nth in range(10)
                for door, token, name in zip(doors, tokens, ("Anne", "Basile"), strict=True)
            )
        )

    asyncio.run(at_once())
    assert list(store.contest.entrants) == list(range(1, 21))
    assert len({person.name for person in store.people.values()}) == 20


@pytest.mark.parametrize(
    ("table", "score"), [("1", "22"), ("1", ""), ("9", "20"), ("Agnès", "x"), ("", "20"), ("ï", "20")]
)
def test_what_cannot_be_a_result_is_refused_with_a_sentence(
    store: ContestStore, table: str, score: str
) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:4]:
        desk.enter(name)
    desk.post("/draw/main")
    page = desk.post("/results", table=table, score=score)
    assert desk.answer.status_code == 422
    assert 'role="alert"' in page
    assert len(store.contest.main[0].open) == 2


def test_a_name_finds_its_table(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:2]:
        desk.enter(name)
    desk.post("/draw/main")
    desk.post("/results", table="agnès", score="20")
    assert not store.contest.main[0].open


def test_lists_go_out_and_come_in(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    page = desk.post("/import", csv="Nom,Commune,Dame,Repas\nZoé,Troo,x,2\n=L+1,,,\n", here="1")
    assert not store.contest.entrants
    assert "2 personnes peuvent être inscrites" in plain(page)
    desk.confirm()
    assert [one.details.lady for one in store.contest.entrants.values()] == [True, False]
    assert all(one.here for one in store.contest.entrants.values())
    text = desk.get("/entries.csv").text
    assert text.startswith("\ufeffNuméro;Nom;Commune;")
    assert "Zoé;Troo" in text
    assert "'=L+1" in text
    page = desk.bring_in(csv="nom;repas\nLuc;2\nMax;deux")
    assert [person.name for person in store.people.values()] == ["Zoé", "=L+1", "Luc"]


def test_a_page_shows_what_a_list_holds(store: ContestStore) -> None:
    """Columns left out, rows with errors, sums; a column assigned is looked at again before anybody is entered."""
    desk = Volunteer(desk_application(store)).open()
    page = plain(desk.post("/import", csv="Nom;Hameau;Repas\nLéa;Troo;1\nMax;Sougé;deux\nTotal;;3\n"))
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
    page = plain(desk.confirm(column=columns))
    assert not store.contest.entrants
    assert "2 personnes peuvent être inscrites" in page
    desk.confirm()
    assert [person.village for person in store.people.values()] == ["Troo", "Sougé"]


def test_nobody_is_doubled_without_a_word(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    text = "Nom;Commune\nJean Bordier;Vendôme\nLéa Petit;Troo"
    desk.bring_in(csv=text)
    shown = desk.post("/import", csv=text.upper())
    assert "Tous ceux de cette liste sont déjà inscrits" in plain(shown)
    assert "même nom : 1 Jean Bordier" in plain(shown)
    assert "Personne n'a été inscrit" in plain(desk.confirm())
    assert desk.answer.status_code == 422
    assert len(store.contest.entrants) == 2
    desk.post("/import", csv="Nom;Famille\nBordier Jean;Bordier\nLea Pettit;\nMax;")
    assert "presque le même nom : 2 Léa Petit" in plain(desk.answer.text)
    seen = desk.answer
    desk.confirm(row=["2"])
    assert [one.name for one in store.people.values()][2:] == ["Bordier Jean", "Max"]
    desk.answer = seen  # sent again, by a reload: the acts since are told
    desk.confirm()
    assert desk.answer.status_code == 422
    assert len(store.contest.entrants) == 4
    assert "Le numéro 2 a presque le même nom" in plain(desk.post("/entries", name="Lea Petitt"))


def test_who_is_entered_in_advance_is_not_entered_again_at_the_door(store: ContestStore) -> None:
    """The same name asks first, and offers the entry to mark as here; a namesake is entered all the same."""
    desk = Volunteer(desk_application(store)).open()
    desk.bring_in(csv="Nom;Commune\nJean Bordier;Vendôme")
    page = plain(desk.post("/entries", name="bordier jean", village="VENDOME", lady="1", paid="1"))
    assert 'href="/entries/1">' in desk.answer.text
    assert len(store.contest.entrants) == 1
    assert "Le numéro 1 a le même nom : Jean Bordier" in page
    assert "n'est pas encore là" in page
    desk.sure("/entries", act="enter", name="bordier jean", village="VENDOME", lady="1", paid="1")
    assert store.contest.entrant(2).details.lady
    assert store.contest.entrant(2).paid == 1000


def test_who_comes_is_marked_as_here_in_the_list(store: ContestStore) -> None:
    """Who owes money is then asked for it."""
    desk = Volunteer(desk_application(store)).open()
    desk.bring_in(csv="Nom;Payé\nLéa;oui\nMax;")
    assert desk.get("/entries").text.count('value="here"') == 2
    for which, page in (("1", "/entries"), ("2", "/entries/2")):
        desk.post(f"/entries/{which}", act="here")
        assert desk.answer.url.path == page
    assert "Paie 10,00 €" in plain(desk.answer.text)
    assert 'value="here"' not in desk.get("/entries").text


def test_a_refused_entry_is_not_typed_again(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    store._file.execute("PRAGMA query_only = ON")
    page = desk.post("/entries", name="Zoé", village="Troo", lady="1", meals="2")
    for typed in ('value="Zoé"', 'value="Troo"', 'name="lady" value="1" checked', 'value="2"'):
        assert typed in page
    assert 'name="paid" value="1" checked' not in page


def test_who_comes_late_is_told_the_table(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    desk.bring_in(csv="Nom\nLéa\nMax\nNoé\nPia", here="1")
    for absent in (2, 3):
        desk.post(f"/entries/{absent}", act="away")
    desk.enter("Zoé")
    desk.post("/draw/main")
    page = plain(desk.post("/entries/2", act="here"))
    assert "Tour 1, table 2 · " in page
    assert " – Max" in page
    desk.post("/entries/3", act="here")
    assert "Tour 1 : exempt" in plain(desk.answer.text)
    page = plain(desk.post("/entries", name="Yves"))
    assert "Tour 1, table 3 ·" in page
    assert "Noé" in page


def test_one_undo_takes_a_list_back(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    text = "Nom;Payé\nLéa;oui\nMax;"
    desk.bring_in(csv=text)
    desk.post("/log", undo=str(store.contest.head.n), reason="autre liste")
    assert not store.contest.entrants
    desk.bring_in(csv=text)
    assert [one.paid for one in store.contest.entrants.values()] == [1000, 0]


def test_names_are_found_however_they_are_written(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in ("Jean Bordier", "Patrick O’Brien", "Léa Œuvrard", "Jean-Noël Petit"):
        desk.enter(name, village="St-Calais")
    for asked in ("Bordier Jean", "obrien", "o'brien", "oeuvrard", "jean noel", "saint calais petit"):
        assert "<small>" in desk.get(f"/entries?q={asked}").text, asked
    desk.post("/draw/main")
    desk.post("/results", table="bordier jean", score="20")
    assert len(store.contest.main[0].open) == 1


@pytest.mark.parametrize("name", ["\u3164", "007", "L" + "\u0301" * 23 + "éa", "Lisоn"])
def test_a_name_that_cannot_be_shown_is_refused_at_the_desk(store: ContestStore, name: str) -> None:
    desk = Volunteer(desk_application(store)).open()
    assert 'role="alert"' in desk.post("/entries", name=name)
    assert desk.answer.status_code == 422
    assert not store.contest.entrants


def plain(page: str) -> str:
    """A page's text with plain spaces."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


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
    return sheets.ods_file(content_of("".join(rows)))


def content_of(rows: str) -> str:
    """The sheet of an OpenDocument spreadsheet with these rows."""
    empty = sheets.template("spreadsheet").render(rows=())
    return empty.replace("</table:table>", f"{rows}</table:table>")


def ods_of(*rows: tuple[object, ...]) -> bytes:
    return sheets.as_ods(rows)


def upload(desk: Volunteer, content: bytes) -> httpx.Response:
    """Have a file read."""
    token = desk.app.state.desk.worker(cookie_in(desk.http.cookies, "desk")).csrf
    files = {"file": ("list", content)}
    desk.answer = asyncio.run(desk.http.post("/import", data={"csrf": token, "here": "1"}, files=files))
    return desk.answer


def test_spreadsheets_go_out_and_come_in(store: ContestStore) -> None:
    """Sheets as LibreOffice saves them, with repeated cells and a million empty rows; exports can be imported."""
    desk = Volunteer(desk_application(store)).open()
    assert upload(desk, saved_by_an_office()).status_code == 200
    desk.confirm()
    assert [person.name for person in store.people.values()] == ["Jeanne Péan", "=L+1", "Noël Hervé"]
    assert [one.details.meals for one in store.contest.entrants.values()] == [2, 0, 0]
    assert store.contest.entrants[1].details.lady
    out = desk.get("/entries.ods").content
    assert [row.person for row in read_rows(sheets.read_file(out)).people] == list(store.people.values())
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
def test_what_is_no_list_is_refused_with_a_sentence(store: ContestStore, content: bytes) -> None:
    desk = Volunteer(desk_application(store)).open()
    answer = upload(desk, content)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert not store.contest.entrants


def test_what_unpacks_to_more_than_a_list_is_not_unpacked(store: ContestStore) -> None:
    file = BytesIO(saved_by_an_office())
    with ZipFile(file, "a", ZIP_DEFLATED) as folder:
        folder.writestr("Pictures/1", bytes(sheets.LARGEST_UNPACKED))
    assert len(file.getvalue()) < 100_000
    desk = Volunteer(desk_application(store)).open()
    assert 'role="alert"' in upload(desk, file.getvalue()).text
    assert not store.contest.entrants


@pytest.mark.parametrize("damage", ["millions", "unclosed"])
def test_a_damaged_spreadsheet_holds_nobody_up(
    store: ContestStore, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """A sheet of 17 thousand million cells, or with an unclosed table, is refused after a timeout."""
    monkeypatch.setattr(spreadsheet, "PATIENCE", 5)
    cell = '<table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p>'
    rows = (
        f'<table:table-row table:number-rows-repeated="1048571">{cell}</table:table-cell></table:table-row>'
    )
    content = content_of(rows)
    if damage == "unclosed":
        content = content_of("ROWS").replace("</table:table>", "</tab:table>")
    file = sheets.ods_file(content)
    assert upload(Volunteer(desk_application(store)).open(), file).status_code == 422


def test_latin_letters_of_an_old_spreadsheet(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    upload(desk, "Nom;Prénom;Commune\nÉpron;Noël;Trôo\n".encode("cp1252"))
    desk.confirm()
    assert store.people[1] == Person("Noël Épron", "Trôo")


def test_former_years_are_suggested(store: ContestStore, tmp_path: Path) -> None:
    act = ContestOpened(formula_for("lavardin"), commit("x"), "2026")
    with closing(ContestStore.create(tmp_path / "2026.chouine", act, "x", "test")) as before:
        before.do(Entered(1, Details(lady=True)), "entry 1", Person("Zoé Ancien", "Troo"))
    (tmp_path / "broken.chouine").write_bytes(b"x" * 1000)
    desk = Volunteer(desk_application(store)).open()
    assert 'value="Zoé Ancien" label="Troo" data-village="Troo" data-lady' in desk.get("/entries").text
    desk.enter("Zoé Ancien", village="Troo")
    assert 'value="Zoé Ancien"' not in desk.get("/entries").text
    assert "Le numéro 1 a le même nom" in desk.post("/entries", name="zoé ancien", village="Troo")


@pytest.mark.parametrize(
    "address", ["/round/main/9", "/round/x/1", "/table/main/1/99", "/entries/99", "/x.csv", "/draw/x"]
)
def test_what_is_not_there_is_not_found(store: ContestStore, address: str) -> None:
    assert Volunteer(desk_application(store)).open().get(address).status_code == 404


def test_every_page_of_a_contest_can_be_seen(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:9]:
        desk.enter(name, village="Troo", lady="1", junior="1", meals="1")
    desk.post("/draw/main", card="Kd")
    desk.post("/round/main/1", act="call")
    beside = "/ /entries?q=agn /entries/1 /results /log /screen /public /palmares /import /desks"
    rounds = "/round/main/1 /round/main/1?by=name /table/main/1/1 /results.csv /ranking.csv"
    paper = "/print/slips/main/1 /print/calls/main/1 /print/ranking /print/diplomas"
    for address in f"{beside} {rounds} {paper}".split():
        assert desk.get(address).status_code == 200, address
    assert "<svg" in desk.get("/desks").text


def fresh(tmp_path: Path, kind: Kind = "lavardin", **choices: object) -> ContestStore:
    act = ContestOpened(formula_for(kind, **choices), commit(SEED), "Village")  # type: ignore[arg-type]
    return ContestStore.create(tmp_path / "other.chouine", act, SEED, "test")


def test_teams_of_two(tmp_path: Path) -> None:
    """Two boards in four keys; an equal sum needs a fifth key, or a tap, for the team that advances."""
    with closing(fresh(tmp_path, members=2)) as store:
        desk = Volunteer(desk_application(store)).open()
        for name in NAMES[:8]:
            desk.enter(name)
        desk.post("/draw/main")
        tables = {table.number: table for table in store.contest.main[0].played}
        desk.post("/results", table="1", score="2120")
        assert "sont à égalité" in desk.post("/results", table="2", score="2002")
        desk.post("/results", table="2", score="20 02 2")
        assert "sont à égalité" in desk.post(
            "/table/main/1/3", **{"board-1": "2-1", "board-2": "1-2", "ahead": ""}
        )
        desk.post("/table/main/1/3", **{"board-1": "2-1", "board-2": "1-2", "ahead": "1"})
        desk.post("/table/main/1/4", **{"board-1": "0-2", "board-2": "2-1", "ahead": ""})
        ahead = [tables[n].players[place] for n, place in ((1, 0), (2, 1), (3, 0), (4, 1))]
        assert store.contest.main[0].ahead == tuple(ahead)
        desk.post("/draw/main")
        for score in ("21", "2222", "210", "212012"):
            desk.post("/results", table="1", score=score)
            assert desk.answer.status_code == 422
        assert desk.get("/print/slips/main/1").text.count("<table>") == 8
        for address in ("/print/slips/main/1", "/round/main/1"):
            assert "Deux manches gagnantes de 3 parties" in plain(desk.get(address).text)


def test_the_club_settles_equals(tmp_path: Path) -> None:
    """The club orders three equal entries of a poule, and must give a reason for the log."""
    with closing(fresh(tmp_path, "poules", pool=3, qualify=1, matches=("3",))) as store:
        desk = Volunteer(desk_application(store)).open()
        for name in NAMES[:3]:
            desk.enter(name)
        for _ in range(3):
            desk.post("/draw/main")
            for table in store.contest.main[-1].open:
                wins = {(1, 2): "1", (2, 3): "2", (1, 3): "3"}[min(table.players), max(table.players)]
                desk.post(
                    "/results", table=str(table.number), score="10" if str(table.players[0]) == wins else "01"
                )
        assert "1 égalité" in desk.get("/palmares").text
        desk.post("/palmares", order="3 1 2", reason="")
        assert desk.answer.status_code == 422
        desk.post("/palmares", order="3 1 2", reason="une partie jouée en plus")
        assert "égalité" not in desk.get("/palmares").text
        assert store.contest.settled == ((3, 1, 2),)


def test_prizes_are_told_at_the_end_and_ties_with_them(store: ContestStore) -> None:
    """No prize goes to whoever has the lower number; after a storm too the club settles what is tied."""
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:8]:
        desk.enter(name, lady="1")
    desk.post("/draw/main")
    desk.post("/results", table="1", score="21")
    assert "Prix des dames" not in (page := plain(desk.get("/palmares").text))
    assert "Imprimer les diplômes" not in page
    assert "classement provisoire" in plain(desk.get("/print/ranking").text)
    assert "Pas encore de diplôme" in plain(desk.get("/print/diplomas").text)
    desk.play("main")
    desk.sure("/log", act="end", reason="orage")
    assert "Clore le concours" in desk.get("/").text
    first = [one.number for one in palmares(store.contest).ranking if one.rank == 1]
    assert len(first) == 4
    tied = "Prix des dames : " + ", ".join(store.people[n].name for n in first) + " · à égalité"
    for address in ("/palmares", "/print/ranking"):
        assert tied in plain(desk.get(address).text)
    assert desk.get("/print/diplomas").text.count("Vainqueur du concours") == 4
    order = " ".join(map(str, reversed(first)))
    desk.post("/palmares", order=order, reason="une partie")
    assert f"Prix des dames : {store.people[first[-1]].name} Imprimer" in plain(desk.get("/palmares").text)


def test_the_start_page_opens_a_contest_and_takes_one_up(tmp_path: Path) -> None:
    """The page of `chouine concours`: open a new contest, an earlier one, or a copy dropped on the page."""
    start = Start(tmp_path, lambda: ("http://10.0.0.5",))

    class Browser(Volunteer):
        @property
        def desk(self) -> Desk:
            assert start.desk is not None
            desk: Desk = start.desk.state.desk
            return desk

    browser = Browser(start)  # type: ignore[arg-type]
    assert "Aucun concours" in browser.get("/").text
    assert browser.get("/open?key=x").status_code == 404
    browser.get(f"/open?key={start.opening}")
    for wrong in (
        {"fee": "dix"},
        {"rooms": "Salle"},
        {"consolante": "hour"},
        {"matches": "9y"},
        {"kind": "poules", "pool": "2"},
    ):
        browser.post("/", what="new", title="Troo", **wrong)
        assert browser.answer.status_code == 422, wrong
    fields = {
        "fee": "12,50",
        "kind": "tree",
        "consolante": "hour",
        "hour": "2027-03-07T16:30",
        "rooms": "Salle: 20\nBar 4",
    }
    browser.post("/", what="new", title="Été à Troo", **fields)
    opened = browser.desk.store.contest.opened
    assert (opened.title, opened.fee, opened.rooms) == ("Été à Troo", 1250, (("Salle", 20), ("Bar", 4)))
    assert opened.formula.consolante == "hour"
    assert browser.get("/").text.count("Été à Troo")
    again = Browser(start)  # type: ignore[arg-type]
    assert "Que faire maintenant" in again.get(f"/open?key={start.opening}").text
    browser.desk.store.close()
    copy = (tmp_path / "ete-a-troo.chouine").read_bytes()
    start.desk = None
    browser.get(f"/open?key={start.opening}")
    browser.post("/", what="old", file="ete-a-troo.chouine")
    assert browser.desk.store.contest.opened == opened
    browser.desk.store.close()
    start.desk = None
    browser.get(f"/open?key={start.opening}")
    token = re.search(r'name="csrf" value="(\w+)"', browser.get("/").text)
    assert token
    for content, status in ((b"junk", 422), (copy, 200)):
        files = {"copy": ("ete.chouine", content)}
        answer = asyncio.run(browser.http.post("/", data={"csrf": token[1], "what": "copy"}, files=files))
        assert answer.status_code == status
    assert browser.desk.store.path.name == "ete.chouine"
    assert browser.desk.store.contest.opened == opened
    browser.desk.store.close()


def test_a_laptop_that_starts_again_has_others_wait(tmp_path: Path) -> None:
    """Other browsers' pages wait, and reload, while the restarted laptop has no contest open."""
    start = Start(tmp_path, lambda: ("http://10.0.0.5",))
    other = Volunteer(start, "http://10.0.0.7")  # type: ignore[arg-type]
    assert other.get("/stream").status_code == 204
    for address in ("/", "/results", "/round/main/1", "/screen?page=2"):
        page = other.get(address)
        assert page.status_code == 200
        assert 'http-equiv="refresh"' in page.text
    assert 'http-equiv="refresh"' in other.send("/results", table="1", score="20").text
    assert other.get("/static/css/base.css").status_code == 200


def test_a_contest_is_taken_up_from_the_stick_by_a_touch(
    store: ContestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A contest resumes from the stick, including SQLite's journal after a power cut, and keeps copying to it."""
    for module in ("start", "joining"):
        monkeypatch.setattr(f"chouine.server.contest.{module}.removable", lambda: (tmp_path / "usb",))
    Volunteer(desk_application(store)).open().enter("Zoé")
    folder = tmp_path / "Chouine"
    folder.mkdir()
    start = Start(folder, lambda: ("http://10.0.0.5",))
    browser = Volunteer(start)  # type: ignore[arg-type]
    browser.get(f"/open?key={start.opening}")
    assert "Reprendre depuis la clé" in browser.get("/").text
    place = str(tmp_path / "usb")
    for wrong in (
        {"place": "/etc", "file": "contest.chouine"},
        {"place": place, "file": "../contest.chouine"},
    ):
        browser.post("/", what="stick", **wrong)
        assert browser.answer.status_code == 422
    browser.post("/", what="stick", place=place, file="contest.chouine")
    assert start.desk is not None
    taken: ContestStore = start.desk.state.desk.store
    assert taken.contest == store.contest
    assert (taken.path, taken.copy) == (folder / "contest.chouine", tmp_path / "usb" / "contest.chouine")
    assert taken.copied
    taken.close()
    start.desk = None
    browser.get(f"/open?key={start.opening}")
    assert "Reprendre depuis la clé" not in browser.get("/").text  # all of it is here
    with closing(ContestStore(tmp_path / "usb" / "contest.chouine")) as elsewhere:
        elsewhere.do(Entered(2), "elsewhere")
    assert "Reprendre depuis la clé" in browser.get("/").text
    browser.post("/", what="old", file="contest.chouine", place=place)
    assert "contient des actes qui ne sont pas ici" in browser.get("/").text
    browser.post("/desks", act="copy", place=place)
    assert "contient des actes" not in browser.get("/").text
    assert start.desk is not None
    taken = start.desk.state.desk.store
    taken.close()


def test_a_number_without_end_names_no_page(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    for address in (
        "/entries/{}",
        "/round/main/{}",
        "/table/main/1/{}",
        "/marqueur/main/1/{}/key",
        "/marqueur/main/{}/1/key",
        "/print/slips/main/{}",
    ):
        assert desk.get(address.format("9" * 5000)).status_code == 404


def test_the_address_on_the_codes_is_chosen_and_follows_the_networks(store: ContestStore) -> None:
    """A Wi-Fi joined later appears without a restart; one that is gone is announced no more."""
    networks = ["http://127.0.0.1:80"]
    desk = Volunteer(desk_application(store, lambda: networks)).open()
    for name in NAMES[:2]:
        desk.enter(name)
    desk.post("/draw/main")
    for page in ("/desks", "/print/slips/main/1"):
        assert "aucun réseau" in desk.get(page).text, page
    networks[:] = ["http://10.0.0.5:80", "http://192.168.4.1:80"]
    assert "<code>http://10.0.0.5:80/join" in desk.get("/desks").text
    for page in ("/desks", "/print/slips/main/1"):
        assert "aucun réseau" not in desk.get(page).text, page
    desk.post("/desks", act="network", network="http://192.168.4.1:80")
    assert "<code>http://192.168.4.1:80/join" in desk.get("/desks").text
    desk.post("/desks", act="network", network="http://evil.example")
    networks.pop()
    assert "<code>http://10.0.0.5:80/join" in desk.get("/desks").text


def test_two_contests_on_one_host_do_not_sign_each_other_out(store: ContestStore, tmp_path: Path) -> None:
    """A browser keeps one jar for all ports of a host, and stays signed in at both desks."""
    with closing(resume(store.path, tmp_path / "other.chouine")) as copied:
        one, other = (Volunteer(desk_application(each)).open() for each in (store, copied))
        jar = {**one.http.cookies, **other.http.cookies}
        own = cookie_in(one.http.cookies, "desk")
        assert len(jar) == 2
        for volunteer in (one, other):
            volunteer.http.cookies = httpx.Cookies(jar)
            assert volunteer.get("/entries", follow=False).status_code == 200
        one.http.cookies = httpx.Cookies({"desk": own})  # as an earlier version named it
        assert one.get("/entries", follow=False).status_code == 200


def test_a_phone_that_refuses_cookies_is_told_of_cookies(store: ContestStore) -> None:
    """Not asked for the PIN again and again: it was right."""
    app = desk_application(store)
    for volunteer in (Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")):
        volunteer.http.cookies.clear()
        answer = volunteer.get("/?in")
        assert answer.status_code == 403
        assert "ne garde pas les cookies" in answer.text
        assert volunteer.get("/", follow=False).headers["location"] == "/join"
