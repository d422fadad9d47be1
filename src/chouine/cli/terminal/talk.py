"""What a conversation yields, and what is sent back to it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from chouine.cli.terminal.table import Table
from chouine.match import Match
from chouine.partie import State

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Page:
    """A new screen: nothing of the one before stays in sight."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Lines under those already there."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A line to be answered; the answer is sent back."""

    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The table has changed."""

    table: Table


@dataclass(frozen=True, slots=True)
class Finished:
    """A partie is over: what a record tells of it. `stopped` is the seat that gave it up."""

    match: Match
    state: State
    stopped: int | None


Output = Page | Note | Question | Keep | Finished
Talk = Generator[Output, str, Value]


class Left(Exception):
    """A person asked to stop; the table is kept."""
