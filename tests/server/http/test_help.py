"""Help over HTTP, only for a single person among computers: explanations, taking back, advice."""

from __future__ import annotations

import time

from tests.patience import PATIENCE
from tests.server.serving import Browser, Served

COMPUTER = {"chair-1": "heuristic"}


def dealt(browser: Browser, game: str) -> None:
    """Play through the tirage and the cut until it is the person's turn."""
    until, place = time.monotonic() + PATIENCE, 0
    while "À vous de jouer" not in browser.get(f"/table/{game}").text:
        assert time.monotonic() < until
        browser.tell(game, "pick", 0, place=str(place % 32))
        browser.tell(game, "cut", 0, at="16")
        place += 1
        time.sleep(0.4)  # stays below the visitor's rate limit


def test_explanations_are_a_choice_that_stays(served: Served) -> None:
    guest = served.visit()
    game = guest.open(**COMPUTER)
    dealt(guest, game)
    assert 'class="explained"' not in guest.page.text
    guest.submit(guest.form("/explain"), on="1")
    assert 'class="explained"' in guest.page.text
    other = guest.open(**COMPUTER)
    dealt(guest, other)
    assert 'class="explained"' in guest.page.text
    guest.submit(guest.form("/explain"), on="0")
    dealt(guest, guest.open(**COMPUTER))
    assert 'class="explained"' not in guest.page.text
    assert "Joué avec de l" in guest.get(f"/match/{game}").text


def test_an_act_is_taken_back_without_a_script(served: Served) -> None:
    guest = served.visit()
    game = guest.open(**COMPUTER)
    dealt(guest, game)
    hand = guest.form("/act").buttons
    guest.submit(guest.form("/act"), token=hand[-1][1])
    assert guest.page.status_code == 200
    guest.get(f"/table/{game}")
    guest.submit(guest.form("/take-back"))
    assert guest.form("/act").buttons == hand
    assert "avec aide" in guest.page.text


def test_advice_is_given_in_three_steps_without_a_script(served: Served) -> None:
    """Advice comes in three steps from a process beside the server, and is gone after the act."""
    guest = served.visit()
    game = guest.open(**COMPUTER)
    dealt(guest, game)
    for asked in ("Conseil", "Que jouer", "Pourquoi"):
        assert asked in guest.page.text
        guest.submit(guest.form("/advice"))
        assert guest.page.status_code == 200
    assert 'class="advice"' in guest.page.text
    assert not guest.forms("/advice")
    assert guest.tell(game, "advice", 0).json()["code"] == "room/no-advice"
    guest.submit(guest.form("/act"), token=guest.form("/act").buttons[-1][1])
    dealt(guest, game)
    assert 'class="advice"' not in guest.get(f"/table/{game}").text
    assert guest.tell(game, "advice", 0).json()["ok"], "as a program asks"


def test_nobody_is_helped_between_friends(host: Browser, friend: Browser) -> None:
    game = host.open()
    friend.sit(host.links(game)[1])
    for verb in ("explain", "take-back", "advice"):
        assert host.tell(game, verb, 0, on="1").json()["code"] == "room/no-help"
        assert 'id="help"' not in host.get(f"/table/{game}").text
