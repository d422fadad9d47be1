"""The soundness of a problem: exactly one act is right, by whatever method the position needs."""

from __future__ import annotations

from typing import NamedTuple

from chouine.partie.actions import Action


class Sound(NamedTuple):
    """The only right act, and what the second best loses, in shares of a partie."""

    best: Action
    gap: float
