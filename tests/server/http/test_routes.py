"""Every route, as browsers without JavaScript and programs use it; a whole match by forms alone."""

from __future__ import annotations

import re
import time
from io import StringIO
from pathlib import Path
from random import Random

import httpx
import pytest

from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.server.policy import POLICY
from chouine.server.verify import Proof
from tests.server.serving import Browser, Form, RunningServer, cookie_in, serving

QUIT = ("speak", "language", "pause", "resume", "concede", "forfeit", "settings")


def moves(browser: Browser, table_id: str, seat: int | None = None) -> list[Form]:
    """The forms of the table's page that play."""
    page = browser.get(f"/table/{table_id}" + ("" if seat is None else f"?as={seat}"))
    assert page.status_code == 200
    found = [form for form in browser.forms() if form.action.startswith(f"/table/{table_id}/")]
    return [form for form in found if form.action.partition("?")[0].rpartition("/")[2] not in QUIT]


def play_by_forms(browsers: list[Browser], table_id: str, rng: Random) -> None:
    """Play a whole match at random by the page's forms."""
    for _ in range(400):
        for browser in browsers:
            forms = [form for form in moves(browser, table_id) if not form.action.endswith("/revanche")]
            choices = [(form, button) for form in forms for button in form.buttons or [("", "")]]
            choices = [choice for choice in choices if choice[1] != ("token", "7x")] or choices
            if not choices:
                continue
            form, (name, value) = rng.choice(choices)
            fields = {name: value} if name else {}
            if form.action.endswith("/cut"):
                fields = {"at": "16"}
            answer = browser.submit(form, **fields)
            while answer.status_code == 429:  # a fast machine plays more in ten seconds than a visitor may
                time.sleep(1.0)
                answer = browser.submit(form, **fields)
            assert answer.status_code in (200, 422), answer.text
        if "/revanche" in browsers[0].get(f"/table/{table_id}").text:
            return
    raise AssertionError("the match never ended")


def records(browser: Browser, table_id: str) -> list[Record]:
    """The records of a match's parties."""
    answer = browser.get(f"/match/{table_id}.cgn")
    assert answer.headers["content-type"].startswith("text/plain")
    entries = list(read_records(StringIO(answer.text)))
    found = [entry for entry in entries if isinstance(entry, Record)]
    assert len(found) == len(entries), entries
    return found


@pytest.fixture(scope="module")
def play_match(served: RunningServer) -> tuple[str, Browser, Browser]:
    """A match between two browsers, played by forms to its end."""
    host, friend = served.visit(), served.visit("en")
    table_id = host.open(name="", **{"name-0": "Jean", "name-1": "Charles"})
    friend.sit(host.links(table_id)[1], "Charles")
    play_by_forms([host, friend], table_id, Random(4))
    return table_id, host, friend


def test_a_match_is_played_by_forms_alone(play_match: tuple[str, Browser, Browser]) -> None:
    table_id, host, friend = play_match
    for browser, lang in ((host, "fr"), (friend, "en")):
        page = browser.get(f"/table/{table_id}")
        assert f'<html lang="{lang}"' in page.text
        assert [form for form in browser.forms() if form.action.endswith("/revanche")]
        assert table_id in browser.get("/").text


def test_its_pages_stay(play_match: tuple[str, Browser, Browser], served: RunningServer) -> None:
    """The pages of finished parties are public to anyone with the link; other numbers give 404."""
    table_id, _, _ = play_match
    stranger = served.visit()
    parties = len(records(stranger, table_id))
    for path in (
        f"/match/{table_id}",
        f"/match/{table_id}/1",
        f"/match/{table_id}/1?trick=7",
        f"/match/{table_id}/1?trick=x",
    ):
        page = stranger.get(path)
        assert page.status_code == 200, path
        assert "Jean" in page.text
        assert "Charles" in page.text
    for number in (0, parties + 1, 9999, 99999):
        assert stranger.get(f"/match/{table_id}/{number}").status_code == 404, number


def test_its_deal_is_verified(play_match: tuple[str, Browser, Browser]) -> None:
    """§2: the deal agrees with the pack fixed before the cut."""
    table_id, host, _ = play_match
    published = host.get(f"/match/{table_id}/1.json").json()
    assert Proof.of_data({"rules": "classic", **published}).faults == ()
    assert str(records(host, table_id)[0].deal) == published["deal"]


def test_the_same_deal_is_played_again(play_match: tuple[str, Browser, Browser]) -> None:
    table_id, host, _ = play_match
    deal = host.get(f"/match/{table_id}/1.json").json()["deal"]
    for swap in ("", "1"):
        answer = host.post(f"/match/{table_id}/1/again", swap=swap)
        assert answer.status_code == 303
        again = answer.headers["location"].removeprefix("/table/")
        assert again != table_id
        assert host.tell(again, "concede", int(bool(swap))).json()["ok"]
        assert host.get(f"/match/{again}/1.json").json()["deal"] == deal


def test_the_revanche_is_at_another_table(play_match: tuple[str, Browser, Browser]) -> None:
    """§13"""
    table_id, host, friend = play_match
    assert host.tell(table_id, "revanche", 0).json()["ok"]
    assert host.tell(table_id, "revanche", 0).json()["code"] == "table/no-revanche"
    assert friend.tell(table_id, "revanche", 1).json()["ok"]
    page = host.get(f"/table/{table_id}").text
    others = set(re.findall(r'href="/table/([A-Za-z0-9_-]+)"', page)) - {table_id}
    assert others
    assert host.get(f"/table/{others.pop()}").status_code == 200


def test_the_lobby(host: Browser) -> None:
    for path in ("/", "/rules", "/rules?section=s8", "/settings", "/settings?back=/rules"):
        assert host.get(path).status_code == 200, path
    assert host.http.head("/").status_code == 200


def test_what_browsers_ask_for_beside_the_pages(host: Browser) -> None:
    """The icon, robots.txt, and the files that a phone needs to install the site."""
    icon = host.get("/favicon.ico")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/x-icon")
    assert icon.content[:4] == b"\0\0\1\0"
    robots = host.get("/robots.txt")
    assert (robots.status_code, "Disallow: /table/" in robots.text) == (200, True)
    asked = re.search(r'rel="manifest" href="([^"]+)"', host.get("/").text)
    assert asked is not None
    told = host.get(asked[1])
    assert told.headers["content-type"].startswith("application/manifest+json")
    manifest = told.json()
    assert (manifest["lang"], manifest["display"], manifest["start_url"]) == ("fr", "standalone", "/")
    assert (
        host.get("/manifest.webmanifest?language=en").json()["name"].startswith("La Chouine, the card game")
    )
    for one in manifest["icons"]:
        drawn = host.get(one["src"])
        assert drawn.headers["content-type"] == one["type"]
        if one["type"] == "image/png":
            width = int.from_bytes(drawn.content[16:20])
            assert one["sizes"] == f"{width}x{width}"
    for one in manifest["shortcuts"]:
        assert host.get(one["url"]).status_code == 200
    assert {"192x192", "512x512"} <= {one["sizes"] for one in manifest["icons"]}


def test_settings_and_language_are_remembered(host: Browser) -> None:
    assert 'href="/table/x"' in host.get("/rules?back=/table/x").text
    assert "elsewhere" not in host.get("/rules?back=//elsewhere.example/table/").text
    answer = host.post("/settings", hold="4.5", four_colours="1", indices="en", back="/rules")
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules")
    assert "deck-four-colours" in host.get("/").text
    answer = host.post("/language", language="en", back="/settings")
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings")
    assert '<html lang="en"' in host.get("/").text
    assert "deck-four-colours" in host.get("/").text
    host.post("/language", language="eo")
    assert '<html lang="en"' in host.get("/").text


@pytest.mark.parametrize("value", ["", "nan", "inf", "-inf", "1e400", "0x", "٣", "9" * 400, "\x00", "-3"])
def test_a_setting_that_cannot_be_read_keeps_within_bounds(value: str, host: Browser) -> None:
    assert host.post("/settings", hold=value, indices=value).status_code == 303
    table_id = host.open(**{"chair-1": "me"})
    held = re.search(r'data-hold="([^"]+)"', host.get(f"/table/{table_id}").text)
    assert held is not None
    assert 0.5 <= float(held[1]) <= 10


def test_au_sept_stays_open_as_long_as_whoever_sets_the_table_chose(host: Browser) -> None:
    """§11: the time that "au sept" stays open is a setting, within bounds."""
    for asked, kept in (("30", 30.0), ("3600", 60.0), ("0", 5.0), ("x", 12.0)):
        assert host.post("/settings", window=asked).status_code == 303
        chosen = re.search(r'id="window".*? value="([\d.]+)" selected', host.get("/settings").text, re.DOTALL)
        assert chosen is not None
        assert float(chosen[1]) == kept


@pytest.mark.parametrize("accepted", ["fr-FR,en;q=0.5", "eo,fr", "", "*", "x" * 3000])
def test_french_first(accepted: str, served: RunningServer) -> None:
    page = httpx.get(served.url, headers={"Accept-Language": accepted})
    assert '<html lang="fr"' in page.text


def test_hot_seat_shows_nobodys_hand_until_asked(host: Browser) -> None:
    table_id = host.open(**{"chair-1": "me"})
    for form in (moves(host, table_id, 0)[0], moves(host, table_id, 1)[0]):
        host.submit(form, place=str(3 + int(form.fields["seat"])))
    assert "data-hand" not in host.get(f"/table/{table_id}").text
    assert not [form for form in moves(host, table_id) if "act" in form.action]


def test_every_answer_has_its_headers(host: Browser, served: RunningServer) -> None:
    table_id = host.open()
    css = re.search(r'href="(/static/[^"]+\.css[^"]*)"', host.get("/").text)
    assert css is not None
    for path in (
        "/",
        f"/table/{table_id}",
        f"/table/{table_id}/events",
        "/nowhere",
        css[1],
        "/static/nothing",
    ):
        headers = host.get(path).headers
        assert headers["content-security-policy"] == POLICY, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers
        kept = headers["cache-control"]
        assert kept == ("public, max-age=31536000, immutable" if ".css" in path else "no-store"), path


def test_the_policy_lets_nothing_in() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in POLICY.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["form-action"] == rules["script-src"] == rules["style-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert "unsafe" not in POLICY
    assert "*" not in POLICY
    assert "data:" not in POLICY


def test_pages_hold_nothing_that_the_policy_forbids(play_match: tuple[str, Browser, Browser]) -> None:
    table_id, host, _ = play_match
    for path in (
        "/",
        f"/table/{table_id}",
        f"/match/{table_id}",
        f"/match/{table_id}/1",
        "/rules",
        "/settings",
        "/nowhere",
    ):
        text = host.get(path).text
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), path
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text), path
        assert not re.search(r'(?:src|action)="(?:https?:)?//', text), path


def test_the_cookie(served: RunningServer) -> None:
    answer = httpx.get(served.url)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "secure" not in cookie.lower(), "plain HTTP on this machine"
    forwarded = httpx.get(served.url, headers={"X-Forwarded-Proto": "https"})
    assert "secure" in forwarded.headers["set-cookie"].lower()
    ((name, token),) = answer.cookies.items()
    again = httpx.get(served.url, cookies={name: token})
    assert "set-cookie" not in again.headers
    forged = httpx.get(served.url, cookies={name: "x" * 43})
    assert forged.cookies[name] != "x" * 43
    former = httpx.get(served.url, cookies={"chouine": token})
    assert dict(former.cookies) == {name: token}, (
        "the cookie of an earlier version has its new name from now on"
    )


def test_two_servers_on_one_host_leave_each_other_s_cookie(tmp_path: Path) -> None:
    """A browser keeps one jar for all ports of a host: looking at another server costs no seat."""
    one, other = (f"sqlite:///{tmp_path / name}.db" for name in ("one", "other"))
    with serving(one, tmp_path / "errors") as here, serving(other, tmp_path / "errors") as there:
        host = here.visit()
        table_id = host.open()
        host.http.get(there.url)
        former = {**host.http.cookies, "chouine": cookie_in(httpx.get(there.url).cookies)}
        assert len(host.http.cookies) == 2
        for cookies in (dict(host.http.cookies), former):
            assert f"/table/{table_id}" in httpx.get(here.url, cookies=cookies).text
            assert not httpx.get(here.url, cookies=cookies).cookies


def test_errors_are_told_to_people_and_to_programs(host: Browser) -> None:
    for path, status, code in (
        ("/nowhere", 404, "Not Found"),
        ("/table/nowhere", 404, "no-such-table"),
        ("/table/%00", 404, "no-such-table"),
        (f"/table/{'x' * 3000}", 404, "no-such-table"),
        ("/match/nowhere/1.json", 404, "no-such-table"),
        ("/table/nowhere/stream", 404, "no-such-table"),
        ("/new", 405, "Method Not Allowed"),
    ):
        page = host.get(path)
        assert page.status_code == status, path
        assert '<html lang="fr"' in page.text
        told = host.http.get(path, headers={"Accept": "application/json"})
        assert told.status_code == status
        answer = told.json()
        assert (answer["ok"], answer["code"]) == (False, code)
        assert answer["message"]
        assert answer["message"].split("'")[0] in page.text


@pytest.mark.parametrize(("preset", "seats"), [("classic", 2), ("three", 3), ("mondoubleau-four", 4)])
def test_a_table_is_opened_for_two_three_and_four(preset: str, seats: int, host: Browser) -> None:
    table_id = host.open(preset=preset, **{f"chair-{seat}": "heuristic" for seat in range(1, seats)})
    assert moves(host, table_id)
    assert host.get(f"/table/{table_id}/events?after=1").json()
