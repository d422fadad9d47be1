"""The context of a request that is answered on the device: its one visitor, who needs no cookie and meets no limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast
from urllib.parse import parse_qsl

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from chouine.notation.tokens import token
from chouine.partie.view import View
from chouine.players.heuristic import HeuristicPlayer
from chouine.school.problems import Problem
from chouine.school.review import Review
from chouine.server.difficulty import TrialRating
from chouine.server.offline.device import Device, Me
from chouine.server.page_context import PageContext
from chouine.server.pages.visit import Visit
from chouine.server.repetition import Mistake, ProblemAnswer
from chouine.server.routes.request_context import Asked, Result
from chouine.server.saved import Repetition, SavedState
from chouine.table.commands import Command
from chouine.table.entries import GivenAdvice, Opened
from chouine.table.state import TableState


@dataclass(frozen=True)
class DeviceTables:
    """The device's tables."""

    device: Device

    async def do(
        self,
        table_id: str,
        command: Command,
        _: str | None = None,
        allowed: Callable[[TableState], object] = lambda _: None,
    ) -> TableState:
        """Carry out a command. One that is sent again finds the table moved on: here no answer is lost on the way."""
        allowed(self.device.state_of(table_id))
        return self.device.do(table_id, command)

    def length(self, table_id: str) -> int:
        return self.device.state_of(table_id).n


class DeviceContext(PageContext):
    """A request to the device. Nothing waits: all is in memory, and stored once the request is answered."""

    def __init__(self, device: Device, request: Request) -> None:
        self.device, self.request = device, request

    @property
    def visit(self) -> Visit:
        return self.device.visit

    @property
    def guest(self) -> str:
        return self.device.me.guest

    @property
    def saved(self) -> Me:
        return self.device.me

    @property
    def tables(self) -> DeviceTables:
        return DeviceTables(self.device)

    @property
    def table_id(self) -> str:
        return str(self.request.path_params["table_id"])

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.device.clock(), UTC).astimezone(self.visit.zone)

    async def form(self) -> FormData:
        """The posted form. It comes from the device's own pages, so that it bears no token."""
        self.sent = FormData([*parse_qsl((await self.request.body()).decode(), keep_blank_values=True)])
        return self.sent

    async def count(self, what: str) -> None:
        """Nothing is limited."""

    async def admit(self, *, alone: bool = False) -> None:
        """Nothing is closed."""

    async def match(self) -> tuple[str, TableState]:
        """The identifier of the match in the address, and its state. Raises `Lost`."""
        return self.table_id, self.device.state_of(self.table_id)

    async def table(self) -> tuple[str, TableState]:
        return await self.match()

    async def choose(self, *, explain: bool) -> None:
        self.device.remember(explain=explain)

    async def set_table(self, opened: Opened, played: Iterable[tuple[int, str]] = ()) -> str:
        return self.device.set_table(opened, played=played)

    async def difficulties(self) -> Mapping[str, TrialRating]:
        """No problem has been tried by others."""
        return {}

    async def rate(self, _problem: Problem, *, right: bool) -> TrialRating:  # noqa: ARG002
        """Nothing is rated."""
        return self.saved.school.rated

    def repeat(self, _: ProblemAnswer) -> tuple[Repetition, ...]:
        """Nothing is repeated."""
        return self.saved.school.again

    def repeat_mistakes(self, _: Iterable[Mistake]) -> tuple[Repetition, ...]:
        """Nothing is repeated."""
        return self.saved.school.again

    async def review(self, table_id: str, table: TableState, number: int) -> Review:
        """A finished partie's review so far, which goes on while its page asks for it."""
        return self.device.reviews.of(table_id, number, table.played[number - 1], self.device.clock())

    async def reviews(self, table_id: str, table: TableState) -> list[Review]:
        """The reviews of a match's finished parties."""
        return [await self.review(table_id, table, number) for number in range(1, len(table.played) + 1)]

    async def advise(self, view: View) -> GivenAdvice:
        """Advice by the heuristic."""
        return GivenAdvice(token(HeuristicPlayer().act(view) if view.legal else None))

    async def run_study(
        self, function: Callable[Asked, Result], *args: Asked.args, **named: Asked.kwargs
    ) -> Result:
        """Run a long computation at once: nobody else waits here."""
        return function(*args, **named)

    async def run_beside(
        self, function: Callable[Asked, Result], *args: Asked.args, **named: Asked.kwargs
    ) -> Result:
        """Run a computation at once: WebAssembly has no threads."""
        return function(*args, **named)

    async def seal(self, response: Response, saved: SavedState | None = None) -> Response:
        """The response, after storing changed settings."""
        if saved is not None and saved != self.device.me:
            self.device.save(cast("Me", saved))  # what a route changed of it
        return response


def device_context(request: Request) -> DeviceContext:
    """The context of a request, for functions that only a device has."""
    return DeviceContext(request.app.state.device, request)
