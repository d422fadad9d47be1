"""Shared by backup, restore and move: transfer a database, verify the copy, print one line."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from gettext import gettext as _
from gettext import ngettext

from chouine.cli.databases import require_file, try_file
from chouine.server.transfer import Carried, transfer


def run_transfer(
    command: str, databases: Callable[[], tuple[str, str]], prepare: Callable[[str, str], None]
) -> int:
    """Run a transfer. Exit code: 0 all is verified, 1 copied but a match cannot be replayed, 2 nothing done."""
    try:
        source, target = databases()
        require_file(source)
        try_file(source)
        prepare(source, target)
        done = asyncio.run(transfer(source, target))
    except Exception as error:  # noqa: BLE001  # what a driver raises is its own affair
        why = str(error).partition("\n")[0] or type(error).__name__
        print(f"chouine {command}: {why}", file=sys.stderr)
        return 2
    print(transfer_summary(done))
    return int(bool(done.damaged))


def transfer_summary(done: Carried) -> str:
    """One line on what was transferred."""
    rows = ", ".join(f"{name} {count}" for name, count in sorted(done.rows.items()))
    if done.damaged:
        sound = ngettext(
            "%(num)s match is damaged and copied as it is (%(games)s)",
            "%(num)s matches are damaged and copied as they are (%(games)s)",
            len(done.damaged),
        ) % {"num": len(done.damaged), "games": ", ".join(done.damaged)}
    else:
        sound = _("every match can be played again")
    counts = {"rows": rows, "sound": sound, "parties": done.parties}
    return (
        _("Rows: %(rows)s. Read back and compared; %(sound)s; finished parties verified: %(parties)s.")
        % counts
    )
