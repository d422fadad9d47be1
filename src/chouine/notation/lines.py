"""The partie line, `rules deal : actions`: a whole partie in a line, or one seat's knowledge of it.

A seat's line has `?` for unknown cards: hands are written as dealt, and of the talon the cards that the seat itself
has drawn. It cannot express two things a seat has seen: which brisques another seat showed for a quinte or trente,
and, with three or four seats, which other seat took the turnup at "au sept" (§11). Read back, they are
`Shown(…, None)` and `Exchanged(None, …)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

from chouine.cards import CardSet
from chouine.errors import IllegalAction, NotationError, check_type, int_of
from chouine.notation.deals import FIELDS, FORM, complete_deal, deal_of
from chouine.notation.replay import (
    as_shown,
    count_unknown,
    may_exchange,
    objection,
    opening_position,
    place_actions,
    refusal_error,
    replay_with_events,
    unseen_cards,
)
from chouine.notation.tokens import Word, WrittenAction, read_word, read_written, words
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.deal import SeenDeal, drawing_order
from chouine.partie.events import (
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Shown,
    figure_shown,
    hide_cards,
    position_after,
)
from chouine.partie.result import Result
from chouine.partie.state import State, arrange_draw
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.rules.play import exchange
from chouine.rules.position import NONE
from chouine.rules.rule_table import rule_table_of

LINE = f"rules {FORM} : actions"


class Reading(NamedTuple):
    """A partie line taken apart: nothing is played yet."""

    rules: Rules
    deal: SeenDeal
    actions: list[WrittenAction]
    line: int
    fields: list[Word]


@dataclass(frozen=True, slots=True)
class PartieLine:
    """The contents of a partie line, not yet played."""

    rules: Rules
    deal: SeenDeal
    actions: tuple[Action, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a partie line and check its deal, not its actions. Raises `NotationError` or `InvalidDeal`."""
        reading = read_line(text)
        return cls(reading.rules, reading.deal, tuple(written.action for written in reading.actions))

    def __str__(self) -> str:
        return " ".join([str(self.rules), str(self.deal), ":", *map(str, self.actions)])


parse_rules = lru_cache(maxsize=256)(Rules.parse)


def read_line(text: str, line: int = 1) -> Reading:
    """Split a partie line into rules, deal and actions. `line`: its number in the file, for errors."""
    fields = words(text)
    end = len(text.rstrip()) + 1
    if not fields:
        raise NotationError("syntax/short", line, 1, form=LINE)
    rules = read_word(parse_rules, fields[0], line)
    if len(fields) > FIELDS and fields[FIELDS].text == ":":  # the whole talon is unknown and left out
        fields.insert(FIELDS, Word("", fields[FIELDS].column))
    deal = deal_of(fields[1 : 1 + FIELDS], rules, line, end, LINE)
    rest = fields[1 + FIELDS :]
    colon = rest[0] if rest else Word("", end)
    if colon.text != ":":
        raise NotationError("syntax/colon", line, colon.column, colon.text)
    return Reading(rules, deal, [read_written(word, line) for word in rest[1:]], line, fields[: 1 + FIELDS])


def result_of_duplicate(text: str) -> Result | None:
    """The result of a partie line that was played with duplicate draws.

    None if it is not over. Raises `NotationError`.
    """
    return read_state(text, before=arrange_draw).result


def read_state(
    text: str, line: int = 1, before: Callable[[State, Action], State] = lambda state, _: state
) -> State:
    """Read a partie from a line with all cards known. Raises `NotationError`, also for an illegal action.

    `before` gives the state in which an action is done.
    """
    reading = read_line(text, line)
    deal = complete_deal(reading.deal)
    if deal is None:
        raise NotationError("deal/unknown", line, reading.fields[2].column, reading.fields[2].text)
    state = State.new(reading.rules, deal)
    for written in reading.actions:
        try:
            state = before(state, written.action).play(written.action)
        except IllegalAction as error:
            raise refusal_error(error, written) from None
    return state


def legal(line: str) -> tuple[Action, ...]:
    """The legal acts of the seat to act in a partie line, whole or as that seat knows it. Raises `NotationError`.

    >>> sorted(str(act) for act in legal("classic b Q7.97..8|?5 Jd ?????????????????????????????????????????? :"))
    ['7h', '7s', '8c', '9h', 'Qs']
    """
    check_type("line", line, str, "a partie line as text")
    return seen_by_turn(line).legal


def seen_by_turn(line: str) -> View:
    """The view of the seat to act in a partie line; of a spectator once the partie is over."""
    turn = read_view(line, None).turn
    return read_view(line, turn)


def read_view(text: str, observer: int | None, line: int = 1) -> View:
    """Read the view of a seat, or of a spectator (None); cards it may not know are dropped. Raises `NotationError`."""
    reading = read_line(text, line)
    if observer is not None:
        observer = int_of("observer", observer, "a seat's number, or None")
    events = events_of(reading)
    own_cards(reading, events, observer)
    return View(reading.rules, observer, tuple(hide_cards(event, observer) for event in events))


def own_cards(reading: Reading, events: list[Event], observer: int | None) -> None:
    """Raise `NotationError` unless the line has all cards of this seat."""
    if observer is None:
        return
    _, dealer, hands, _, talon = reading.fields
    if not 0 <= observer < reading.rules.seats:
        raise NotationError("deal/seat", reading.line, dealer.column, dealer.text)
    if reading.deal.hands[observer].unknown:
        raise NotationError("deal/own-cards", reading.line, hands.column, hands.text)
    if Drawn(observer, None) in events:
        raise NotationError("deal/own-cards", reading.line, talon.column, talon.text)


def events_of(reading: Reading) -> list[Event]:
    """The events of a partie, as far as its line determines them."""
    rules = reading.rules
    steps = list(
        place_actions(
            replay_with_events(rules, reading.deal, [written.action for written in reading.actions]),
            reading.actions,
        )
    )
    events = [event for _, news in steps for event in news]
    p = steps[-1][0]
    return events if p.turn >= 0 else [*events, Ended(Result.of_position(rules, rule_table_of(rules), p))]


def partie_line(partie: State | View) -> str:
    """Write a partie, or a view of one, as a line."""
    check_type("the partie", partie, (State, View), "a State or a View")
    return " ".join([str(partie.rules), str(partie.deal), ":", *map(str, actions_of(partie.events))])


def actions_of(events: Iterable[Event]) -> Iterator[Action]:
    """The acts that produced these events."""
    said: Declaration | None = None
    for event in events:
        match event:
            case Exchanged():
                yield Exchange()
            case Declared(declaration=said):
                pass
            case Played(card=card):
                yield Play(card, said)
                said = None
            case _:
                pass


class Disclosures(NamedTuple):
    """The information, in the order of a view's events."""

    shown: tuple[CardSet | None, ...]
    """The cards shown for each declaration; None: unknown."""
    exchanged: tuple[int | None, ...]
    """The seat of each exchange; None: unknown."""


def disclosures(view: View) -> Disclosures:
    """The information that a view holds."""
    return Disclosures(
        tuple(event.cards for event in view.events if isinstance(event, Shown)),
        tuple(event.seat for event in view.events if isinstance(event, Exchanged)),
    )


def disclose(view: View, known: Disclosures) -> View:
    """A view from a line, completed by this information. Raises `ValueError` if their numbers differ."""
    has = disclosures(view)
    if (len(known.shown), len(known.exchanged)) != (len(has.shown), len(has.exchanged)):
        raise ValueError("not one for each of the line")
    shown, exchanged = iter(known.shown), iter(known.exchanged)

    def completed_event(event: Event) -> Event:
        match event:
            case Shown():
                return replace(event, cards=next(shown))
            case Exchanged():
                return replace(event, seat=next(exchanged))
            case _:
                return event

    return View(view.rules, view.observer, tuple(map(completed_event, view.events)))


def contradicts(view: View) -> bool:
    """Whether what was disclosed contradicts the rest of a view: cards shown that lie elsewhere, another's exchange."""
    rule_table, talon = view.rule_table, drawing_order(view.deal.talon)
    p, fallen, laid = opening_position(view.rules, view.deal), 0, dict[int, int]()
    said: Declaration | None = None
    for event in view.events[1:]:
        match event:
            case Declared(declaration=said):
                pass
            case Played(seat, card):
                act = Play(card, said)
                if objection(rule_table, talon, p, fallen, act):
                    return True
                p, said, fallen = position_after(rule_table, talon, p, seat, act), None, fallen | 1 << card
                laid[seat] = 1 << card
            case Exchanged(seat):
                holders = may_exchange(rule_table, p, unseen_cards(rule_table, talon, p, fallen))
                if not holders or seat not in (None, *holders):
                    return True
                p = exchange(p, NONE if seat is None else seat)
            case Shown(seat, declaration, cards) if cards is not None:
                free = unseen_cards(rule_table, talon, p, fallen) if count_unknown(rule_table, p, seat) else 0
                if figure_shown(rule_table, declaration, cards.mask) != cards:
                    return True
                if cards.mask & ~(p.hands[seat] | free | laid[seat]):
                    return True
                p = as_shown(p, (event,), fallen)
                if p.turn >= 0 and count_unknown(rule_table, p, seat) < 0:
                    return True
    return False
