"""Lessons by forms alone, as a browser without JavaScript sends them."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import httpx
import pytest

from chouine.school.exercises import ActExercise, Choice, CountExercise, Exercise, Legal, Takes
from chouine.school.lessons import Lesson, lessons
from chouine.school.trainer import pile
from tests.server.serving import Browser, RunningServer


def right_answer(step: Exercise) -> list[str]:
    match step:
        case Takes(right=place):
            return [str(place)]
        case Legal(right=cards):
            return sorted(map(str, cards))
        case CountExercise(right=number):
            return [str(number)]
        case ActExercise(best=best):
            return [str(best[0])]
        case Choice(options=options):
            return [str(next(place for place, option in enumerate(options) if option.right))]


def post_answer(browser: Browser, address: str, *answer: str) -> httpx.Response:
    return browser.http.post(address, data={"csrf": browser.csrf, "answer": list(answer)})


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_a_lesson_is_done_by_forms_alone(served: RunningServer, lesson: Lesson) -> None:
    browser = served.visit()
    for number, step in enumerate(lesson.steps, 1):
        address = f"/learn/{lesson.name}/{number}"
        page = browser.get(address)
        assert page.status_code == 200
        if isinstance(step, Exercise):
            assert 'id="continue"' not in page.text
            page = post_answer(browser, address, *right_answer(step))
            assert page.status_code == 200
        following = (
            f"/learn/{lesson.name}/{number + 1}"
            if number < len(lesson.steps)
            else f"/learn/{lesson.name}/end"
        )
        assert f'href="{following}"' in page.text
    assert browser.get(f"/learn/{lesson.name}/end").status_code == 200


TO_AU_SEPT = (
    *("8c", "Ks", "Jc", "8d", "9d", "Kc", "Ts", "8h", "Th", "7h"),
    *("Kd", "Ac", "7c", "Jh", "Td", "8s", "Kh", "As", "Js", "Ah"),
)
"""A guided partie in which the learner keeps the seven until Lucien leads the last trick with a draw."""


def test_the_guided_partie_is_played_by_forms_alone(served: RunningServer) -> None:
    """The guided partie can be played to the count, past its warnings, and resumed after leaving."""
    browser, rng = served.visit(), Random(3)
    browser.get("/learn/partie")
    for _ in range(40):
        form = next(
            (form for form in browser.forms() if form.buttons and form.action.startswith("/learn/partie")),
            None,
        )
        if form is None:
            break
        page = browser.submit(form, **dict([rng.choice(form.buttons)]))
        assert page.status_code == 200
        if rng.random() < 0.2:
            address = str(page.url.raw_path, "ascii")
            assert address in browser.get("/learn").text
            browser.get(address)
    assert "/learn/takes/1" in browser.page.text
    told = re.findall(
        r"<li>(?:Vous|Lucien)\D*(\d+) de cartes \((.+?)\)\D+(\d+)\D+(\d+)\D+(\d+)</li>",
        unescape(browser.page.text),
    )
    assert len(told) == 2
    for cards, values, *_ in told:
        terms = re.findall(r"(\d+)\s×\s(\d+)", values)
        assert sum(int(many) * int(each) for many, each in terms) == int(cards)
    counts = [(int(cards), *map(int, rest)) for cards, _, *rest in told]
    assert all(sum(line[:3]) == line[3] for line in counts)
    assert sum(line[0] + line[2] for line in counts) == 130


def test_at_au_sept_the_learner_is_told_to_answer_before_laying_a_card(served: RunningServer) -> None:
    """§11: Lucien leads; his "au sept" waits for the holder of the seven, and no card is lit until then."""
    browser = served.visit()
    page = browser.get(f"/learn/partie?acts={','.join(TO_AU_SEPT)}").text
    assert "Garder le sept" in page
    assert page.count('class="card barred"') == 5
    form = next(form for form in browser.forms() if form.action.startswith("/learn/partie"))
    assert "Répondez d’abord à « au sept »" in unescape(browser.submit(form, answer="7d").text).replace(
        "\xa0", " "
    )


@pytest.mark.parametrize("acts", ["xx", "As", "7x,7x", "8c," * 200])
def test_an_address_of_no_moment_is_not_found(served: RunningServer, acts: str) -> None:
    assert served.visit().get(f"/learn/partie?acts={acts}").status_code == 404


def test_what_is_done_is_remembered(served: RunningServer) -> None:
    browser = served.visit()
    assert "Faite" not in browser.get("/learn").text
    browser.get("/learn/takes/end")
    assert browser.get("/learn").text.count("Faite") == 1
    assert "Faite" not in served.visit().get("/learn").text


def test_a_wrong_answer_is_answered_and_may_be_tried_again(served: RunningServer) -> None:
    browser = served.visit()
    browser.get("/learn/takes/2")
    page = post_answer(browser, "/learn/takes/2", "0")
    assert 'class="again"' in page.text
    assert 'id="continue"' not in page.text


def test_an_answer_needs_the_form_s_own_token(served: RunningServer) -> None:
    browser = served.visit()
    browser.get("/learn/takes/2")
    assert browser.http.post("/learn/takes/2", data={"csrf": "x", "answer": "1"}).status_code == 403


@pytest.mark.parametrize(
    "address", ["/learn/nothing/1", "/learn/takes/0", "/learn/takes/99", "/learn/nothing/end"]
)
def test_there_is_no_such_lesson(served: RunningServer, address: str) -> None:
    assert served.visit().get(address).status_code == 404


@pytest.mark.parametrize("answer", ["", "abc", "-3", "9" * 400, "é", "1 2"])
def test_a_count_that_is_no_number_is_refused_with_a_sentence(served: RunningServer, answer: str) -> None:
    browser = served.visit()
    browser.get("/learn/count?pile=3")
    page = post_answer(browser, "/learn/count?pile=3", answer)
    assert page.status_code == 422
    assert 'class="again"' in page.text
    assert not answer or f"« {answer[:40]} »" in page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert f'name="answer" value="{answer}"' in page.text or not answer


def test_the_trainer_shows_a_new_pile_and_counts_it(served: RunningServer) -> None:
    browser = served.visit()
    page = browser.get("/learn/count")
    assert re.search(r'action="/learn/count\?pile=\d+"', page.text)


def test_right_counts_in_a_row_are_kept_by_clock_and_walked_through(served: RunningServer) -> None:
    """§12: by the clock in the address; the same pile counts once, and a word is no answer."""
    browser = served.visit()
    address = "/learn/count?pile=3&full=1&clock=calm"
    right = str(pile(3, brisques=False).exercise.right)
    shown = browser.get(address).text
    assert 'data-seconds="60"' in shown
    assert 'class="records"' not in shown
    assert 'class="records"' not in post_answer(browser, address, "beaucoup").text
    for _ in range(2):
        page = post_answer(browser, address, right).text
        assert re.findall(r"<td>(\d+)</td>", page) == ["1", "1"]
        assert f"<dd>{right}</dd>" in page
    page = post_answer(browser, address.replace("=3", "=4"), "999").text
    assert re.findall(r"<td>(\d+)</td>", page) == ["0", "1"]
    assert 'class="again"' in page
    progress = browser.get("/learn/progress.json").json()
    assert progress["counting"] == [{"kind": "full-calm", "row": 0, "best": 1, "pile": 4}]


def test_five_right_counts_in_a_row_win_a_medal(served: RunningServer) -> None:
    browser = served.visit()
    browser.get("/learn/count?pile=1")
    pages = [
        post_answer(browser, f"/learn/count?pile={seed}", str(pile(seed, brisques=True).exercise.right)).text
        for seed in range(6)
    ]
    assert ['class="won"' in page for page in pages] == [False] * 4 + [True, False]
