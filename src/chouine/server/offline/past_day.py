"""The page of a past deal of the day on a device without a network, and the tables at which it is played."""

from __future__ import annotations

from datetime import UTC, date, datetime

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chouine.ai.levels import UNAIDED, highest_level
from chouine.daily import PARTIES, DailyScore, Day
from chouine.days import day_of
from chouine.server.forms import NotANumber, number_of
from chouine.server.new_table import with_settings
from chouine.server.offline.context import DeviceContext, device_context
from chouine.server.offline.days import table_id_of
from chouine.server.offline.device import Device, Lost
from chouine.server.pages.daily import PartieOfDay, daily_page
from chouine.table.entries import Opened, SeatHolder


async def latest(request: Request) -> Response:
    """The latest day's page. Raises `Lost` if the device has none."""
    device = device_context(request).device
    if not device.days:
        raise Lost("no-day-here")
    return HTMLResponse(past_day_page(device, device.days[max(device.days)]))


async def one(request: Request) -> Response:
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
