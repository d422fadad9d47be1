"""The addresses that a server and a device without a network answer by the same functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from chouine.server.request_parts import register_small_int
from chouine.server.routes import commands, history, preferences, problems, reviews, school, sheet

register_small_int()


def plain_application(endpoint: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    """An endpoint as an application. Starlette's own would handle errors that are handled around all routes."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


def use_plain_applications(routes: Iterable[Route]) -> None:
    """Let each route answer by its endpoint alone; called once for all routes of an application."""
    for route in routes:
        route.app = plain_application(route.endpoint)


shared = [
    Route("/table/{table_id}/{verb}", commands.command, methods=["POST"]),
    Route("/rules", preferences.rules),
    Route("/sound", preferences.sound, methods=["POST"]),
    Route("/language", preferences.language, methods=["POST"]),
    Route("/larger", preferences.one_setting, methods=["POST"]),
    Route("/edition", preferences.one_setting, methods=["POST"]),
    Route("/marqueur", sheet.page, methods=["GET", "POST"]),
    Route("/learn", school.page),
    Route("/learn/partie", school.page, methods=["GET", "POST"]),
    Route("/learn/sheet", school.page),
    Route("/learn/print/{name}", school.page),
    Route("/learn/problems", problems.index),
    Route("/learn/problems/one", problems.practise),
    Route("/learn/problem/{id}", problems.problem, methods=["GET", "POST"]),
    Route("/learn/count", school.page, methods=["GET", "POST"]),
    Route("/learn/{lesson}/end", school.page),
    Route("/learn/{lesson}/{number:few}", school.page, methods=["GET", "POST"]),
    Route("/match/{table_id}.cgn", history.record),
    Route("/match/{table_id}", history.match),
    Route("/match/{table_id}/{number:few}.json", history.deal),
    Route("/match/{table_id}/{number:few}.svg", history.film),
    Route("/match/{table_id}/{number:few}", history.partie),
    Route("/match/{table_id}/{number:few}/again", history.play_again, methods=["POST"]),
    Route("/match/{table_id}/review", reviews.match),
    Route("/match/{table_id}/{number:few}/review", reviews.review),
    Route("/match/{table_id}/{number:few}/review.cgn", reviews.record),
    Route("/match/{table_id}/{number:few}/review/{nth:few}", reviews.exercise, methods=["GET", "POST"]),
    Route("/match/{table_id}/{number:few}/review/{nth:few}/play", reviews.play_on, methods=["POST"]),
]
