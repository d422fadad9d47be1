"""Passkeys on the server: what is accepted, and everything that is not. Chromium's own are in `tests/browser`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest

from tests.server.accounts.authenticator import Authenticator, challenge_of, post_answer
from tests.server.accounts.people import guest_cookie, member_cookie, press
from tests.server.serving import Browser, RunningServer, serving


@pytest.fixture
def site(tmp_path: Path) -> Iterator[RunningServer]:
    """A server that is visited by a name, as passkeys need one."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors") as served:
        served.url = served.url.replace("127.0.0.1", "localhost")
        yield served


def owner_of(site: RunningServer) -> tuple[Browser, Authenticator, str]:
    """A visitor who has a table and makes a passkey."""
    host, device = site.visit("en"), Authenticator(site.url)
    table = host.open(**{"name-0": "Marthe"})
    status, page = post_answer(host, "make", device.make(challenge_of(host, "make")))
    assert (status, "Your account is made" in page) == (200, True)
    assert f"/table/{table}" in host.get("/").text
    return host, device, table


def test_a_passkey_signs_in_on_another_device(site: RunningServer) -> None:
    host, device, table = owner_of(site)
    assert not guest_cookie(host)
    other = site.visit("en")
    status, page = post_answer(other, "enter", device.enter(challenge_of(other, "enter")))
    assert (status, "You are signed in." in page) == (200, True)
    assert f"/table/{table}" in other.get("/").text
    assert "removed" not in press(host, "remove")
    third = site.visit("en")
    status, page = post_answer(third, "enter", device.enter(challenge_of(third, "enter")))
    assert (status, "No account here has this passkey" in page) == (403, True)
    assert f"/table/{table}" in other.get("/").text  # it is signed in until somebody signs it out


def test_an_answer_is_good_once_and_for_one_visitor(site: RunningServer) -> None:
    _, device, _ = owner_of(site)
    one, other = site.visit("en"), site.visit("en")
    answer = device.enter(challenge_of(one, "enter"))
    challenge_of(other, "enter")
    assert post_answer(other, "enter", answer)[0] == 403
    assert not member_cookie(other)
    challenge_of(one, "enter")
    assert post_answer(one, "enter", answer)[0] == 200
    press(one, "leave")
    challenge_of(one, "enter")
    status, page = post_answer(one, "enter", answer)
    assert (status, "open for too long" in page) == (403, True)
    device.counter += 5
    forged = device.enter("A" * 54)
    assert post_answer(one, "enter", forged)[0] == 403


@pytest.mark.parametrize(
    "wrong",
    ["site", "origin", "key", "counter", "verb", "empty", "list", "long", "no json", "identifier", "deep"],
)
def test_what_signs_nobody_in(site: RunningServer, wrong: str) -> None:
    """Another site's answer, another key's, a copied counter, an answer of the other kind, and nonsense."""
    _, device, _ = owner_of(site)
    device.enter("x")
    other = site.visit("en")
    challenge, device = challenge_of(other, "enter"), copy(device)
    match wrong:
        case "site":
            device.site = "elsewhere.example"
        case "origin":
            device.origin = "https://elsewhere.example"
        case "key":
            device.key = Authenticator("").key
        case "counter":
            device.counter = 0
        case "identifier":
            device.identifier = b"x" * 16
    answer = device.enter(challenge)
    answer = {
        "verb": device.make(challenge),
        "empty": "",
        "list": "[]",
        "long": answer + " " * 30_000,
        "no json": answer[:-10],
        "deep": '{"a":' * 3_000,
    }.get(wrong, answer)
    if wrong == "counter":
        device.counter = 0
        answer = device.enter(challenge)
    status, page = post_answer(other, "enter", answer)
    assert (status, "Traceback" in page) == (403, False) if wrong != "long" else status in (200, 403)
    if wrong != "long":
        assert not member_cookie(other)


@pytest.mark.parametrize("wrong", ["site", "origin", "again", "verb", "attested", "nothing"])
def test_what_makes_no_passkey(site: RunningServer, wrong: str) -> None:
    host, device, _ = owner_of(site)
    other = site.visit("en")
    challenge = challenge_of(other, "make")
    fresh = Authenticator(
        "https://elsewhere.example" if wrong == "origin" else site.url,
        "elsewhere.example" if wrong == "site" else "localhost",
    )
    if wrong == "again":
        fresh.identifier = device.identifier  # another's passkey would be taken over
    answer = fresh.make(challenge)
    if wrong == "verb":
        answer = fresh.enter(challenge)
    if wrong == "attested":
        sent = json.loads(answer)
        sent["response"]["attestationObject"] = "oA"
        answer = json.dumps(sent)
    if wrong == "nothing":
        answer = json.dumps(
            {"response": {"clientDataJSON": json.loads(answer)["response"]["clientDataJSON"]}}
        )
    status, page = post_answer(other, "make", answer)
    assert (status, "Traceback" in page) == (403, False)
    assert not member_cookie(other)
    assert "Passkey" in host.get("/account").text


def test_a_copied_passkey_is_noticed(site: RunningServer) -> None:
    """Its counter was seen before: the copy is refused, and the original goes on."""
    _, device, _ = owner_of(site)
    clone = copy(device)
    one, other = site.visit("en"), site.visit("en")
    assert post_answer(one, "enter", device.enter(challenge_of(one, "enter")))[0] == 200
    assert post_answer(other, "enter", clone.enter(challenge_of(other, "enter")))[0] == 403
    press(one, "leave")
    assert post_answer(one, "enter", device.enter(challenge_of(one, "enter")))[0] == 200


def test_without_a_name_there_are_no_passkeys(site: RunningServer) -> None:
    """At an address of numbers browsers make none: the page says so, and a post is refused."""
    site.url = site.url.replace("localhost", "127.0.0.1")
    host = site.visit("en")
    page = host.get("/account").text
    assert "data-passkey" not in page
    assert "Passkeys need an address that begins with https" in page
    csrf = host.form("/account").fields["csrf"]
    assert host.http.post("/account/passkey", data={"csrf": csrf}).status_code == 404
