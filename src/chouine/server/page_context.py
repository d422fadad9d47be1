"""What the context of every request for a page does alike, on a server, at a contest's desk and in a season."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.refill import refill


class PageContext(ABC):
    """A request of a browser, and how it is answered.

    What a form asks for is carried out within `refusals()`. The page shown after a refusal says why, with status 422,
    and has the form as it was sent.
    """

    request: Request
    refused: str = ""
    """Why what the form asked for was refused, as a sentence; empty if nothing was."""
    sent: FormData | None = None
    """The form that this request has sent, once it was read."""

    @property
    @abstractmethod
    def visit(self) -> Visit:
        """What pages may know of the browser."""

    def refusals(self) -> Refusals:
        """What keeps as `refused` the sentence for a `ChouineError` raised within it, and goes on after it."""
        return Refusals(self)

    def sentence(self, error: ChouineError) -> str:
        """The sentence for an error in the browser's language."""
        return say(error.code, self.visit.language, **error.data)

    async def seal(self, response: Response) -> Response:
        """The response, with what this browser has to keep."""
        return response

    async def page(self, html: str, status: int | None = None) -> Response:
        """A page; without a status 200, or 422 after a refusal."""
        status = status or (422 if self.refused else 200)
        if status == 422 and self.sent is not None:
            html = refill(html, self.request.url.path, self.sent)
        return await self.seal(HTMLResponse(html, status))

    async def show(self, template: str, here: str = "", **values: object) -> Response:
        """The page of a template; `here`: its own address if it is not the request's."""
        here = here or self.request.url.path
        return await self.page(render(self.visit, template, here, refused=self.refused, **values))

    async def go(self, address: str) -> Response:
        """A redirect after a post."""
        return await self.seal(RedirectResponse(address, 303))


class Refusals:
    """The context manager of `PageContext.refusals`."""

    def __init__(self, context: PageContext) -> None:
        self.context = context

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, ChouineError):
            self.context.refused = self.context.sentence(error)
        return isinstance(error, ChouineError)
