"""Imported by the process from which servers are forked: what each would do anew before its first page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from chouine.days import zones
from chouine.server.migrations import upgrade
from chouine.server.offline import bundle
from tests.server.templates import load_templates, share_templates

share_templates()
load_templates()
bundle.takeaway()
zones()
with TemporaryDirectory() as folder:
    file = Path(folder) / "chouine.db"
    upgrade(f"sqlite+aiosqlite:///{file}")
    NEWEST = file.read_bytes()
    """An empty SQLite database of the newest schema."""


def lay_newest(database: str) -> None:
    """Make the file of an SQLite database that is not there, since migrations are most of a server's start."""
    address = sa.make_url(database)
    if address.get_backend_name() == "sqlite" and address.database:
        with suppress(OSError), Path(address.database).open("xb") as new:
            new.write(NEWEST)
