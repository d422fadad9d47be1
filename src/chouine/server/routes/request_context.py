"""What functions that a device without a network serves too know of a request, and how they answer."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import ParamSpec, Protocol, TypeVar

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from chouine.partie.view import View
from chouine.school.problems import Problem
from chouine.school.review import Review
from chouine.server.difficulty import TrialRating
from chouine.server.pages.visit import Visit
from chouine.server.repetition import Mistake, ProblemAnswer
from chouine.server.saved import Repetition, SavedState
from chouine.table.commands import Command
from chouine.table.entries import GivenAdvice, Opened
from chouine.table.state import TableState

Asked = ParamSpec("Asked")
Result = TypeVar("Result")


NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""The form of table and command identifiers."""


class PlayedTables(Protocol):
    """Tables at which commands are carried out."""

    async def do(
        self,
        table_id: str,
        command: Command,
        command_id: str | None = None,
        allowed: Callable[[TableState], object] = ...,
    ) -> TableState:
        """Carry out a command once and return the new state, if `allowed` does not raise for the one before it."""

    def length(self, table_id: str) -> int:
        """The number of entries of a table that are in memory."""


class RequestContext(Protocol):
    """A request, its visitor, and the matches and settings that are stored for them."""

    @property
    def request(self) -> Request:
        """The request."""

    refused: str
    """Why what the form asked for was refused, as a sentence; empty if nothing was."""

    @property
    def visit(self) -> Visit:
        """What pages may know of the visitor."""

    @property
    def guest(self) -> str:
        """The visitor's identifier at tables."""

    @property
    def tables(self) -> PlayedTables:
        """The tables."""

    @property
    def table_id(self) -> str:
        """The identifier of the table in the address. Raises 404 for an impossible one."""

    @property
    def saved(self) -> SavedState:
        """The visitor's settings and progress."""

    @property
    def now(self) -> datetime:
        """The present moment in the visitor's time zone."""

    async def form(self) -> FormData:
        """The posted form, if it is the visitor's own."""

    def refusals(self) -> AbstractContextManager[None, bool]:
        """What keeps as `refused` the sentence for a `ChouineError` raised within it, and goes on after it."""

    async def count(self, what: str) -> None:
        """Count a request against limits, where there are any."""

    async def admit(self, *, alone: bool = False) -> None:
        """Refuse what is closed to the visitor. `alone`: for what reaches nobody else."""

    async def table(self) -> tuple[str, TableState]:
        """The identifier of the table in the address, and its state. Raises 404 if there is none."""

    async def match(self) -> tuple[str, TableState]:
        """The identifier of the match in the address, and its state. Raises 404 if there is none."""

    async def set_table(self, opened: Opened, played: Iterable[tuple[int, str]] = ()) -> str:
        """Open a table; its identifier. `played`: the acts until some decision, as (seat, token)."""

    async def difficulties(self) -> Mapping[str, TrialRating]:
        """The problems that enough people have tried, by their ratings."""

    async def rate(self, problem: Problem, /, *, right: bool) -> TrialRating:
        """Rate a problem and the visitor after a first try; the visitor's rating."""

    def repeat(self, answer: ProblemAnswer, /) -> tuple[Repetition, ...]:
        """What is to be repeated after an answer."""

    def repeat_mistakes(self, mistakes: Iterable[Mistake], /) -> tuple[Repetition, ...]:
        """What is to be repeated once mistakes have joined it."""

    async def review(self, table_id: str, table: TableState, number: int) -> Review:
        """A finished partie's review so far; what is missing is begun."""

    async def reviews(self, table_id: str, table: TableState) -> list[Review]:
        """The reviews of all finished parties of a match so far; what is missing is begun."""

    async def advise(self, view: View) -> GivenAdvice:
        """Advice for the seat on turn."""

    async def run_study(
        self, function: Callable[Asked, Result], *args: Asked.args, **named: Asked.kwargs
    ) -> Result:
        """Run a long computation in fair turns."""

    async def run_beside(
        self, function: Callable[Asked, Result], *args: Asked.args, **named: Asked.kwargs
    ) -> Result:
        """Run a computation that takes a moment, without holding up others."""

    async def choose(self, *, explain: bool) -> None:
        """Store whether the visitor wants explanations."""

    async def page(self, html: str, status: int | None = None) -> Response:
        """A page; without a status 200, or 422 after a refusal."""

    async def go(self, address: str) -> Response:
        """A redirect after a post."""

    async def seal(self, response: Response, saved: SavedState | None = None) -> Response:
        """The response, after storing changed settings."""


async def context_of(request: Request) -> RequestContext:
    """The context of a request, from the application that answers it."""
    context: RequestContext = await request.app.state.context_of(request)
    return context


async def command_context_of(request: Request) -> RequestContext:
    """The context of a command, without the visitor's stored settings where they are not at hand."""
    context: RequestContext = await request.app.state.command_context_of(request)
    return context


def wants_json(request: Request) -> bool:
    """Whether the request wants JSON."""
    return "application/json" in request.headers.get("accept", "")


def lot(size: int) -> int:
    """A random number below `size`."""
    return int(secrets.token_hex(8), 16) % size
