"""The score keeper by forms alone, as a browser without JavaScript sends them."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.server.serving import Browser, RunningServer


class Players:
    """Two people who share one phone."""

    def __init__(self, browser: Browser, **fields: str) -> None:
        self.browser = browser
        browser.get("/marqueur")
        names = {"name-0": "Jean", "name-1": "Charles", "format": "3x2"}
        self.page = self.send(what="start", **{**names, **fields})

    def send(self, **fields: str) -> httpx.Response:
        return self.browser.http.post("/marqueur", data={"csrf": self.browser.csrf, **fields})

    def tap(self, *acts: str, **fields: str) -> str:
        for act in acts:
            n = re.search(r'name="n" value="(\d+)"', self.browser.get("/marqueur").text)
            assert n
            self.page = self.send(n=n[1], act=act, **fields)
        return self.page.text

    @property
    def parties(self) -> list[str]:
        return re.findall(r'class="parties">.*?(\d+)</p>', self.page.text)


def test_proust_s_example_by_forms(served: RunningServer) -> None:
    """§12: Jean 57 + 20 + 10 = 87, Charles 63 + 40 = 103."""
    players = Players(served.visit())
    players.tap("da", "th", "sa20s", "sb20h")
    page = players.tap("count", **{"der": "a", "points-0": "57", "points-1": ""})
    assert players.page.status_code == 200
    assert "<td>87</td><td>103</td>" in page
    assert players.parties == ["0", "1"]


def test_cards_are_counted_by_taps_and_the_shortcut_is_held_against_them(served: RunningServer) -> None:
    """§12"""
    players = Players(served.visit())
    many = {f"many-{letter}": number for letter, number in zip("ATKQJ", "22000", strict=True)}
    page = players.tap("da", "th") and players.tap("count", der="a", whose="a", **many)
    assert "52–\N{WORD JOINER}42" in page
    assert players.parties == ["0", "1"]
    assert "le compte entier" in page


def test_a_sheet_survives_and_an_act_is_taken_back(served: RunningServer) -> None:
    browser = served.visit()
    players = Players(browser)
    players.tap("da", "th", "sa40h")
    assert "Jean\u00a0: un quarante de cœur</button>" in browser.get("/marqueur").text
    page = players.send(n="3", what="undo")
    assert "atout cœur</button>" in page.text
    assert "quarante de cœur <b>" not in page.text


def test_a_tap_sent_twice_counts_once(served: RunningServer) -> None:
    players = Players(served.visit())
    players.tap("da", "th")
    assert players.send(n="2", act="m").status_code == 200
    assert players.send(n="2", act="m").status_code == 200
    page = players.tap("th", "xa")
    assert players.parties == ["0", "1"]
    assert "Annuler" in page


@pytest.mark.parametrize(
    "fields",
    [
        {"act": "nonsense"},
        {"act": "sc20h"},
        {"act": "sa99z"},
        {"act": "count"},
        {"act": "count", "der": "z"},
        {"act": "count", "der": "a", "points-0": "abc"},
        {"act": "count", "der": "a", "points-0": "121"},
        {"act": "count", "der": "a", "points-0": "60", "points-1": "61"},
        {"act": "count", "der": "a", "whose": "a", "many-A": "9", "many-T": "9"},
        {"act": "count", "der": "a", "whose": "a", "many-A": "1", "many-T": "1"},
        {"act": "count", "der": "", "whose": "", "many-A": "²", "many-T": "2"},
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence_and_nothing_is_lost(
    served: RunningServer, fields: dict[str, str]
) -> None:
    players = Players(served.visit())
    players.tap("da", "th", "sa20h")
    page = players.send(n="3", **fields)
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert "Jean\u00a0: un vingt de cœur</button>" in players.browser.get("/marqueur").text


def test_what_was_tapped_stays_where_the_count_is_refused(served: RunningServer) -> None:
    players = Players(served.visit())
    players.tap("da", "th")
    page = players.tap("count", whose="b", **{"many-A": "3", "points-1": ""})
    assert 'name="whose" value="b" checked' in page
    assert 'name="many-A" value="3" checked' in page
    assert '<details class="counting" open>' in page


@pytest.mark.parametrize("fields", [{"format": "99x9"}, {"format": "99x1"}, {"option-again": "perhaps"}])
def test_what_cannot_be_played_is_not_begun(served: RunningServer, fields: dict[str, str]) -> None:
    players = Players(served.visit(), **fields)
    assert players.page.status_code == 422
    assert 'role="alert"' in players.page.text


def test_three_play_one_manche_and_count_every_pile(served: RunningServer) -> None:
    """§12, §13"""
    players = Players(served.visit(), **{"name-2": "Anne"})
    page = players.tap("da", "th", "sc30") and players.tap(
        "count", **{"der": "b", "points-0": "40", "points-1": "40", "points-2": "38"}
    )
    assert "<td>40</td><td>50</td><td>68</td>" in page
    assert "manche</p>" not in page


def test_sheets_are_kept_and_opened_again(served: RunningServer) -> None:
    players = Players(served.visit())
    players.tap("da", "th", "xb")
    players.send(what="start", **{"name-0": "Anne", "name-1": "Basile"})
    page = players.browser.get("/marqueur?new=1").text
    assert "Anne – Basile" in page
    assert "Jean – Charles" in page
    opened = players.send(what="open", which="0")
    assert "Charles" in opened.text
    assert "la fin de la dernière partie</button>" in opened.text


def test_the_first_page_leads_here_and_a_form_needs_its_token(served: RunningServer) -> None:
    browser = served.visit()
    assert 'href="/marqueur"' in browser.get("/").text
    assert browser.http.post("/marqueur", data={"csrf": "x", "what": "start"}).status_code == 403


def test_a_tap_on_the_page_of_another_sheet_changes_nothing(served: RunningServer) -> None:
    """With two tabs, a tap for one sheet's players does not change the sheet that has replaced it."""
    browser = served.visit()
    players = Players(browser)
    old = re.search(r'name="of" value="([^"]+)"', players.page.text)
    assert old
    Players(browser, **{"name-0": "Anne", "name-1": "Luc"})
    page = players.send(n="0", act="da", of=old[1])
    assert "Anne" in page.text
    assert re.search(r'name="n" value="0"', page.text)
