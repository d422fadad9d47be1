"""A season in the browser: what everybody sees, registration, and the keeper's pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest

from chouine.cli import main
from chouine.contest.acts import Undone
from chouine.contest.people import Person
from chouine.season.acts import Announced, MemberSet, SeasonOpened, SeasonRules
from chouine.season.members import public_name
from chouine.season.results import text_of
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.season_app import season_application
from chouine.server.contest.season_store import SeasonStore
from tests.cli.test_saison import contest_file
from tests.season.evenings import evening
from tests.server.contest.volunteer import plain_text

NAMES = ["Jean Bordier", "Marie Chéron", "Paul Épron", "Anne Dutertre"]
SOON = (datetime.now() + timedelta(days=9)).strftime("%Y-%m-%dT20:00")  # noqa: DTZ005


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SeasonStore]:
    made = SeasonStore.create(
        tmp_path / "club.saison", SeasonOpened("Challenge", "Lavardin", SeasonRules(best=2)), "test"
    )
    made.take([evening(1, *NAMES)], "test")
    made.take([evening(2, "Jean Bordié", *NAMES[1:])], "test")
    yield made
    made.close()


class Browser:
    def __init__(self, store: SeasonStore, address: str = "10.0.0.7") -> None:
        transport = httpx.ASGITransport(season_application(store), client=(address, 1))
        self.http = httpx.AsyncClient(
            transport=transport,
            base_url="http://127.0.0.1",
            headers={"Accept-Language": "fr"},
            follow_redirects=True,
        )
        self.status = 0

    def get(self, address: str) -> str:
        answer = asyncio.run(self.http.get(address))
        self.status = answer.status_code
        return answer.text

    def post(self, address: str, files: dict[str, bytes] | None = None, **fields: str) -> str:
        answer = asyncio.run(self.http.post(address, data=fields, files=files or None))
        self.status = answer.status_code
        return answer.text


class Keeper(Browser):
    def __init__(self, store: SeasonStore) -> None:
        super().__init__(store)
        self.get(f"/open?key={store.opening()}")
        assert self.status == 200

    def act(self, address: str, act: str, files: dict[str, bytes] | None = None, **fields: object) -> str:
        found = re.search(r'name="csrf" value="(\w+)"', self.get(address))
        assert found
        return self.post(
            address, files, csrf=found[1], act=act, **{name: str(own) for name, own in fields.items()}
        )


def test_nobody_is_named_in_public_without_agreeing(store: SeasonStore) -> None:
    visitor = Browser(store)
    for page in (visitor.get("/"), visitor.get("/evening/1")):
        assert not any(name in page for name in NAMES)
        assert "M. C. (2)" in page
    store.do(MemberSet(2, consent=True), "test")
    store.do(MemberSet(3, consent=True, junior=True), "test")
    page = visitor.get("/")
    assert "Marie Chéron" in page
    assert "Paul" not in page
    assert "P. É. (3)" in page


def test_namesakes_are_told_apart(store: SeasonStore) -> None:
    """By number and village on paper, by number in public."""
    store.take([evening(3, "Yves Rouet, Troo", "Yves Rouet, Sougé")], "test")
    one, other = (number for number, person in store.people.items() if person.name == "Yves Rouet")
    paper = plain_text(Keeper(store).get("/print/ranking"))
    assert f"Yves Rouet ({one}, Troo)" in paper
    assert f"Yves Rouet ({other}, Sougé)" in paper
    store.do(MemberSet(one, consent=True), "test")
    page = plain_text(Browser(store).get("/"))
    assert f"Yves Rouet ({one})" in page
    assert f"Y. R. ({other})" in page


KEPT = ["/keep", "/keep/people", "/keep/next", "/print/ranking", "/members.csv", "/all.ods"]


@pytest.mark.parametrize("address", [*KEPT, "/open?key=x", "/evening/9"])
def test_the_keepers_pages_are_for_the_keeper(store: SeasonStore, address: str) -> None:
    visitor = Browser(store)
    page = visitor.get(address)
    assert visitor.status in (403, 404)
    assert "Bordi" not in page
    if address in KEPT:
        keeper = Keeper(store)
        assert keeper.get(address)
        assert keeper.status == 200


def test_a_forged_form_does_nothing(store: SeasonStore) -> None:
    keeper = Keeper(store)
    keeper.post("/keep", act="undo", n="2", csrf="x")
    assert keeper.status == 403
    assert len(store.season.evenings) == 2


def test_the_keeper_adds_merges_undoes(store: SeasonStore, tmp_path: Path) -> None:
    keeper = Keeper(store)
    contest = contest_file(tmp_path / "c.chouine", NAMES, "c")
    keeper.act("/keep", "take", {"file": contest.read_bytes()}, club="Vendôme")
    keeper.act("/keep", "take", text=text_of([evening(4, *NAMES)]))
    assert len(store.season.evenings) == 4
    assert store.season.by_source.keys() >= {evening(4).source}
    page = keeper.act("/keep", "take", {"file": contest.read_bytes()})
    assert keeper.status == 422
    assert "est déjà dans la saison" in page
    assert "Jean Bordié" in keeper.get("/keep")
    keeper.act("/keep", "merge", number=1, other=5, reason="même personne")
    assert store.season.spellings(1) == (1, 5)
    keeper.act("/keep", "undo", n=store.season.head.n, reason="non")
    assert store.season.spellings(1) == (1,)
    assert "Annuler" in keeper.act("/keep", "undo", n=99) or keeper.status == 422
    assert ";Jean Bordier;" in keeper.get("/all.csv")


def test_a_list_shows_the_people_that_it_has_brought(store: SeasonStore) -> None:
    keeper = Keeper(store)
    page = plain_text(keeper.act("/keep/people", "list", text="Nom\nLuc Gaudin\n", year=2026))
    assert keeper.status == 200
    assert "1 personne enregistrée" in page
    assert "Gaudin Luc" in page


def test_members(store: SeasonStore) -> None:
    keeper = Keeper(store)
    text = "Nom;Adhésion;Accord\nMarie Chéron;2020;oui\nZoé;;peut-être\n"
    told = keeper.act("/keep/people", "list", text=text, year=2026)
    assert "1 personne enregistrée" in plain_text(told)
    assert "Ligne 3" in plain_text(told)
    keeper.act("/keep/people", "member", number=0, name="Luc Gaudin", village="Troo", consent=1)
    number = store.season.next_number - 1
    assert store.people[number] == Person("Luc Gaudin", "Troo")
    keeper.act("/keep/people", "fee", number=number, paid="15,50", year=2026)
    assert store.season.players[number].paid == {2026: 1550}
    keeper.act("/keep/people", "member", number=number, name="Luc Godin")
    assert public_name(store.season, store.people, number) == f"L. G. ({number})"
    page = keeper.act("/keep/people", "erase", number=number)
    assert "Luc Godin" in plain_text(page)
    assert 'class="notice"' not in page, "nothing was done that could be told"
    assert number in store.people, "it is asked first"
    proof = re.search(r'name="told" value="(\w+)"', page)
    assert proof
    keeper.act("/keep/people", "erase", number=number, told=proof[1])
    assert number not in store.people
    assert b"Godin" not in store.path.read_bytes()
    keeper.act("/keep/people", "member", number=0, name="")
    assert keeper.status == 422


def test_registering_waiting_cancelling(store: SeasonStore, tmp_path: Path) -> None:
    keeper, visitor = Keeper(store), Browser(store)
    keeper.act("/keep/next", "announce", day=SOON, place="Salle des fêtes", seats=2, fee="10", evening=0)
    night = store.season.head.n
    assert f"/register/{night}" in visitor.get("/")
    assert "Votre place est retenue" in visitor.post(f"/register/{night}", name="Marie Chéron")
    assert store.season.next_evening(night).bookings == (2,)
    keeper.act("/keep/next", "book", evening=night, name="Noé Foucault", village="Troo")
    page = visitor.post(f"/register/{night}", name="Rose Gaudin")
    assert "sur la liste d’attente" in plain_text(page).replace("'", "’")
    visitor.post(f"/register/{night}", name="Marie Chéron")
    assert visitor.status == 422
    assert "Rose" not in visitor.get("/")
    link = f"/cancel/{night}/{store.token(night, 2)}"
    assert "Annuler mon inscription" in visitor.get(link)
    assert store.season.next_evening(night).bookings[0] == 2  # to look is not to cancel
    visitor.post(link)
    assert len(store.season.next_evening(night).waiting) == 0
    assert "L’inscription est annulée" in visitor.get(link)
    visitor.post(link)
    assert visitor.status == 200  # also if the first answer was lost
    visitor.get(f"{link}0")
    assert visitor.status == 404
    poster = visitor.get(f"/print/poster/{night}")
    assert "Salle des fêtes" in poster
    assert "<svg" in poster
    contest = tmp_path / "night.chouine"
    told = keeper.act("/keep/next", "door", evening=night)
    assert "2 personnes inscrites" in plain_text(told)
    (made,) = tmp_path.glob("*.chouine")
    made.rename(contest)
    with closing(ContestStore(contest)) as opened:
        assert [person.name for person in opened.people.values()] == ["Noé Foucault", "Rose Gaudin"]
        assert not any(entrant.here for entrant in opened.contest.entrants.values())
        assert opened.contest.opened.fee == 1000
    assert main(["saison", "door", str(store.path), str(night), str(contest)]) == 2


def test_a_registration_whose_answer_was_lost_is_answered_again(store: SeasonStore) -> None:
    """With the code that cancels it: for the form as it was sent, and no other."""
    store.do(Announced(SOON, "Salle"), "test")
    visitor, night = Browser(store), store.season.head.n

    def sheet() -> str:
        found = re.search(r'name="sheet" value="([\w-]+)"', visitor.get(f"/register/{night}"))
        assert found
        return found[1]

    first, other = sheet(), sheet()
    code = store.token(night, store.season.next_number)
    for _ in range(2):
        assert code in visitor.post(f"/register/{night}", name="Zoé Amiot", sheet=first)
    assert code not in visitor.post(f"/register/{night}", name="Zoé Amiot", sheet=other)
    assert visitor.status == 422
    assert "Zoé Amiot" in visitor.post(f"/register/{night}", name="Zoé Amiot")
    assert visitor.status == 422
    assert len(store.season.next_evening(night).bookings) == 1


def test_a_form_sent_again_is_answered_as_things_are_now(store: SeasonStore) -> None:
    """A person who has a seat meanwhile reads that; a person who has cancelled meanwhile is registered again."""
    store.do(Announced(SOON, "Salle", seats=1), "test")
    visitor, night = Browser(store), store.season.head.n
    visitor.post(f"/register/{night}", name="Marie Chéron", sheet="one")
    assert "sur la liste d’attente" in visitor.post(f"/register/{night}", name="Rose Gaudin", sheet="two")
    visitor.post(f"/cancel/{night}/{store.token(night, 2)}")
    assert "Votre place est retenue" in visitor.post(f"/register/{night}", name="Rose Gaudin", sheet="two")
    assert "sur la liste d’attente" in visitor.post(f"/register/{night}", name="Marie Chéron", sheet="one")
    assert len(store.season.next_evening(night).bookings) == 2


def test_a_form_sent_again_gives_nobody_another_s_code(store: SeasonStore) -> None:
    """Where the keeper took the registration back, the next newcomer has its number."""
    store.do(Announced(SOON, "Salle"), "test")
    visitor, night = Browser(store), store.season.head.n
    visitor.post(f"/register/{night}", name="Rose Gaudin", sheet="one")
    number = store.season.next_number - 1
    store.do(Undone(store.season.head.n, "by mistake"), "test")
    visitor.post(f"/register/{night}", name="Paul Xavier", sheet="two")
    assert store.people[number] == Person("Paul Xavier")
    assert store.token(night, number) not in visitor.post(
        f"/register/{night}", name="Rose Gaudin", sheet="one"
    )
    assert store.token(night, number + 1) in visitor.post(
        f"/register/{night}", name="Rose Gaudin", sheet="one"
    )


def test_a_registration_that_is_sent_twice_at_once_is_answered_twice(store: SeasonStore) -> None:
    store.do(Announced(SOON, "Salle"), "test")
    visitor, night = Browser(store), store.season.head.n
    code = store.token(night, store.season.next_number)

    async def send() -> list[httpx.Response]:
        form = {"name": "Zoé Amiot", "sheet": "one"}
        return await asyncio.gather(*(visitor.http.post(f"/register/{night}", data=form) for _ in range(3)))

    assert all(code in answer.text for answer in asyncio.run(send()))
    assert len(store.season.next_evening(night).bookings) == 1


def test_an_evening_that_is_over_takes_nobody(store: SeasonStore) -> None:
    store.do(Announced("2020-01-01T20:00", "Salle"), "test")
    visitor = Browser(store)
    visitor.get(f"/register/{store.season.head.n}")
    assert visitor.status == 404


def test_a_flood_of_registrations_is_stopped(store: SeasonStore) -> None:
    store.do(Announced(SOON, "Salle"), "test")
    visitor, night = Browser(store), store.season.head.n
    codes, page = set(), ""
    for nth in range(25):
        page = visitor.post(f"/register/{night}", name=f"Personne {chr(65 + nth)}")
        codes.add(visitor.status)
    assert codes == {200, 422}
    assert "Personne Y" in page
    assert len(store.season.next_evening(night).bookings) == 20


def test_registration_on_the_command_line(store: SeasonStore, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["saison", "announce", str(store.path), SOON, "Salle", "--seats", "1", "--language", "en"]
    assert main(call) == 0
    night = str(store.season.head.n + 1)
    assert f"Evening {night} is announced" in capsys.readouterr().out
    codes = []
    for name, told in (("Marie Chéron", "has a place"), ("Zoé", "on the waiting list")):
        assert main(["saison", "book", str(store.path), night, name, "--language", "en"]) == 0
        said = capsys.readouterr().out
        assert told in said
        codes.append(said.split()[-1])
    code = codes[-1]
    assert main(["saison", "cancel", str(store.path), night, code, "--language", "en"]) == 0
    assert main(["saison", "cancel", str(store.path), night, code, "--language", "en"]) == 2
    assert "is not registered for this evening" in capsys.readouterr().err


def test_the_folder_of_pages(store: SeasonStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every link and file of the folder is in it, its names are those of the club's page, and draws are shown."""
    contest = contest_file(tmp_path / "c.chouine", NAMES, "c")
    main(["saison", "add", str(store.path), str(contest)])
    folder = tmp_path / "site"
    assert (
        main(
            [
                "saison",
                "publish",
                str(store.path),
                str(folder),
                "--contests",
                str(contest),
                "--language",
                "fr",
            ]
        )
        == 0
    )
    pages = sorted(path.name for path in folder.glob("*.html"))
    assert pages == ["evening-1.html", "evening-2.html", "evening-3.html", "index.html"]
    for page in pages:
        text = (folder / page).read_text(encoding="utf-8")
        assert not any(name in text for name in NAMES)
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            assert (folder / link.partition("?")[0]).is_file(), link
    assert "Finale" in "".join((folder / page).read_text(encoding="utf-8") for page in pages)
    css = (folder / "static/css/base.css").read_text(encoding="utf-8")
    for link in re.findall(r'url\("\.\./([^"?]+)', css):
        assert (folder / "static" / link).is_file()
    assert capsys.readouterr().err == ""


def test_the_keeper_sees_which_evening_and_whom_each_act_concerned(store: SeasonStore) -> None:
    """The evenings are listed in the order of the points; the log has day, title and names, so that an undo is sure."""
    keeper = Keeper(store)
    keeper.act("/keep", "merge", number=1, other=5, reason="mal écrit")
    page = plain_text(keeper.get("/keep"))
    assert "Les soirées 1 Soirée 1 · Lavardin" in page
    assert re.search(r"2 \d+ \w+ \d{4}, \d+ h( \d\d)? Soirée ajoutée : Soirée 1, Lavardin", page)
    merged = page[page.index("Deux ") :]
    assert ": 1 Jean Bordier, 5 Jean Bordié, mal écrit" in merged, merged[:200]
