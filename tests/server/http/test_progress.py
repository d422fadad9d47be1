"""Progress by forms alone: counted, downloaded, restored on another device, erased."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chouine.school.problems import of_the_day, own_steps, shipped
from tests.server.serving import Browser, Served


def told(browser: Browser) -> str:
    return browser.get("/learn/progress").text.replace("\N{NO-BREAK SPACE}", " ")


def solve(browser: Browser, *, right: bool = True) -> str:
    """Answer today's problem, right or wrong, and return its address."""
    problem = of_the_day(shipped(), datetime.now(UTC).date())
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


def test_progress_is_taken_to_another_device(served: Served) -> None:
    one, other = served.visit(), served.visit()
    one.get("/learn/takes/end")
    solve(one)
    file = one.http.get("/learn/progress.json")
    assert "attachment" in file.headers["content-disposition"]
    bring_back(other, file.content)
    for browser in (one, other):
        page = told(browser)
        assert "1 sur 16" in page
        assert "résolu 1 jour" in page
    other.http.post("/learn/progress/erase", data={"csrf": other.csrf})
    assert "0 sur 16" in told(other)
    assert "1 sur 16" in told(one)


@pytest.mark.parametrize(
    ("file", "why"),
    [(b"", "illisible"), (b"<html>", "illisible"), (b'{"chouine_progress":1,"solved":3}', "solved")],
)
def test_any_other_file_is_refused_with_a_sentence(served: Served, file: bytes, why: str) -> None:
    browser = served.visit()
    browser.get("/learn/takes/end")
    page = bring_back(browser, file)
    assert 'role="alert"' in page
    assert why in page
    assert "1 sur 16" in told(browser), "nothing is lost"


def test_a_form_that_is_not_ours_brings_nothing(served: Served) -> None:
    browser = served.visit()
    bring_back(browser, b'{"chouine_progress":1}', csrf="0" * 64)
    assert browser.post("/learn/progress/erase", csrf="0").status_code == 403


def test_a_missed_problem_waits_to_be_gone_over(served: Served) -> None:
    browser = served.visit()
    solve(browser, right=False)
    assert "1 plus tard" in told(browser)
    assert browser.get("/learn/problems/again").url.path == "/learn/problems", "not due yet"
    solve(browser)
    assert "1 plus tard" in told(browser), "solved at once after: that says nothing of memory"
