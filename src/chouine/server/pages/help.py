"""Template variables of the help against computers: explanations, advice, taking an act back.

The game's words in its sentences are links to the § of the rules that explain them. Explanations are made from the
events of a snapshot alone, so no hidden card can influence them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from chouine.cards import Card, CardSet, Suit
from chouine.partie import AuSept, Declared, Drawn, Event, Exchanged, Figure, Play, Taken, TrumpFixed, View
from chouine.phrases import N_, Language, translations
from chouine.rules.play import DIX_DE_DER
from chouine.server.pages.advising import advice_variables
from chouine.server.pages.books import rules_address
from chouine.server.pages.render_context import RenderContext
from chouine.server.pages.words import Words
from chouine.table import Phase
from chouine.table.state import HELPS

FIRST_TRICKS = 2
"""During this many first tricks the cards' values are explained too."""
FIGURES = {
    Figure.MARIAGE: (N_("Mariage"), N_("Mariage of trumps")),
    Figure.TIERCE: (N_("Tierce"), N_("Tierce of trumps")),
    Figure.QUARTERON: (N_("Quarteron"), N_("Quarteron of trumps")),
    Figure.QUINTE: (N_("Quinte"), N_("Quinte")),
    Figure.TRENTE: (N_("Trente"), N_("Trente")),
}
"""A figure's name, plain and in trumps."""


def explanations(context: RenderContext) -> tuple[str, ...]:
    """Sentences on the last trick and all since, and on what the learner may do now."""
    view = context.board.view
    happened = (sentence for event in recent(view.events) for sentence in explain_event(context, event))
    return (*happened, *values(context), *duty(context))


def recent(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events since the draw after the last trick but one; in the first trick all events."""
    taken = [nth for nth, event in enumerate(events) if isinstance(event, Taken)]
    first = taken[-2] + 1 if len(taken) > 1 else 1
    while first < len(events) and isinstance(events[first], Drawn):
        first += 1
    return events[first:]


def explain_event(context: RenderContext, event: Event) -> Iterator[str]:
    """The explanation of one event; none for an obvious one."""
    _, words = context.words.gettext, context.words
    match event:
        case Declared():
            yield explain_declaration(context, event)
        case Taken():
            yield explain_trick(context, event)
        case Drawn(turnup=True) if last_draw(context.board.view):
            yield _("That was the last draw: the talon is empty.")
        case TrumpFixed(suit):
            yield _("The first declaration on the lead makes its suit trumps: %(suit)s.") % {
                "suit": words.suit(suit)
            }
        case Exchanged(seat, card) if seat is not None:
            yield context.about(
                seat,
                _("You exchanged the seven of trumps for the turnup, %(card)s."),
                _("%(name)s exchanged the seven of trumps for the turnup, %(card)s."),
                card=words.the(card),
            )
        case AuSept():
            yield _(
                "“Au sept”: the last draw is near, and whoever holds the seven of trumps may exchange it now."
            )


def last_draw(view: View) -> bool:
    """Whether the last draw has been made."""
    return view.position.tricks >= view.rule_table.drawing


def explain_declaration(context: RenderContext, event: Declared) -> str:
    """What a declaration counts, and why (§9)."""
    _, said = context.words.gettext, event.declaration
    if said.figure is Figure.CHOUINE:
        return _("A chouine wins the partie once this trick is complete.")
    doubled = event.counts == 2 * said.value
    in_trumps = doubled or (said.suit is not None and said.suit == trump_before(context.board.view, event))
    figure = _(FIGURES[said.figure][in_trumps])
    if doubled:
        return _("%(figure)s: %(value)s × 2 = %(counts)s points.") % {
            "figure": figure,
            "value": said.value,
            "counts": event.counts,
        }
    return context.words.ngettext(
        "%(figure)s: %(num)s point.", "%(figure)s: %(num)s points.", event.counts
    ) % {"figure": figure, "num": event.counts}


def explain_trick(context: RenderContext, event: Taken) -> str:
    """Who took a trick, why (§6), and what it is worth."""
    cards, trump = event.cards, trump_before(context.board.view, event)
    card = cards[(event.seat - event.leader) % len(context.names)]
    why = context.words.gettext(reason(cards, card, trump)) % {"card": context.words.the(card)}
    who = context.about(
        event.seat,
        context.words.gettext("You take the trick"),
        context.words.gettext("%(name)s takes the trick"),
    )
    return context.words.gettext("%(who)s: %(why)s. %(sum)s") % {
        "who": who,
        "why": why,
        "sum": worth(context, event),
    }


def trump_before(view: View, event: Event) -> Suit | None:
    """The trump suit when this happened: in Mondoubleau there is none at first (§17)."""
    made = next((nth for nth, each in enumerate(view.events) if isinstance(each, TrumpFixed)), -1)
    return None if view.events.index(event) < made else view.trump


def reason(cards: Sequence[Card], card: Card, trump: Suit | None) -> str:
    """Why this card of them takes the trick."""
    led = cards[0].suit
    if card.suit == trump and led != trump:
        ruffed = sum(each.suit == trump for each in cards) > 1
        return N_("%(card)s is the highest trump") if ruffed else N_("%(card)s ruffs")
    if sum(each.suit == led for each in cards) == 1:
        alone = N_("%(card)s is the only card of the suit led, and nobody played a trump")
        return N_("%(card)s is the only trump") if led == trump else alone
    return N_("%(card)s is the highest of the suit led")


def worth(context: RenderContext, event: Taken) -> str:
    """A trick's points, added up card by card."""
    _, parts = context.words.gettext, [card.points for card in event.cards if card.points]
    der = event.points != sum(parts)
    terms = [
        *map(str, parts),
        *([_("%(points)s (dix de der)") % {"points": DIX_DE_DER}] if der else []),
    ]
    if not terms:
        return _("There is nothing in it.")
    if len(terms) == 1:
        return _("%(points)s points.") % {"points": terms[0]}
    return _("%(sum)s = %(points)s points.") % {"sum": " + ".join(terms), "points": event.points}


def values(context: RenderContext) -> Iterator[str]:
    """The cards' values, during the first tricks."""
    if context.board.view.position.tricks < FIRST_TRICKS:
        yield context.words.gettext(
            "Points: ace 11, ten 10, king 4, queen 3, jack 2, the rest nothing; that is also their order. "
            "Aces and tens are brisques."
        )


def duty(context: RenderContext) -> Iterator[str]:
    """What the learner may play (§7, §8); nothing on another seat's turn."""
    snapshot = context.snapshot
    if snapshot.phase is not Phase.PLAY or not context.your_turn or snapshot.window:
        return
    _, view, trick = context.words.gettext, context.board.view, context.board.trick
    if not trick:
        yield _("You lead: any card will do.")
    elif not last_draw(view):
        yield _("There is still a talon: any card may answer.")
    else:
        yield _(obligation(view, trick[0].card.suit))


def obligation(view: View, led: Suit) -> str:
    """The rule of §8 that decides what may be answered."""
    held, allowed = view.hand, CardSet(act.card for act in view.legal if isinstance(act, Play))
    followed = CardSet(card for card in held if card.suit == led)
    trumps = CardSet(card for card in held if card.suit == view.trump)
    if followed:
        heads = allowed != followed
        return (
            N_("The talon is used up: follow suit, and head the trick.")
            if heads
            else N_("The talon is used up: follow suit.")
        )
    if trumps:
        over = allowed != trumps
        return (
            N_("You cannot follow suit: ruff, above the trump that lies there.")
            if over
            else N_("You cannot follow suit: ruff.")
        )
    return N_("You can neither follow suit nor ruff: any card will do.")


VOCABULARY = {
    "1": N_("brisque|brisques"),
    "3": N_("turnup|talon"),
    "6": N_("trick|tricks|trump|trumps"),
    "8": N_("follow suit|head|ruff"),
    "9": N_("mariage|tierce|quarteron|quinte|trente|declare"),
    "10": N_("chouine|chouines"),
    "11": N_("au sept|exchanges|exchanged"),
    "12": N_("dix de der"),
    "17": N_("Mondoubleau"),
}
"""The forms of the words that each § explains."""


class SentencePart(NamedTuple):
    """A piece of a sentence. `address`: where the rules explain it; empty for plain text."""

    text: str
    address: str = ""


@cache
def forms(language: Language) -> tuple[dict[str, str], re.Pattern[str]]:
    """The § of each word of a language, and a pattern that matches all words."""
    translate = translations(language).gettext
    sections = {
        form: key for key, words in VOCABULARY.items() for form in translate(words).lower().split("|")
    }
    longest_first = sorted(sections, key=lambda form: -len(form))
    return sections, re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def link_words(sentences: Iterable[str], language: Language, back: str) -> list[list[SentencePart]]:
    """The sentences in pieces; the first occurrence of each word links to its §, with a link back."""
    sections, pattern = forms(language)
    known: set[str] = set()

    def pieces(sentence: str) -> list[SentencePart]:
        found, at = list[SentencePart](), 0
        for word in pattern.finditer(sentence):
            form = word[0].lower()
            if form not in known:
                known.add(form)
                address = rules_address(sections[form], back)
                found += [SentencePart(sentence[at : word.start()]), SentencePart(word[0], address)]
                at = word.end()
        return [*found, SentencePart(sentence[at:])]

    return [pieces(sentence) for sentence in sentences]


HELPED = dict(
    zip(HELPS, (N_("the play explained"), N_("advice asked for"), N_("moves taken back")), strict=True)
)
"""Names of the kinds of help with which a match is marked."""


def help_variables(context: RenderContext) -> dict[str, Any]:
    """Template variables of help at the table: explanations, and the advice that can be requested."""
    given = context.snapshot.help
    if given is None:
        raise LookupError("nobody is helped here")
    sentences = explanations(context) if given.explained else ()
    return {
        "form": context.form,
        "seat": context.snapshot.learner,
        "explained": given.explained,
        "sentences": link_words(sentences, context.visit.language, context.here),
        **advice_variables(context),
        "takes_back": given.takes_back and not context.snapshot.held and not context.snapshot.paused,
    }


def helped_in_words(helped: Collection[str], words: Words) -> list[str]:
    """The kinds of help used in a match, in words."""
    return [words.gettext(HELPED[kind]) for kind in HELPS if kind in helped]
