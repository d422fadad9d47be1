"""Render an environment's partie."""

from __future__ import annotations

import sys

from chouine.errors import ChouineError
from chouine.notation.drawing import Pen, TrickLines
from chouine.partie.deal import SEATS
from chouine.partie.view import View

RENDER_MODES = ("ansi", "human")


class UnknownRenderMode(ChouineError, ValueError):
    """The render mode does not exist."""


def check_render_mode(mode: str | None) -> None:
    """Raise `UnknownRenderMode` unless the mode exists."""
    if mode is not None and mode not in RENDER_MODES:
        raise UnknownRenderMode("research/render", mode=mode, known=", ".join(RENDER_MODES))


def draw_view(view: View, mode: str) -> str | None:
    """The drawing as text ("ansi"), or None after printing it ("human")."""
    sheet = TrickLines(Pen("en", SEATS))
    sheet.write(list(view.events))
    text = "\n".join([str(view.rules), *map("  ".join, sheet.parts)])
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None
