"""Progress by forms alone: counted, downloaded, restored on another device, erased."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chouine.days import day_of
from chouine.school.problems import of_the_day, own_steps, shipped_problems
from tests.server.serving import Browser, RunningServer

PARIS = ZoneInfo("Europe/Paris")
"""Of a browser that tells no zone."""


def progress_text(browser: Browser) -> str:
    return browser.get("/learn/progress").text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("page", ["/learn/progress", "/learn/problems"])
def test_thousands_stand_apart_on_every_page(served: RunningServer, page: str) -> None:
    text = served.visit().get(page).text
    assert (
        f" {len(shipped_problems()) // 1000}\N{NARROW NO-BREAK SPACE}{len(shipped_problems()) % 1000:03}"
        in text.replace("\xa0", " ")
    )


def solve(browser: Browser, *, right: bool = True, zone: ZoneInfo = PARIS) -> str:
    """Answer today's problem, right or wrong, and return its address."""
    problem = of_the_day(shipped_problems(), day_of(datetime.now(UTC), zone))
    address = f"/learn/problem/{problem.id}"
    if not right:
        wrong = next(str(act) for act in problem.view.legal if str(act) != problem.solution[0])
        browser.http.post(address, data={"csrf": browser.csrf, "answer": wrong})
        return address
    for step in own_steps(problem):
        at = address + (f"?step={step}" if step else "")
        browser.http.post(at, data={"csrf": browser.csrf, "answer": problem.solution[step]})
    return address


def bring_back(browser: Browser, file: bytes, csrf: str | None = None) -> str:
    answer = browser.http.post(
        "/learn/progress",
        data={"csrf": browser.csrf if csrf is None else csrf},
        files={"file": ("p.json", file)},
    )
    assert answer.status_code == (200 if csrf is None and file.startswith(b"{\n") else 403 if csrf else 422)
    return answer.text


def test_progress_is_taken_to_another_device(served: RunningServer) -> None:
    one, other = served.visit(), served.visit()
    one.get("/learn/takes/end")
    solve(one)
    file = one.http.get("/learn/progress.json")
    assert "attachment" in file.headers["content-disposition"]
    bring_back(other, file.content)
    for browser in (one, other):
        page = progress_text(browser)
        assert "1 sur 16" in page
        assert "résolu 1 fois" in page
    other.http.post("/learn/progress/erase", data={"csrf": other.csrf})
    assert "0 sur 16" in progress_text(other)
    assert "1 sur 16" in progress_text(one)


@pytest.mark.parametrize(
    ("file", "why"),
    [(b"", "illisible"), (b"<html>", "illisible"), (b'{"chouine_progress":1,"solved":3}', "solved")],
)
def test_any_other_file_is_refused_with_a_sentence(served: RunningServer, file: bytes, why: str) -> None:
    browser = served.visit()
    browser.get("/learn/takes/end")
    page = bring_back(browser, file)
    assert 'role="alert"' in page
    assert why in page
    assert "1 sur 16" in progress_text(browser), "nothing is lost"


def test_a_script_is_told_why_a_file_was_refused(served: RunningServer) -> None:
    browser, json = served.visit("en"), {"Accept": "application/json"}
    for file, ok in ((b'{"chouine_progress":1,"lessons":["takes"]}', True), (b"{", False)):
        answer = browser.http.post(
            "/learn/progress", data={"csrf": browser.csrf}, files={"file": ("p.json", file)}, headers=json
        )
        told = answer.json()
        assert (answer.status_code, told["ok"]) == (200 if ok else 422, ok)
        assert ok or told["message"] in browser.post("/learn/progress", file="{").text
    assert "1 of 16" in progress_text(browser)


def test_a_form_that_is_not_ours_brings_nothing(served: RunningServer) -> None:
    browser = served.visit()
    bring_back(browser, b'{"chouine_progress":1}', csrf="0" * 64)
    assert browser.post("/learn/progress/erase", csrf="0").status_code == 403


def test_a_missed_problem_waits_to_be_gone_over(served: RunningServer) -> None:
    browser = served.visit()
    solve(browser, right=False)
    assert "1 plus tard" in progress_text(browser)
    assert browser.get("/learn/problems/again").url.path == "/learn/problems", "not due yet"
    solve(browser)
    assert "1 plus tard" in progress_text(browser), "solved at once after: that says nothing of memory"


@pytest.mark.parametrize("name", ["Etc/GMT+12", "Pacific/Kiritimati"])
def test_today_is_the_day_of_the_browser_s_zone(served: RunningServer, name: str) -> None:
    """These zones are 26 hours apart: it is never the same day in both."""
    browser = served.visit()
    browser.http.cookies.set("zone", name)
    zone = ZoneInfo(name)
    before = day_of(datetime.now(UTC), zone)
    address = solve(browser, zone=zone)
    assert address in browser.get("/learn/problems").text
    assert "résolu 1 fois" in progress_text(browser)
    file = browser.http.get("/learn/progress.json")
    assert file.json()["days"] == [str(before)]
    assert f"chouine-{before}.json" in file.headers["content-disposition"]


@pytest.mark.parametrize("name", ["Mars/X", "../../etc/passwd", "x" * 3000, '"', "a%00b"])
def test_an_unknown_zone_is_passed_over(served: RunningServer, name: str) -> None:
    browser = served.visit()
    for page in ("/learn/problems", "/learn/progress", "/"):
        assert browser.http.get(page, headers={"Cookie": f"zone={name}"}).status_code == 200
