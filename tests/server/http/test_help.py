"""Help over HTTP, only for a single person among computers: explanations, taking back, advice."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

from chouine.server.limits import STUDIES
from tests.patience import PATIENCE
from tests.server.serving import Browser, RunningServer

COMPUTER = {"chair-1": "heuristic"}


def play_to_turn(browser: Browser, table_id: str) -> None:
    """Play through the tirage and the cut until it is the person's turn."""
    until, place = time.monotonic() + PATIENCE, 0
    while not re.search(
        r">\s*À vous de jouer", browser.get(f"/table/{table_id}").text
    ):  # shown, not for the title
        assert time.monotonic() < until
        browser.tell(table_id, "pick", 0, place=str(place % 32))
        browser.tell(table_id, "cut", 0, at="16")
        place += 1
        time.sleep(0.4)  # stays below the visitor's rate limit


def test_explanations_are_a_choice_that_stays(served: RunningServer) -> None:
    guest = served.visit()
    table_id = guest.open(**COMPUTER)
    play_to_turn(guest, table_id)
    assert 'class="explained"' not in guest.page.text
    guest.submit(guest.form("/explain"), on="1")
    assert 'class="explained"' in guest.page.text
    other = guest.open(**COMPUTER)
    play_to_turn(guest, other)
    assert 'class="explained"' in guest.page.text
    guest.submit(guest.form("/explain"), on="0")
    play_to_turn(guest, guest.open(**COMPUTER))
    assert 'class="explained"' not in guest.page.text
    assert "Joué avec de l" in guest.get(f"/match/{table_id}").text


def test_an_act_is_taken_back_without_a_script(served: RunningServer) -> None:
    guest = served.visit()
    table_id = guest.open(**COMPUTER)
    play_to_turn(guest, table_id)
    hand = guest.form("/act").buttons
    guest.submit(guest.form("/act"), token=hand[-1][1])
    assert guest.page.status_code == 200
    guest.get(f"/table/{table_id}")
    guest.submit(guest.form("/take-back"))
    assert guest.form("/act").buttons == hand
    assert "avec aide" in guest.page.text


def test_advice_is_given_in_three_steps_without_a_script(served: RunningServer) -> None:
    """Advice comes in three steps from a process beside the server, and is gone after the act."""
    guest = served.visit()
    table_id = guest.open(**COMPUTER)
    play_to_turn(guest, table_id)
    for asked in ("Conseil", "Que jouer", "Pourquoi"):
        assert asked in guest.page.text
        guest.submit(guest.form("/advice"))
        assert guest.page.status_code == 200
    assert 'class="advice"' in guest.page.text
    (asking,) = guest.forms("/advice")
    assert not asking.buttons, "it keeps its place, and cannot be pressed"
    assert guest.tell(table_id, "advice", 0).json()["code"] == "table/no-advice"
    guest.submit(guest.form("/act"), token=guest.form("/act").buttons[-1][1])
    play_to_turn(guest, table_id)
    assert 'class="advice"' not in guest.get(f"/table/{table_id}").text
    assert guest.tell(table_id, "advice", 0).json()["ok"], "as a program asks"


def test_a_question_sent_again_waits_for_the_same_advice(served: RunningServer) -> None:
    """As a page sends it that hears nothing for long: it is not one long computation more, of which one has few."""
    guest = served.visit()
    table_id = guest.open(**COMPUTER)
    play_to_turn(guest, table_id)
    with ThreadPoolExecutor(STUDIES + 2) as asking:
        asked = [asking.submit(guest.tell, table_id, "advice", 0, id="same") for _ in range(STUDIES + 2)]
    assert [answer.result().status_code for answer in asked] == [200] * len(asked)
    assert "Que jouer" in guest.get(f"/table/{table_id}").text, "it is answered once"


def test_a_table_without_help_says_so_to_everybody(host: Browser, friend: Browser) -> None:
    """In the invitation, at the table and on the match's page."""
    table_id, usual = host.open(unaided="1"), host.open()
    link = host.links(table_id)[1]
    assert "ni conseil, ni points avant le compte" in host.page.text
    assert "no advice, and no points before the count" in friend.get(link).text
    assert "no advice" not in friend.get(host.links(usual)[1]).text
    friend.sit(link)
    assert "Table sans aide" in host.get(f"/table/{table_id}").text
    assert "A table without help" in friend.get(f"/table/{table_id}").text
    assert "no advice" in friend.get(f"/match/{table_id}").text


def test_alone_against_the_computer_there_may_be_no_help(host: Browser) -> None:
    table_id = host.open(unaided="1", **COMPUTER)
    play_to_turn(host, table_id)
    assert 'id="help"' not in host.page.text
    assert host.tell(table_id, "explain", 0, on="1").json()["code"] == "table/unaided"


def test_nobody_is_helped_between_friends(host: Browser, friend: Browser) -> None:
    table_id = host.open()
    friend.sit(host.links(table_id)[1])
    for verb in ("explain", "take-back", "advice"):
        assert host.tell(table_id, verb, 0, on="1").json()["code"] == "table/no-help"
        assert 'id="help"' not in host.get(f"/table/{table_id}").text
