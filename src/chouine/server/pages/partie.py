"""Template variables of a partie in progress: the table, its seats, and sentences to be heard with one key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from chouine.cards import Card
from chouine.partie import Exchange, Play, Taken
from chouine.phrases import N_
from chouine.server.pages.advising import advised_card
from chouine.server.pages.books import rules_address
from chouine.server.pages.portraits import portrait_at
from chouine.server.pages.render_context import RenderContext


class LaidCard(NamedTuple):
    """A card of the trick in progress."""

    place: int
    """Place of the seat that laid it, counted round the table from the bottom of the screen."""
    id: str
    says: str
    picture: Markup
    takes: bool
    """Whether the trick is complete and this card takes it."""


class SeatVariables(NamedTuple):
    """A seat's rendered fragments."""

    place: int
    label: str
    awaited: bool
    heading: Markup
    backs: Markup
    pile: Markup


class OwnSeat(NamedTuple):
    """One's own hand, and what may be done with it."""

    to_play: bool
    prompt: str
    action: str
    fields: Markup
    offers: Markup | str
    hand: list[Markup]
    partie: int
    """Number of parties finished before: each partie has its own arrangement of the hand."""


def stock_variables(context: RenderContext) -> dict[str, Any]:
    """The talon, the turnup and trumps; after the last draw also a link to the rules of strict play."""
    board = context.board
    made = board.exchanged
    return {
        "turnup": board.turnup,
        "came": None if made is None or made.seat is None else context.place(made.seat),
        "talon": board.talon,
        "trump": board.trump,
        "rules": rules_address("8", context.here) if strict(context) else "",
    }


def strict(context: RenderContext) -> bool:
    """Whether the talon no longer serves, so that suit must be followed (§8)."""
    return sum(map(len, context.board.taken)) >= context.board.view.rule_table.drawing


def trick(context: RenderContext) -> list[LaidCard]:
    """The cards on the table with the place and the name of whoever laid each."""
    return [
        LaidCard(
            context.place(seat),
            str(card).lower(),
            f"{context.labels[seat]}: {context.words.card(card)}",
            context.pictures.face[card],
            seat == context.taker,
        )
        for seat, card in ((each.seat, each.card) for each in context.board.trick)
    ]


def last_trick(context: RenderContext) -> dict[str, Any] | None:
    """The last trick, until the next is led."""
    last = context.board.last
    if last is None or context.board.trick:
        return None
    return {"own": last.seat == context.you, "name": context.names[last.seat], "cards": last.cards}


def exchange_text(context: RenderContext) -> str:
    """The exchange made since the last trick, in a sentence (§11)."""
    made, _ = context.board.exchanged, context.words.gettext
    if made is None or made.seat is None:
        return ""
    ways = _("You exchanged the seven for %(card)s."), _("%(name)s exchanged the seven for %(card)s.")
    return context.about(made.seat, *ways, card=context.words.the(made.card))


def au_sept_variables(context: RenderContext) -> dict[str, Any] | None:
    """The box of "au sept" (§11), None while it is closed. It stays open equally long whoever holds the seven.

    Only the holder is offered the exchange, except behind a curtain, where any player of the device may look.
    """
    open_to = context.snapshot.window
    answering = context.acting if context.acting in open_to else None
    if answering is None and (not open_to or context.observer is None):
        return None
    return {
        "here": context.here,
        "form": context.form,
        "answering": answering,
        "own": answering == context.you,
        "name": "" if answering is None else context.names[answering],
        "leads": context.bottom == context.board.view.position.leader,
        "holds": None if context.curtain else Exchange() in context.board.view.legal,
        "turnup": "" if context.board.turnup is None else context.words.the(context.board.turnup),
        "seconds": context.snapshot.window_seconds,
    }


def curtain_variables(context: RenderContext) -> dict[str, Any]:
    """The seat whose hand may be uncovered: the next to act, or any of this browser."""
    seats = context.mine if context.awaited is None else (context.awaited,)
    return {
        "path": context.form.path,
        "next": "" if context.awaited is None else context.names[context.awaited],
        "between": context.visit.settings.across and len(context.mine) == 2,
        "own": [(seat, context.names[seat]) for seat in seats],
    }


def hand(context: RenderContext) -> list[Markup]:
    """The cards of the hand as buttons."""
    held, legal = context.pictures.held, context.legal
    if not legal or context.snapshot.window:
        return [held["idle"][card] for card in context.hand]
    plain = [act for act in legal if isinstance(act, Play) and act.declaration is None]
    playable, advised = {act.card for act in plain}, advised_card(context)
    kinds = {card: "ready" if card in playable else "barred" for card in context.hand}
    if advised is not None:
        kinds[advised] = "advised"
    return [held[kind][card] for card, kind in kinds.items()]


def prompt(context: RenderContext, *, to_play: bool) -> str:
    """The turn line; a blank when no turn is shown, so that the line keeps its height.

    Where the line is too short for it, the name is cut, never the verb.
    """
    _, snapshot = context.words.gettext, context.snapshot
    if to_play:
        return _("Your turn to play")
    waits_for = "" if snapshot.held or snapshot.window else context.others_awaited
    if not waits_for:
        return "\N{NO-BREAK SPACE}"
    sentence = escape(_("%(name)s is to play…")) % {"name": Markup("<b>%s</b>") % waits_for}
    return Markup('<span class="waits">%s</span>') % sentence


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
        return {"score": score_in_words(context), "partie": False}
    board, words, _ = context.board, context.words, context.words.gettext
    unseen = facts["unseen"]
    return {
        "score": score_in_words(context),
        "partie": True,
        "hand": (", ".join(map(words.card, context.hand)) or _("no card")) if facts["own"] else "",
        "trumps": _("no trumps yet") if board.trump is None else words.suit(board.trump),
        "talon": talon_in_words(context, board.talon, board.turnup),
        "unseen": "" if unseen is None else ", ".join(map(words.card, unseen)) or _("none"),
        "last": trick_in_words(context, board.last),
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


def talon_in_words(context: RenderContext, left: int, turnup: Card | None) -> str:
    """The cards left to draw."""
    words = context.words
    cards = words.ngettext("%(num)s card", "%(num)s cards", left) % {"num": left}
    lies = "" if turnup is None else words.gettext(", the turnup is %(card)s") % {"card": words.the(turnup)}
    return cards + lies


def trick_in_words(context: RenderContext, taken: Taken | None) -> str:
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


def score_in_words(context: RenderContext) -> str:
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
