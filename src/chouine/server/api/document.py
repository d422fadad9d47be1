"""The description of the API (OpenAPI 3.1), made from the endpoints and the shapes that the routes work with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.json import schema_components

from chouine import __version__
from chouine.server.api.endpoints import Endpoint
from chouine.server.api.shapes import Error

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
