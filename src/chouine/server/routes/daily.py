"""The deal of the day: its page, its parties, what was made of them, and the proof of its cards."""

from __future__ import annotations

import re
from datetime import date, timedelta

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from chouine.ai.levels import UNAIDED, highest_level
from chouine.daily import PARTIES, SEAT
from chouine.errors import ChouineError
from chouine.notation.tokens import PASS
from chouine.school.review import Judgement, Review, moments
from chouine.server.daily import FIRST, DealsOfTheDay, month_of, week_of
from chouine.server.daily_field import Attempt, DailyField
from chouine.server.forms import name_of, number_of
from chouine.server.new_table import with_settings
from chouine.server.pages.daily import Boast, PartieOfDay, daily_page, picture_of
from chouine.server.routes.context import Context
from chouine.server.services import services_of
from chouine.table.entries import Opened, SeatHolder

AHEAD = 7
"""Days whose digests are shown before they come."""
RESULT = re.compile(r"[wnl][0-9]{1,3}(\.[wnl][0-9]{1,3}){0,2}")
"""Results of parties in the address of a picture, such as `w23.l12.w100`."""


def deals(context: Context) -> DealsOfTheDay:
    """The deals of the day of this server."""
    return services_of(context.request).daily


def day_in(context: Context) -> date:
    """The day in the address. Raises 404 for one that nobody may play."""
    text = str(context.request.path_params["day"])
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.max
    if str(day) != text or not FIRST <= day <= deals(context).today:
        raise HTTPException(404, "no-such-day")
    return day


async def today(request: Request) -> Response:
    """Today's page; a posted form lists the visitor under a name, or no more."""
    context = await Context.of(request)
    if request.method != "POST":
        return await show(context, deals(context).today)
    form = await context.form()
    await context.count("listings")
    with context.refusals():
        name = listed_name(form) if form.get("list") == "1" else ""
        if name:
            await context.admit()
        await deals(context).list_as(context.visitor.guest, name)
        return await context.go("/daily")
    return await show(context, deals(context).today)


def listed_name(form: FormData) -> str:
    """The name that a form gives. Raises `ChouineError` if there is none, or it cannot be shown."""
    name = name_of(str(form.get("name", "")))
    if not name:
        raise ChouineError("daily/no-name")
    return name


async def one(request: Request) -> Response:
    """A day's page; a posted form begins one of its parties, or goes on with it."""
    context = await Context.of(request)
    day = day_in(context)
    if request.method != "POST":
        return await show(context, day)
    form = await context.form()
    nth = number_of(str(form.get("partie", "")), PARTIES)
    if not nth:
        raise HTTPException(400, "not-a-number")
    if not playable(context):
        raise HTTPException(503, "no-daily")
    await context.admit(alone=True)
    await context.count("tables")
    person = SeatHolder("person", context.visit.name, context.visitor.guest)
    terms = with_settings(Opened("", "", (person,)), context.visit)
    table_id = await deals(context).begin(day, nth - 1, terms.chairs[0], terms, context.origin)
    return await context.go(f"/table/{table_id}")


def playable(context: Context) -> bool:
    """Whether this server has what the opponent needs, and may use it."""
    return context.tables.strong and highest_level() > UNAIDED


async def show(context: Context, day: date) -> Response:
    """A day's page."""
    daily, guest = deals(context), context.visitor.guest
    of_day, now = daily.day(day), daily.today
    mine = {} if context.visitor.new else {one.nth: one for one in await daily.attempts(day, guest)}
    everyone = await daily.field(day)
    parties = [await shown_partie(context, everyone, day, nth, mine.get(nth)) for nth in range(PARTIES)]
    tables = {
        name: await daily.table(*span(now), guest) for name, span in (("week", week_of), ("month", month_of))
    }
    village = ""
    if not context.visitor.new:
        people = services_of(context.request).people
        friends, (village, neighbours) = (await people.bonds(guest)).friends, await people.neighbours(guest)
        for name, among in (("friends", friends), ("village", neighbours)):
            if among:
                tables[name] = await daily.table(*week_of(now), guest, {guest, *among})
    page = daily_page(
        context.visit,
        of_day,
        parties,
        tables,
        village=village,
        today=now,
        first=FIRST,
        last=now,
        playable=playable(context),
        published=daily.is_public(day),
        streak_days=[] if context.visitor.new else await daily.days_of(guest),
        digests=[
            (coming, daily.day(coming).digest) for coming in (now + timedelta(n) for n in range(1, AHEAD + 1))
        ],
        listed="" if context.visitor.new else await daily.name_of(guest),
        boast=boast_of(context, day, parties),
        refused=context.refused,
    )
    return await context.page(page)


async def shown_partie(
    context: Context, everyone: DailyField, day: date, nth: int, own: Attempt | None
) -> PartieOfDay:
    """A partie as its visitor may see it; `own`: what they made of it, None if it is not begun."""
    if own is None or own.score is None:
        return PartieOfDay(nth + 1, own.table_id if own else "")
    level8 = await deals(context).reference(day, nth) if playable(context) else None
    place, worst = costliest(await services_of(context.request).reviews.of(own.table_id, 1))
    return PartieOfDay(
        nth + 1,
        own.table_id,
        own.score,
        level8,
        everyone.share_below(nth, own.score),
        everyone.choices(nth, own.acts),
        worst,
        place,
    )


def costliest(review: Review) -> tuple[int, Judgement | None]:
    """The visitor's costliest mistake with its decision's number; None before all is judged, or without any."""
    found = [one for one in moments(review.found, SEAT) if PASS not in (one.done, one.best)]
    if not found or not review.complete:
        return 0, None
    return next((number, one) for number, one in review.judged.items() if one is found[0])


def boast_of(context: Context, day: date, parties: list[PartieOfDay]) -> Boast | None:
    """What a visitor may send to others once all is played: nothing of it tells a card."""
    scores = [partie.score for partie in parties if partie.score is not None]
    if len(scores) < PARTIES:
        return None
    result = ".".join(f"{'lnw'[score.mark]}{min(abs(score.gain), 999)}" for score in scores)
    base, signature = (
        services_of(context.request).site.base(context.request),
        context.secrets.boast(f"{day} {result}"),
    )
    return Boast(scores, f"{base}/daily/{day}", f"/daily/{day}.svg?r={result}&s={signature}")


async def proof(request: Request) -> Response:
    """A day's digest, and once its cards are public the nonce and the deals from which it was made, as JSON."""
    context = await Context.of(request)
    daily = deals(context)
    day = day_in(context)
    of_day = daily.day(day)
    if daily.is_public(day):
        return JSONResponse(of_day.data)
    return JSONResponse({"date": str(day), "rules": str(of_day.rules), "digest": of_day.digest})


async def picture(request: Request) -> Response:
    """A result as a picture: suits and marks, no cards. Raises 404 for one that this server has not signed."""
    context = await Context.of(request)
    day, result = day_in(context), request.query_params.get("r", "")
    if not RESULT.fullmatch(result) or request.query_params.get("s") != context.secrets.boast(
        f"{day} {result}"
    ):
        raise HTTPException(404, "no-such-day")
    marks = [("lnw".index(one[0]), int(one[1:])) for one in result.split(".")]
    return Response(picture_of(context.visit, day, marks), media_type="image/svg+xml")
