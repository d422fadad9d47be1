"""Sentences that a player may hear at any moment with one key."""

from __future__ import annotations

from typing import Any

from chouine.cards import Card
from chouine.partie import Taken
from chouine.server.pages.render_context import RenderContext


def status_facts(context: RenderContext) -> dict[str, Any]:
    """The facts behind the sentences."""
    board, own = context.snapshot.board, context.observer is not None and not context.curtain
    facts = {"match": context.snapshot.match, "labels": context.labels, "own": own}
    if board is None:
        return facts
    table = (board.hand, board.talon, board.turnup, board.trump, board.last)
    recall = own and context.visit.settings.recall
    return {**facts, "table": table, "unseen": board.view.unseen if recall else None}


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
    }


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
        return parties
    manches = ", ".join(f"{labels[seat]} {won}" for seat, won in enumerate(match.manches))
    return context.words.gettext("manche %(manche)s: %(parties)s; manches won: %(manches)s") % {
        "manche": match.manche,
        "parties": parties,
        "manches": manches,
    }
