"""Erasing from backups whoever was erased from the database since they were made."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from gettext import gettext as _
from pathlib import Path

from chouine.cli.backup import one_file
from chouine.cli.databases import file_url


def clear_copies(database: str, folder: Path) -> int:
    """Clear every backup (`*.db`) in a folder, and print how many; one of another schema is named and left.

    So is one that cannot be read or written; the exit code is then 1. Raises `NotADirectoryError`.
    """
    from chouine.server.database import Damaged, Unreachable
    from chouine.server.erasure import erased_guests
    from chouine.server.store import Store

    async def read() -> frozenset[str]:
        async with Store.at(database) as store:
            return frozenset(await erased_guests(store))

    if not folder.is_dir():
        raise NotADirectoryError(folder)
    guests, cleared, status = asyncio.run(read()), 0, 0
    os.umask(0o077)
    for file in sorted(filter(Path.is_file, folder.glob("*.db"))):
        try:
            if asyncio.run(clear_copy(file.absolute(), guests)):
                one_file(file)
                cleared += 1
        except (Damaged, Unreachable, OSError, sqlite3.Error) as error:
            status, said = 1, {"file": file, "why": error}
            why = _("not everybody was erased from %(file)s: %(why)s") % said
            print(f"chouine: {why}", file=sys.stderr)
    print(_("backups from which somebody was erased: %(count)s") % {"count": cleared})
    return status


async def clear_copy(file: Path, guests: frozenset[str]) -> bool:
    """Erase guests from a backup; whether any had to be."""
    from chouine.server.contest.online import Contests
    from chouine.server.erasure import finish_erasures
    from chouine.server.schema import VERSION
    from chouine.server.store import Store
    from chouine.server.tables import Tables

    async with Store.at(file_url(file)) as store:
        if await store.shape() != VERSION:
            why = _("%(file)s is of another version of Chouine: nobody was erased from it") % {"file": file}
            print(f"chouine: {why}", file=sys.stderr)
            return False
        tables = Tables(store)
        return await finish_erasures(tables, Contests(store, tables.clock), guests) > 0
