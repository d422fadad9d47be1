"""The device's own pages: the first one with a new table, the settings, a table and its news, past deals of the day."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine import __version__
from chouine.ai.levels import UNAIDED, highest_level
from chouine.daily import PARTIES, DailyScore, Day
from chouine.days import day_of
from chouine.server.forms import MOST, NotANumber, local, number_of, seat_seen, settings_of
from chouine.server.frame_updates import FrameEncoder, FrameUpdate
from chouine.server.new_table import first_level, new_table, own_name, with_settings
from chouine.server.offline.context import DeviceContext, device_context
from chouine.server.offline.device import Device, Lost
from chouine.server.offline.matches import table_id_of
from chouine.server.pages.daily import PartieOfDay, daily_page
from chouine.server.pages.env import render
from chouine.server.pages.frames import Frame, Viewer
from chouine.server.pages.home import home_page
from chouine.server.pages.settings import settings_page
from chouine.server.routes.commands import observer_of
from chouine.table.entries import Opened, SeatHolder

PREFIX = "/offline"
"""All addresses begin with it, so that the service worker knows which requests are the device's own."""
ADDRESS = re.compile(r'(\s(?:href|src|action|data-(?:events|from|has|here|next|stream))=")/(?!/|manifest\.)')
"""Matches the start of an HTML attribute with an address of the site, never one with a text that a person typed. The
manifest stays the server's: an installed Chouine has it already, and frames need none."""


def prefix_addresses(html: str) -> str:
    """HTML with its addresses rewritten for offline use."""
    return ADDRESS.sub(rf"\1{PREFIX}/", html)


class OfflineStream:
    """A table's news for one browser after the entry that it knows, each entry once and in order.

    `seen`: the seat that it sees the table from, if the device holds several.
    """

    def __init__(self, device: Device, table_id: str, seen: str, after: str) -> None:
        table, shown = device.state_of(table_id), number_of(after, MOST)
        self.device, self.table_id = device, table_id
        self.shown = table.n if shown is None else shown
        observer = seat_seen(table.held_by(device.me.guest), seen)
        self.viewer, self.encoder = Viewer(device.visit, table_id, observer), FrameEncoder()

    def news(self) -> list[str]:
        """New entries as JSON; one frame of the whole table where older entries are no longer in memory."""
        known = self.device.open_table(self.table_id).known
        if self.shown >= known.table.n:
            return []
        steps = known.since(self.shown)
        if steps is None:
            found = [FrameUpdate(known.table.n, [self.viewer.frame(known.table)])]
        else:
            found = [
                FrameUpdate(step.after.n, self.viewer.frames(step.before, step.entry, step.after))
                for step in steps
            ]
        self.shown = known.table.n
        return [
            self.encoder.encode(FrameUpdate(item.n, [*map(prefix_frame, item.frames)])).decode()
            for item in found
        ]


def prefix_frame(frame: Frame) -> Frame:
    """A frame with its addresses rewritten for offline use."""
    return replace(frame, html=prefix_addresses(frame.html))


async def home(request: Request) -> Response:
    """The first page, with the device's matches, the newest first."""
    return await show_home(device_context(request))


async def show_home(context: DeviceContext) -> Response:
    listed = [(table_id, match.brief) for table_id, match in reversed(context.device.kept.items())]
    return await context.page(home_page(context.visit, listed, context.refused, offline=True))


async def new(request: Request) -> Response:
    """Open a table as the form asks; an invalid form is shown again with the reason."""
    context = device_context(request)
    form = await context.form()
    with context.refusals():
        opened = new_table(form, context.visit)
        me = context.saved
        context.device.remember(name=own_name(opened) or me.name, level=first_level(opened) or me.level)
        return await context.go(f"/table/{await context.set_table(opened)}")
    return await show_home(context)


async def legal(request: Request) -> Response:
    """What the copy stores, and who answers for it."""
    visit = device_context(request).visit
    return HTMLResponse(render(visit, "legal/offline.html", here="/legal", version=__version__))


async def settings(request: Request) -> Response:
    """How the table is shown."""
    context = device_context(request)
    if request.method == "GET":
        return HTMLResponse(settings_page(context.visit, local(request.query_params.get("back", "/"))))
    form = await context.form()
    context.device.remember(settings=settings_of(form))
    return RedirectResponse(local(str(form.get("back", "/"))), 303)


async def table(request: Request) -> Response:
    """The table's page."""
    context = device_context(request)
    table_id, shown = await context.match()
    return HTMLResponse(Viewer(context.visit, table_id, observer_of(context, shown)).page(shown))


async def events(request: Request) -> Response:
    """The news since an entry as one response, for pages that poll."""
    context, asked = device_context(request), request.query_params
    stream = OfflineStream(context.device, context.table_id, asked.get("as", ""), asked.get("after", ""))
    return Response(f"[{','.join(stream.news())}]", media_type="application/json")


async def latest_day(request: Request) -> Response:
    """The latest day's page. Raises `Lost` if the device has none."""
    device = device_context(request).device
    if not device.days:
        raise Lost("no-day-here")
    return HTMLResponse(past_day_page(device, device.days[max(device.days)]))


async def past_day(request: Request) -> Response:
    """A past day's page; a posted form begins a partie of it, or goes on with it.

    Raises `Lost` for a day that the device lacks, `NotANumber`.
    """
    context = device_context(request)
    device, of_day = context.device, day_in(context)
    if request.method != "POST":
        return HTMLResponse(past_day_page(device, of_day))
    nth = number_of(str((await context.form()).get("partie", "")), PARTIES)
    if not nth:
        raise NotANumber("partie")
    if not can_play_days():
        raise Lost("no-daily")
    table_id = table_id_of(of_day.day, nth - 1)
    if table_id not in device.kept:
        person = SeatHolder("person", device.me.name, device.me.guest)
        terms = with_settings(Opened("", "", (person,)), device.visit)
        device.set_table(of_day.table(nth - 1, terms.chairs[0], terms), table_id, explained=False)
    return await context.go(f"/table/{table_id}")


def day_in(context: DeviceContext) -> Day:
    """The day in the address. Raises `Lost` for one that the device lacks."""
    try:
        return context.device.days[date.fromisoformat(str(context.request.path_params["day"]))]
    except (ValueError, KeyError):
        raise Lost("no-day-here") from None


def can_play_days() -> bool:
    """Whether this device has what the opponent needs."""
    return highest_level() > UNAIDED


def past_day_page(device: Device, of_day: Day) -> str:
    """The page of a day that is on the device."""
    return daily_page(
        device.visit,
        of_day,
        [partie_of(device, of_day.day, nth) for nth in range(PARTIES)],
        {},
        village="",
        today=day_of(datetime.fromtimestamp(device.clock(), UTC), None),
        first=min(device.days),
        last=max(device.days),
        playable=can_play_days(),
        published=True,
        streak_days=[],
        digests=[],
        listed="",
        boast=None,
    )


def partie_of(device: Device, day: date, nth: int) -> PartieOfDay:
    """A partie as far as it was played on the device."""
    table_id = table_id_of(day, nth)
    if table_id not in device.kept:
        return PartieOfDay(nth + 1)
    played = device.state_of(table_id).played
    return PartieOfDay(nth + 1, table_id, DailyScore.of(played[-1].result) if played else None)
