"""Save a session to disk atomically after every move, and read it back.

The file holds all hands, so only its owner can read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chouine.cli.terminal.session import Session, person
from chouine.errors import ChouineError
from chouine.files import write_whole
from chouine.folders import user_folder
from chouine.match import Match
from chouine.notation.tokens import read_seat
from chouine.partie.deal import SEATS
from chouine.table import Command, LogEntry, SeatHolder
from chouine.table import commands as ask
from chouine.table import entries as log

VERSION = 1
BEGINNING = b'{"table": "'


class DamagedSave(ChouineError):
    """A save file that cannot be read back; `code` is `terminal/damaged`."""


def state_folder() -> Path | None:
    """The user's folder for matches in progress; None without a home."""
    return user_folder("XDG_STATE_HOME", ".local/state")


@contextlib.contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Lock a save while this process plays; another process is refused it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / f"{path.name}.lock").open("wb") as lock:
        try:
            import fcntl
        except ImportError:  # this system has no such locks
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ChouineError("terminal/busy", path=path) from None
        yield


def write(path: Path, session: Session) -> None:
    """Replace the file by the session atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, to_text(session), private=True)


def read(path: Path) -> Session:
    """Read a saved session. Raises `DamagedSave` if the file was changed, `ChouineError` for a device or a pipe."""
    if not (path.is_file() or path.is_dir()):
        raise ChouineError("file/not-a-file", file=path)
    try:
        return of_text(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as fault:
        raise DamagedSave("terminal/damaged") from fault


def is_ours(path: Path) -> bool:
    """Whether a file that cannot be read is a save all the same: it is in the usual place, or begins like one."""
    folder = state_folder()
    with path.open("rb") as file:
        return path.parent == folder or file.read(len(BEGINNING)) == BEGINNING


def set_aside(path: Path) -> Path:
    """Rename an unreadable save so that nothing overwrites it; returns its new path."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


def to_text(session: Session) -> str:
    """The session as text, with a digest to detect damage."""
    body = json.dumps(to_data(session), ensure_ascii=False)
    return json.dumps({"table": body, "digest": digest(body)}, ensure_ascii=False) + "\n"


def of_text(text: str) -> Session:
    """Parse the text that `to_text` gives."""
    try:
        match json.loads(text):
            case {"table": str(body), "digest": str(proof)} if digest(body) == proof:
                return of_data(json.loads(body))
    except (ChouineError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise DamagedSave("terminal/damaged") from fault
    raise DamagedSave("terminal/damaged")


def digest(body: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(body.encode()).hexdigest()


def to_data(session: Session) -> dict[str, Any]:
    """The session as JSON data. Files of earlier versions have the same keys."""
    return {
        "version": VERSION,
        "match": session.begun.to_data(),
        "chairs": [[holder.name, holder.player] for holder in session.holders],
        "seed": session.seed,
        "shuffles": session.shuffles,
        "moves": [move_text(entry) for entry in session.log],
    }


def of_data(data: dict[str, Any]) -> Session:
    """The session from the data that `to_data` gives, its moves replayed."""
    if data["version"] != VERSION:
        raise DamagedSave("terminal/damaged")
    holders = tuple(
        person(name) if kind == "person" else SeatHolder(kind, name) for name, kind in data["chairs"]
    )
    session = Session.at(Match.from_data(data["match"]), holders, data["seed"], data["shuffles"])
    for text in data["moves"]:
        session = session.do(command_of(text, session.asked.seat))
    return session


def move_text(entry: LogEntry) -> str:
    """An entry as one word or two; places of the spread pack count from 1."""
    match entry:
        case log.Picked(place=place):
            return f"pick {place + 1}"
        case log.Cut(at=at):
            return f"cut {at}"
        case log.Acted(token=token):
            return token
        case log.Conceded(seat=seat):
            return f"concede {SEATS[seat]}"
        case log.Passed():
            return "pass"
        case _:
            raise TypeError(f"not saved by itself: {entry!r}")


def command_of(text: str, seat: int) -> Command:
    """The command for a move as `move_text` writes it, by the seat that is asked."""
    match text.split():
        case ["pick", place]:
            return ask.Pick(seat, int(place) - 1)
        case ["cut", at]:
            return ask.CutAt(seat, int(at))
        case ["pass"]:
            return ask.Pass(seat)
        case ["concede", letter]:
            return ask.Concede(read_seat(letter))
        case _:
            return ask.Act(seat, text)
