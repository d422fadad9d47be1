"""The server's routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from chouine.server.routes import (
    account,
    api,
    classroom,
    contests,
    daily,
    device,
    files,
    history,
    imports,
    legal,
    letters,
    lobby,
    mine,
    offline,
    operations,
    operator,
    partners,
    people,
    play,
    problems,
    progress,
    push,
    reviews,
    school,
    sheet,
    standing,
    tables,
    tokens,
)


class SmallIntConvertor(Convertor[int]):
    """A path parameter for a small number, such as a seat or a partie."""

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("few", SmallIntConvertor())

routes = [
    # Those of a match in progress come first: they are looked through in this order.
    Route("/table/{table_id}/{verb}", play.command, methods=["POST"]),
    Route("/table/{table_id}/stream", play.stream),
    Route("/table/{table_id}/events", play.events),
    Route("/table/{table_id}/here", play.tell_here),
    Route("/table/{table_id}/links", play.links_of),
    Route("/table/{table_id}", play.table),
    *api.routes,
    Route("/health", operations.health),
    Route("/ready", operations.ready),
    Route("/metrics", operations.metrics),
    Route("/favicon.ico", files.favicon),
    Route("/robots.txt", files.robots),
    Route("/manifest.webmanifest", files.manifest),
    Route("/sw.js", offline.service_worker),
    Route("/offline", offline.shell),
    Route("/offline/files.json", offline.files),
    Route("/offline/days.json", offline.days),
    Route("/offline/worker.js", offline.worker),
    Route("/offline/app.zip", offline.app),
    Route("/offline/runtime/{name}", offline.runtime),
    Route("/offline/carry", offline.carry, methods=["POST"]),
    Route("/", lobby.home),
    Route("/new", lobby.new, methods=["POST"]),
    Route("/join/{table_id}/{seat:few}/{secret}", lobby.join, methods=["GET", "POST"]),
    Route("/rules", lobby.rules),
    Route("/clubs", lobby.clubs),
    Route("/settings", lobby.settings, methods=["GET", "POST"]),
    Route("/settings/forget", mine.forget, methods=["GET", "POST"]),
    Route("/account", account.page, methods=["GET", "POST"]),
    Route("/account/words", account.words, methods=["POST"]),
    Route("/account/card/{secret}", account.by_code, methods=["GET", "POST"]),
    Route("/account/passkey", account.passkey, methods=["POST"]),
    Route("/account/mail", account.letter, methods=["POST"]),
    Route("/account/mail/{secret}", account.by_letter, methods=["GET", "POST"]),
    Route("/mine", mine.page, methods=["GET", "POST"]),
    Route("/mine/chouine.zip", mine.archive),
    Route("/mine/tokens", tokens.page, methods=["GET", "POST"]),
    Route("/api", tokens.about),
    Route("/mine/rating", standing.rating, methods=["GET", "POST"]),
    Route("/mine/feats", standing.feats),
    Route("/told", operator.notices, methods=["GET", "POST"]),
    Route("/report/{place}/{which}", operator.report, methods=["GET", "POST"]),
    Route("/operator", operator.page, methods=["GET", "POST"]),
    Route("/operator/{secret}", operator.enter),
    Route("/legal", legal.notice),
    Route("/privacy", legal.privacy),
    Route("/privacy/contest", legal.participants),
    Route("/licences", legal.licences),
    Route("/.well-known/security.txt", legal.security),
    Route("/sound", lobby.sound, methods=["POST"]),
    Route("/language", lobby.language, methods=["POST"]),
    Route("/larger", lobby.one_setting, methods=["POST"]),
    Route("/edition", lobby.one_setting, methods=["POST"]),
    Route("/device", device.page),
    Route("/device/news", device.news),
    Route("/push", push.subscribe, methods=["GET", "POST"]),
    Route("/push/worker.js", push.worker),
    Route("/letters", letters.give, methods=["POST"]),
    Route("/letters/never/{secret}", letters.never, methods=["GET", "POST"]),
    Route("/letters/{secret}", letters.follow, methods=["GET", "POST"]),
    Route("/class", classroom.join, methods=["GET", "POST"]),
    Route("/class/{secret}", classroom.page, methods=["GET", "POST"]),
    Route("/partners", partners.index, methods=["GET", "POST"]),
    Route("/partners/list", partners.listing),
    Route("/partners/table", partners.table),
    Route("/circle", people.circle, methods=["GET", "POST"]),
    Route("/circle/list", people.lists),
    Route("/circle/table", people.table),
    Route("/circle/me", people.own_address),
    Route("/circle/link", people.link, methods=["GET", "POST"]),
    Route("/people/{id}", people.person, methods=["GET", "POST"]),
    Route("/friend/{secret}", people.accept_link, methods=["GET", "POST"]),
    Route("/tables", tables.index, methods=["GET", "POST"]),
    Route("/tables/list", tables.listing),
    Route("/tables/beside", tables.show_beside),
    Route("/tables/prepare/{table_id}", tables.prepare, methods=["GET", "POST"]),
    Route("/contests", contests.index, methods=["GET", "POST"]),
    Route("/contests/{contest}/log", contests.log),
    Route("/contests/{contest}/screen", contests.screen),
    Route("/contests/{contest}/deals/{number:few}", contests.deal),
    Route("/contests/{contest}", contests.one, methods=["GET", "POST"]),
    Route("/daily", daily.today, methods=["GET", "POST"]),
    Route("/daily/{day}.json", daily.proof),
    Route("/daily/{day}.svg", daily.picture),
    Route("/daily/{day}", daily.one, methods=["GET", "POST"]),
    Route("/marqueur", sheet.page, methods=["GET", "POST"]),
    Route("/learn", school.page),
    Route("/learn/partie", school.page, methods=["GET", "POST"]),
    Route("/learn/own", reviews.own, methods=["GET", "POST"]),
    Route("/learn/sheet", school.page),
    Route("/learn/print/{name}", school.page),
    Route("/learn/problems", problems.index),
    Route("/learn/problems/one", problems.practise),
    Route("/learn/problems/again", problems.another_problem),
    Route("/learn/progress.json", progress.download),
    Route("/learn/progress", progress.page, methods=["GET", "POST"]),
    Route("/learn/progress/erase", progress.erase, methods=["POST"]),
    Route("/learn/problem/{id}", problems.problem, methods=["GET", "POST"]),
    Route("/learn/count", school.page, methods=["GET", "POST"]),
    Route("/learn/{lesson}/end", school.page),
    Route("/learn/{lesson}/{number:few}", school.page, methods=["GET", "POST"]),
    Route("/match/{table_id}/challenge", people.challenge_again, methods=["POST"]),
    Route("/import", imports.page, methods=["GET", "POST"]),
    Route("/import/{table_id}/erase", imports.erase, methods=["POST"]),
    Route("/match/{table_id}/people", partners.people, methods=["GET", "POST"]),
    Route("/match/{table_id}.cgn", history.record),
    Route("/match/{table_id}", history.match),
    Route("/match/{table_id}/{number:few}.json", history.deal),
    Route("/match/{table_id}/{number:few}.svg", history.film),
    Route("/match/{table_id}/{number:few}", history.partie),
    Route("/match/{table_id}/{number:few}/again", history.play_again, methods=["POST"]),
    Route("/match/{table_id}/review", reviews.match),
    Route("/match/{table_id}/{number:few}/review", reviews.review),
    Route("/match/{table_id}/{number:few}/review.cgn", reviews.record),
    Route("/match/{table_id}/{number:few}/review/stream", reviews.stream),
    Route("/match/{table_id}/{number:few}/review/{nth:few}", reviews.exercise, methods=["GET", "POST"]),
    Route("/match/{table_id}/{number:few}/review/{nth:few}/play", reviews.play_on, methods=["POST"]),
]


def plainly(endpoint: Callable[[Request], Awaitable[Response]]) -> ASGIApp:
    """An endpoint as an application. Starlette's own would handle errors that are handled around all routes."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


for route in routes:
    route.app = plainly(route.endpoint)
