"""Sentences that a player may hear at any moment with one key."""

from __future__ import annotations

from typing import Any

from chouine.cards import Card
from chouine.partie import Taken
from chouine.server.pages.render_context import RenderContext
from chouine.server.pages.seats import tally


def status_facts(context: RenderContext) -> dict[str, Any]:
    """The facts behind the sentences."""
    board, own = context.snapshot.board, context.observer is not None and not context.curtain
    facts = {"match": context.snapshot.match, "labels": context.labels, "own": own}
    if board is None:
        return facts
    table = (board.hand, board.talon, board.turnup, board.trump, board.last)
    points = None if context.observer is None else tally(context, context.observer)
    unseen = board.view.unseen if own and context.recalls else None
    return {
        **facts,
        "table": table,
        "unseen": unseen,
        "points": points,
        "declared": declared_by_others(context),
    }


def declared_by_others(context: RenderContext) -> list[tuple[str, int]]:
    """The points that the other seats have declared, which are public, each with its player's name."""
    points = context.board.view.position.declared
    others = (seat for seat in range(len(context.names)) if seat != context.observer)
    return [(context.names[seat], points[seat]) for seat in others if points[seat]]


def status_variables(context: RenderContext, facts: dict[str, Any]) -> dict[str, Any]:
    """The sentences: score, hand, trump, talon, last trick; with the setting `recall` also the unseen cards."""
    if context.snapshot.board is None:
        return {"score": score(context), "partie": False}
    board, words, _ = context.board, context.words, context.words.gettext
    unseen = facts["unseen"]
    return {
        "score": score(context),
        "partie": True,
        "hand": (", ".join(map(words.card, context.hand)) or _("no card")) if facts["own"] else "",
        "trumps": _("no trumps yet") if board.trump is None else words.suit(board.trump),
        "talon": talon(context, board.talon, board.turnup),
        "unseen": "" if unseen is None else ", ".join(map(words.card, unseen)) or _("none"),
        "last": trick(context, board.last),
        "points": "" if facts["points"] is None else points_sentence(context, facts),
    }


def points_sentence(context: RenderContext, facts: dict[str, Any]) -> str:
    """One's own points so far, and what the others have declared."""
    words = context.words
    own = words.ngettext("%(num)s point so far", "%(num)s points so far", facts["points"])
    said = words.gettext("%(name)s has declared %(points)s")
    return "; ".join(
        [own % {"num": facts["points"]}, *(said % {"name": who, "points": n} for who, n in facts["declared"])]
    )


def talon(context: RenderContext, left: int, turnup: Card | None) -> str:
    """The cards left to draw."""
    words = context.words
    cards = words.ngettext("%(num)s card", "%(num)s cards", left) % {"num": left}
    lies = "" if turnup is None else words.gettext(", the turnup is %(card)s") % {"card": words.the(turnup)}
    return cards + lies


def trick(context: RenderContext, taken: Taken | None) -> str:
    """A trick's cards in the order laid, and its taker."""
    words, _ = context.words, context.words.gettext
    if taken is None:
        return _("none yet")
    seats = ((taken.leader + nth) % len(context.labels) for nth in range(len(taken.cards)))
    laid = [
        _("%(name)s: %(card)s") % {"name": context.labels[seat], "card": words.the(card)}
        for seat, card in zip(seats, taken.cards, strict=True)
    ]
    return ", ".join([*laid, context.about(taken.seat, _("taken by you"), _("taken by %(name)s"))])


def score(context: RenderContext) -> str:
    """Parties won in this manche, and manches won."""
    match, labels = context.snapshot.match, context.labels
    parties = ", ".join(f"{labels[seat]} {won}" for seat, won in enumerate(match.score))
    if match.format.manches == 1:
        return context.words.gettext("parties won: %(parties)s") % {"parties": parties}
    manches = ", ".join(f"{labels[seat]} {won}" for seat, won in enumerate(match.manches))
    return context.words.gettext("manche %(manche)s: %(parties)s; manches won: %(manches)s") % {
        "manche": match.manche,
        "parties": parties,
        "manches": manches,
    }
