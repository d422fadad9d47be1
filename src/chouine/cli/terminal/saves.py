"""The table on disk: written whole after every move, read back to the very same table.

The file holds the truth of every hand, so that only its owner may read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chouine.cli.terminal.table import Act, Chair, Concede, Cut, Move, Pass, Pick, Table
from chouine.errors import ChouineError
from chouine.match import Match
from chouine.notation.tokens import read_action, read_seat
from chouine.partie.deal import SEATS

VERSION = 1


class DamagedSave(ChouineError):
    """A save file that cannot be read back; `code` is `terminal/damaged`."""


def default_path(environment: Mapping[str, str]) -> Path:
    """Where a match in progress is kept: the user's state directory (XDG)."""
    state = Path(environment.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():
        state = Path(environment.get("HOME") or Path.home()) / ".local" / "state"
    return state / "chouine" / "match.json"


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep a save to this process while it plays: another that asks for it is told, and plays elsewhere."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / f"{path.name}.lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ChouineError("terminal/busy", path=path) from None
        yield


def write(path: Path, table: Table) -> None:
    """Put the table in place of what the file held: at no moment is there half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.parent / f".{path.name}.new"
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(to_text(table))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the new name itself reach the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read(path: Path) -> Table:
    """The table a file holds; `DamagedSave` if it is not what `write` left there."""
    try:
        return of_text(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as fault:
        raise DamagedSave("terminal/damaged") from fault


def set_aside(path: Path) -> Path:
    """Rename a file that cannot be read, so that nothing overwrites it; its new path."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


def to_text(table: Table) -> str:
    """The table as text, with a digest that tells damage."""
    body = json.dumps(to_data(table), ensure_ascii=False)
    return json.dumps({"table": body, "digest": digest(body)}, ensure_ascii=False) + "\n"


def of_text(text: str) -> Table:
    """The table that `to_text` wrote."""
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


def to_data(table: Table) -> dict[str, Any]:
    """What the table follows from."""
    return {
        "version": VERSION,
        "match": table.match.to_data(),
        "chairs": [[chair.name, chair.kind] for chair in table.chairs],
        "seed": table.seed,
        "shuffles": table.shuffles,
        "moves": [move_text(move) for move in table.moves],
    }


def of_data(data: dict[str, Any]) -> Table:
    """The table that `to_data` tells of, by making its moves again."""
    if data["version"] != VERSION:
        raise DamagedSave("terminal/damaged")
    chairs = tuple(Chair(name, kind) for name, kind in data["chairs"])
    table = Table(Match.from_data(data["match"]), chairs, data["seed"], data["shuffles"])
    for text in data["moves"]:
        table = table.take(move_of(text))
    return table


def move_text(move: Move) -> str:
    """A move as one word or two."""
    match move:
        case Pick(place=place):
            return f"pick {place}"
        case Cut(at=at):
            return f"cut {at}"
        case Act(action=action):
            return str(action)
        case Concede(seat=seat):
            return f"concede {SEATS[seat]}"
        case _:
            return type(move).__name__.lower()


def move_of(text: str) -> Move:
    """The move that `move_text` wrote. Those that end a partie or a tirage are in the match, not among the moves."""
    match text.split():
        case ["pick", place]:
            return Pick(int(place))
        case ["cut", at]:
            return Cut(int(at))
        case ["pass"]:
            return Pass()
        case ["concede", seat]:
            return Concede(read_seat(seat))
        case _:
            return Act(read_action(text))
