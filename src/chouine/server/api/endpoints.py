"""An address of the API: what it takes, what it answers, and who may ask."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from starlette.responses import Response

from chouine.server.tokens import Holder

if TYPE_CHECKING:
    from chouine.server.routes.context import Context


class Caller(NamedTuple):
    """A request of a program: the context, whom its token stands for, and the token."""

    context: Context
    holder: Holder
    token: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one address."""

    method: str
    path: str
    scope: str
    """What the token must allow (`tokens.SCOPES`); empty: any token will do."""
    says: str
    """What it does, in a sentence."""
    answers: type[Struct]
    """What it answers; for a stream, each of its lines."""
    answer: Callable[[Caller, Any], Awaitable[Struct | Response]]
    takes: type[Struct] | None = None
    """The body that it takes."""
    by_seat: bool = False
    """Whether `?seat=` says which of one's seats is meant."""
    streams: bool = False
    made: bool = False
    """Whether it makes something: then the status is 201."""
