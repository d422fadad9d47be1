"""The page of a past deal of the day on a device without a network, and the tables at which it is played."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple

from chouine.ai.levels import UNAIDED, highest_level
from chouine.daily import PARTIES, DailyScore, Day
from chouine.days import day_of
from chouine.server.forms import Form, NotANumber, number_of
from chouine.server.new_table import with_settings
from chouine.server.offline.days import table_id_of
from chouine.server.offline.device import Device, Lost
from chouine.server.pages.daily import PartieOfDay, daily_page
from chouine.table.entries import Opened, SeatHolder


class DayAnswer(NamedTuple):
    """A page, or the address to go on to."""

    page: str = ""
    onward: str = ""


def answer_day(device: Device, path: list[str], form: Form | None) -> DayAnswer:
    """A past day's page, the latest one's without `path`; a posted form begins a partie of it, or goes on with it.

    Raises `Lost` for a day that the device lacks, `NotANumber`.
    """
    of_day = day_on(device, path)
    if form is None:
        return DayAnswer(past_day_page(device, of_day))
    nth = number_of(form.get("partie", ""), PARTIES)
    if not nth:
        raise NotANumber("partie")
    if not can_play_days():
        raise Lost("no-daily")
    table_id = table_id_of(of_day.day, nth - 1)
    if table_id not in device.kept:
        person = SeatHolder("person", device.me.name, device.me.guest)
        terms = with_settings(Opened("", "", (person,)), device.visit)
        device.set_table(of_day.table(nth - 1, terms.chairs[0], terms), table_id, explained=False)
    return DayAnswer(onward=f"/table/{table_id}")


def day_on(device: Device, path: list[str]) -> Day:
    """The day in an address, the latest if it names none. Raises `Lost` for one that the device lacks."""
    try:
        return device.days[date.fromisoformat(path[0]) if path else max(device.days)]
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
