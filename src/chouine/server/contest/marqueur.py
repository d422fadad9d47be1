"""The score keeper at a contest's table: the players count on a phone, both confirm, the result goes to the desk.

Each table of a round has its own address, printed as a QR code on its slip. Whoever has it may write the sheet of that
match, the same one on every phone, until the match has a result. A phone confirms for one player only: another player
confirms on another phone, or the desk enters the result from the slip. The desk keeps the sheets in memory, and each
phone a copy in a cookie, from which a sheet is restored if the program restarts.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import ActRefused, Contest, ResultEntered, Round, RoundTable, Score
from chouine.contest.score import possible_scores
from chouine.errors import ChouineError
from chouine.phrases import score_of, translations
from chouine.rules import Rules
from chouine.server.contest.desk import Desk, SharedSheet
from chouine.server.contest.hall import HallContext, go
from chouine.server.contest.request import stage_of
from chouine.server.contest.standing import round_name
from chouine.server.pages.codes import code_of
from chouine.server.pages.sheet import AtTable, sheet_page
from chouine.server.request_parts import cookie_in
from chouine.server.routes.sheet import PRESETS, act_on_sheet
from chouine.table.sheet import Sheet

PHONE = "phone"
"""The cookie that tells phones apart."""
KEPT = 2 * 24 * 3600
"""Seconds that a phone keeps its cookies."""


class PhoneContext(HallContext):
    """A request of a phone at a table of a round."""

    def __init__(self, request: Request) -> None:
        """Raises 404 for an address with a wrong key, and once a later round is drawn."""
        super().__init__(request)
        self.desk: Desk = request.app.state.desk
        self.phone = cookie_in(request, PHONE)[:64]
        """The phone's identity; empty if it has none yet."""
        where, contest, stage = request.path_params, self.desk.store.contest, stage_of(request)
        try:
            self.round = contest.round(stage, int(where["number"]))
            self.table = self.round.table(int(where["table"]))
        except ActRefused as error:
            raise HTTPException(404, "old-code") from error
        later = not self.round.open and self.round.number < len(contest.rounds(stage))
        key = self.desk.table_key(self.round, self.table.number)
        right = hmac.compare_digest(where["key"].encode(), key.encode())
        if later or not right or not has_sheets(contest, self.table):
            raise HTTPException(404, "old-code")

    @property
    def address(self) -> str:
        return address_of(self.desk, self.round, self.table.number)

    @property
    def cookie(self) -> str:
        return f"sheet{self.table.number}"

    @property
    def whose(self) -> str:
        return match_key(self.round, self.table)

    def read(self, cookie: str) -> tuple[Sheet, Mapping[int, str]]:
        """The match's sheet with the phones that confirmed it.

        After a restart it is, until the next act, the longest copy that a phone has shown, unconfirmed.
        """
        shared, rules = self.desk.sheets.get(self.whose, SharedSheet(restored=True)), rules_at(self.table)
        known = Sheet.read(rules, self.round.match, shared.acts)
        if not shared.restored:
            return known, shared.phones
        whose, _, text = cookie.partition(":")
        acts = tuple(act for act in text.split(".") if whose == self.whose and act and act[0] != "o")
        try:
            own = Sheet.read(rules, self.round.match, acts)
        except ChouineError:
            return known, {}
        if len(own.acts) <= len(known.acts):
            return known, {}
        self.desk.sheets[self.whose] = SharedSheet(acts, restored=True)
        return own, {}

    def with_copy(self, response: Response, sheet: Sheet) -> Response:
        """The response, with this phone's identity and its copy of the sheet as cookies."""
        text = f"{self.whose}:{'.'.join(sheet.acts)}"
        response.set_cookie(
            self.cookie, text, httponly=True, samesite="strict", max_age=KEPT, path=self.address
        )
        identity = self.phone or secrets.token_urlsafe(12)
        response.set_cookie(PHONE, identity, httponly=True, samesite="lax", max_age=KEPT, path="/marqueur")
        return response

    async def show_sheet(self, sheet: Sheet, phones: Mapping[int, str]) -> Response:
        names = self.desk.store.names
        mine = self.phone in phones.values()
        at = AtTable(
            title=self.desk.store.contest.opened.title,
            address=self.address,
            table=self.table.number,
            round=round_name(self.desk.store.contest, self.language, self.round.stage, self.round.number),
            decided=self.decided_result(names),
            scores=[
                (f"w{''.join(map(str, score.manches))}", score.winner, score.of_winner())
                for score in possible_scores(self.round.match, len(self.table.players))
            ],
            code=code_of(f"{self.desk.address}{self.address}") if mine else "",
        )
        players = [names[player] for player in self.table.players]
        html = sheet_page(self.visit, sheet, players, self.refused, at)
        return self.with_copy(await self.page(html), sheet)

    def decided_result(self, names: dict[int, str]) -> str:
        """The result at the desk as a sentence; empty before there is one."""
        if not self.table.decided or self.table.winner is None:
            return ""
        gettext = translations(self.language).gettext
        if self.table.score is None:
            return gettext("The desk has it: %(winner)s wins by forfeit.") % {
                "winner": names[self.table.winner]
            }
        return gettext("The desk has it: %(winner)s wins %(score)s.") % {
            "winner": names[self.table.winner],
            "score": self.table.score.of_winner(),
        }


def match_key(round_: Round, table: RoundTable) -> str:
    """A key of a match, from its round and players."""
    return "-".join([round_.stage, str(round_.number), *map(str, table.players)])


def rules_at(table: RoundTable) -> Rules:
    return Rules.of_preset(PRESETS[len(table.players)])


def has_sheets(contest: Contest, table: RoundTable) -> bool:
    """Whether the score keeper knows such a match: not one of teams."""
    return contest.formula.members == 1 and len(table.players) in PRESETS


def address_of(desk: Desk, round_: Round, table: int) -> str:
    """The address of a table's sheet in a round."""
    return f"/marqueur/{round_.stage}/{round_.number}/{table}/{desk.table_key(round_, table)}"


def codes_of(desk: Desk, round_: Round) -> dict[int, tuple[str, str]]:
    """The address for the phones at each table of a round, and its code as a picture."""
    addresses = {
        table.number: f"{desk.address}{address_of(desk, round_, table.number)}"
        for table in round_.played
        if has_sheets(desk.store.contest, table)
    }
    return {table: (address, code_of(address, scale=4)) for table, address in addresses.items()}


async def old_code(_: Request) -> Response:
    """The address of a table for all rounds, as earlier versions printed it."""
    raise HTTPException(404, "old-code")


async def sheet(request: Request) -> Response:
    """A table's sheet; a POST is an act on it. Once all players have confirmed, the result is entered."""
    await request.body()  # all of it before a look at the table
    place = PhoneContext(request)
    now, phones = place.read(cookie_in(request, place.cookie))
    if request.method == "GET" or place.table.decided:
        return await place.show_sheet(now, phones)
    form = await place.form(files=0)
    with place.refusals():
        after = act_on_sheet(now, form)
        for seat in after.agreed - now.agreed:
            phones = {**phones, seat: own_phone(place, phones)}
        phones = {seat: phone for seat, phone in phones.items() if seat in after.agreed}
        if len(after.agreed) == len(after.seats) > len(now.agreed):
            await run_in_threadpool(place.desk.store.do, result(place, after), f"table {place.table.number}")
            phones = {}  # should the result be undone, all confirm again
        acts = tuple(act for act in after.acts if phones or act[0] != "o")
        place.desk.sheets[place.whose] = SharedSheet(acts, phones)
        return place.with_copy(go(place.address), after)
    return await place.show_sheet(now, phones)


def own_phone(place: PhoneContext, phones: Mapping[int, str]) -> str:
    """This phone's identity, to confirm. Raises `ActRefused` if it has none, or has confirmed for another player."""
    if not place.phone:
        raise ActRefused("contest/phone-unknown")
    if place.phone in phones.values():
        raise ActRefused("contest/phone-confirmed")
    return place.phone


def result(place: PhoneContext, sheet: Sheet) -> ResultEntered:
    """The sheet's result in the contest's form."""
    match = sheet.match
    if match.winner is None:
        raise ActRefused(
            "contest/score",
            score=" ".join(map(score_of, (match.manches, match.score))),
            format=str(match.format),
        )
    parties = () if sheet.told else tuple(map(sum, zip(*match.history, strict=True)))
    score = Score.of(match.manches, parties)
    return ResultEntered(
        place.round.stage, place.round.number, place.table.number, score, place.table.players
    )
