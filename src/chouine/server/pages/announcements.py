"""Announcements: events as sentences for the live region, the name of a sound, and celebrations.

Each observer is told only what they may know. While the curtain is down nobody is told of a hand, since another may
listen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from chouine.notation.display import arrange
from chouine.partie import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Figure,
    Played,
    Result,
    Taken,
)
from chouine.rules.rule_table import rule_table_of
from chouine.server.pages.advising import advice_sentences
from chouine.server.pages.company import on_holiday
from chouine.server.pages.help import explain_declaration, explain_trick, explanations
from chouine.server.pages.opponents import away_sentence
from chouine.server.pages.outcome import headline, manche_news
from chouine.server.pages.partie import PHRASES, strict
from chouine.server.pages.portraits import portrait
from chouine.server.pages.render_context import RenderContext
from chouine.table import LogEntry, Phase
from chouine.table import entries as log


def sentences(context: RenderContext, events: Iterable[Event]) -> tuple[str, ...]:
    """Sentences for the events in order, and a note after the last draw that suit must now be followed (§8)."""
    events = tuple(events)
    said = tuple(sentence for event in events for sentence in event_sentences(context, event))
    if any(isinstance(event, Drawn) for event in events) and strict(context):
        return (*said, context.words.gettext("No more draws: follow suit."))
    return said


def event_sentences(context: RenderContext, event: Event) -> Iterator[str]:
    """The sentences for one event; none for a draw the observer did not see."""
    match event:
        case Taken() if context.explains:
            yield explain_trick(context, event)
        case Declared() if context.explains:
            yield context.narrator.sentence(event)
            yield explain_declaration(context, event)
        case Dealt():
            yield from tell_deal(context, event)
        case Drawn(card=None):
            pass
        case Drawn(turnup=False) if context.curtain:
            pass
        case Ended(result):
            yield headline(context, result)
            yield from manche_news(context)
        case _:
            yield context.narrator.sentence(event)


def tell_deal(context: RenderContext, event: Dealt) -> Iterator[str]:
    """The dealer, the turnup and the observer's hand, for screen readers."""
    words, _ = context.words, context.words.gettext
    yield context.narrator.sentence(event)
    if event.turnup is not None:
        yield _("The turnup is %(card)s.") % {"card": words.the(event.turnup)}
    if context.observer is not None and not context.curtain:
        hand = arrange(event.hands[context.observer].known)
        yield _("Your hand: %(hand)s.") % {"hand": ", ".join(map(words.card, hand))}


def with_turn(context: RenderContext, said: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences, followed by the observer's turn, to lead or to answer, and what they may declare."""
    _ = context.words.gettext
    if context.snapshot.phase is not Phase.PLAY or not context.your_turn:
        return said
    turn = _("Your turn to answer.") if context.board.trick else _("Your turn to lead.")
    return (*said, turn, *tell_offers(context))


def tell_offers(context: RenderContext) -> Iterator[str]:
    """The declarations and the exchange that the page offers."""
    _ = context.words.gettext
    if context.curtain or (open_now := context.offered) is None:
        return
    if declarations := ", ".join(offer.announced for offer in open_now["offers"]):
        yield _("You may declare: %(declarations)s.") % {"declarations": declarations}
    if open_now["exchange"]:
        yield _("You may exchange the seven for %(card)s.") % {"card": open_now["exchange"]}


def drawn_for_deal(context: RenderContext) -> tuple[str, ...]:
    """The cards drawn in the tirage (§2)."""
    tirage, narrator = context.snapshot.tirage, context.narrator
    return tuple(
        narrator.about("draws-card", seat, card=narrator.card(card))
        for seat, card in enumerate(tirage.cards if tirage else ())
    )


def beside_play(context: RenderContext, entry: LogEntry) -> tuple[str, ...]:
    """The sentence for a log entry other than play, if it has one."""
    _ = context.words.gettext
    match entry:
        case log.Sat(_, "" | None):
            return (_("A player has left."),)
        case log.Sat(seat):
            return (_("%(name)s sits down.") % {"name": context.names[seat]},)
        case log.Spoke(seat, phrase):
            said = {"name": context.labels[seat], "said": _(PHRASES[phrase])}
            return (_("%(name)s: “%(said)s”") % said,)
        case log.Missed():
            holder = context.snapshot.holders[min(context.snapshot.missing)]
            return (away_sentence(context.words, holder),)
        case log.PauseAsked(seat):
            return (context.about(seat, _("You ask for a pause."), _("%(name)s asks for a pause.")),)
        case log.Resumed():
            return with_turn(context, (_("Play goes on."),))
        case log.WentOnHoliday(seat, _, last):
            return (on_holiday(context.words, context.names[seat], last, yours=seat == context.you),)
        case log.CameBack(seat):
            back = _("You are back from your holiday."), _("%(name)s is back from holiday.")
            return (context.about(seat, *back),)
        case log.WindowClosed() | log.Passed():
            return with_turn(context, ())
        case log.Explained(_, on):
            return explanations(context) if on and context.explains else ()
        case log.Advised() | log.AskedMore():
            return advice_sentences(context)
        case log.TookBack(seat):
            took = _("You take your last move back."), _("%(name)s takes a move back.")
            return with_turn(context, (context.about(seat, *took),))
        case log.RevancheAsked(seat):
            return (context.about(seat, _("You want a revanche."), _("%(name)s wants a revanche.")),)
        case _:
            return ()


SOUNDS = {AuSept: "call", Declared: "declare", Exchanged: "exchange", Taken: "take", Dealt: "deal"}
"""Sounds by kind of event, most important first; the end of a partie and a chouine come before them."""
SOUNDS_BESIDE = {log.Picked: "card", log.Shuffled: "deal", log.Spoke: "say"}


def sound(context: RenderContext, news: Iterable[Event]) -> str:
    """The sound for these events from the listener's side: winner and loser hear different ones."""
    news = tuple(news)
    for event in news:
        match event:
            case Ended(result):
                return sound_of_end(context, result)
            case Declared(_, declaration) if declaration.figure is Figure.CHOUINE:
                return "chouine"
    kinds = set(map(type, news))
    return next((name for kind, name in SOUNDS.items() if kind in kinds), "card" if kinds else "")


def sound_of_end(context: RenderContext, result: Result) -> str:
    """The sound at the end of a partie, or of the match with it."""
    match = context.snapshot.match
    winner = match.winner if match.over else result.winner
    if winner is None:
        return "nulle"
    if context.you is not None and winner != context.you:
        return "lost"
    return "match" if match.over else "won"


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
