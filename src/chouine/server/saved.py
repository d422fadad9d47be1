"""What is stored of a visitor: settings and learning progress, on a server and on a device without a network."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import msgspec

from chouine.server.counting import Records
from chouine.server.difficulty import TrialRating
from chouine.server.pages.visit import Settings

KEPT = 12
"""Most score sheets stored for a browser."""


class Repetition(msgspec.Struct, frozen=True):
    """An item in the queue: a problem or a mistake, with its memory state."""

    problem: str
    """The item's name: a problem's id, or an encoded mistake."""
    due: datetime
    last: datetime
    stability: float
    difficulty: float


class Schooling(msgspec.Struct, frozen=True):
    """A browser's learning progress."""

    done: tuple[str, ...] = ()
    """Lessons finished, by name."""
    course: tuple[str, ...] = ()
    """Acts of the guided partie so far."""
    solved: tuple[str, ...] = ()
    """Solved problems, latest last."""
    days: tuple[date, ...] = ()
    """Days with the daily problem solved."""
    again: tuple[Repetition, ...] = ()
    """Problems and mistakes to be repeated."""
    rated: TrialRating = TrialRating()
    """The visitor's rating, from first tries at problems."""
    counting: Records = ()
    """Records of the counting trainer."""


class SavedSheet(msgspec.Struct, frozen=True):
    """A stored score sheet: its acts."""

    names: tuple[str, ...]
    rules: str
    format: str
    acts: str = ""


Sheets = tuple[SavedSheet, ...]
"""A browser's sheets; the last is the one in use."""


class SavedState(msgspec.Struct, frozen=True):
    """A browser's settings and progress as stored."""

    name: str = ""
    language: str = ""
    settings: Settings = Settings()
    level: int = 0
    explain: bool = False
    """Whether explanations are on at tables against computers."""
    school: Schooling = Schooling()
    sheets: Sheets = ()


def encode_saved(saved: SavedState) -> bytes:
    """Settings and progress as they are stored: only what differs from the defaults, `{}` if nothing does."""
    return msgspec.json.encode(changed_settings(msgspec.to_builtins(saved), DEFAULTS))


def changed_settings(values: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """The values that differ from their defaults, in nested dictionaries too."""
    return {
        name: changed_settings(value, defaults[name]) if isinstance(value, dict) else value
        for name, value in values.items()
        if value != defaults[name]
    }


DEFAULTS: dict[str, Any] = msgspec.to_builtins(SavedState())
