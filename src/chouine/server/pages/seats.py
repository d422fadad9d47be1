"""Template variables of each seat at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chouine.phrases import N_
from chouine.server.pages.portraits import portrait_at
from chouine.server.pages.render_context import RenderContext

PHRASES = {
    "hello": N_("Hello!"),
    "good-luck": N_("Good luck!"),
    "well-played": N_("Well played!"),
    "thanks": N_("Thank you!"),
    "wow": N_("What a hand!"),
    "oops": N_("Oh dear…"),
    "laugh": N_("Ha ha!"),
    "one-moment": N_("One moment…"),
}
"""Phrases that may be said at the table."""
FRESH = 4
"""Number of log entries for which a phrase stays visible."""


def heading_variables(context: RenderContext, seat: int) -> dict[str, Any]:
    """The seat's holder, declarations, phrases and shown cards; its points, if the observer may count them."""
    snapshot, board = context.snapshot, context.board
    place = context.place(seat)
    away = any(each.seat == seat for each in snapshot.holidays)
    timed = snapshot.deadline is not None and seat in snapshot.awaited and not away
    shown = next((each.cards for each in reversed(board.shown) if each.seat == seat), None)
    awaited = seat in snapshot.awaited and not snapshot.held
    return {
        "label": context.labels[seat],
        "portrait": portrait_at(snapshot.holders[seat], board, seat, context.taker, awaited=awaited),
        "dealer": seat == board.dealer,
        "helped": seat == snapshot.learner and bool(snapshot.helped),
        "leads": seat == (board.trick[0].seat if board.trick else board.view.position.leader),
        "until": int(snapshot.deadline) if timed and snapshot.deadline is not None else None,
        "reserve": minutes(snapshot.reserves[seat]) if timed else "",
        "points": tally(context, seat) if place else None,
        "declared": board.view.position.declared[seat] if place else 0,
        "speech": list(said_by(context, seat)),
        "shown": shown or (),
    }


def pile_variables(context: RenderContext, seat: int) -> dict[str, Any]:
    """The tricks of its pile that the observer may look at."""
    return {
        "place": context.place(seat),
        "label": context.labels[seat],
        "own": seat == context.observer,
        "taken": context.board.taken[seat],
        "all": may_look(context, seat),
        "points": tally(context, seat),
        "always": context.tally == "always" and seat == context.observer,
    }


def may_look(context: RenderContext, seat: int) -> bool:
    """Whether all tricks of a seat may be looked at: one's own, or any by a setting; of others the last alone (§14)."""
    return context.recalls or (seat == context.observer and not context.curtain)


def tally(context: RenderContext, seat: int) -> int | None:
    """The points of the tricks that may be looked at and of the declarations; None if they are not to be counted.

    Counted from the tricks that the observer has been shown taken: a trick that is still on the table is in no pile.
    """
    if context.tally == "off" or not may_look(context, seat):
        return None
    taken = sum(card.points for trick in context.board.taken[seat] for card in trick.cards)
    return taken + context.board.view.position.declared[seat]


def minutes(seconds: float) -> str:
    """Seconds as minutes and seconds; from two hours on as whole hours, as the script does."""
    if seconds >= 7200:
        return f"{int(seconds) // 3600}\N{NO-BREAK SPACE}h"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def said_by(context: RenderContext, seat: int) -> Iterator[str]:
    """Declarations made with the cards on the table, "au sept", and the last phrase."""
    board, words, snapshot = context.board, context.words, context.snapshot
    for declared in board.said:
        if declared.seat == seat:
            yield words.declaration_said(declared.declaration)
    if board.called == seat:
        yield words.gettext("Au sept!")
    if snapshot.said is not None:
        who, phrase, n = snapshot.said
        if who == seat and snapshot.n - n < FRESH:
            yield words.gettext(PHRASES[phrase])
