"""A browser of a volunteer at the desk, and what several tests ask of it."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path

import httpx
from starlette.applications import Starlette

from chouine.contest import Contest, ContestOpened, commit, formula_for
from chouine.contest.formula import Kind
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore

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

    def token(self, address: str) -> str:
        """The token of the forms of a page."""
        found = re.search(r'name="csrf" value="(\w+)"', self.get(address).text)
        assert found, address
        return found[1]

    def post(self, address: str, **fields: str) -> str:
        """Submit a form with this browser's token and return the next page."""
        self.answer = self.send(address, csrf=self.token(address), **fields)
        return self.answer.text

    def upload(self, address: str, field: str, name: str, content: bytes, **fields: str) -> httpx.Response:
        """The same with a file."""
        data, files = {"csrf": self.token(address), **fields}, {field: (name, content)}
        self.answer = asyncio.run(self.http.post(address, data=data, files=files))
        return self.answer

    def post_twice(self, address: str, **fields: str) -> str:
        """Submit a form, and again on the page that asks whether one is sure; returns the next page."""
        told = re.search(r'name="told" value="(\w+)"', self.post(address, **fields))
        assert told, self.answer.text
        return self.post(address, told=told[1], **fields)

    def draw(self, stage: str = "main", card: str = "Qh") -> str:
        """Make the next draw with a card, once the page has said what will be drawn."""
        return self.post_twice(f"/draw/{stage}", card=card, act="draw")

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
        for name in ("row", "merge"):
            fields[name] = re.findall(rf'name="{name}" value="(\d+)" checked', page)
        if 'name="here" value="1" checked' in page:
            fields["here"] = "1"
        self.answer = asyncio.run(self.http.post("/import", data={**fields, "act": act, **changed}))
        return self.answer.text

    def enter(self, name: str, **fields: str) -> None:
        """Enter somebody, also beside another of almost the same name."""
        page = self.post("/entries", name=name, **fields)
        if told := re.search(r'name="told" value="(\w+)"', page):
            assert "presque" in page
            self.post("/entries", told=told[1], name=name, **fields)
        assert self.answer.status_code == 200, self.answer.text

    def enter_some(self, many: int, **fields: str) -> Volunteer:
        """Enter the first so many of `NAMES`."""
        for name in NAMES[:many]:
            self.enter(name, **fields)
        return self

    def play(self, stage: str, winner: int | None = 0) -> None:
        """Enter a win of place `winner`, after a belle if possible, at each open table of the last round.

        None: of the lower number.
        """
        round_ = self.contest.rounds(stage)[-1]  # type: ignore[arg-type]
        for table in round_.open:
            place = table.players.index(min(table.players)) if winner is None else winner
            score = (["10", "01"] if round_.match.manches == 1 else ["21", "12"])[place]
            self.post("/results", table=str(table.number), score=score)
            assert self.answer.status_code == 200, self.answer.text


def four_drawn(store: ContestStore) -> tuple[Volunteer, Volunteer]:
    """The desk and a referee at a contest of six players with round 1 drawn."""
    app = desk_application(store)
    desk, referee = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("referee")
    desk.enter_some(6).draw()
    return desk, referee


def hidden_fields(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms."""
    found = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: value for name, value in found if name not in ("csrf", "table", "back")}


def plain_text(page: str) -> str:
    """A page's text with plain spaces, and what a browser keeps on one line without a joint."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).replace("\N{WORD JOINER}", "").split())


def open_fresh(tmp_path: Path, kind: Kind = "lavardin", **choices: object) -> ContestStore:
    act = ContestOpened(formula_for(kind, **choices), commit(SEED), "Village")  # type: ignore[arg-type]
    return ContestStore.create(tmp_path / "other.chouine", act, SEED, "test")
