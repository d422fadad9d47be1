"""Log entries as JSON, the form in which they are stored: `kind` first, then the entry's fields in order.

Stored logs must stay readable: a class may be renamed, its kind and its fields may not.
"""

from __future__ import annotations

from dataclasses import fields

import msgspec

from chouine.table import entries as log
from chouine.table.brief import Brief
from chouine.table.entries import LogEntry

KINDS: dict[str, type[LogEntry]] = {
    "opened": log.Opened,
    "sat": log.Sat,
    "shuffled": log.Shuffled,
    "picked": log.Picked,
    "cut": log.Cut,
    "acted": log.Acted,
    "passed": log.Passed,
    "window-closed": log.WindowClosed,
    "ready": log.Ready,
    "conceded": log.Conceded,
    "forfeited": log.Forfeited,
    "pause-asked": log.PauseAsked,
    "resumed": log.Resumed,
    "spoke": log.Spoke,
    "revanche-asked": log.RevancheAsked,
    "followed": log.Followed,
    "missed": log.Missed,
    "credited": log.Credited,
    "explained": log.Explained,
    "advised": log.Advised,
    "asked-more": log.AskedMore,
    "took-back": log.TookBack,
    "went-on-holiday": log.WentOnHoliday,
    "came-back": log.CameBack,
}


class EntryTag(msgspec.Struct, gc=False):
    """The part of a stored entry that says what the rest is."""

    kind: str


SHAPES = {shape: (kind, [field.name for field in fields(shape)]) for kind, shape in KINDS.items()}
DECODERS = {kind: msgspec.json.Decoder(shape) for kind, shape in KINDS.items()}
TAGGED = msgspec.json.Decoder(EntryTag)
ENCODER = msgspec.json.Encoder()


def encode(entry: LogEntry) -> bytes:
    """An entry as it is stored."""
    kind, names = SHAPES[type(entry)]
    return ENCODER.encode({"kind": kind} | {name: getattr(entry, name) for name in names})


def decode(body: bytes | str) -> LogEntry:
    """The entry that `encode` wrote; `msgspec.ValidationError` for anything else."""
    decoder = DECODERS.get(TAGGED.decode(body).kind)
    if decoder is None:
        raise msgspec.ValidationError("no such kind of entry")
    return decoder.decode(body)


encode_brief = msgspec.json.Encoder().encode
"""A table in a line, as it is stored once it is over: its log is not folded for it."""
decode_brief = msgspec.json.Decoder(Brief).decode
