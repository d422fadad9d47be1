"""What backup, restore and move have in common: carry, check, and say in a line what came of it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from gettext import gettext as _
from gettext import ngettext
from pathlib import Path

from chouine.cli.serve import try_file
from chouine.server.transfer import CannotTransfer, Carried, transfer


def carry(command: str, databases: Callable[[], tuple[str, str]], prepare: Callable[[str, str], None]) -> int:
    """0 when all is there and sound, 1 where a match cannot be played again, 2 when nothing was carried."""
    try:
        source, target = databases()
        there(source)
        prepare(source, target)
        done = asyncio.run(transfer(source, target))
    except Exception as error:  # noqa: BLE001  # what a driver raises is its own affair
        why = str(error).partition("\n")[0] or type(error).__name__
        print(f"chouine {command}: {why}", file=sys.stderr)
        return 2
    print(told(done))
    return int(done.unreadable > 0)


def there(source: str) -> None:
    """SQLite would make a missing file rather than say so."""
    path = source.removeprefix("sqlite+aiosqlite:///")
    if path != source and not Path(path).is_file():
        raise CannotTransfer(_("there is no file %(file)s") % {"file": path})
    try_file(source)


def told(done: Carried) -> str:
    """What was carried, in a line."""
    rows = ", ".join(f"{name} {count}" for name, count in sorted(done.rows.items()))
    if done.unreadable:
        sound = ngettext(
            "%(num)s match cannot be played again", "%(num)s matches cannot be played again", done.unreadable
        ) % {"num": done.unreadable}
    else:
        sound = _("every match can be played again")
    told = {"rows": rows, "sound": sound, "parties": done.parties}
    return (
        _("Rows: %(rows)s. Read back and compared; %(sound)s; finished parties verified: %(parties)s.") % told
    )
