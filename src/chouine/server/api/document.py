"""The addresses of the API and their description (OpenAPI 3.1), made from the shapes that the routes work with."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.json import schema_components
from starlette.responses import Response

from chouine import __version__
from chouine.server.api.shapes import Error
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


ABOUT = """\
Programs play at the tables of this server as people do. Each request has the header `Authorization: Bearer TOKEN`;
tokens are made on the page `/mine/tokens`. Cookies are not looked at, and other sites' pages cannot use the API: no
CORS headers are sent. Bodies are JSON in UTF-8. Streams are lines of JSON (ndjson), with an empty line every 15
seconds; after an interruption the first line for each table has its whole state. Unknown keys should be passed over:
more may come."""
REFUSALS = {
    "400": "The body is not JSON.",
    "401": "There is no token in the header Authorization, or it is not known.",
    "403": "The token does not allow it, or it is closed to you.",
    "404": "There is no such table of yours, or no such seat.",
    "413": "The body is too large.",
    "422": "The body does not fit, or the rules of the game or of the table forbid it.",
    "429": "Too fast: wait as many seconds as the header Retry-After says.",
    "503": "The server is busy or being renewed: ask again in as many seconds as Retry-After says.",
}
REFERENCE = "#/components/schemas/{name}"


def document_of(endpoints: Iterable[Endpoint], base: str) -> dict[str, Any]:
    """The description of these endpoints, whose paths begin with `base`."""
    listed = [*endpoints]
    kinds = {Error: None} | {each.answers: None for each in listed}
    kinds |= {each.takes: None for each in listed if each.takes is not None}
    _, schemas = schema_components([*kinds], ref_template=REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for each in listed:
        paths.setdefault(base + each.path, {})[each.method.lower()] = operation_of(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "La Chouine", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def operation_of(endpoint: Endpoint) -> dict[str, Any]:
    """One method of one address."""
    kind = "application/x-ndjson" if endpoint.streams else "application/json"
    allowed = f" The token must allow `{endpoint.scope}`." if endpoint.scope else ""
    operation: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "-", f"{endpoint.method.lower()} {endpoint.path}").strip("-"),
        "summary": endpoint.says,
        "description": f"{endpoint.says}.{allowed}",
        "parameters": parameters_of(endpoint),
        "responses": {
            "201" if endpoint.made else "200": {
                "description": endpoint.says,
                "content": {kind: {"schema": reference(endpoint.answers)}},
            },
            **{
                status: {
                    "description": why,
                    "content": {"application/json": {"schema": reference(Error)}},
                }
                for status, why in REFUSALS.items()
            },
        },
    }
    if endpoint.takes is not None:
        content = {"application/json": {"schema": reference(endpoint.takes)}}
        operation["requestBody"] = {"content": content}
    return operation


def parameters_of(endpoint: Endpoint) -> list[dict[str, Any]]:
    """What the address itself takes."""
    named = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    if endpoint.by_seat:
        seat = {"type": "string", "pattern": "^[a-d]$"}
        about = "which of your seats, if you hold several"
        named.append({"name": "seat", "in": "query", "description": about, "schema": seat})
    return named


def reference(kind: type) -> dict[str, str]:
    """A reference to a shape's description."""
    return {"$ref": REFERENCE.format(name=kind.__name__)}
