"""Whatever form a desk, a season or the page that opens them refuses, the page shows it as it was filled in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast

import httpx
import pytest
from starlette.applications import Starlette

from chouine.contest import ContestOpened, commit, formula_for
from chouine.season.acts import Announced, SeasonOpened, SeasonRules
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.season_app import season_application
from chouine.server.contest.season_store import SeasonStore
from chouine.server.contest.start import Start
from tests.season.evenings import evening
from tests.server.contest.volunteer import SEED, Volunteer
from tests.server.marked import marked_forms
from tests.server.typed import Case, check_refused

MARKS = "Z" + "\N{COMBINING ACUTE ACCENT}" * 20 + ' <b>"&amp;'
"""A reason that cannot be shown."""
LEFT_OUT: dict[str, str | bool] = {"column": "name", "row": False, "merge": False}
"""Nobody of a list is to be entered."""
CASES = {
    "contest/draw.html:1": Case("/draw/consolante", who="consolante"),
    "contest/entries.html:1": Case("/entries", who="entering"),
    "contest/entry.html:4": Case("/entries/1", who="entering", button=("act", "amend")),
    "contest/import.html:1": Case("/import", {"csv": ""}, who="entering"),
    "contest/join.html:1": Case("/join", who="stranger"),
    "contest/log.html:1": Case("/log", {"undo": "999"}, who="entering"),
    "contest/log.html:2": Case("/log", {"reason": " "}, who="entering"),
    "contest/palmares.html:1": Case(
        "/palmares", {"order": "8 7 6 3", "reason": " "}, who="end", where={"tied": "3 6 7 8"}
    ),
    "contest/palmares.html:2": Case("/palmares", {"village": "51"}, who="end"),
    "contest/preview.html:1": Case("/import", LEFT_OUT, who="preview", button=("act", "enter")),
    "contest/results.html:1": Case("/results", who="playing"),
    "contest/round.html:2": Case("/round/main/1", who="playing", button=("act", "pair")),
    "contest/settings.html:1": Case("/settings", who="entering"),
    "contest/start.html:1": Case("/", who="start"),
    "contest/start.html:2": Case("/", who="start"),
    "contest/start.html:4": Case("/", who="start"),
    "contest/start.html:8": Case("/", who="start"),
    "contest/table.html:2": Case("/table/main/1/1", {"reason": " "}, who="teams"),
    "season/keep.html:1": Case("/keep", who="season"),
    "season/keep.html:2": Case("/keep", {"reason": MARKS}, who="season"),
    "season/keep.html:3": Case("/keep", who="season"),
    "season/keep.html:4": Case("/keep", {"n": "999"}, who="season"),
    "season/next.html:1": Case("/keep/next", {"place": ""}, where={"evening": "0"}, who="season"),
    "season/next.html:2": Case("/keep/next", who="season"),
    "season/people.html:1": Case("/keep/people", where={"number": "2"}, who="season"),
    "season/people.html:2": Case(
        "/keep/people", {"text": "Nom;Accord\nMarie Chéron;<peut-être>"}, who="season"
    ),
    "season/people.html:3": Case("/keep/people", where={"number": "2"}, who="season"),
    "season/register.html:1": Case("/register/{announced}", who="season"),
}
"""How each form is refused, by its mark (see `tests.server.marked`)."""


class Worlds:
    """A browser in each state of a contest, of a season, and before one is open."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.known = dict[str, Volunteer]()
        self.announced = ""

    def browser(self, name: str) -> Volunteer:
        if name not in self.known:
            self.known[name] = getattr(self, name)()
        return self.known[name]

    def contest(self, name: str, **choices: object) -> Volunteer:
        formula = formula_for("lavardin", apart=("family",), **choices)  # type: ignore[arg-type]
        act = ContestOpened(formula, commit(SEED), "Lavardin", 1000, 1500)
        path = self.folder / name / "contest.chouine"
        path.parent.mkdir()
        store = self.stack.enter_context(closing(ContestStore.create(path, act, SEED, "test")))
        return Volunteer(desk_application(store)).open()

    def entering(self) -> Volunteer:
        return self.contest("entering", consolante="first").enter_some(3)

    def preview(self) -> Volunteer:
        return self.contest("preview").enter_some(3)

    def stranger(self) -> Volunteer:
        return Volunteer(self.browser("entering").app, "http://10.0.0.7")

    def consolante(self) -> Volunteer:
        desk = self.contest("consolante", consolante="first").enter_some(8)
        desk.draw()
        table = desk.contest.main[0].tables[0]
        desk.post(f"/table/main/1/{table.number}", act="forfeit", number=str(table.players[0]))
        desk.play("main")
        return desk

    def playing(self) -> Volunteer:
        desk = self.contest("playing", consolante="first").enter_some(8)
        desk.draw()
        return desk

    def end(self) -> Volunteer:
        desk = self.contest("end", consolante="first").enter_some(8, lady="1")
        desk.draw()
        desk.play("main")
        desk.post_twice("/log", act="end", reason="orage")
        return desk

    def teams(self) -> Volunteer:
        desk = self.contest("teams", members=2)
        desk.enter_some(4)
        desk.draw()
        desk.post("/table/main/1/1", **{"board-1": "2-1", "board-2": "2-1", "ahead": ""})
        assert desk.contest.main[0].table(1).decided
        return desk

    def start(self) -> Volunteer:
        start = Start(self.folder, lambda: ("http://10.0.0.5",))
        self.stack.callback(start.close)
        act = ContestOpened(formula_for("lavardin"), commit(SEED), "Troo")
        ContestStore.create(self.folder / "troo.chouine", act, SEED, "test").close()
        browser = Volunteer(cast("Starlette", start))
        browser.get(f"/open?key={start.opening}")
        return browser

    def season(self) -> Volunteer:
        opened = SeasonOpened("Challenge", "Lavardin", SeasonRules(best=2))
        store = SeasonStore.create(self.folder / "club.saison", opened, "test")
        self.stack.enter_context(closing(store))
        store.take([evening(1, "Jean Bordier", "Marie Chéron")], "test")
        store.take([evening(2, "Jean Bordié", "Marie Chéron")], "test")
        store.take([evening(3, "Paul Épron", "Anne Dutertre")], "test")
        store.take([evening(4, "Paul Éprons", "Anne Dutertre")], "test")
        soon = datetime.now() + timedelta(9)  # noqa: DTZ005
        store.do(Announced(f"{soon:%Y-%m-%d}T20:00", "Troo", "Fête", 500, 20), "test")
        self.announced = str(next(iter(store.season.nexts)))
        browser = Volunteer(season_application(store))
        browser.get(f"/open?key={store.opening()}")
        return browser


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    with ExitStack() as stack:
        stack.enter_context(marked_forms())
        yield Worlds(tmp_path_factory.mktemp("refused"), stack)


@pytest.mark.parametrize("source", CASES)
def test_a_refused_form_keeps_what_was_typed(
    source: str, worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("full")

    monkeypatch.setattr("chouine.server.contest.start.with_copy", full)
    monkeypatch.setattr("chouine.server.contest.start.removable_folders", lambda: (worlds.folder / "usb",))
    case = CASES[source]
    browser = worlds.browser(case.who)
    if case.who == "preview":
        page = browser.post("/import", csv="Nom\nAgnès Bordier\n")
    else:
        page = browser.get(case.page.format(announced=worlds.announced)).text

    def post(action: str, fields: dict[str, list[str]], *, multipart: bool) -> httpx.Response:
        files = {"file": ("", b"")} if multipart else None
        return asyncio.run(browser.http.post(action, data=fields, files=files))

    check_refused(source, case, page, post)
