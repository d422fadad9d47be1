"""How a node counts what addresses and visitors do, and what it says of a limit."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from starlette.exceptions import HTTPException
from starlette.types import Scope

from chouine.server import limits as module
from chouine.server.limits import (
    ADDRESS,
    DAY,
    FORGOTTEN,
    VISITOR,
    WIDE,
    Limits,
    Rate,
    TimeWindows,
    networks_of,
)
from chouine.server.pages.errors import wait_sentence


def at(host: str) -> Scope:
    """A request from an address."""
    return {"type": "http", "client": (host, 1)}


def is_refused(limits: Limits, what: str, host: str, weight: int = 1) -> bool:
    try:
        limits.of_address(what, at(host), weight)
    except HTTPException as error:
        return error.status_code == 429
    return False


def test_addresses_are_counted_by_network() -> None:
    assert networks_of(at("192.0.2.7")) == (("192.0.2.7", 1),) == networks_of(at("::ffff:192.0.2.7"))
    assert networks_of(at("2001:db8:1:2:3::4")) == (("2001:db8:1::/48", WIDE), ("2001:db8:1:2::/64", 1))
    assert networks_of({"type": "http", "client": None}) == (("", 1),)
    assert networks_of(at("a-socket")) == (("a-socket", 1),)


def test_who_has_many_networks_is_one_network() -> None:
    """All /64 of an IPv6 /48 share a few times what one may do, and beyond it add nothing to the counters."""
    limits = Limits(per_address=1)
    most = ADDRESS["waits"].most
    assert [is_refused(limits, "waits", "2001:db8::1") for _ in range(most + 1)] == [False] * most + [True]
    others = [is_refused(limits, "waits", f"2001:db8:0:{nth:x}::1") for nth in range(1, 1000)]
    assert others.count(False) <= most * WIDE
    assert not any(others[: most * (WIDE - 1) - 1])
    assert len(limits.windows.counts) <= most * WIDE + 2
    assert not is_refused(limits, "waits", "2001:db8:1::1")


def test_streams_of_many_networks() -> None:
    limits = Limits(per_address=2)
    with ExitStack() as held:
        for nth in range(2 * WIDE):
            held.enter_context(limits.stream(at(f"2001:db8:0:{nth:x}::1")))
        with pytest.raises(HTTPException):
            held.enter_context(limits.stream(at("2001:db8:0:ffff::1")))
        held.enter_context(limits.stream(at("2001:db8:1::1")))
    assert not limits.streams
    assert limits.open == 0


def test_long_computations_of_many_networks() -> None:
    limits = Limits(per_address=1)
    limits.studies(3 * WIDE - 1, 2, 2)
    for pending in ((3 * WIDE, 0, 0), (3, 3, 0), (3, 2, 3)):
        with pytest.raises(HTTPException):
            limits.studies(*pending)


def test_bytes_are_counted_by_weight() -> None:
    limits, most = Limits(per_address=1), ADDRESS["bytes"].most
    assert not is_refused(limits, "bytes", "192.0.2.7", most)
    assert is_refused(limits, "bytes", "192.0.2.7", 1)
    assert not is_refused(limits, "bytes", "192.0.2.8", most)


def test_no_request_pays_for_many_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many windows have ended, a request forgets a few."""
    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    windows = TimeWindows()
    for nth in range(1000):
        windows.hit(Rate(1, 10), "asks", f"k{nth}")
    now[0] += 3600
    for nth in range(1, 11):
        windows.hit(Rate(1, 10), "asks", "one")
        assert len(windows.counts) == 1001 - nth * FORGOTTEN
    for _ in range(1000):
        windows.hit(Rate(1, 10), "asks", "one")
    assert len(windows.counts) == 1
    assert sum(map(len, windows.ending.values())) == 1


def test_what_is_counted_is_bounded_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(module, "MOST_KEYS", 100)
    windows, twice = TimeWindows(), Rate(2, 10)
    assert [windows.hit(twice, "asks", "a") for _ in range(3)] == [True, True, False]
    assert windows.hit(twice, "asks", "b")
    now[0] += 10
    assert windows.hit(twice, "asks", "a")
    now[0] += 61
    windows.hit(twice, "asks", "b")
    assert list(windows.counts) == [("asks", "b")]
    for nth in range(1000):
        windows.hit(twice, "asks", f"k{nth}")
        assert len(windows.counts) <= 100


def test_of_too_many_counters_the_longest_lasting_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of new visitors does not make the server forget who is over a limit."""
    monkeypatch.setattr(module, "MOST_KEYS", 100)
    windows = TimeWindows()
    assert windows.hit(Rate(1, 3600), "watched", "address")
    for nth in range(1000):
        assert windows.hit(Rate(2, 10), "asks", f"k{nth}")
        assert len(windows.counts) <= 100
    assert not windows.hit(Rate(1, 3600), "watched", "address")
    assert not [windows.hit(Rate(2, 10), "asks", "k999") for _ in range(2)][-1]


def test_who_is_refused_by_one_limit_is_not_counted_by_the_other() -> None:
    """An address beyond its limit adds no visitors, and a visitor beyond theirs leaves the address to others."""

    def answer(guest: str) -> int:
        try:
            limits.count("pushes", guest, at("192.0.2.7"))
        except HTTPException as error:
            return error.status_code
        return 200

    limits = Limits(per_address=3)
    most = VISITOR["pushes"].most
    assert [answer("greedy") for _ in range(most + 30)] == [200] * most + [429] * 30
    assert [answer("another") for _ in range(10)] == [200] * 10
    for nth in range(100):
        assert answer(f"fresh-{nth}") == 429
    assert {whose for what, whose in limits.windows.counts} == {"greedy", "another", "192.0.2.7"}


def test_a_refusal_tells_when_the_limit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an hour that is half over half an hour is left, for a visitor and for an address."""

    def wait(guest: str, host: str) -> int:
        try:
            for _ in range(100):
                limits.count("letters", guest, at(host))
        except HTTPException as error:
            return int((error.headers or {})["Retry-After"])
        raise AssertionError("there is no limit")

    now, limits = 1000.0, Limits()
    monkeypatch.setattr("chouine.server.limits.monotonic", lambda: now)
    assert wait("anne", "192.0.2.7") == VISITOR["letters"].seconds == 3600
    now += 1800.5
    assert wait("anne", "192.0.2.7") == 1800
    for nth in range(5):
        wait(f"guest-{nth}", "192.0.2.7")
    assert wait("basile", "192.0.2.7") == 1800
    now += 1799
    assert wait("anne", "192.0.2.7") == 1


@pytest.mark.parametrize(
    ("seconds", "english", "french"),
    [
        (2, "wait a moment", "un instant"),
        (31, "in 1 minute.", "dans 1 minute."),
        (3300, "in 55 minutes.", "dans 55 minutes."),
        (3600, "in 1 hour.", "dans 1 heure."),
        (DAY - 1, "in 24 hours.", "dans 24 heures."),
    ],
)
def test_how_long_a_limit_holds_is_told_in_words(seconds: int, english: str, french: str) -> None:
    assert english in wait_sentence("en", seconds)
    assert french in wait_sentence("fr", seconds).replace("\N{NO-BREAK SPACE}", " ")


def test_a_hall_behind_one_address() -> None:
    """All limits of an address scale with its number of streams."""
    home, hall = Limits(20), Limits(2000)
    for what in ("tables", "watched", "commands", "requests"):
        assert hall.address[what].most == 100 * home.address[what].most
