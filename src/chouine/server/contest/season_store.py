"""An open season: acknowledged acts are in its file, written as a contest's is (`contest_file`)."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from urllib.request import urlopen

from chouine.contest import ContestOpened, commit, formula_for
from chouine.contest.acts import Erased, Undone
from chouine.contest.people import Person
from chouine.errors import ActRefused
from chouine.season import Season, SeasonLine, add, season_of
from chouine.season.acts import SeasonAct, SeasonOpened
from chouine.season.members import booking, door_list
from chouine.season.results import (
    EveningResults,
    add_results,
    read_results,
    results_of_contest,
    results_of_season,
)
from chouine.server.contest.contest_file import SEASON, LogFile, create_file, people_in
from chouine.server.contest.contest_store import ContestStore, now

SUFFIX = ".saison"
"""Suffix of seasons' files."""
LARGEST = 16 * 1024 * 1024
"""Most bytes read from an address."""
SQLITE = b"SQLite format 3\0"
People = Mapping[int, Person]
Step = tuple[SeasonAct, dict[int, Person]]
"""An act, and the names that it writes in the register."""


class SeasonStore(LogFile):
    """An open season."""

    kind = SEASON
    season: Season
    people: People
    _secret: str
    _version = 0
    """SQLite's count of other processes' commits, as last seen."""

    @classmethod
    def create(cls, path: Path, opened: SeasonOpened, by: str) -> Self:
        """Create a season in a new file. Raises `ActRefused` for an existing file or impossible rules."""
        line = add(None, opened, by, now()).head
        create_file(path, str(line), secrets.token_hex(32), SEASON)
        return cls(path)

    def do(self, step: SeasonAct | Callable[[Season, People], Step], by: str) -> Season:
        """Append an act and return the season after it, durable on return. `ActRefused` changes nothing.

        `step`: an act, or a function of the locked season and its register.
        """
        with self._lock:
            with self._writing():
                act, names = step(self.season, self.people) if callable(step) else (step, {})
                season = add(self.season, act, by, now())
                people = register_after(season, act, {**self.people, **names})
                self._file.execute("INSERT INTO line VALUES (?, ?)", (season.head.n, str(season.head)))
                self._write(people)
            self.season, self.people = season, people
            return season

    def refresh(self) -> None:
        """Read what other processes have written since; the answers of one request are then of one state."""
        with self._lock:
            (version,) = self._file.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._follow()
                self._version = version

    def take(self, sheet: EveningResults, by: str) -> Season:
        """Add an evening."""
        return self.do(lambda season, people: add_results(season, people, sheet), by)

    def book(self, evening: int, person: Person, by: str) -> tuple[int, str, bool]:
        """Register a person for an evening: their number, the code that cancels it, and whether they wait."""
        made: list[int] = []

        def step(season: Season, people: People) -> Step:
            act, names = booking(season, people, evening, person)
            made.append(act.number)
            return act, names

        season = self.do(step, by)
        number = season.number_of(made[-1])
        return number, self.token(evening, number), number in season.next_evening(evening).waiting

    def token(self, evening: int, number: int) -> str:
        """The code that cancels a booking: known to whoever made it, and derived from the file's secret."""
        of = f"booking {evening} {number}"
        return hmac.digest(self._secret.encode(), of.encode(), "sha256").hex()[:10]

    def opening(self) -> str:
        """The secret in the address that signs the keeper's browser in, the same at each start."""
        return hmac.digest(self._secret.encode(), b"keeper", "sha256").hex()[:32]

    def booked_under(self, evening: int, token: str) -> int:
        """The number of the booking that a code cancels. Raises `ActRefused`."""
        for number in self.season.next_evening(evening).bookings:
            if hmac.compare_digest(self.token(evening, number).encode(), token.strip().lower().encode()):
                return number
        raise ActRefused("saison/no-code")

    def _write(self, people: People) -> None:
        """Bring the register of the file to these names."""
        gone = [(number,) for number in self.people if number not in people]
        new = [(n, str(one)) for n, one in people.items() if self.people.get(n) != one]
        self._file.executemany("DELETE FROM person WHERE number = ?", gone)
        self._file.executemany("INSERT OR REPLACE INTO person VALUES (?, ?)", new)

    def _follow(self) -> None:
        (last,) = self._file.execute("SELECT max(n) FROM line").fetchone()
        if last != self.season.head.n:
            self._read()

    def _read(self) -> None:
        self.season, self.people = season_of(self._lines(SeasonLine)), people_in(self._file)
        (self._secret,) = self._file.execute("SELECT seed FROM secret").fetchone()


def register_after(season: Season, act: SeasonAct, people: dict[int, Person]) -> dict[int, Person]:
    """The register after an act: without erased names, in any spelling, and without people that an undo took back."""
    erased = season.spellings(act.number) if isinstance(act, Erased) else ()
    kept = season.players if isinstance(act, Undone) else people
    return {number: person for number, person in people.items() if number not in erased and number in kept}


def enter_booked(store: SeasonStore, evening: int, path: Path, by: str) -> int:
    """Enter those who have a place in a contest's file, made as at Lavardin if it is missing; returns how many.

    They are not here yet: the door says so. Raises `ActRefused`.
    """
    announced = store.season.next_evening(evening).announced
    if not path.exists():
        seed = secrets.token_hex(32)
        opened = ContestOpened(formula_for("lavardin"), commit(seed), announced.title, announced.fee)
        ContestStore.create(path, opened, seed, by).close()
    with closing(ContestStore(path)) as contest:
        act, names = door_list(store.season, store.people, evening, contest.contest, contest.people)
        contest.do(act, by, names)
    return len(names)


def results_in(content: bytes, path: Path, club: str = "") -> tuple[EveningResults, ...]:
    """The evenings in a file: a contest's, a season's, or sheets as text. Raises `ActRefused`."""
    if not content.startswith(SQLITE):
        return read_results(content.decode(errors="replace"))
    try:
        with closing(ContestStore(path)) as store:
            return (results_of_contest(store.contest, store.people, club),)
    except ActRefused as fault:
        if fault.code != "contest/no-contest":
            raise
    with closing(SeasonStore(path)) as season:
        return results_of_season(season.season, season.people)


def fetch_results(address: str, club: str = "") -> tuple[EveningResults, ...]:
    """The evenings at an address. Raises `ActRefused`."""
    if not address.startswith(("http://", "https://")):
        raise ActRefused("season/no-sheet")
    try:
        with urlopen(address, timeout=20) as answer:  # noqa: S310  # the scheme is http
            content = answer.read(LARGEST)
    except (OSError, HTTPException, ValueError) as fault:
        raise ActRefused("season/address", address=address, why=fault) from fault
    with TemporaryDirectory() as folder:
        fetched = Path(folder) / "fetched"
        fetched.write_bytes(content)
        return results_in(content, fetched, club)
