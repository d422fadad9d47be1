"""The addresses of the server."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor
from starlette.routing import Route

from chouine.server.routes import history, lobby, operations, play


class Few(Convertor[int]):
    """A small number: a seat, a partie."""

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("few", Few())

routes = [
    # Those of a match in progress come first: they are looked through in this order.
    Route("/table/{game}/{verb}", play.command, methods=["POST"]),
    Route("/table/{game}/stream", play.stream),
    Route("/table/{game}/events", play.events),
    Route("/table/{game}/links", play.chairs),
    Route("/table/{game}", play.table),
    Route("/health", operations.health),
    Route("/ready", operations.ready),
    Route("/metrics", operations.metrics),
    Route("/", lobby.home),
    Route("/new", lobby.new, methods=["POST"]),
    Route("/join/{game}/{seat:few}/{secret}", lobby.join, methods=["GET", "POST"]),
    Route("/rules", lobby.rules),
    Route("/settings", lobby.settings, methods=["GET", "POST"]),
    Route("/language", lobby.language, methods=["POST"]),
    Route("/match/{game}.cgn", history.record),
    Route("/match/{game}", history.match),
    Route("/match/{game}/{number:few}.json", history.deal),
    Route("/match/{game}/{number:few}", history.partie),
    Route("/match/{game}/{number:few}/again", history.again, methods=["POST"]),
]
