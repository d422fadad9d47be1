"""What may be closed to visitors: by the server's settings, to all; by its keeper, to one; during maintenance."""

from __future__ import annotations

from gettext import gettext as _

from chouine.errors import ChouineError

SWITCHES = ("strangers", "contests", "newcomers", "levels", "offline")
"""What a setting can switch off: finding a partner; announcing and entering contests; browsers that have never played
here; levels 7 and 8; the copy for play without a network."""


class Closed(ChouineError):
    """What is closed; `code` is `closed/` and a switch, `barred` or `maintenance`."""


def switches_in(text: str) -> frozenset[str]:
    """The switches named in a text, separated by commas. Raises `ValueError` with a sentence for any other."""
    named = frozenset(filter(None, (word.strip() for word in text.split(","))))
    for word in sorted(named - set(SWITCHES)):
        what = {"what": word, "known": ", ".join(SWITCHES)}
        raise ValueError(_("--off takes some of %(known)s, separated by commas, not “%(what)s”") % what)
    return named
