"""What makes a problem sound: exactly one act is right, whatever way the position asks to find that out."""

from __future__ import annotations

from typing import NamedTuple

from chouine.partie.actions import Action


class Sound(NamedTuple):
    """The one right act, and what the next best gives away, in shares of a partie."""

    best: Action
    gap: float
