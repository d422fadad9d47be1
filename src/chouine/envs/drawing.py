"""An environment's partie drawn for people."""

from __future__ import annotations

import sys

from chouine.errors import ChouineError
from chouine.notation.drawing import Pen, TrickLines
from chouine.partie.deal import SEATS
from chouine.partie.view import View

RENDER_MODES = ("ansi", "human")


class UnknownRenderMode(ChouineError, ValueError):
    """A way of drawing that there is not."""


def check_render_mode(mode: str | None) -> None:
    """Raise `UnknownRenderMode` for one that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise UnknownRenderMode("research/render", mode=mode, known=", ".join(RENDER_MODES))


def drawn(view: View, mode: str) -> str | None:
    """The drawing as a text ("ansi"), or printed on standard output ("human")."""
    sheet = TrickLines(Pen("en", SEATS))
    sheet.write(list(view.events))
    text = "\n".join([str(view.rules), *sheet.lines])
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None
