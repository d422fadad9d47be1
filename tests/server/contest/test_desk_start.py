"""Contests that open, are taken up, and lose a disk."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from chouine.contest import Entered
from chouine.season.acts import Points, SeasonRules
from chouine.server.contest import contest_store
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.desk import Desk
from chouine.server.contest.folders import free_path, removable_folders
from chouine.server.contest.start import Start
from tests.server.contest.volunteer import Volunteer, plain_text


def test_a_stick_that_is_pulled_is_told_until_it_is_back(store: ContestStore, tmp_path: Path) -> None:
    """The desk continues without the stick, which catches up on its return, erased names included."""
    desk, usb = Volunteer(desk_application(store)).open(), tmp_path / "usb"
    desk.enter("Agnès Bordier")
    usb.rename(tmp_path / "pocket")
    desk.enter("Benoît Épron")
    assert "remettez la clé" in desk.get("/").text
    desk.post_twice("/entries/1", act="erase")
    assert "remettez la clé" in desk.get("/entries").text
    (tmp_path / "pocket").rename(usb)
    desk.enter("Céline Moreau")
    assert "remettez la clé" not in desk.get("/").text
    with closing(ContestStore(usb / "contest.chouine")) as copy:
        assert copy.contest == store.contest
        assert [one.name for one in copy.people.values()] == ["Benoît Épron", "Céline Moreau"]


def test_a_full_disk_is_told_in_a_sentence(desk: Volunteer, store: ContestStore) -> None:
    store._file.execute("PRAGMA query_only = ON")
    assert Volunteer(desk.app).open().get("/entries").status_code == 200  # signed in, and reads
    page = desk.post("/entries", name="Zoé")
    assert desk.answer.status_code == 422
    assert "le disque" in page
    store._file.execute("PRAGMA query_only = OFF")
    desk.enter("Zoé")


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
    for content, status in ((b"junk", 422), (copy, 200)):
        assert browser.upload("/", "copy", "ete.chouine", content, what="copy").status_code == status
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
        monkeypatch.setattr(f"chouine.server.contest.{module}.removable_folders", lambda: (tmp_path / "usb",))
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
    assert "contient des opérations qui ne sont pas ici" in browser.get("/").text
    browser.post("/desks", act="copy", place=place)
    assert "contient des actes" not in browser.get("/").text
    assert start.desk is not None
    taken = start.desk.state.desk.store
    taken.close()


def start_program(folder: Path) -> tuple[Start, Volunteer]:
    """The program without a contest, and this laptop's browser."""
    start = Start(folder, lambda: ("http://10.0.0.5",))
    browser = Volunteer(start)  # type: ignore[arg-type]
    browser.get(f"/open?key={start.opening}")
    return start, browser


def test_the_first_page_asks_what_to_do(store: ContestStore, tmp_path: Path) -> None:
    """New, go on, from a stick, look only, practise: go on is open first if there is a contest, else new is."""
    ways = [
        "Continuer un concours",
        "Un nouveau concours",
        "Depuis une clé",
        "Regarder seulement",
        "Le challenge",
        "S’exercer",
    ]

    def ways_shown(folder: Path) -> list[tuple[str, bool]]:
        page = start_program(folder)[1].get("/").text
        found = re.findall(r'<details class="way"( open)?><summary><h2>([^<:]+?)(?:\W*:[^<]*)?</h2>', page)
        return [(name.strip("\xa0 "), bool(is_open)) for is_open, name in found]

    assert ways_shown(tmp_path) == [(way, way == ways[0]) for way in ways]
    (tmp_path / "empty").mkdir()
    assert ways_shown(tmp_path / "empty") == [(way, way == ways[1]) for way in ways[1:]]
    _, browser = start_program(tmp_path)
    browser.post("/", what="new", title="Troo", fee="dix")
    assert re.search(r'way" open><summary><h2>Un nouveau', browser.answer.text)


def test_a_contest_to_look_at_is_not_touched(
    store: ContestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the folder, from a stick, or as a file: what is opened is a copy, and its browser may change nothing."""
    monkeypatch.setattr("chouine.server.contest.start.removable_folders", lambda: (tmp_path / "usb",))
    Volunteer(desk_application(store)).open().enter("Zoé")
    files = [tmp_path / "contest.chouine", tmp_path / "usb" / "contest.chouine"]
    before = [file.read_bytes() for file in files]
    for place in ("", str(tmp_path / "usb"), None):
        start, browser = start_program(tmp_path)
        if place is None:
            page = browser.upload("/", "copy", "c.chouine", before[0], what="look").text
        else:
            page = browser.post("/", what="look", file="contest.chouine", place=place)
        assert "Vous regardez seulement" in page
        assert "Zoé" in browser.get("/entries").text
        assert start.desk is not None
        seen: ContestStore = start.desk.state.desk.store
        acts = len(seen.contest.lines)
        worker = start.desk.state.desk.sessions.known.values()
        assert [one.role for one in worker] == ["screen"]
        assert not re.search(r'<form method="post" action="/entries"', browser.get("/entries").text)
        assert len(seen.contest.lines) == acts
        start.close()
        assert [file.read_bytes() for file in files] == before
    start, browser = start_program(tmp_path)
    assert browser.post("/", what="look", file="../x.chouine")
    assert browser.answer.status_code == 422


def test_a_season_is_made_and_opened_from_the_first_page(tmp_path: Path) -> None:
    """By a double click alone; the address in the window signs its keeper in, and its rules are changed on its page."""
    start, browser = start_program(tmp_path)
    fields = {"what": "season", "title": "Challenge d’Été", "club": "Lavardin", "squad": "3"}
    browser.post("/", **fields, places="5 9")
    assert browser.answer.status_code == 422
    assert 'value="Challenge d’Été"' in browser.answer.text
    assert start.held is None
    assert "Ajouter une soirée" in browser.post("/", **fields, places="10 6 3", win="1", best="2")
    browser.post("/keep", act="rules", places="12, 8", squad="2", reason="assemblée")
    start.close()
    start, browser = start_program(tmp_path)
    assert "Challenge d’Été" in browser.get("/").text
    assert "Ajouter une soirée" in browser.post("/", what="season", file=next(tmp_path.glob("*.saison")).name)
    again = Volunteer(start)  # type: ignore[arg-type]
    assert "Ajouter une soirée" in again.get(f"/open?key={start.opening}").text
    assert again.get("/open?key=x").status_code == 404
    assert start.desk is not None
    season = start.desk.state.store.season
    assert (season.opened.club, season.opened.rules.points.win, season.opened.rules.best) == (
        "Lavardin",
        1,
        2,
    )
    assert season.rules == SeasonRules(Points((12, 8), 0, 0), 0, 2)
    start.close()


def test_a_double_click_opens_one_contest(tmp_path: Path) -> None:
    start, browser = start_program(tmp_path)
    fields = {"csrf": browser.token("/"), "what": "new", "title": "Troo", "kind": "lavardin"}

    async def twice() -> list[httpx.Response]:
        return [*await asyncio.gather(*(browser.http.post("/", data=fields) for _ in range(2)))]

    assert ["Que faire maintenant" in answer.text for answer in asyncio.run(twice())] == [True, True]
    assert [file.name for file in tmp_path.iterdir()] == ["troo.chouine"]
    start.close()


def test_a_file_that_cannot_be_opened_is_named(store: ContestStore, tmp_path: Path) -> None:
    """A damaged contest does not vanish from the list without a word; a dropped one is called by its own name."""
    for name in ("troo.chouine", "challenge.saison"):
        (tmp_path / name).write_bytes(store.path.read_bytes()[:9000] + b"x" * 9000)
    _, browser = start_program(tmp_path)
    page = plain_text(browser.get("/").text)
    assert "troo.chouine" in page
    assert "challenge.saison" in page
    assert "reprenez-les depuis la clé" in page
    assert "Lavardin" in page
    for what in ("copy", "look"):
        answer = browser.upload("/", "copy", "Liste de Troo.ods", b"PK nothing", what=what)
        assert answer.status_code == 422
        assert "Liste de Troo.ods n’est pas" in plain_text(answer.text)


def test_a_session_of_another_version_is_signed_out(store: ContestStore) -> None:
    for which, text in (("a", "{"), ("b", '{"role": "desk"}'), ("c", "[]")):
        store.keep_session(which, text)
    assert Volunteer(desk_application(store)).open().get("/desks").status_code == 200
    assert len(store.sessions) == 1


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (sqlite3.OperationalError("disk I/O error"), "le disque"),
        (OSError(5, "Input/output error"), "le disque"),
        (KeyError("x"), "Tout ce qui a été confirmé est sur le disque"),
    ],
)
def test_what_no_page_foresees_is_told_in_a_sentence(
    desk: Volunteer, monkeypatch: pytest.MonkeyPatch, fault: Exception, told: str
) -> None:

    def difference(_: ContestStore) -> None:
        raise fault

    monkeypatch.setattr(ContestStore, "difference", difference)
    answer = desk.get("/copies")
    assert answer.status_code == 500
    assert told in plain_text(answer.text)
    assert "/legal" not in answer.text, "a link of a server"
    desk.http.headers["Accept"] = "application/json"
    for address, status, said in (("/copies", 500, told), ("/nowhere", 404, "")):
        of_script = asyncio.run(desk.http.get(address))
        assert (of_script.status_code, of_script.json()["ok"]) == (status, False)
        assert said in plain_text(of_script.json()["message"])


def test_a_drill_begins_from_the_first_page(tmp_path: Path) -> None:
    start, browser = start_program(tmp_path)
    try:
        assert "Exercice" in browser.post("/", what="drill", language="fr")
        assert start.desk is not None
        assert start.desk.state.desk.drill
        start.close()
    finally:
        contest_store.hasten(1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("title", ["Con", "NUL", "Com1", "Aux"])
def test_a_contest_s_file_has_a_name_that_windows_accepts(tmp_path: Path, title: str) -> None:
    assert free_path(tmp_path, title).name == f"concours-{title.lower()}.chouine"
    assert free_path(tmp_path, "Été à Troo").name == "ete-a-troo.chouine"


def test_a_synchronised_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "OneDrive - Club d’Été" / "Chouine"
    folder.mkdir(parents=True)
    assert "synchronisé" in start_program(folder)[1].get("/").text
    assert "synchronisé" not in start_program(tmp_path)[1].get("/").text
    start, browser = start_program(folder)
    browser.post("/", what="new", title="Été à Troo")
    assert (folder / "ete-a-troo.chouine").is_file()
    start.close()


def test_a_stick_is_found_where_paths_cannot_tell_mounts(
    store: ContestStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows `Path.is_mount` raises an error before Python 3.12."""

    def is_mount(path: Path) -> bool:
        raise NotImplementedError(path)

    monkeypatch.setattr(Path, "is_mount", is_mount)
    assert removable_folders(tmp_path) == ()
    store.copy_to(tmp_path / "usb", apart=True)
    store.do(Entered(1), "desk")
    assert store.copy_fault == ""
