"""Parts of the table's markup, made once for the same arguments and kept.

Only what everybody at a table knows is kept: what holds a hand is made each time, of pictures that have long been
there, so that the time a page takes tells nobody what another was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from markupsafe import Markup

from chouine.server.pages.env import environment
from chouine.server.pages.visit import Language

Part = Callable[..., Markup]
KEPT = 16_384
"""Of each kind, those asked for last: some for every table that a node may hold."""


class Parts:
    """The macros of the table's templates in one language."""

    def __init__(self, language: Language) -> None:
        def part(template: str, name: str) -> Part:
            made: Part = getattr(environment(language).get_template(f"table/{template}.html").module, name)
            return made

        def kept(name: str) -> Part:
            return lru_cache(KEPT)(part("parts", name))

        self.board = part("frame", "board")
        self.play, self.own = part("play", "play"), part("play", "own")
        self.offered, self.window = part("play", "offered"), part("play", "window")
        self.curtain, self.watched = part("play", "curtain"), part("play", "watched")
        self.private_row = part("parts", "row")
        self.row, self.score, self.person = kept("row"), kept("score"), kept("person")
        self.pile, self.past, self.stock = kept("pile"), kept("past"), kept("stock")
        self.prompt, self.spread = kept("prompt"), kept("spread")


@cache
def parts_of(language: Language) -> Parts:
    """The parts in one language."""
    return Parts(language)
