"""The school offline: all lessons, a problem of each theme, and progress that is kept."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chouine.days import day_of
from chouine.school.lessons import lessons
from chouine.school.problems import of_the_day, own_steps, shipped_problems
from tests.server.offline.playing import Device


def test_every_step_of_every_lesson() -> None:
    device = Device()
    assert 'href="/offline/learn"' in device.get("/").body
    assert "/learn/progress" not in device.get("/learn").body
    for lesson in lessons():
        for nth in range(1, len(lesson.steps) + 1):
            assert device.get(f"/learn/{lesson.name}/{nth}").status == 200
        assert device.get(f"/learn/{lesson.name}/end").status == 200
        device.keep()
    device.restart()
    assert device.site.me.school.done == tuple(lesson.name for lesson in lessons())
    assert device.get("/learn/nowhere/1").status == 404
    assert device.get("/learn/progress").status == 404


def test_an_answer_has_its_verdict() -> None:
    device = Device()
    drawn = device.get("/learn/count")
    assert drawn.status == 303
    address = drawn.location.removeprefix("/offline")
    wrong = device.post(address, {"answer": "1"}).body
    right = re.search(r"= (\d+)", wrong)
    assert right
    assert device.post(address, {"answer": right[1]}).body != wrong


def test_todays_problem_is_solved_and_remembered() -> None:
    device = Device()
    today = device.get("/learn/problems").body
    (name,) = set(re.findall(r"/learn/problem/([\w-]+)", today))
    shown = next(problem for problem in shipped_problems() if problem.id == name)
    for step in own_steps(shown):
        given = device.post(f"/learn/problem/{name}?step={step}", {"answer": shown.solution[step]})
        assert given.status == 200
    device.restart()
    assert device.site.me.school.solved == (name,)
    assert len(device.site.me.school.days) == 1
    assert device.get("/learn/problems/one?theme=der").status == 303


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Pacific/Kiritimati"])
def test_today_is_the_day_of_the_device_s_clock(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device()
    today = of_the_day(
        shipped_problems(), day_of(datetime.fromtimestamp(device.clock.now, UTC), ZoneInfo(zone))
    )
    with monkeypatch.context() as patched:
        patched.setenv("TZ", zone)
        time.tzset()
        page = device.get("/learn/problems").body
    time.tzset()
    assert f"/learn/problem/{today.id}" in page


def test_hints_and_the_solution() -> None:
    """An idea, then two acts, then the solution, of which nothing false is said: nothing comes back here."""
    device = Device()
    shown = next(problem for problem in shipped_problems() if problem.rules.preset == "classic")
    address = f"/learn/problem/{shown.id}"
    idea, pair, told = (device.post(address, {"hint": step}).body for step in (1, 2, 3))
    assert 'class="idea"' in idea
    assert len({idea, pair, told}) == 3
    assert "repassera" not in told
    assert device.site.me.school.solved == ()
    assert device.post(address, {"answer": shown.solution[0], "hint": 1}).status == 200
