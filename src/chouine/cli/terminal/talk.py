"""The messages that a conversation yields."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from chouine.cli.terminal.session import Session
from chouine.table import TableState

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Page:
    """A new screen, which replaces all of the one before."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Lines below those already shown."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question; its answer is sent back to the generator."""

    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The session has changed and must be saved."""

    session: Session


@dataclass(frozen=True, slots=True)
class TableOver:
    """The last partie of this table is over."""

    table: TableState


Output = Page | Notice | Prompt | Keep | TableOver
Talk = Generator[Output, str, Value]


class Left(Exception):
    """A person asked to leave; the session stays saved."""
