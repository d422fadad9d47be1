"""Parties that a person brings as a file of records (`.cgn`), shown as a match of which this server knows nothing else.

They are no table: nobody's seat, statistics or rating has them, and who played is what the file says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from io import StringIO
from itertools import groupby, islice

from chouine.errors import ChouineError, NotationError
from chouine.match.score import Format, Match, Standing
from chouine.names import NameRefused
from chouine.notation.deals import complete_deal
from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.partie.deal import SEATS
from chouine.phrases import Language, say
from chouine.server.forms import name_of, told_apart
from chouine.server.records import ImportedTable
from chouine.server.table_ids import IMPORTED, LENGTH
from chouine.table.entries import NOBODY, Opened, SeatHolder
from chouine.table.state import HELPS, FinishedPartie, Phase

LARGEST = 50_000
"""Most bytes of a file."""
MOST = 50
"""Most parties of a file: twice those of the longest usual match."""
KEPT = 100
"""Most files that a guest may have here at a time."""
LATEST = 16
"""Matches whose text is not read again for each page: one of 50 parties takes 25 ms."""
SHOWN = 5
"""Faults of a file that are shown."""


class ImportRefused(ChouineError):
    """A file that cannot be brought as a whole; `code` is `import/…`."""


class FileFaults(Exception):
    """What is wrong in a file: at each place, or partie, an error."""

    def __init__(self, faults: Sequence[ChouineError]) -> None:
        super().__init__(faults)
        self.faults = faults


def text_of(file: bytes) -> str:
    """A file's text: UTF-8, or UTF-16 that says so; the reader tells the place of a byte that is neither.

    `?` stands for NUL, which PostgreSQL has no place for.
    """
    if file.startswith((b"\xff\xfe", b"\xfe\xff")):
        return file.decode("utf-16", errors="replace").replace("\0", "?")
    return file.decode("utf-8-sig", errors="surrogateescape").replace("\0", "?")


def too_long() -> ImportRefused:
    """The refusal of a file that is longer than `LARGEST`."""
    return ImportRefused("import/too-long", most=LARGEST // 1000)


def read_file(text: str) -> list[Record]:
    """The parties of a file, all of them finished and with every card known.

    Raises `ImportRefused` for a file without any or with too many, `FileFaults` for whatever cannot be read or played.
    """
    if len(text.encode(errors="replace")) > LARGEST:
        raise too_long()
    entries = list(islice(read_records(StringIO(text, newline=None)), MOST + 1))
    if not entries:
        raise ImportRefused("import/empty")
    if faults := list(faults_of(entries)):
        raise FileFaults(faults)
    if len(entries) > MOST:
        raise ImportRefused("import/too-many", most=MOST)
    return [entry for entry in entries if isinstance(entry, Record)]


def faults_of(entries: Sequence[Record | NotationError]) -> Iterator[ChouineError]:
    """What is wrong with each entry of a file, if anything is."""
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, NotationError):
            yield entry
        elif complete_deal(entry.deal) is None:
            yield ImportRefused("import/hidden", number=number)
        elif entry.result.by == "unfinished":
            yield ImportRefused("import/not-over", number=number)


def fault_in_words(fault: ChouineError, language: Language) -> str:
    """A fault with its place in the file, if it has one."""
    why = say(fault.code, language, **fault.data)
    if isinstance(fault, NotationError):
        return say("import/place", language, line=fault.line, column=fault.column, why=why)
    return why


def matches_in(records: Sequence[Record]) -> list[list[Record]]:
    """The parties by match: successive ones by the same rules with the same players."""
    return [list(group) for _, group in groupby(records, lambda one: (str(one.rules), one.tag("Players")))]


def names_in(record: Record) -> tuple[str, ...]:
    """The players of a record, by seat, under names that can be shown; empty ones where there are none."""
    given = [name.strip() for name in (record.tag("Players") or "").split(";")]
    names = []
    for seat in range(record.rules.seats):
        name = ""
        with suppress(NameRefused, IndexError):
            name = name_of(given[seat]) if given[seat] else ""
        names.append(name)
    return tuple(names)


def row_of(records: Sequence[Record], guest: str, now: float) -> dict[str, object]:
    """A match as it is stored; the same guest's same parties have the same identifier."""
    body = "".join(f"{record}\n\n" for record in records)
    digest = hashlib.sha256(f"{guest} {body}".encode()).hexdigest()
    return {
        "id": (IMPORTED + digest)[:LENGTH],
        "guest": guest,
        "at": now,
        "title": ";".join(names_in(records[0])),
        "parties": len(records),
        "body": body,
    }


@lru_cache(LATEST)
def imported_table(guest: str, at: float, body: str) -> ImportedTable:
    """The match of a stored file."""
    records = tuple(one for one in read_records(StringIO(body)) if isinstance(one, Record))
    rules = records[0].rules
    names = (SeatHolder("person", name, NOBODY) for name in names_in(records[0]))
    holders = told_apart(names)
    won = tuple(sum(one.result.winner == seat for one in records) for seat in range(rules.seats))
    form = Format(
        1 if len(records) == 1 else len(records) + 1, 1
    )  # several are no manche that anybody has won
    return ImportedTable(
        n=1,
        opened=Opened(str(rules), str(form), holders),
        holders=holders,
        match=Match(rules, form, known=Standing(won, over=True)),
        phase=Phase.OVER,
        since=at,
        reserves=(0.0,) * rules.seats,
        played=tuple(finished_partie_of(one, number) for number, one in enumerate(records, 1)),
        helped=frozenset(kind for kind in HELPS if kind in (records[0].tag("Help") or "")),
        records=records,
        owner=guest,
    )


def finished_partie_of(record: Record, number: int) -> FinishedPartie:
    """A record's partie; what the file says of its pack proves nothing, since no server showed its digest."""
    termination = record.tag("Termination") or ""
    stopped = termination.partition(" ")[2]
    return FinishedPartie(
        manche=1,
        partie=number,
        score="",
        pack=None,
        cut=0,
        rules=record.rules,
        deal=str(record.deal),
        acts=" ".join(map(str, record.actions)),
        result=record.result,
        stopped=SEATS.index(stopped) if stopped else None,
    )
