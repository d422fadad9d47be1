"""The addresses of the server."""

from __future__ import annotations

from starlette.routing import Route

from chouine.server.routes import history, lobby, play

routes = [
    Route("/", lobby.home),
    Route("/new", lobby.new, methods=["POST"]),
    Route("/join/{game}/{seat:int}/{secret}", lobby.join, methods=["GET", "POST"]),
    Route("/rules", lobby.rules),
    Route("/settings", lobby.settings, methods=["GET", "POST"]),
    Route("/language", lobby.language, methods=["POST"]),
    Route("/table/{game}", play.table),
    Route("/table/{game}/links", play.chairs),
    Route("/table/{game}/stream", play.stream),
    Route("/table/{game}/events", play.events),
    Route("/table/{game}/{verb}", play.command, methods=["POST"]),
    Route("/match/{game}.cgn", history.record),
    Route("/match/{game}", history.match),
    Route("/match/{game}/{number:int}.json", history.deal),
    Route("/match/{game}/{number:int}", history.partie),
    Route("/match/{game}/{number:int}/again", history.again, methods=["POST"]),
]
