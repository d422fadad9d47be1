"""The form in which a browser stores a match and uploads it: its log in the server's codec."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chouine.server.codec import decode, encode
from chouine.table.brief import Brief
from chouine.table.entries import LogEntry


class StoredMatch(msgspec.Struct, frozen=True):
    """A stored match: its identifier, its line in lists, and its entries with their times."""

    id: str
    brief: Brief
    log: tuple[tuple[float, msgspec.Raw], ...]

    @property
    def entries(self) -> list[tuple[LogEntry, float]]:
        """The decoded log. Raises `msgspec.ValidationError`."""
        return [(decode(bytes(body)), at) for at, body in self.log]


def stored_match(table_id: str, brief: Brief, entries: Iterable[tuple[LogEntry, float]]) -> StoredMatch:
    """A match in its stored form."""
    return StoredMatch(table_id, brief, tuple((at, msgspec.Raw(encode(entry))) for entry, at in entries))


write = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(StoredMatch).decode
