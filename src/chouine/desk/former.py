"""Who played in former years, to be suggested at the door: other contests in the same folder."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from chouine.desk.contest_store import ContestStore
from chouine.desk.people import Person, plain
from chouine.tournament.errors import ActRefused

SUFFIX = ".chouine"
"""Of a contest's file."""
MOST = 30
"""Contests that are looked into, the newest."""


@dataclass(frozen=True, slots=True)
class Former:
    person: Person
    lady: bool


def former_people(folder: Path, own: Path) -> tuple[Former, ...]:
    """Everybody entered in other contests of the folder, in the newest one's words, in order of names."""
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
    found: dict[str, Former] = {}
    for file in [file for file in files if file.resolve() != own.resolve()][:MOST]:
        with suppress(ActRefused, OSError), closing(ContestStore(file)) as store:
            for number, person in store.people.items():
                former = Former(person, store.contest.entrants[number].details.lady)
                found.setdefault(plain(f"{person.name} {person.village}"), former)
    return tuple(found[key] for key in sorted(found))
