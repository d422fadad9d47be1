"""The seat's legal declarations as buttons, each with its name and what it counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chouine.cards import Card
from chouine.partie import Action, Declaration, Figure, Play, View
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.play import declare
from chouine.server.pages.words import Words


@dataclass(frozen=True, slots=True)
class CarryingCard:
    """A card that may be laid with a declaration: one tap declares and plays it."""

    token: str
    card: Card
    label: str
    """ "Declare a twenty of diamonds (+40 points) and play the queen of diamonds"."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A declaration that may be made now, and the cards it may be made with."""

    name: str
    announced: str
    """In a sentence: "a twenty of diamonds"."""
    counts: str
    """ "+40", or what a chouine wins."""
    verb: str
    """What its cards do: "Declare a twenty of diamonds (+40 points) and play:"."""
    carried: tuple[CarryingCard, ...]


def plain_cards(legal: Iterable[Action]) -> frozenset[Card]:
    """Cards that may be laid now without a declaration."""
    return frozenset(
        action.card for action in legal if isinstance(action, Play) and action.declaration is None
    )


def offers(view: View, legal: Iterable[Action], words: Words) -> tuple[Offer, ...]:
    """The legal declarations (§9), most points first."""
    carried: dict[Declaration, list[Play]] = {}
    for action in legal:
        if isinstance(action, Play) and action.declaration is not None:
            carried.setdefault(action.declaration, []).append(action)
    dearest = sorted(carried, key=lambda declaration: (-gain(view, declaration), declaration))
    return tuple(offer(view, words, declaration, carried[declaration]) for declaration in dearest)


def offer(view: View, words: Words, declaration: Declaration, plays: list[Play]) -> Offer:
    """One declaration."""
    counts = offer_count(view, words, declaration)
    strongest = sorted(plays, key=lambda play: (-play.card.rank, play.card.suit))
    return Offer(
        name=words.declaration(declaration),
        announced=words.a(declaration),
        counts=counts,
        verb=words.gettext("Declare %(declaration)s (%(counts)s) and play:")
        % {"declaration": words.a(declaration), "counts": counts},
        carried=tuple(
            CarryingCard(
                str(play),
                play.card,
                words.gettext("Declare %(declaration)s (%(counts)s) and play %(card)s")
                % {"declaration": words.a(declaration), "counts": counts, "card": words.the(play.card)},
            )
            for play in strongest
        ),
    )


def offer_count(view: View, words: Words, declaration: Declaration) -> str:
    """What the declaration would count, in words."""
    points = gain(view, declaration)
    if points == CHOUINE_MARGIN:
        return words.gettext("wins the partie")
    return words.ngettext("+%(num)s point", "+%(num)s points", points) % {"num": points}


def gain(view: View, declaration: Declaration) -> int:
    """The points the rules would count for it now (§9); `CHOUINE_MARGIN` for a chouine that would win (§10)."""
    p = view.position
    after = declare(view.rule_table, p, declaration)
    if declaration.figure is Figure.CHOUINE and after.chouine == p.turn:
        return CHOUINE_MARGIN
    return after.declared[p.turn] - p.declared[p.turn]
