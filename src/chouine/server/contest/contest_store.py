"""An open contest: acknowledged acts are in its file (`contest_file`), and in a second copy if there is one."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import time
from typing import Self

from chouine.contest.acts import (
    Amended,
    ContestAct,
    ContestOpened,
    Entered,
    Erased,
    ListEntered,
    Revealed,
    Undone,
)
from chouine.contest.draw import commit
from chouine.contest.fold import add
from chouine.contest.log import LogLine
from chouine.contest.people import Names, Person
from chouine.contest.state import Contest
from chouine.errors import ActRefused
from chouine.files import replacing
from chouine.server.contest.contest_file import (
    CONTEST,
    LogFile,
    connect,
    copy_into,
    create_file,
    is_copy,
    make_replaced,
    people_in,
)

SESSIONS = "CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, text TEXT NOT NULL)"
"""Signed-in browsers (see `desk.Sessions`), so that they stay signed in when the program restarts. A copy has
none: on another laptop everybody signs in again."""

TAKE = (
    "DELETE FROM line",
    "INSERT INTO line SELECT * FROM other.line",
    "DELETE FROM person",
    "INSERT INTO person SELECT * FROM other.person",
    "DELETE FROM replaced",
    "INSERT INTO replaced SELECT * FROM other.replaced",
    "UPDATE secret SET register = register + 1, seed = (SELECT seed FROM other.secret)",
)
"""What makes a file hold what its copy does, attached as `other`; both have the table of replaced names."""


class ContestStore(LogFile[Contest]):
    """An open contest."""

    kind = CONTEST

    def __init__(self, path: Path, copy: Path | None = None) -> None:
        """Open a file. Raises `ActRefused` unless it holds a whole contest. `copy`: the path of a second copy."""
        if copy is not None and copy.resolve() == path.resolve():
            raise ActRefused("contest/copy-same", folder=copy.parent.resolve())
        super().__init__(path)
        self.copy = copy
        self._watchers: set[Callable[[], object]] = set()
        self._names: tuple[object, object, Names] = None, None, Names({}, ())
        self.copy_fault = ""
        """Why the copy is not up to date, as the code of a sentence."""
        self._on_stick = copy is not None and os.path.ismount(copy.parent)
        self.update_copy()

    @classmethod
    def create(cls, path: Path, opened: ContestOpened, seed: str, by: str, copy: Path | None = None) -> Self:
        """Create a contest in a new file. Raises `ActRefused` for an existing file or a seed unlike the commitment."""
        if commit(seed) != opened.commit:
            raise ActRefused("contest/other-seed")
        create_file(path, str(add(None, opened, by, now()).head), seed)
        return cls(path, copy)

    @classmethod
    def begin(cls, path: Path, settings: ContestOpened, by: str, copy: Path | None = None) -> Self:
        """Create a contest with these settings and a seed from the system's random source, whatever they commit to."""
        seed = secrets.token_hex(32)
        return cls.create(path, replace(settings, commit=commit(seed)), seed, by, copy)

    @property
    def contest(self) -> Contest:
        return self.state

    @property
    def names(self) -> Names:
        """What entries are called, by number; made anew when people or entries have changed."""
        people, entrants, names = self._names
        if people is not self.people or entrants is not self.state.entrants:
            people, entrants = self.people, self.state.entrants
            names = Names(people, entrants)
            self._names = people, entrants, names
        return names

    @contextmanager
    def watching(self, watcher: Callable[[], object]) -> Iterator[None]:
        """While the context is open, `watcher` is called after each act and change of a name, in its thread."""
        self._watchers.add(watcher)
        try:
            yield
        finally:
            self._watchers.discard(watcher)

    def tell(self) -> None:
        """Call all watchers."""
        for watcher in tuple(self._watchers):
            watcher()

    def do(
        self,
        act: ContestAct | Callable[[Contest], ContestAct],
        by: str,
        person: Person | Mapping[int, Person] | None = None,
        at: int | None = None,
        seed: str = "",
    ) -> Contest:
        """Append an act and return the contest after it, durable on return. `ActRefused` changes nothing.

        `act` may be a function of the contest, called under the lock. `person`: the name behind the act's entry,
        or those of several entries by number, written in the same transaction. `at`: by default now. `seed`: the new
        seed if the act renews the commitment.
        """
        with self._lock:
            with self._writing():
                made = act(self.state) if callable(act) else act
                contest = add(self.state, made, by, now() if at is None else at)
                self._append(contest)
                people = self._register_after(made, contest.head.n, person)
                if (renewed := contest.commit != self.state.commit) and commit(seed) != contest.commit:
                    raise ActRefused("contest/other-seed")
                if renewed:
                    self._file.execute("UPDATE secret SET seed = ?", (seed,))
            self.seed = seed if renewed else self.seed
            self._keep(contest, people)
            self._tell()
            return contest

    def kept_name(self, number: int) -> Person | None:
        """A name that was erased here but is still in the copy, which keeps it until the contest is closed."""
        if self.copy is None or not self.update_copy():
            return None
        with closing(connect(self.copy)) as copy:
            return people_in(copy).get(number)

    @property
    def sessions(self) -> dict[str, str]:
        """The signed-in browsers: a text by id."""
        with self._lock, suppress(sqlite3.Error):  # nobody has signed in yet, or all sign in again
            return dict(self._file.execute("SELECT id, text FROM session").fetchall())
        return {}

    def keep_session(self, which: str, text: str | None) -> None:
        """Store a signed-in browser's text, or remove it. Raises `ActRefused` if the disk fails."""
        with self._writing():
            self._file.execute(SESSIONS)
            self._file.execute("DELETE FROM session WHERE id = ?", (which,))
            if text is not None:
                self._file.execute("INSERT INTO session VALUES (?, ?)", (which, text))

    @property
    def copied(self) -> bool:
        """Whether there is a copy and it is up to date."""
        return self.copy is not None and not self.copy_fault

    def copy_to(self, folder: Path, *, apart: bool = False) -> None:
        """Keep the second copy in a folder, such as a USB stick, beside the files of other contests.

        `apart`: beside a copy too that holds acts of another laptop. Raises `ActRefused` for the contest's own folder.
        """
        if folder.resolve() == self.path.parent.resolve():
            raise ActRefused("contest/copy-same", folder=folder.resolve())
        with self._lock:
            stem, suffix = self.path.stem, self.path.suffix
            names = (self.path.name, *(f"{stem}-{nth}{suffix}" for nth in range(2, 1000)))
            self._on_stick = os.path.ismount(folder)
            self.copy = next(
                place
                for place in (folder / name for name in names)
                if not place.exists() or is_copy(self._file, place, whole=apart)
            )
            self.update_copy()

    def update_copy(self, *, purge: bool = False) -> bool:
        """Update the copy; returns whether it is up to date. A missing copy is tried again at the next act.

        Until the contest is closed, or with `purge`, the copy keeps erased names: an erasure may be a mistake.
        """
        with self._lock:
            if self.copy is not None:
                try:
                    if self._on_stick and not os.path.ismount(self.copy.parent):
                        raise FileNotFoundError(self.copy)  # an empty folder is left where the stick was
                    purge = purge or self.state.seed is not None
                    same = copy_into(self._file, self.copy, purge=purge)
                    self.copy_fault = "" if same else "contest/copy-other"
                except (sqlite3.Error, OSError, ActRefused):
                    there = os.path.ismount(self.copy.parent) if self._on_stick else self.copy.parent.is_dir()
                    self.copy_fault = "contest/copy-refused" if there else "contest/copy-away"
            return self.copied

    def difference(self) -> tuple[Sequence[LogLine], Sequence[LogLine]]:
        """The lines of this file, and of the copy, from where the two part. Raises `ActRefused` without a copy."""
        with self._lock, closing(ContestStore(self._copy_path())) as copy:
            ours, theirs = self.state.lines, copy.contest.lines
            same = next(
                (n for n, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), None
            )
            start = min(len(ours), len(theirs)) if same is None else same
            return ours[start:], theirs[start:]

    def take_copy(self, aside: Path) -> None:
        """Go on with what the copy holds; this file as it was is kept under another name."""
        with self._lock:
            with closing(
                ContestStore(self._copy_path())
            ) as copy:  # whole, or `ActRefused` before anything is written
                nameless = copy.contest.nameless
            with closing(connect(self._copy_path())) as other:
                make_replaced(other)
            make_replaced(self._file)
            with replacing(aside, private=True) as made, closing(sqlite3.connect(made)) as target:
                self._file.backup(target)
            self._file.execute("ATTACH ? AS other", (str(self._copy_path()),))
            try:
                with self._writing():
                    for step in TAKE:
                        self._file.execute(step)
                    self._file.executemany(
                        "DELETE FROM person WHERE number = ?", [(one,) for one in nameless]
                    )
            finally:
                self._file.execute("DETACH other")
            self._read()
            self._tell()

    def _copy_path(self) -> Path:
        if self.copy is None:
            raise ActRefused("contest/no-copy")
        return self.copy

    def _register_after(
        self, act: ContestAct, n: int, person: Person | Mapping[int, Person] | None
    ) -> Mapping[int, Person]:
        """The register after an act, the n-th: a name is written, erased, or brought back."""
        make_replaced(self._file)
        match act:
            case Entered(number=number) | Amended(number=number) if isinstance(person, Person):
                return self._rename_people(n, {number: person})
            case ListEntered() if isinstance(person, Mapping):
                return self._rename_people(n, person)
            case Erased(number=number):
                self._file.execute("DELETE FROM replaced WHERE number = ?", (number,))
                return self._put({number: None})
            case Undone(act=undone):
                return self._brought_back(undone)
            case Revealed():
                self._file.execute("DELETE FROM replaced")
        return self.people

    def _rename_people(self, n: int, people: Mapping[int, Person]) -> Mapping[int, Person]:
        """The register after act number `n` has changed names; the old ones are kept, in case that act is undone."""
        old = [(n, number, str(self.people[number])) for number in people if number in self.people]
        rows = [row for row in old if row[2] != str(people[row[1]])]
        self._file.executemany("INSERT INTO replaced VALUES (?, ?, ?)", rows)
        return self._put(people)

    def _brought_back(self, undone: int) -> Mapping[int, Person]:
        """The register without the names that an act wrote; if a later act replaced one, what it replaced changes."""
        rows = self._file.execute("SELECT number, text FROM replaced WHERE n = ?", (undone,)).fetchall()
        self._file.execute("DELETE FROM replaced WHERE n = ?", (undone,))
        later = "SELECT min(n) FROM replaced WHERE number = ? AND n > ?"
        back: dict[int, Person | None] = {}
        for number, text in rows:
            (heir,) = self._file.execute(later, (number, undone)).fetchone()
            if heir is None:
                back[number] = Person.parse(text)
            else:
                change = "UPDATE replaced SET text = ? WHERE n = ? AND number = ?"
                self._file.execute(change, (text, heir, number))
        return self._put(back) if rows else self.people

    def _tell(self) -> None:
        """Publish a commit and update the copy."""
        self.tell()
        self.update_copy()


_hastened = (0.0, 1)
"""Since when the clock runs so many times as fast, in seconds since 1970."""


def now() -> int:
    """Milliseconds since 1970; in a drill, by its faster clock."""
    since, times = _hastened
    return int((since + (time() - since) * times) * 1000)


def hasten(times: int) -> None:
    """Let the clock of this program run so many times as fast from now on; 1 sets it right again."""
    global _hastened  # noqa: PLW0603  # a process has one clock
    _hastened = (time(), times)


def resume(copy: Path, path: Path) -> ContestStore:
    """Restore a contest's file from its copy, for instance on another laptop; the copy remains the copy."""
    if path.exists():
        raise ActRefused("contest/file-exists", file=path)
    with closing(
        ContestStore(copy)
    ) as store:  # raises `ActRefused` for a damaged copy, before anything is written
        erased = store.contest.nameless
    with replacing(path, private=True) as made:
        with closing(connect(copy)) as source, closing(sqlite3.connect(made)) as target:
            source.backup(target)
        with closing(connect(made)) as file:
            for number in erased:
                file.execute("DELETE FROM person WHERE number = ?", (number,))
            file.execute("UPDATE secret SET key = ?", (secrets.token_hex(32),))
            file.execute("DROP TABLE IF EXISTS session")
    return ContestStore(path, copy)
