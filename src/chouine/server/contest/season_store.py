"""An open season: acknowledged acts are in its file, written as a contest's is (`contest_file`)."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Self
from urllib.error import HTTPError
from urllib.request import urlopen

from chouine.contest import ContestOpened, formula_for
from chouine.contest.acts import Erased, Undone
from chouine.contest.log import undone_by
from chouine.contest.people import Person
from chouine.errors import ActRefused
from chouine.files import read_whole
from chouine.season import Season, add
from chouine.season.acts import Booked, SeasonAct, SeasonOpened
from chouine.season.members import booking, door_list
from chouine.season.results import (
    EveningResults,
    add_results,
    read_results,
    results_of_contest,
    results_of_season,
)
from chouine.server.contest.contest_file import SEASON, LogFile, create_file, named_in_refusals
from chouine.server.contest.contest_store import ContestStore, now

SUFFIX = ".saison"
"""Suffix of seasons' files."""
LARGEST = 16 * 1024 * 1024
"""Most bytes read from an address."""
SQLITE = b"SQLite format 3\0"
KNOWN = ("season/had-already", "season/older")
"""Refusals of an evening that the season has: whoever takes a whole season of another club's has most of it already."""
People = Mapping[int, Person]
Step = tuple[SeasonAct, dict[int, Person]]
"""An act, and the names that it writes in the register."""
SeasonStep = SeasonAct | Callable[[Season, People], tuple[SeasonAct, Mapping[int, Person]]]
"""An act, or a function that makes one, and its names, of a season and its register."""


class Registration(NamedTuple):
    """A person's number in the season, the code that cancels, whether they wait, and the act's number in the log."""

    number: int
    code: str
    waits: bool
    act: int


class SeasonStore(LogFile[Season]):
    """An open season."""

    kind = SEASON
    _version = 0
    """SQLite's count of other processes' commits, as last seen."""

    @property
    def season(self) -> Season:
        return self.state

    @classmethod
    def create(cls, path: Path, opened: SeasonOpened, by: str) -> Self:
        """Create a season in a new file. Raises `ActRefused` for an existing file or impossible rules."""
        line = add(None, opened, by, now()).head
        create_file(path, str(line), secrets.token_hex(32), SEASON)
        return cls(path)

    def do(self, step: SeasonStep, by: str) -> Season:
        """Append an act and return the season after it, durable on return. `ActRefused` changes nothing.

        `step`: an act, or a function of the locked season and its register.
        """
        with self._lock:
            with self._writing():
                season, people = self._write_act(self.season, self.people, step, by)
                kept = self._put_changed(people)
            self._keep(season, kept)
            return season

    def _write_act(self, season: Season, people: People, step: SeasonStep, by: str) -> tuple[Season, People]:
        """Write an act; the season after it and its register, which is not written yet."""
        act, names = step(season, people) if callable(step) else (step, {})
        season = add(season, act, by, now())
        self._append(season)
        return season, register_after(season, act, {**people, **names})

    def _put_changed(self, people: People) -> People:
        """Write what has changed in the register; what it then is."""
        changed = [n for n in {**self.people, **people} if people.get(n) != self.people.get(n)]
        return self._put({n: people.get(n) for n in changed}) if changed else self.people

    def refresh(self) -> None:
        """Read what other processes have written since; the answers of one request are then of one state."""
        with self._lock:
            (version,) = self._file.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._follow()
                self._version = version

    def take(self, evenings: Sequence[EveningResults], by: str) -> list[ActRefused]:
        """Add evenings in one transaction, one act each; return the refusals of evenings that the season already has.

        Raises `ActRefused` if none was added.
        """
        faults = []
        with self._lock:
            with self._writing():
                season, people = self.season, self.people
                for one in evenings:
                    try:
                        season, people = self._write_act(
                            season, people, partial(add_results, evening=one), by
                        )
                    except ActRefused as fault:
                        if fault.code not in KNOWN:
                            named = {"title": one.title, "day": one.day}
                            raise ActRefused("season/none-added", why=fault, **named) from fault
                        faults.append(fault)
                if faults and len(faults) == len(evenings):
                    raise faults[0]
                kept = self._put_changed(people)
            self._keep(season, kept)
        return faults

    def book(self, evening: int, person: Person, by: str, most_waiting: int | None = None) -> Registration:
        """Register a person for an evening. Raises `ActRefused`, also where `most_waiting` wait already."""
        made: list[int] = []

        def step(season: Season, people: People) -> Step:
            if most_waiting is not None and len(season.next_evening(evening).waiting) >= most_waiting:
                raise ActRefused("season/full")
            act, names = booking(season, people, evening, person)
            made.append(act.number)
            return act, names

        season = self.do(step, by)
        number = season.number_of(made[-1])
        waits = number in season.next_evening(evening).waiting
        return Registration(number, self.token(evening, number), waits, season.head.n)

    def registration(self, act: int) -> Registration | None:
        """What an act of the log registered, as things are now; None if it was cancelled or taken back."""
        booked = self.season.lines[act - 1].act
        if not isinstance(booked, Booked) or act in undone_by(self.season.lines):
            return None
        number, found = self.season.number_of(booked.number), self.season.next_evening(booked.evening)
        if number not in found.bookings:
            return None
        return Registration(number, self.token(booked.evening, number), number in found.waiting, act)

    def token(self, evening: int, number: int) -> str:
        """The code that cancels a booking: known to whoever made it, and derived from the file's secret."""
        of = f"booking {evening} {number}"
        return hmac.digest(self.seed.encode(), of.encode(), "sha256").hex()[:10]

    def opening(self) -> str:
        """The secret in the address that signs the keeper's browser in, the same at each start."""
        return hmac.digest(self.seed.encode(), b"keeper", "sha256").hex()[:32]

    def booked_under(self, evening: int, token: str) -> int:
        """The number of the booking that a code cancels, or has cancelled. Raises `ActRefused`."""
        self.season.next_evening(evening)
        for number in self.season.players:
            if hmac.compare_digest(self.token(evening, number).encode(), token.strip().lower().encode()):
                return number
        raise ActRefused("saison/no-code")


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
        opened = ContestOpened(formula_for("lavardin"), "", announced.title, announced.fee)
        ContestStore.begin(path, opened, by).close()
    with closing(ContestStore(path)) as contest:
        act, names = door_list(store.season, store.people, evening, contest.contest, contest.people)
        contest.do(act, by, names)
    return len(names)


def results_in(path: Path, club: str = "") -> tuple[EveningResults, ...]:
    """The evenings in a file: a contest's, a season's, or results as text. Raises `ActRefused`."""
    content = read_whole(path)
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


def results_of_bytes(content: bytes, name: str, club: str = "") -> tuple[EveningResults, ...]:
    """The evenings in a file's content. Raises `ActRefused`, which calls the file by this name."""
    with TemporaryDirectory() as folder, named_in_refusals(name):
        path = Path(folder) / "results"
        path.write_bytes(content)
        return results_in(path, club)


def fetch_results(address: str, club: str = "") -> tuple[EveningResults, ...]:
    """The evenings at an address. Raises `ActRefused`."""
    if not address.startswith(("http://", "https://")):
        raise ActRefused("season/no-sheet")
    try:
        with urlopen(address, timeout=20) as answer:  # noqa: S310  # the scheme is http
            content = answer.read(LARGEST)
    except HTTPError as fault:
        raise ActRefused("season/answer", address=address, status=fault.code) from fault
    except (OSError, HTTPException, ValueError) as fault:
        raise ActRefused("season/address", address=address, why=fault) from fault
    return results_of_bytes(content, address, club)
