"""Pages of contests on a server: announcing, entering, starting, what is played; all else is done by the steward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from chouine.cards import Suit
from chouine.contest import ActRefused, Entered, Round, RoundTable, Withdrew, formula_for, ranking
from chouine.contest.duplicate import MOST, SPARED, STEPS, WHOLE, numbers_of
from chouine.contest.formula import MOST_DEALS, STAGES, Formula
from chouine.contest.people import Names
from chouine.names import NAME_LENGTH, another_name
from chouine.phrases import N_, signed_number, translations
from chouine.server.contest.duplicate_pages import deal_page, round_of_deal, round_sums
from chouine.server.contest.online import LARGEST, Contests, EntryVisitor, Online, open_tables
from chouine.server.contest.screen import screen_page, screen_place
from chouine.server.contest.standing import ending_told, place_words, round_name
from chouine.server.decent_names import decent_name
from chouine.server.forms import name_of, number_of
from chouine.server.pages import wording
from chouine.server.pages.cards import sign
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.routes.context import Context
from chouine.server.routes.request_context import NAME
from chouine.server.services import services_of
from chouine.server.table_ids import NAMED
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms
from chouine.table.state import Phase, TableState

LONGEST_TITLE = 60
ROUNDS = range(2, 13)
"""Possible numbers of rounds that everybody plays."""
DEALS = 4
"""Sealed deals of a duplicate round, where the form names no number: with five rounds 20 parties."""
FEWEST_TO_COMPARE = 4
"""Players of a duplicate contest: with fewer, nobody holds the same cards as another."""
LAST_NUMBER = 99_999
"""Largest entry number: withdrawn entries keep theirs, so numbers exceed the most entries."""
SECONDS = 5
"""Seconds after which the page of a running contest reloads."""


@dataclass(frozen=True, slots=True)
class ContestPace:
    """A choice of clock for a contest's tables."""

    words: str
    clock: tuple[int, int]
    """Seconds for each act, and reserve for the match; a seat that has used both forfeits."""


PACES = {
    "live": ContestPace(
        N_("One evening: 30 seconds a card, and 5 minutes in reserve for a match"), (30, 300)
    ),
    "calm": ContestPace(N_("Calmly: 90 seconds a card, and 15 minutes in reserve"), (90, 900)),
    "days": ContestPace(N_("Over weeks: one day a card, and 2 days in reserve"), (86_400, 172_800)),
}
KINDS = {
    "lavardin": N_("As in Lavardin: a new draw each round, and a consolante for those who lose the first"),
    "knockout": N_("Knock-out without consolante"),
    "swiss": N_("Swiss rounds: everybody plays to the end"),
    "duplicate": N_(
        "Duplicate: all tables play the same cards, and whoever makes most of them wins, not whoever was dealt the best"
    ),
}


@dataclass(frozen=True, slots=True)
class PendingTable:
    """A table whose match is not over."""

    table_id: str
    round: Round
    table: RoundTable
    state: TableState | None
    """The table's state, for its own players; None for others."""
    over: bool = False
    """Whether its match is over, and its result waits for the other tables of a duplicate round."""

    def minutes_left(self, now: float) -> int | None:
        """Whole minutes until the absent player forfeits; None if nobody is absent."""
        deadline = self.state.deadline if self.state is not None else None
        return None if deadline is None else max(0, round((deadline - now) / 60))

    def awaits(self, number: int) -> bool:
        """Whether it waits for this entry's act."""
        return self.state is not None and self.table.players.index(number) in self.state.awaited

    def calls(self, number: int) -> bool:
        """Whether it has just opened, and this entry is to be led to it: to draw for the deal, or to a sealed deal."""
        if self.state is None or (self.state.n > 1 and self.round.deals):
            return False
        return bool(self.round.deals) or (self.state.phase is Phase.TIRAGE and self.awaits(number))


def contests_of(context: Context) -> Contests:
    return services_of(context.request).contests


async def online_of(context: Context) -> Online:
    """The contest named in the address; 404 if there is none."""
    which = str(context.request.path_params["contest"])
    online = await contests_of(context).get(which) if NAME.fullmatch(which) else None
    if online is None:
        raise HTTPException(404, "no-such-contest")
    return online


async def index(request: Request) -> Response:
    """All contests, open ones first, and the form that announces one."""
    context = await Context.of(request)
    if request.method == "POST":
        form = await context.form()
        await context.count("contests")
        with context.refusals():
            await context.admit("contests")
            return await context.go(f"/contests/{await announce(context, form)}")
    listed = await contests_of(context).listed_contests()
    return await context.show(
        "contests/index.html",
        groups=[(state, [one for one in listed if one.state == state]) for state in ("open", "live", "over")],
        kinds=KINDS,
        most_deals=MOST_DEALS,
        paces=PACES,
        wording=wording,
    )


async def announce(context: Context, form: FormData) -> str:
    """Announce a contest as the form describes it, once, and return its identifier. Raises `ChouineError`."""
    title = decent_name(str(form.get("title", "")), LONGEST_TITLE)
    if not title:
        raise ActRefused("contest/no-title")
    pace = PACES.get(str(form.get("pace", "")), PACES["live"])
    most_here = context.limits.most_stored("contests")
    which, contests = context.name_for("contest")[:NAMED], contests_of(context)
    before = await contests.get(which)
    if before is not None and before.state == "open" and before.owner == context.visitor.guest:
        return which
    return await contests.open(
        formula_of(form),
        title,
        ClockTerms(*pace.clock),
        *context.set_by,
        most_here,
        which="" if before else which,
    )


def formula_of(form: FormData) -> Formula:
    """The contest's formula from a form. Raises `ActRefused` if choices conflict or need what is not installed."""
    terms = str(form.get("format", "3x2"))
    if terms not in wording.FORMATS:
        raise ActRefused("contest/match", text=terms[:40])
    asked = str(form.get("kind", ""))
    if asked == "knockout":
        return formula_for("lavardin", consolante="none", matches=(terms,))
    if asked == "swiss":
        return formula_for("swiss", rounds=rounds_asked(form), matches=(terms,))
    if asked == "duplicate":
        return duplicate_formula(form)
    consolante = (f"{terms.partition('x')[0]}x1",)
    return formula_for("lavardin", consolante_matches=consolante, matches=(terms,))


def rounds_asked(form: FormData) -> int:
    """The number of rounds that everybody plays. Raises `ActRefused` without what can draw them."""
    if find_spec("networkx") is None:
        raise ActRefused("contest/no-solver")
    return max(number_of(str(form.get("rounds", "")), ROUNDS[-1]) or 5, ROUNDS[0])


def duplicate_formula(form: FormData) -> Formula:
    """Rounds in which all tables play the same deals."""
    deals = number_of(str(form.get("deals", "")), MOST_DEALS) or DEALS
    return formula_for("rounds", rounds=rounds_asked(form), deals=deals, matches=(f"{deals}x1",))


async def one(request: Request) -> Response:
    """The page of a contest; a POST enters, withdraws, opens it to a hall, starts it, or forfeits a match."""
    context = await Context.of(request)
    online = await online_of(context)
    if request.method == "POST":
        form = await context.form()
        with context.refusals():
            return await carry_out(context, online, form)
        online = await online_of(context)
    mine = online.number_of(context.visitor.guest)
    html = contest_page(
        context.visit,
        online,
        mine,
        await waiting(context, online),
        context.tables.clock(),
        context.refused,
        most_here=context.limits.most_stored("entrants") if online.origin != context.origin else 0,
    )
    return await context.page(html)


def format_name(formula: Formula) -> str:
    """The name of a contest's format, of `KINDS`."""
    if formula.deals:
        return "duplicate"
    return "knockout" if formula.knock_out and formula.consolante == "none" else formula.kind


def contest_page(
    visit: Visit,
    online: Online,
    mine: int | None,
    waiting: Sequence[PendingTable],
    now: float,
    refused: str = "",
    most_here: int = 0,
) -> str:
    """A contest's page: entries, rounds, ranking, and the visitor's own table.

    `most_here`: how many may enter from the request's address; 0 for any number, from the hall's.
    """
    contest, here = online.contest, f"/contests/{online.id}"
    table = next((one for one in waiting if mine in one.table.players), None)
    ranked = ranking(contest) if contest.main and not contest.main[0].open else ()
    my_turn = table is not None and mine is not None and table.awaits(mine)
    formula, clock = contest.formula, (online.clock.move, online.clock.reserve)
    ending = ending_told(contest, online.names, visit.language) if online.state == "over" else []
    gettext = translations(visit.language).gettext
    rank = next((one.rank for one in ranked if ending and one.number == mine), 0)
    return render(
        visit,
        "contests/one.html",
        here=here,
        online=online,
        contest=contest,
        names=online.names,
        mine=mine,
        own=online.owner == visit.guest,
        most_here=most_here,
        table=table,
        my_turn=my_turn,
        minutes=table.minutes_left(now) if table is not None else None,
        waiting=waiting,
        round_name=partial(round_name, contest, visit.language),
        stages=[stage for stage in STAGES if contest.rounds(stage)],
        ranking=ranked,
        ending=ending,
        place=place_words(gettext, rank) if rank else "",
        suits=Suit,
        sign=sign,
        sums={
            round_.number: round_sums(round_) for round_ in contest.main if round_.deals and not round_.open
        },
        numbers_of=numbers_of,
        signed=partial(signed_number, language=visit.language),
        steps=enumerate(STEPS, 1),
        whole=WHOLE,
        most=MOST,
        spared=SPARED,
        pace=next((pace.words for pace in PACES.values() if pace.clock == clock), ""),
        kind=KINDS[format_name(formula)],
        length=wording.FORMATS.get(formula.matches[0], formula.matches[0]),
        seconds=SECONDS if online.state != "over" else 0,
        following=f"/table/{table.table_id}" if table and mine and table.calls(mine) else "",
        name_length=NAME_LENGTH,
        refused=refused,
    )


async def waiting(context: Context, online: Online) -> list[PendingTable]:
    """Unfinished tables of the round; the visitor's own with its current state."""
    pairs = open_tables(online)
    table_ids = await contests_of(context).table_ids([table_id for table_id, _, _ in pairs])
    mine = online.number_of(context.visitor.guest)
    return [
        PendingTable(
            table_id,
            round_,
            table,
            await context.tables.table(table_id) if mine in table.players else None,
            table_ids[table_id],
        )
        for table_id, round_, table in pairs
        if table_id in table_ids
    ]


async def carry_out(context: Context, online: Online, form: FormData) -> Response:
    """Carry out the form."""
    contests, guest, here = contests_of(context), context.visitor.guest, f"/contests/{online.id}"
    saved, number = context.visitor.saved, number_of(str(form.get("number", "")), LAST_NUMBER)
    is_open, entered = online.state == "open", online.number_of(guest) is not None
    match form.get("what"):
        case "enter" if is_open and entered:
            await context.count("entries")  # the form was sent again
        case "withdraw" if is_open and not entered:
            pass  # as here
        case "enter":
            await context.admit("contests")
            await context.count("entries")
            given = name_of(str(form.get("name", "")))
            saved = msgspec.structs.replace(saved, name=given or saved.name)
            most = context.limits.most_stored("entrants")
            await enter(contests, online, guest, given or context.visit.name, (context.origin, most))
        case "withdraw":
            await withdraw(contests, online, lambda now: now.number_of(guest))
        case "remove":
            if online.owner != guest:
                raise ActRefused("contest/not-yours")
            gone = is_open and number in online.contest.entrants and number not in online.players
            if not gone:
                await withdraw(contests, online, lambda now: number if number in now.players else None)
        case "hall":
            if online.owner != guest:
                raise ActRefused("contest/not-yours")
            await contests.open_to_hall(online.id, context.origin, context.limits.most_stored("contests"))
        case "start":
            await start(contests, online, guest)
        case "forfeit":
            await forfeit(context, online, str(form.get("number", "")))
    return await context.seal(RedirectResponse(here, 303), saved)


async def enter(
    contests: Contests, online: Online, guest: str, name: str, here: tuple[str, int] = ("", LARGEST)
) -> None:
    """Enter a guest, under a name made unique. Raises `ActRefused`.

    `here`: a digest of their address, and how many may enter from an address that is not the hall's.
    """

    def entry_of(now: Online) -> Entered:
        if now.state != "open":
            raise ActRefused("contest/started")
        if now.number_of(guest) is not None:
            raise ActRefused("contest/entered-already")
        if len(now.players) >= LARGEST:
            raise ActRefused("contest/full", most=LARGEST)
        now.check_entries_from(*here)
        return Entered(now.contest.next_number)

    def visitor_of_entry(now: Online) -> EntryVisitor:
        taken = list(now.names.values())
        return EntryVisitor(guest, another_name(name or f"n° {now.contest.next_number}", taken), here[0])

    await contests.do(online.id, entry_of, visitor_of_entry)


async def withdraw(contests: Contests, online: Online, who: Callable[[Online], int | None]) -> None:
    """Withdraw an entry before the start; after it, forfeit its current match."""

    def withdrew(now: Online) -> Withdrew:
        number = who(now)
        if now.state != "open" or number is None:
            raise ActRefused("contest/started")
        return Withdrew(number)

    await contests.do(online.id, withdrew)


async def start(contests: Contests, online: Online, guest: str) -> None:
    """Close entries; the steward then draws the first round."""
    if online.owner != guest:
        raise ActRefused("contest/not-yours")
    if online.state != "open":
        raise ActRefused("contest/started")
    if len(online.players) < 2:
        raise ActRefused("contest/too-few")
    if online.contest.formula.deals and len(online.players) < FEWEST_TO_COMPARE:
        raise ActRefused("contest/too-few-to-compare", fewest=FEWEST_TO_COMPARE)
    await contests.turn(online.id, "live")


async def forfeit(context: Context, online: Online, text: str) -> None:
    """The organiser ends a stalled match: it is conceded at its table.

    Not in the organiser's own match: there only the clock decides.
    """
    if online.owner != context.visitor.guest:
        raise ActRefused("contest/not-yours")
    number, mine = number_of(text, LAST_NUMBER), online.number_of(context.visitor.guest)
    for place in await waiting(context, online):
        if number in place.table.players and not place.over:
            if mine in place.table.players and mine != number:
                raise ActRefused("contest/your-opponent")
            await context.tables.do(place.table_id, ask.ForfeitMatch(place.table.players.index(number)))


async def deal(request: Request) -> Response:
    """One deal of a duplicate round over all tables, once the round is over: until then there is no such page."""
    context = await Context.of(request)
    online = await online_of(context)
    number = int(request.path_params["number"])
    round_ = round_of_deal(online, number)
    if round_ is None:
        raise HTTPException(404, "no-such-partie")
    mine = online.number_of(context.visitor.guest)
    return await context.page(deal_page(context.visit, online, round_, number, mine))


async def screen(request: Request) -> Response:
    """A page for a screen in a room that follows the contest and reloads itself."""
    context = await Context.of(request)
    online = await online_of(context)
    place, here = screen_place(request, online.contest), f"/contests/{online.id}/screen"
    names = Names.as_given(online.names)
    return await context.page(screen_page(context.visit, online.contest, names, place, here))


async def log(request: Request) -> Response:
    """The contest's log, for `chouine concours check`."""
    context = await Context.of(request)
    online = await online_of(context)
    if online.contest.opened.title != online.contest.first.title:
        raise HTTPException(404, "title-removed")
    disposition = f'attachment; filename="contest-{online.id}.jsonl"'
    lines = "".join(f"{line}\n" for line in online.contest.lines)
    return PlainTextResponse(lines, headers={"Content-Disposition": disposition})
