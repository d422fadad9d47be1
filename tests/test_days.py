"""A day runs from 4 h to 4 h of somebody's clock, also when that is put forward or back."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.days import day_of, start_of, zone_named, zones

PARIS, HALIFAX = ZoneInfo("Europe/Paris"), ZoneInfo("America/Halifax")
ZONES = sorted(zones() - {"Factory"})


@pytest.mark.parametrize(
    ("at", "zone", "day"),
    [
        (datetime(2026, 11, 23, 2, 59, tzinfo=UTC), PARIS, date(2026, 11, 22)),
        (datetime(2026, 11, 23, 3, 0, tzinfo=UTC), PARIS, date(2026, 11, 23)),
        (datetime(2026, 11, 24, 2, 59, tzinfo=UTC), PARIS, date(2026, 11, 23)),
        (datetime(2026, 7, 1, 1, 59, tzinfo=UTC), PARIS, date(2026, 6, 30)),
        (datetime(2026, 7, 1, 2, 0, tzinfo=UTC), PARIS, date(2026, 7, 1)),
        (datetime(2026, 11, 23, 7, 59, tzinfo=UTC), HALIFAX, date(2026, 11, 22)),
        (datetime(2026, 11, 23, 8, 0, tzinfo=UTC), HALIFAX, date(2026, 11, 23)),
    ],
)
def test_a_day_begins_at_four(at: datetime, zone: ZoneInfo, day: date) -> None:
    assert day_of(at, zone) == day


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 28), 23), (date(2026, 3, 29), 24), (date(2026, 10, 24), 25)]
)
def test_the_clock_is_put_forward_and_back_within_a_day(day: date, hours: int) -> None:
    assert start_of(day + timedelta(1), PARIS) - start_of(day, PARIS) == timedelta(hours=hours)


@given(st.integers(1_700_000_000, 2_800_000_000), st.sampled_from(ZONES))
def test_a_moment_lies_between_its_day_s_start_and_the_next(at: int, name: str) -> None:
    moment, zone = datetime.fromtimestamp(at, UTC), ZoneInfo(name)
    day = day_of(moment, zone)
    assert start_of(day, zone) <= moment < start_of(day + timedelta(1), zone)


def test_every_change_of_the_clock_falls_within_a_day() -> None:
    """In each zone the days around each change start at 4 h, and the moment before belongs to the day before."""
    noons = [datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(nth) for nth in range(1500)]
    for name in ZONES:
        zone = ZoneInfo(name)
        offsets = [noon.astimezone(zone).utcoffset() for noon in noons]
        changes = [nth for nth in range(1, len(noons)) if offsets[nth] != offsets[nth - 1]]
        for day in (noons[nth].date() + timedelta(around) for nth in changes for around in (-1, 0, 1)):
            start = start_of(day, zone)
            assert day_of(start, zone) == day, name
            assert day_of(start - timedelta(seconds=1), zone) == day - timedelta(1), name


def test_without_a_zone_it_is_this_machine_s_clock() -> None:
    at = datetime(2026, 11, 23, 12, tzinfo=UTC)
    local = at.astimezone().tzinfo
    assert day_of(at, None) == day_of(at, local)
    assert start_of(date(2026, 11, 23), None) == start_of(date(2026, 11, 23), local)


@pytest.mark.parametrize(
    "name",
    ["", "Europe", "europe/paris", "../Paris", "/etc/passwd", "a\0", "\udc80", "x" * 5000, "UTC+1", "Mars/X"],
)
def test_a_name_of_no_zone_is_none(name: str) -> None:
    assert zone_named(name) is None
    assert zone_named("Asia/Calcutta") is not None


def test_nothing_else_makes_a_day_of_a_moment() -> None:
    """Calendar days begin at midnight; only here and where FSRS counts days is one taken of a moment."""
    sources = Path(__file__).parents[1] / "src" / "chouine"
    found = [
        f"{file.relative_to(sources)}: {line.strip()}"
        for file in sources.rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(r"\.date\(\)|\.today\(\)|utcnow|strftime\(.*%d", line)
    ]
    allowed = ("days.py: ", "server/repetition.py: due = ", "cli/reports.py: at = ")
    assert not [each for each in found if not each.startswith(allowed)]
