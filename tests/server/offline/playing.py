"""A device without a network, driven by its pages' forms as a browser would submit them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from random import Random
from urllib.parse import urlencode

from chouine.server.offline.device import ViewedTable
from chouine.server.offline.pages import PREFIX
from chouine.server.offline.site import OfflineResponse, OfflineSite
from chouine.table.state import Phase, TableState

FORM = re.compile(r'<form[^>]* action="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
TAG = re.compile(r"<(?:button|input)\b[^>]*>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


@dataclass
class Clock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Device:
    """A browser: its offline site, its clock, and the matches it stores."""

    clock: Clock = field(default_factory=Clock)
    me: str = ""
    matches: dict[str, str] = field(default_factory=dict)
    days: str = ""
    site: OfflineSite = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Restart the site from what the browser stored."""
        self.site = OfflineSite(self.clock, self.me, [*self.matches.values()], self.days)
        self.keep()

    def keep(self) -> None:
        changed = json.loads(self.site.changes())
        self.me = changed["me"] or self.me
        for table_id, text in changed["matches"].items():
            self.matches.pop(table_id, None)
            if text is not None:
                self.matches[table_id] = text

    def get(self, address: str) -> OfflineResponse:
        return self.site.answer("GET", PREFIX + address)

    def post(
        self, address: str, fields: Mapping[str, object], *, json_wanted: bool = False
    ) -> OfflineResponse:
        given = self.site.answer("POST", PREFIX + address, urlencode(fields), json_wanted=json_wanted)
        self.keep()
        return given

    def set_table(self, **fields: object) -> str:
        """Set a table and return its identifier."""
        given = self.post("/new", fields)
        assert given.status == 303, given.body
        return given.location.rpartition("/")[2]

    def table(self, table_id: str) -> ViewedTable:
        return self.site.open_table(table_id)

    def step(self, table_id: str, rng: Random) -> None:
        """One act: a computer's by the clock, a person's by a form of the page."""
        table = self.table(table_id).table
        mine = table.held_by(self.site.me.guest)
        awaited = sorted(table.awaited.intersection(mine))
        if not awaited:
            self.clock.now += 5.0
            assert self.site.tick() >= -1
            self.keep()
            return
        seat = awaited[0]
        page = self.get(f"/table/{table_id}" + (f"?as={seat}" if len(mine) > 1 else "")).body
        acts = offers(page, table)
        rng.shuffle(acts)
        sent = (self.site.answer("POST", at, urlencode(fields), json_wanted=True) for at, fields in acts)
        assert any(given.status == 200 for given in sent), page  # refused cards have buttons too
        self.keep()

    def play_out(self, table_id: str, seed: int = 1) -> TableState:
        """Play to the end of the match."""
        rng = Random(seed)
        while self.table(table_id).table.phase is not Phase.OVER:
            self.step(table_id, rng)
        return self.table(table_id).table


def offers(page: str, table: TableState) -> list[tuple[str, dict[str, str]]]:
    """The forms of a page that continue the table: addresses and fields."""
    found: list[tuple[str, dict[str, str]]] = []
    for address, inside in FORM.findall(page):
        if not address.partition("?")[0].endswith(("pick", "cut", "act", "pass", "go-on")):
            continue
        tags = [(tag, dict(ATTRIBUTE.findall(tag))) for tag in TAG.findall(inside)]
        plain, buttons = dict[str, str](), list[dict[str, str]]()
        for tag, told in tags:
            field = {told["name"]: unescape(told.get("value", ""))} if "name" in told else {}
            if tag.startswith("<button"):
                buttons.append(field)
            else:
                plain |= field
        found += [(unescape(address), plain | button) for button in buttons]
    assert found, table.phase
    return found
