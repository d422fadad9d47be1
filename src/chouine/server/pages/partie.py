"""Template variables of a partie in progress."""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup, escape

from chouine.partie import Exchange
from chouine.server.pages.advising import advised_card
from chouine.server.pages.books import rules_address
from chouine.server.pages.offers import plain_cards
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
    playable, advised = plain_cards(legal), advised_card(context)
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
