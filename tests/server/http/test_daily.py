"""The pages of the deal of the day: what they show, what they refuse, and that no card is in them too early."""

from __future__ import annotations

import re
import time
from datetime import date, timedelta
from random import Random

import pytest

from chouine.cards import PACK
from chouine.daily import PARTIES
from tests.patience import REVIEWED
from tests.server.http.test_routes import moves
from tests.server.serving import Browser, RunningServer


def today(browser: Browser) -> date:
    found = re.search(r"/daily/(\d{4}-\d\d-\d\d)\.json", browser.get("/daily").text)
    assert found
    return date.fromisoformat(found[1])


def begin(browser: Browser, partie: int) -> str:
    answer = browser.post(f"/daily/{today(browser)}", partie=str(partie))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def play(browser: Browser, table: str) -> None:
    """Lay cards by forms until the partie is over."""
    rng, until = Random(1), time.monotonic() + REVIEWED
    while time.monotonic() < until:
        page = browser.get(table).text
        if "/daily" in page and 'class="sheet count' in page:
            return
        choices = [
            (form, button)
            for form in moves(browser, table.rsplit("/", 1)[1])
            for button in form.buttons
            if button[0] in ("token", "")
        ]
        if choices:
            form, (name, value) = rng.choice(choices)
            browser.submit(form, **({name: value} if name else {}))
        else:
            time.sleep(0.5)  # the page costs more than the answer that is waited for
    raise AssertionError("the partie never ended")


@pytest.mark.timeout(2 * REVIEWED)
def test_a_partie_is_played_and_compared(served: RunningServer) -> None:
    anne, other = served.visit(), served.visit("en")
    table = begin(anne, 1)
    assert begin(anne, 1) == table
    assert other.get(table).status_code == 403
    assert "played it themselves" in other.get(table).text
    page = anne.get(table).text
    assert "/advice" not in page
    assert "/explain" not in page
    play(anne, table)
    after = anne.get("/daily").text
    assert re.search("Gagnée|Perdue|Nulle", after)
    assert f"{table.replace('/table/', '/match/')}/1" in after
    assert "Revanche" not in anne.get(table).text
    assert other.get(table.replace("/table/", "/match/")).status_code == 403
    assert other.get(table.replace("/table/", "/match/") + ".cgn").status_code == 403
    assert other.get(table + "/events?after=1").status_code == 403


def test_no_card_is_told_before_it_is_played(served: RunningServer) -> None:
    """Neither the page nor the proof has a card; the nonce comes with the cards."""
    anne = served.visit()
    day = today(anne)
    for address in ("/daily", f"/daily/{day}", f"/daily/{day}.json", f"/daily/{day - timedelta(1)}.json"):
        text = anne.get(address).text
        assert "nonce" not in text
        assert "deals" not in text
    old = anne.get(f"/daily/{day - timedelta(2)}.json").json()
    assert len(old["deals"]) == PARTIES
    assert len(old["nonce"]) == 64
    assert all(len(re.findall(r"[7-9XJQKA][shdc]?", deal)) for deal in old["deals"])
    assert len(PACK) == 32


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/daily/2026-10-31", 404),
        ("/daily/9999-12-31", 404),
        ("/daily/2026-13-01", 404),
        ("/daily/20261127", 404),
        ("/daily/%00", 404),
        ("/daily/2026-11-20.svg?r=w23.l12.w100&s=0", 404),
        ("/daily/2026-11-20.svg", 404),
    ],
)
def test_days_that_are_none(served: RunningServer, address: str, status: int) -> None:
    assert served.visit().get(address).status_code == status


def test_what_is_refused(served: RunningServer) -> None:
    anne = served.visit()
    day = today(anne)
    for partie in ("", "0", "4", "x", "9" * 40):
        assert anne.post(f"/daily/{day}", partie=partie).status_code == 400
    assert anne.post(f"/daily/{day + timedelta(1)}", partie="1").status_code == 404
    assert anne.post("/daily", list="1", name="").status_code == 422
    assert anne.post("/daily", list="1", name="Anne").status_code == 303
    assert re.search(r"sous ce nom\s:\sAnne", anne.get("/daily").text)
    assert anne.post("/daily", list="0").status_code == 303
    assert "sous ce nom" not in anne.get("/daily").text
