"""Parts of the table's markup. What names a player, or tells what one alone may know, is put into parts made before.

Only what everybody at a table may see is kept: what holds a hand is put together each time, of pictures that have
long been there, so that the time a page takes tells nobody what another was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from markupsafe import Markup

from chouine.server.pages.env import CUT, environment
from chouine.server.pages.visit import Language

Part = Callable[..., Markup]
Kept = Callable[..., str]
Pieces = Callable[..., tuple[str, ...]]
"""A part in pieces: between each two of them something is put in."""
KEPT = 16_384
"""Of each kind, those asked for last: some for every table that a node may hold."""


class Parts:
    """The macros of the table's templates in one language."""

    def __init__(self, language: Language) -> None:
        def part(template: str, name: str) -> Part:
            made: Part = getattr(environment(language).get_template(f"table/{template}.html").module, name)
            return made

        def kept(name: str, template: str = "parts") -> Kept:
            made = part(template, name)
            return lru_cache(KEPT)(lambda *of: str(made(*of)))

        def pieces(template: str, name: str) -> Pieces:
            made = part(template, name)
            return lru_cache(KEPT)(lambda *of: tuple(str(made(*of)).split(CUT)))

        self.board, self.banner, self.notice = (
            pieces("frame", "board"),
            part("frame", "banner"),
            kept("notice", "frame"),
        )
        self.play, self.own, self.acting = (pieces("play", name) for name in ("play", "own", "acting"))
        self.offered, self.window, self.curtain = (
            part("play", name) for name in ("offered", "window", "curtain")
        )
        self.row, self.seat, self.heading = (pieces("parts", name) for name in ("row", "seat", "heading"))
        self.clock, self.pile, self.tricks = (pieces("parts", name) for name in ("clock", "pile", "tricks"))
        self.stock, self.past, self.laid = (pieces("parts", name) for name in ("stock", "past", "laid"))
        self.prompt, self.exchanged = pieces("parts", "prompt"), pieces("parts", "exchanged")
        self.score, self.counted, self.speech = kept("score"), kept("counted"), kept("speech")
        self.trick, self.listed, self.spread = kept("trick"), kept("listed"), part("parts", "spread")
        self.piled = kept("piled")


@cache
def parts_of(language: Language) -> Parts:
    """The parts in one language."""
    return Parts(language)
