"""A real server under attack, and the tables that must not change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.server.serving import Browser, RunningServer, serving
from tests.server.templates import share_templates

PER_ADDRESS = 1000
"""Streams for the one address of all attacks: a hall's limit, so that limits hide no fault."""


@pytest.fixture(scope="session", autouse=True)
def _templates() -> None:
    share_templates()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("attacked")
    database = f"sqlite:///{folder / 'chouine.db'}"
    with serving(database, folder / "errors", per_address=PER_ADDRESS) as server:
        yield server


@dataclass(frozen=True)
class Place:
    """A finished table, one in play and one with an empty chair, with their players' browsers."""

    over: str
    playing: str
    empty: str
    host: Browser
    friend: Browser
    links: tuple[str, ...]


@pytest.fixture(scope="module")
def place(served: RunningServer) -> Place:
    """Each module has its own: what one posts everywhere may end a match or sign the host out."""
    return lay_tables(served)


def lay_tables(served: RunningServer) -> Place:
    host, friend = served.visit(), served.visit("en")
    names = [host.open(format="2x1"), host.open(), host.open()]
    for game in names[:2]:
        friend.sit(host.links(game)[1], "Ami")
        deal(host, friend, game)
    host.tell(names[0], "concede", 0)
    links = [*host.links(names[2]).values(), *host.links(names[1]).values(), *friend.links(names[1]).values()]
    over, playing, empty = names
    return Place(over, playing, empty, host, friend, tuple(links))


def deal(host: Browser, friend: Browser, game: str) -> None:
    """Play the tirage, again after a tie, and the cut."""
    places = iter(range(32))
    for _ in range(16):
        for seat, browser in enumerate((host, friend)):
            browser.tell(game, "pick", seat, place=str(next(places)))
            if browser.tell(game, "cut", seat, at="16").status_code == 200:
                return
    raise AssertionError("no partie began")
