"""Players of former years, suggested at entry: from other contests in the same folder."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from chouine.desk.contest_store import ContestStore
from chouine.desk.people import Person
from chouine.names import person_key, plain_name
from chouine.tournament.errors import ActRefused

SUFFIX = ".chouine"
"""Suffix of contests' files."""
MOST = 30
"""Most contests read, newest first."""


@dataclass(frozen=True, slots=True)
class Former:
    person: Person
    lady: bool


def former_people(folder: Path, own: Path) -> tuple[Former, ...]:
    """All people of other contests in the folder, each as in the newest one, sorted by name."""
    files = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
    found: dict[tuple[str, str], Former] = {}
    for file in [file for file in files if file.resolve() != own.resolve()][:MOST]:
        with suppress(ActRefused, OSError), closing(ContestStore(file)) as store:
            for number, person in store.people.items():
                if number in store.contest.entrants:  # else the entry was undone
                    former = Former(person, store.contest.entrants[number].details.lady)
                    found.setdefault((person_key(person.name), plain_name(person.village)), former)
    return tuple(sorted(found.values(), key=lambda former: plain_name(former.person.name)))
