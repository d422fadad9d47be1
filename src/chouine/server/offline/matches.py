"""A match as a browser keeps it and as it carries it to a server: its log, by the server's own codec."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chouine.server.codec import decode, encode
from chouine.table.brief import Brief
from chouine.table.entries import LogEntry


class StoredMatch(msgspec.Struct, frozen=True):
    """A match: its identifier, its line in a list, and its entries, each with when it was logged."""

    id: str
    brief: Brief
    log: tuple[tuple[float, msgspec.Raw], ...]

    @property
    def entries(self) -> list[tuple[LogEntry, float]]:
        """The log; `msgspec.ValidationError` for what is none."""
        return [(decode(bytes(body)), at) for at, body in self.log]


def kept(game: str, brief: Brief, entries: Iterable[tuple[LogEntry, float]]) -> StoredMatch:
    """A match to be kept."""
    return StoredMatch(game, brief, tuple((at, msgspec.Raw(encode(entry))) for entry, at in entries))


write = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(StoredMatch).decode
