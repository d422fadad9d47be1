"""Celebrations of a declaration, a partie, a manche or a match; their words are announced as text too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from zlib import crc32

from chouine.partie import Declared, Ended, Event, Figure, Played
from chouine.rules.rule_table import rule_table_of
from chouine.server.pages.outcome import headline, manche_news
from chouine.server.pages.portraits import portrait
from chouine.server.pages.render_context import RenderContext

FEASTED = ("points", "chouine", "nulle")
"""Ways a partie ends by play and not by giving up."""


def decides(context: RenderContext, events: Iterable[Event]) -> bool:
    """Whether these events decide a partie by a chouine or by its last card, after which nobody has anything to do."""
    for event in events:
        match event:
            case Declared() if event.declaration.figure is Figure.CHOUINE:
                return True
            case Played() if context.snapshot.board and not any(context.snapshot.board.sizes):
                return True
            case _:
                pass
    return False


WAYS = ("burst", "rain", "fountain")
"""Animations of a celebration."""


def feast_variables(context: RenderContext, events: Iterable[Event]) -> dict[str, Any] | None:
    """Template variables to celebrate the most important of these events; None if there is nothing to celebrate."""
    found = None
    for event in events:
        match event:
            case Ended(result) if result.by in FEASTED:
                found = of_ending(context)
                break
            case Declared():
                found = of_declaration(context, event)
            case _:
                pass
    return found and {**found, "way": WAYS[0] if found["kind"] == "declaration" else way(context)}


def way(context: RenderContext) -> str:
    """The animation for this partie: the same for all who watch, and different in the next partie."""
    return WAYS[(crc32(context.table_id.encode()) + len(context.snapshot.parties)) % len(WAYS)]


def of_declaration(context: RenderContext, said: Declared) -> dict[str, Any]:
    """The celebration of a declaration, for a chouine with its cards."""
    words = context.words
    chouine = said.declaration.figure is Figure.CHOUINE
    cards = said.declaration.cards(rule_table_of(context.snapshot.match.rules)) if chouine else ()
    points = words.ngettext("+%(num)s point", "+%(num)s points", said.counts) % {"num": said.counts}
    return {
        "kind": "chouine" if chouine else "declaration",
        "place": context.place(said.seat),
        "won": True if chouine and said.seat == context.you else None,
        "portrait": "",
        "name": context.labels[said.seat],
        "title": words.declaration(said.declaration).capitalize(),
        "lines": () if chouine else (points,),
        "cards": sorted(cards, key=lambda card: -card.rank),
    }


def of_ending(context: RenderContext) -> dict[str, Any] | None:
    """The celebration of a partie's end, with the manche and match that it ends."""
    snapshot = context.snapshot
    if not snapshot.parties:
        return None
    result = snapshot.parties[-1].result
    news = manche_news(context)
    winner = snapshot.match.winner if snapshot.match.over else result.winner
    title = headline(context, result)
    return {
        "kind": "match" if snapshot.match.over and news else "manche" if news else "partie",
        "place": None,
        "won": None if winner is None or context.you is None else winner == context.you,
        "portrait": "" if winner is None else portrait(snapshot.holders[winner], "pleased"),
        "name": "",
        "title": news[-1] if news else title,
        "lines": (title, *news[:-1]) if news else (),
        "cards": (),
    }
