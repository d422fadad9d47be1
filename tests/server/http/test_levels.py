"""A level is chosen by one button, named at the table, and offered first the next time."""

from __future__ import annotations

import pytest

from chouine.phrases.personas import PERSONAS
from tests.server.serving import Browser, RunningServer


def players_offered(browser: Browser) -> list[str]:
    """The players offered by the first page's buttons, the large one first."""
    browser.get("/")
    return [player for _, player in browser.form("/new").buttons]


def test_a_newcomer_is_welcomed_and_a_choice_is_remembered(served: RunningServer) -> None:
    guest = served.visit()
    assert players_offered(guest)[0] == "level:1"
    guest.submit(guest.form("/new"), **{"chair-1": "level:2"})
    assert PERSONAS[1][0] in guest.page.text
    assert players_offered(guest)[0] == "level:2"
    guest.open()
    assert players_offered(guest)[0] == "level:2", "a match with a friend says nothing of it"
    assert players_offered(served.visit())[0] == "level:1"


def test_several_of_one_level_are_relatives(host: Browser) -> None:
    computers = {f"chair-{seat}": "level:4" for seat in (1, 2, 3)}
    page = host.get(f"/table/{host.open(preset='four', format='1', **computers)}").text
    assert all(name in page for name in PERSONAS[3][:3])
    page = host.get(f"/table/{host.open(**{'chair-1': 'level:4', 'name-0': 'Basile'})}").text
    assert "Henriette" in page


@pytest.mark.parametrize(
    "chair", ["level:0", "level:9", "level:08", "level:", "level:²", "wizard", "pipe:ls"]
)
def test_nobody_else_may_be_invited(host: Browser, chair: str) -> None:
    answer = host.post("/new", **{"format": "1x1", "chair-0": "me", "chair-1": chair})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
