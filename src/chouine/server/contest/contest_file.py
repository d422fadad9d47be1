"""A contest's file, or a season's: its format, a connection to it, and copies of it.

One SQLite file holds one contest or season: its log, the register of names, the seed. SQLite's rollback journal with
`synchronous=EXTRA` makes commits survive a power cut and leaves no other file behind, so that copying the file by hand
copies everything. Files are readable by their owner alone, where the disk knows owners: the names of minors and the
seed are in them.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from chouine.contest import fold
from chouine.contest.log import LogLine, SealedLine, first_broken_line, fold_log
from chouine.contest.people import Person
from chouine.errors import ActRefused
from chouine.files import make_private, replacing
from chouine.season import state as season
from chouine.season.state import SeasonLine


class LogState(Protocol):
    """What a log comes to: a contest, a season."""

    @property
    def head(self) -> SealedLine[Any]:
        """The last line."""

    @property
    def nameless(self) -> Collection[int]:
        """Whose names were erased."""


S = TypeVar("S", bound=LogState)


@dataclass(frozen=True, slots=True)
class FileKind:
    line: type[SealedLine[Any]]
    after: Callable[[Any, Any], Any]
    """What a line makes of the log before it."""
    application: int
    """SQLite's application id of these files."""
    other: str
    """The code of the sentence for another file."""
    broken: str
    """The code of the sentence for a line whose seal is wrong."""


CONTEST = FileKind(LogLine, fold.after, 0x43686F75, "contest/no-contest", "contest/broken-file")  # `Chou`
SEASON = FileKind(SeasonLine, season.after, 0x43685361, "season/no-season", "contest/broken")  # `ChSa`
VERSION = 1
BRIEFLY = 0.5
"""Seconds that an act waits for its copy: a program that searches a stick for viruses does not hold up the hall."""
TABLES = """
CREATE TABLE line (n INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE person (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE secret (seed TEXT NOT NULL, register INTEGER NOT NULL, key TEXT NOT NULL);
"""
"""`register` counts changes of the register, so that a copy can tell whether it is behind. `key` signed cookies in
earlier versions, which still read it: now it is random in each file, and never copied."""
REPLACED = (
    "CREATE TABLE IF NOT EXISTS replaced (n INTEGER, number INTEGER, text TEXT, PRIMARY KEY (n, number))"
)
"""Names that an act has replaced, by its number in the log: undoing the act brings them back. None is kept of an erased
name, nor of any once the contest is closed."""


def connect(path: Path, kind: FileKind = CONTEST, patience: float = 10) -> sqlite3.Connection:
    """A connection to a file of this kind. Raises `ActRefused` for any other file.

    `patience`: seconds to wait for a file that another program holds.
    """
    if not path.is_file():
        raise ActRefused("contest/folder" if path.is_dir() else "contest/no-file", file=path)
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=patience)
    try:
        ours = file.execute("PRAGMA application_id").fetchone()[0]
        version = file.execute("PRAGMA user_version").fetchone()[0]
        if ours == kind.application:  # another's file is left as it is
            make_private(path)
            file.execute("PRAGMA journal_mode = DELETE")
            file.execute("PRAGMA synchronous = EXTRA")
            file.execute("PRAGMA secure_delete = ON")
    except sqlite3.OperationalError as fault:  # such as a file that another program holds
        file.close()
        raise ActRefused("contest/disk", file=path, why=fault) from fault
    except (sqlite3.DatabaseError, UnicodeDecodeError) as fault:  # a damaged file may raise any of these
        file.close()
        raise ActRefused(kind.other, file=path) from fault
    if (ours, version) != (kind.application, VERSION):
        file.close()
        raise ActRefused(kind.other if ours != kind.application else "contest/newer", file=path)
    return file


def create_file(path: Path, line: str, seed: str, kind: FileKind = CONTEST) -> None:
    """Create a file with its first line, under a temporary name: no incomplete file is taken for a whole one.

    Raises `ActRefused` for a path at which there is something.
    """
    if path.exists():
        raise ActRefused("contest/file-exists", file=path)
    with replacing(path, private=True) as made, closing(sqlite3.connect(made, isolation_level=None)) as file:
        file.execute("PRAGMA synchronous = EXTRA")
        kinds = f"PRAGMA application_id = {kind.application}; PRAGMA user_version = {VERSION};"
        file.executescript(f"BEGIN; {kinds} {TABLES}")
        file.execute("INSERT INTO line VALUES (1, ?)", (line,))
        file.execute("INSERT INTO secret VALUES (?, 0, ?)", (seed, secrets.token_hex(32)))
        file.execute("COMMIT")


class LogFile(Generic[S]):
    """An open file of a log and its register. Thread-safe; acts written to the file by other processes are read too."""

    kind: ClassVar[FileKind]
    state: S
    """What the log comes to, as last acknowledged; reading it never waits for the disk."""
    people: Mapping[int, Person]
    """The register: people by number. Each change makes a new mapping."""
    register: int
    """Number of changes of the register."""
    seed: str
    """A contest's seed, secret until it is revealed; a season's secret."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises `ActRefused` unless it holds a whole log of its kind."""
        self.path = path
        self._lock = RLock()
        self._file = connect(path, self.kind)
        try:
            self._read()
        except (sqlite3.Error, TypeError, ValueError) as fault:
            self._file.close()
            raise (
                fault if isinstance(fault, ActRefused) else ActRefused(self.kind.other, file=path)
            ) from fault

    def close(self) -> None:
        with self._lock:
            self._file.close()

    def _read(self) -> None:
        """Read the whole file. Raises `ActRefused`, or what `__init__` catches if the file is damaged."""
        lines = self._lines_after(0)
        if (broken := first_broken_line(lines)) is not None:
            raise ActRefused(self.kind.broken, line=broken)
        self.state = fold_log(lines, self.kind.after)
        self.seed, register = self._file.execute("SELECT seed, register FROM secret").fetchone()
        self.register = int(register)
        self.people = people_in(self._file, self.state.nameless)

    def _follow(self) -> None:
        """Read what other processes have written since."""
        last = self.state.head.n
        for line in self._lines_after(last):
            self.state = self.kind.after(self.state, line)
        self.seed, register = self._file.execute("SELECT seed, register FROM secret").fetchone()
        if register != self.register or self.state.head.n != last:
            self.people, self.register = people_in(self._file, self.state.nameless), register

    def _lines_after(self, n: int) -> list[SealedLine[Any]]:
        """The lines after the n-th. They are fetched before they are parsed: no fault leaves the file locked."""
        rows = self._file.execute("SELECT text FROM line WHERE n > ? ORDER BY n", (n,)).fetchall()
        return [self.kind.line.parse(text) for (text,) in rows]

    def _append(self, state: S) -> None:
        """Write the last line of what the log comes to."""
        self._file.execute("INSERT INTO line VALUES (?, ?)", (state.head.n, str(state.head)))

    def _put(self, changes: Mapping[int, Person | None]) -> Mapping[int, Person]:
        """Set or erase names in the register; returns what it then is. It counts as changed even by nothing."""
        now = {number: person for number, person in changes.items() if person is not None}
        self._file.executemany("DELETE FROM person WHERE number = ?", [(number,) for number in changes])
        self._file.executemany("INSERT INTO person VALUES (?, ?)", [(n, str(one)) for n, one in now.items()])
        self._file.execute("UPDATE secret SET register = register + 1")
        kept = {n: one for n, one in self.people.items() if n not in changes}
        return dict(sorted({**kept, **now}.items()))

    def _keep(self, state: S, people: Mapping[int, Person]) -> None:
        """Publish what was written; the register's count comes last, so that no page caches an older name."""
        self.state = state
        if people is not self.people:
            self.people = people
            self.register += 1

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction under the lock, begun on what others have written. Raises `ActRefused` if the disk fails."""
        with self._lock:
            try:
                self._file.execute("BEGIN IMMEDIATE")
                self._follow()
                yield
                self._file.execute("COMMIT")
            except sqlite3.Error as fault:
                raise ActRefused("contest/disk", file=self.path, why=fault) from fault
            finally:
                if self._file.in_transaction:
                    with suppress(sqlite3.Error):
                        self._file.execute("ROLLBACK")


@contextmanager
def named_in_refusals(name: str) -> Iterator[None]:
    """Within it a refusal calls the file by this name, whichever copy of it is read."""
    try:
        yield
    except ActRefused as fault:
        raise ActRefused(fault.code, **{**fault.data, "file": name}) from fault


def people_in(file: sqlite3.Connection, without: Collection[int] = ()) -> dict[int, Person]:
    """The register of names by entry number, but for some entries."""
    rows = file.execute("SELECT number, text FROM person").fetchall()
    return {number: Person.parse(text) for number, text in rows if number not in without}


def make_replaced(file: sqlite3.Connection) -> None:
    """Make the table of replaced names; earlier versions had one with a single name for each act."""
    file.execute(REPLACED)
    if file.execute("SELECT 1 FROM sqlite_master WHERE name = 'former'").fetchone():
        file.execute("INSERT OR IGNORE INTO replaced SELECT n, number, text FROM former")
        file.execute("DROP TABLE former")


def copy_into(file: sqlite3.Connection, place: Path, *, purge: bool) -> bool:
    """Bring a copy up to date; False if it is another contest, or has diverged. `purge`: of erased names too.

    Raises `ActRefused`, `sqlite3.Error` or `OSError` if the disk fails.
    """
    ((seed, register, key),) = file.execute("SELECT seed, register, key FROM secret").fetchall()
    if not place.exists():
        (first,) = file.execute("SELECT text FROM line WHERE n = 1").fetchone()
        create_file(place, first, seed)
    try:
        copy = connect(place, patience=BRIEFLY)
    except ActRefused as fault:
        if fault.code == "contest/disk":
            raise
        return False
    with closing(copy):
        copy.execute("BEGIN IMMEDIATE")
        (n,) = copy.execute("SELECT max(n) FROM line").fetchone()
        if not same_line(file, copy, n):
            return False
        missing = file.execute("SELECT n, text FROM line WHERE n > ? ORDER BY n", (n,)).fetchall()
        copy.executemany("INSERT INTO line VALUES (?, ?)", missing)
        copy_names(file, copy, register, purge=purge)
        changed = (seed, register)
        copy.execute("UPDATE secret SET seed = ?, register = ? WHERE (seed, register) != (?, ?)", changed * 2)
        copy.execute("UPDATE secret SET key = ? WHERE key = ?", (secrets.token_hex(32), key))
        copy.execute("COMMIT")
    return True


def copy_names(file: sqlite3.Connection, copy: sqlite3.Connection, register: int, *, purge: bool) -> None:
    """Bring the names of a copy up to date, if it has not this count of the register's changes."""
    make_replaced(copy)
    if purge:
        copy.execute("DELETE FROM person")
    if purge or copy.execute("SELECT register FROM secret").fetchone() != (register,):
        people = file.execute("SELECT * FROM person").fetchall()
        copy.executemany("INSERT OR REPLACE INTO person VALUES (?, ?)", people)
        make_replaced(file)
        replaced = file.execute("SELECT n, number, text FROM replaced").fetchall()
        copy.execute("DELETE FROM replaced")
        copy.executemany("INSERT INTO replaced VALUES (?, ?, ?)", replaced)


def is_copy(file: sqlite3.Connection, place: Path, *, whole: bool) -> bool:
    """Whether a file is a copy of this contest; `whole`: without acts that are not in the contest's file."""
    newest = "SELECT max(n) FROM line" if whole else "SELECT min(n) FROM line"
    try:
        with closing(connect(place)) as copy:
            return same_line(file, copy, *copy.execute(newest).fetchone())
    except (ActRefused, sqlite3.Error, OSError):
        return False


def same_line(one: sqlite3.Connection, other: sqlite3.Connection, n: int) -> bool:
    """Whether two files have the same n-th line, and therefore the same lines before."""
    line = "SELECT text FROM line WHERE n = ?"
    return bool(one.execute(line, (n,)).fetchone() == other.execute(line, (n,)).fetchone())
