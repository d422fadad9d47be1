"""Problems by forms alone: today's, practice, right and wrong answers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from chouine.notation.tokens import read_action
from chouine.partie.result import Result
from chouine.school.problems import KINDS, Problem, own_steps, shipped_problems
from chouine.school.problems.answer import at_step
from chouine.school.problems.ending import end, ends
from chouine.server.limits import ADDRESS
from chouine.server.pages.advising import the_act
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from tests.server.serving import Browser, RunningServer, serving

EACH = [next(problem for problem in shipped_problems() if problem.kind == kind) for kind in KINDS]


def post_answer(browser: Browser, address: str, answer: str) -> str:
    return browser.http.post(address, data={"csrf": browser.csrf, "answer": answer}).text


def right_act(problem: Problem, step: int) -> str:
    """The right act of a step in words."""
    return the_act(words_of(Visit("fr", "", "")), read_action(problem.solution[step]))


@pytest.mark.parametrize("problem", EACH, ids=lambda problem: problem.kind)
def test_the_right_acts_solve_a_problem_and_it_is_remembered(served: RunningServer, problem: Problem) -> None:
    browser, address, page = served.visit(), f"/learn/problem/{problem.id}", ""
    for step in own_steps(problem):
        page = post_answer(browser, address + (f"?step={step}" if step else ""), problem.solution[step])
        assert (
            right_act(problem, step)[1:] in unescape(page).partition('class="good"')[2].partition("</p>")[0]
        )
    assert "/learn/problems/one" in page
    assert "Vous avez résolu 1 problème" in browser.get("/learn/problems").text.replace(
        "\N{NO-BREAK SPACE}", " "
    )


@pytest.mark.parametrize("problem", EACH, ids=lambda problem: problem.kind)
def test_a_wrong_act_is_punished_and_may_be_tried_again(served: RunningServer, problem: Problem) -> None:
    browser = served.visit()
    wrong = next(str(act) for act in problem.view.legal if str(act) != problem.solution[0])
    page = post_answer(browser, f"/learn/problem/{problem.id}", wrong)
    assert 'class="again"' in page
    assert 'id="continue"' not in page


def score(result: Result, seat: int) -> str:
    """The points of a seat and of the other, between which no line is broken."""
    return f"{result.points[seat]}–\N{WORD JOINER}{result.points[1 - seat]}"


def test_the_reason_is_told_of_what_is_solved(served: RunningServer) -> None:
    """A solved ending shows the points by best play after the right act and after the second best."""
    problem = EACH[0]
    (best, won), (_, less) = ends(at_step(problem, own_steps(problem)[-1]))
    assert str(best) == problem.solution[own_steps(problem)[-1]]
    browser, address = served.visit(), f"/learn/problem/{problem.id}?step={own_steps(problem)[-1]}"
    page = unescape(post_answer(browser, address.removesuffix("?step=0"), str(best)))
    assert 'class="why"' in page
    for state in (won, less):
        assert state.result is not None
        assert score(state.result, problem.seat) in page
    assert won.result != less.result


def test_a_wrong_answer_in_an_ending_tells_where_it_leads(served: RunningServer) -> None:
    """By best play after it, on the page that asks to try again."""
    problem = EACH[0]
    wrong = next(act for act in problem.view.legal if str(act) != problem.solution[0])
    lost = end(problem.state, wrong).result
    assert lost is not None
    page = unescape(post_answer(served.visit(), f"/learn/problem/{problem.id}", str(wrong)))
    assert "Si chacun joue ensuite au mieux" in page
    assert f"({score(lost, problem.seat)})" in page


def test_what_is_hidden_is_not_sent(served: RunningServer) -> None:
    """A problem with hidden cards names and draws no card of the other hand or the talon."""
    for problem in EACH[1:]:
        page = served.visit().get(f"/learn/problem/{problem.id}").text.lower()
        for card in problem.view.unseen:
            assert f"#card-{card}".lower() not in page


@pytest.mark.parametrize("answer", ["", "xx", "7x", "As+chs", "Qh+20s", "é" * 500])
def test_what_is_no_act_here_is_refused_with_a_sentence(served: RunningServer, answer: str) -> None:
    problem = EACH[0]
    browser = served.visit()
    assert answer not in map(str, problem.view.legal)
    page = post_answer(browser, f"/learn/problem/{problem.id}", answer)
    assert 'class="again"' in page


@pytest.mark.parametrize("address", ["/learn/problem/none", "/learn/problems/one?theme=none"])
def test_there_is_no_such_problem(served: RunningServer, address: str) -> None:
    assert served.visit().get(address).status_code == 404


def test_a_step_of_another_player_is_not_found(served: RunningServer) -> None:
    assert served.visit().get(f"/learn/problem/{EACH[0].id}?step=99").status_code == 404


def test_practice_leads_to_a_problem_of_its_theme(served: RunningServer) -> None:
    page = served.visit().get("/learn/problems/one?theme=der&difficulty=1500")
    named = page.url.path.rpartition("/")[2]
    shown = next(problem for problem in shipped_problems() if problem.id == named)
    assert "der" in shown.themes
    assert shown.rules.preset == "classic"
    assert 'href="/learn/problems/one?theme=der&amp;difficulty=1500"' in page.text, (
        "what is skipped is followed by its like"
    )


def test_a_first_try_rates_the_solver_and_no_other_does(served: RunningServer) -> None:
    """Only the first try is rated; it is in the progress file and erased with it."""
    browser, problem = served.visit(), EACH[0]
    wrong = next(str(act) for act in problem.view.legal if str(act) != problem.solution[0])
    for answer in (wrong, *(problem.solution[step] for step in own_steps(problem)[:1])):
        post_answer(browser, f"/learn/problem/{problem.id}", answer)
    rated = browser.get("/learn/progress.json").json()["rated"]
    assert rated["tries"] == 1
    assert rated["mean"] < 1500
    browser.http.post("/learn/progress/erase", data={"csrf": browser.csrf})
    assert browser.get("/learn/progress.json").json()["rated"]["tries"] == 0


def test_one_address_makes_only_so_many_problems_easier_or_harder(tmp_path: Path) -> None:
    """Whoever comes with one cookie after another, or erases their progress, is still at one address."""
    database, most = tmp_path / "chouine.db", ADDRESS["ratings"].most
    with serving(f"sqlite:///{database}", tmp_path / "errors", per_address=1) as served:
        browser = served.visit()
        for problem in shipped_problems()[: most + 1]:
            wrong = next(str(act) for act in problem.view.legal if str(act) != problem.solution[0])
            post_answer(browser, f"/learn/problem/{problem.id}", wrong)
        assert browser.get("/learn/progress.json").json()["rated"]["tries"] == most + 1
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("select sum(tries) from difficulty").fetchone() == (most,)


def ask_hint(browser: Browser, problem: Problem, step: int) -> str:
    address = f"/learn/problem/{problem.id}"
    page = browser.http.post(address, data={"csrf": browser.csrf, "hint": str(step)}).text
    return unescape(page).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("problem", EACH, ids=lambda problem: problem.kind)
def test_hints_come_in_steps_and_the_solution_on_request(served: RunningServer, problem: Problem) -> None:
    """An idea, two moves of which one is right, all: only the last counts, as a miss, and the problem comes back."""
    browser = served.visit()
    page = ask_hint(browser, problem, 1)
    assert 'class="idea"' in page
    assert 'name="hint" value="1"' in page, "the answer says that a hint was given"
    assert 'id="continue"' not in page
    if len(problem.view.legal) > 2:
        _, _, told = ask_hint(browser, problem, 2).partition("L’un de ces deux coups : ")
        two = set(told.partition(".</p>")[0].split(" ; "))
        assert len(two) == 2
        assert right_act(problem, 0) in two
    assert browser.get("/learn/progress.json").json()["rated"]["tries"] == 0
    page = ask_hint(browser, problem, 3)
    assert "La solution" in page
    assert 'id="continue"' in page
    progress = browser.get("/learn/progress.json").json()
    assert progress["rated"]["tries"] == 1
    assert progress["rated"]["mean"] < 1500
    assert problem.id not in progress["solved"]


def test_every_step_of_a_long_problem_has_its_own_hints_and_solution(served: RunningServer) -> None:
    """Also a step with one legal act. The acts in between are the other's, and the reason is that of the step."""
    browser = served.visit()
    problem = next(
        each
        for each in shipped_problems()
        if each.kind == "ending"
        and [len(at_step(each, step).legal()) for step in own_steps(each)][1:2] == [1]
        and len(own_steps(each)) < len(each.solution)
    )
    for step in own_steps(problem):
        address = f"/learn/problem/{problem.id}?step={step}"
        first, _, solution = (
            unescape(browser.http.post(address, data={"csrf": browser.csrf, "hint": str(hint)}).text)
            for hint in (1, 2, 3)
        )
        assert 'class="idea"' in first
        told = " ".join(solution[solution.index("La solution") :].split())
        others = len(problem.solution) - step - sum(nth >= step for nth in own_steps(problem))
        assert told[: told.index("</p>")].count("L’autre") == others
        right = right_act(problem, step)
        assert f"joue ensuite au mieux : {right}," in told


def test_a_problem_solved_with_a_hint_is_solved_but_not_rated(served: RunningServer) -> None:
    browser, problem = served.visit(), EACH[2]
    for step in own_steps(problem):
        address = f"/learn/problem/{problem.id}" + (f"?step={step}" if step else "")
        data = {"csrf": browser.csrf, "answer": problem.solution[step], "hint": "1"}
        assert 'class="good"' in browser.http.post(address, data=data).text
    progress = browser.get("/learn/progress.json").json()
    assert problem.id in progress["solved"]
    assert progress["rated"]["tries"] == 0


@pytest.mark.parametrize("hint", ["0", "4", "x", "-1", "1" * 400])
def test_a_hint_that_does_not_exist_is_none(served: RunningServer, hint: str) -> None:
    browser = served.visit()
    page = browser.http.post(f"/learn/problem/{EACH[0].id}", data={"csrf": browser.csrf, "hint": hint})
    assert page.status_code == 200
    assert "La solution" not in page.text
    assert browser.get("/learn/progress.json").json()["rated"]["tries"] == 0
