"""The score keeper at a contest's table: the players count on their phone, both confirm, the result goes to the desk.

Each table has its own address, printed as a QR code and valid for every round. Whoever has it may write the sheet of
the current match there, and nothing else. The phone stores the sheet in a cookie until the match is over.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.errors import ChouineError
from chouine.phrases import say, translations
from chouine.rules import Rules
from chouine.server.contest.desk import Desk
from chouine.server.contest.request import DeskRequest, desk_name, go, names_of, visit_of
from chouine.server.pages.codes import code_of
from chouine.server.pages.sheet import NOTHING, AtTable, sheet_page
from chouine.server.pages.visit import Visit
from chouine.server.scoring import PRESETS, acted
from chouine.table.sheet import Sheet
from chouine.tournament import ActRefused, Contest, ResultEntered, Round, RoundTable, Score

MOST_TABLES = 200
"""Tables whose codes are printed."""


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table of the hall with its current or last match."""

    desk: Desk
    visit: Visit
    round: Round
    table: RoundTable

    @classmethod
    def of(cls, request: Request) -> HallTable:
        """The table that an address names. Raises 404 for a wrong key, or before its first match."""
        desk: Desk = request.app.state.desk
        number, key = int(request.path_params["table"]), str(request.path_params["key"])
        if not hmac.compare_digest(key.encode(), desk.table_key(number).encode()):
            raise HTTPException(404)
        return cls(desk, visit_of(request), *playing(desk.store.contest, number))

    @property
    def address(self) -> str:
        return f"/marqueur/{self.table.number}/{self.desk.table_key(self.table.number)}"

    @property
    def cookie(self) -> str:
        return f"sheet{self.table.number}"

    @property
    def whose(self) -> str:
        """A key of the match at this table, from its round and players."""
        return "-".join([self.round.stage, str(self.round.number), *map(str, self.table.players)])

    def read(self, cookie: str) -> Sheet:
        """The sheet stored by a phone; an empty one if it is unreadable or another match's."""
        rules = Rules.of_preset(PRESETS[len(self.table.players)])
        whose, _, acts = cookie.partition(":")
        try:
            return Sheet.read(
                rules, self.round.match, acts.split(".") if whose == self.whose and acts else ()
            )
        except ChouineError:
            return Sheet.read(rules, self.round.match)

    def kept(self, response: Response, sheet: Sheet) -> Response:
        """The response, with the sheet in a cookie."""
        text = f"{self.whose}:{'.'.join(sheet.acts)}"
        response.set_cookie(
            self.cookie, text, httponly=True, samesite="strict", max_age=2 * 24 * 3600, path=self.address
        )
        return response

    def page(self, sheet: Sheet, refused: str = "", typed: Mapping[str, object] = NOTHING) -> Response:
        names = names_of(self.desk.store)
        at = AtTable(
            title=self.desk.store.contest.opened.title,
            address=self.address,
            table=self.table.number,
            round=self.round.number,
            decided=self.decided(names),
        )
        players = [names[player] for player in self.table.players]
        html = sheet_page(self.visit, sheet, players, refused, at, typed)
        return HTMLResponse(html, 422 if refused else 200)

    def decided(self, names: dict[int, str]) -> str:
        """The result at the desk as a sentence; empty before there is one."""
        if not self.table.decided or self.table.winner is None:
            return ""
        gettext = translations(self.visit.language).gettext
        if self.table.score is None:
            return gettext("The desk has it: %(winner)s wins by forfeit.") % {
                "winner": names[self.table.winner]
            }
        return gettext("The desk has it: %(winner)s wins %(score)s.") % {
            "winner": names[self.table.winner],
            "score": self.table.score,
        }


def playing(contest: Contest, number: int) -> tuple[Round, RoundTable]:
    """The current pairing of a table, else its last one. Raises 404 if there was none, and in team contests."""
    if contest.formula.members > 1:
        raise HTTPException(404)
    found = [
        (round_, table)
        for round_ in contest.all_rounds()
        for table in round_.played
        if table.number == number and len(table.players) in PRESETS
    ]
    if not found:
        raise HTTPException(404, "nobody-plays-yet")
    return max(found, key=lambda one: (not one[1].decided, one[0].drawn))


async def sheet(request: Request) -> Response:
    """A table's sheet; a POST is an act on it. Once all players have confirmed, the result is entered."""
    place = HallTable.of(request)
    now = place.read(request.cookies.get(place.cookie, ""))
    if request.method == "GET" or place.table.decided:
        return place.page(now)
    form = await request.form(max_files=0, max_fields=100)
    try:
        after = acted(now, form)
        if len(after.agreed) == len(after.seats) > len(now.agreed):
            await run_in_threadpool(place.desk.store.do, result(place, after), f"table {place.table.number}")
    except ChouineError as error:
        return place.page(now, why(error, place.visit), form)
    return place.kept(go(place.address), after)


def why(error: ChouineError, visit: Visit) -> str:
    """The sentence for a refusal, with desks by their displayed names."""
    data = {**error.data}
    if "by" in data:
        data["by"] = desk_name(str(data["by"]), visit.language)
    return say(error.code, visit.language, **data)


def result(place: HallTable, sheet: Sheet) -> ResultEntered:
    """The sheet's result in the contest's form."""
    match = sheet.match
    if match.winner is None:
        raise ActRefused("contest/score", score=match.score_text, format=str(match.format))
    parties = tuple(map(sum, zip(*match.history, strict=True)))
    score = Score.of(match.manches, parties)
    return ResultEntered(place.round.stage, place.round.number, place.table.number, score)


async def codes(request: Request) -> Response:
    """The page with a QR code for each table, to be printed once."""
    asked = DeskRequest.of(request)
    if not asked.worker.may("results"):
        raise HTTPException(403, "role")
    tables = range(1, min(most_tables(asked.contest), MOST_TABLES) + 1)
    return asked.page("codes.html", codes=[coded(asked.desk, table) for table in tables])


def most_tables(contest: Contest) -> int:
    """Number of tables the contest needs: as its rooms or rounds have, else one for every two entries."""
    standing = sum(tables for _, tables in contest.opened.rooms)
    drawn = max((table.number for round_ in contest.all_rounds() for table in round_.played), default=0)
    return max(standing, drawn, len(contest.entrants) // contest.formula.seats, 1)


def coded(desk: Desk, table: int) -> tuple[int, str, str]:
    """A table's number, its address and its code as a picture."""
    address = f"{desk.address}/marqueur/{table}/{desk.table_key(table)}"
    return table, address, code_of(address, scale=4)
