"""What each entry of the log looks like to one observer: one frame, or a held one and then the next."""

from __future__ import annotations

from dataclasses import replace

from chouine.partie import AuSept, Dealt, Declared, Ended, Event, Exchanged, Taken
from chouine.server.pages.look import Look
from chouine.server.pages.seats import PHRASES
from chouine.server.pages.seen import Seen, Told
from chouine.server.pages.spoken import sentences
from chouine.server.pages.table import Frame, inside, look_at
from chouine.server.pages.visit import Visit
from chouine.server.room import Phase, Room
from chouine.server.room import entries as log


def frames(
    visit: Visit, game: str, before: Room, entry: log.AnyEntry, after: Room, seen: Seen
) -> list[Frame]:
    """The frames of one entry, which led from the table before to the table after it, as one observer sees them."""
    was = seen.at(before.state) if before.state and before.phase is Phase.PLAY else None
    look = look_at(visit, game, after, seen)
    match entry:
        case log.Acted() | log.Conceded() | log.Forfeited() if was is not None and after.state:
            return of_partie(look, before, was, seen.at(after.state).view.events[len(was.view.events) :])
        case log.Cut():
            said = turn(look, sentences(look, look.partie.events))
            return [Frame(inside(look), hold=False, say=said, sound="deal")]
        case log.Picked() if None not in after.picks:
            return [Frame(inside(replace(look, held=True)), hold=True, say=drawn(look), sound="card")]
        case _:
            return [Frame(inside(look), hold=False, say=aside(look, entry), sound=sound_of(entry))]


def of_partie(look: Look, before: Room, was: Told, news: tuple[Event, ...]) -> list[Frame]:
    """What an act changed: a complete trick is held before it is taken, or before the count."""
    full = next((at for at, event in enumerate(news) if isinstance(event, Taken)), None)
    if full is None and chouine(news):
        full = len(news) - 1
    if full is None:
        return [Frame(inside(look), hold=False, say=turn(look, sentences(look, news)), sound=sound(news))]
    lying = replace(look, room=before, told=was.then(news[:full]), held=True)
    return [
        Frame(inside(lying), hold=True, say=sentences(lying, news[:full]), sound=sound(news[:full])),
        Frame(
            inside(look), hold=False, say=turn(look, sentences(look, news[full:])), sound=sound(news[full:])
        ),
    ]


def chouine(news: tuple[Event, ...]) -> bool:
    """Whether a chouine ended the partie: its trick is full and nobody takes it (§10)."""
    return bool(news) and isinstance(news[-1], Ended) and news[-1].result.by == "chouine"


def turn(look: Look, said: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences, and then whether it is the listener's turn."""
    awaited = look.room.phase is Phase.PLAY and look.acting is not None and look.acting == look.observer
    return (*said, look.words.gettext("Your turn.")) if awaited else said


def drawn(look: Look) -> tuple[str, ...]:
    """The cards drawn for the deal (§2)."""
    cards, _ = look.room.tirages[-1].cards, look.words.gettext
    own, others = _("You draw %(card)s."), _("%(name)s draws %(card)s.")
    return tuple(look.about(seat, own, others, card=look.words.the(card)) for seat, card in enumerate(cards))


def aside(look: Look, entry: log.AnyEntry) -> tuple[str, ...]:
    """What is not play, in a sentence where there is one."""
    _ = look.words.gettext
    match entry:
        case log.Sat(seat):
            return (_("%(name)s sits down.") % {"name": look.name(seat)},)
        case log.Spoke(seat, phrase):
            return (_("%(name)s: “%(said)s”") % {"name": look.label(seat), "said": _(PHRASES[phrase])},)
        case log.Missed():
            return (look.away,)
        case log.PauseAsked(seat):
            return (look.about(seat, _("You ask for a pause."), _("%(name)s asks for a pause.")),)
        case log.Resumed():
            return turn(look, (_("Play goes on."),))
        case log.WindowClosed() | log.Passed():
            return turn(look, ())
        case log.RevancheAsked(seat):
            return (look.about(seat, _("You want a revanche."), _("%(name)s wants a revanche.")),)
        case _:
            return ()


def sound(news: tuple[Event, ...]) -> str:
    """The most telling sound of what happened."""
    kinds = {type(event) for event in news}
    for kind, name in (
        (Ended, "end"),
        (AuSept, "call"),
        (Declared, "declare"),
        (Exchanged, "call"),
        (Taken, "take"),
        (Dealt, "deal"),
    ):
        if kind in kinds:
            return name
    return "card" if news else ""


def sound_of(entry: log.AnyEntry) -> str:
    """The sound of what is not play."""
    match entry:
        case log.Picked():
            return "card"
        case log.Shuffled():
            return "deal"
        case log.Spoke():
            return "say"
        case _:
            return ""
