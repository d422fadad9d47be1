"""What a conversation yields, and what is sent back to it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from chouine.cli.terminal.session import Session
from chouine.table import TableState

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Page:
    """A new screen: nothing of the one before stays in sight."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Lines under those already there."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A line to be answered; the answer is sent back."""

    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The session has changed."""

    session: Session


@dataclass(frozen=True, slots=True)
class TableOver:
    """The last partie of this table is over."""

    table: TableState


Output = Page | Notice | Prompt | Keep | TableOver
Talk = Generator[Output, str, Value]


class Left(Exception):
    """A person asked to stop; the table is kept."""
