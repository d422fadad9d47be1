"""Folders of contests: members and players of former years in the same one, removable disks for a second copy."""

from __future__ import annotations

import os
import re
import string
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chouine.contest.people import Person, directory_key, name_parts
from chouine.days import day_of
from chouine.errors import ActRefused
from chouine.names import person_key, plain_name
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.season_store import SUFFIX as SEASONS
from chouine.server.contest.season_store import SeasonStore

SUFFIX = ".chouine"
"""Suffix of contests' files."""
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{nth}" for port in ("com", "lpt") for nth in range(10))}
"""Names that Windows gives to no file, whatever follows the point."""
MOST = 30
"""Most contests read, newest first."""
STICKS = ("media/*/*", "run/media/*/*", "Volumes/*")
"""Mount points below the root; on Windows removable disks are drive letters."""


@dataclass(frozen=True, slots=True)
class Former:
    person: Person
    lady: bool

    @property
    def surname(self) -> str:
        return name_parts(self.person.name, self.person.surname)[0]

    @property
    def first(self) -> str:
        return name_parts(self.person.name, self.person.surname)[1]


def former_people(folder: Path, own: Path) -> tuple[Former, ...]:
    """The people of the seasons and of the other contests in the folder, sorted by name.

    Each is as in the register of a season, else as in the newest contest.
    """
    found: dict[tuple[str, str], Former] = {}
    for season in newest_files(folder, SEASONS):
        with suppress(ActRefused, OSError), closing(SeasonStore(season)) as register:
            for number in register.season.people:
                if number in register.people:
                    former = Former(register.people[number], register.season.players[number].member.lady)
                    found.setdefault(key_of(former.person), former)
    files = newest_files(folder, SUFFIX)
    for file in [file for file in files if file.resolve() != own.resolve()][:MOST]:
        with suppress(ActRefused, OSError), closing(ContestStore(file)) as store:
            for number, person in store.people.items():
                if number in store.contest.entrants:  # else the entry was undone
                    former = Former(person, store.contest.entrants[number].details.lady)
                    found.setdefault(key_of(person), former)
    return tuple(sorted(found.values(), key=lambda former: directory_key(former.person)))


def free_path(folder: Path, title: str, suffix: str = SUFFIX) -> Path:
    """The path of a file that does not exist yet, named after a title."""
    stem = (
        re.sub(r"[^a-z0-9]+", "-", plain_name(title)).strip("-")[:60]
        or f"concours-{day_of(datetime.now(UTC), None)}"
    )
    if stem in RESERVED:
        stem = f"concours-{stem}"
    names = (f"{stem}{suffix}" if nth == 1 else f"{stem}-{nth}{suffix}" for nth in range(1, 1000))
    return next(folder / name for name in names if not (folder / name).exists())


def newest_files(folder: Path, suffix: str) -> list[Path]:
    """The files of this suffix, newest first."""
    return sorted(folder.glob(f"*{suffix}"), key=lambda file: file.stat().st_mtime, reverse=True)


def key_of(person: Person) -> tuple[str, str]:
    """What makes two entries of registers one person."""
    return person_key(person.name), plain_name(person.village)


def copy_places(places: Sequence[Path], folder: Path) -> list[Path]:
    """Those of these disks on which a copy helps: not the one on which the contest's own folder is."""
    return [place for place in places if not folder.resolve().is_relative_to(place.resolve())]


def removable_folders(root: Path = Path("/")) -> tuple[Path, ...]:
    """Folders of removable disks that can be written to.

    `Path.is_mount` does not exist on Windows before Python 3.12; `os.path.ismount` does.
    """
    if sys.platform == "win32":
        found = [Path(f"{letter}:/") for letter in string.ascii_uppercase[3:] if Path(f"{letter}:/").exists()]
    else:
        found = sorted(place for pattern in STICKS for place in root.glob(pattern) if place.is_dir())
    return tuple(place for place in found if os.path.ismount(place) and os.access(place, os.W_OK))
