"""A partie or a position drawn for people: as text, a line a trick, without colours; for notebooks as an HTML table.

Tables are legible on light and dark pages without a style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape

from chouine.cards import Card, CardSet, Suit
from chouine.errors import check_seat, check_seconds
from chouine.notation.display import arrange, declaration_spoken, face, faces
from chouine.notation.records import Comment, Glyph, Record, is_action, points_text
from chouine.notation.replay import replay_with_events
from chouine.notation.setup import Setup
from chouine.partie.deal import SEATS, SeenHand
from chouine.partie.events import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Shown,
    Taken,
    TrumpFixed,
    hide_cards,
)
from chouine.partie.picture import draw_partie
from chouine.partie.view import View
from chouine.phrases import Language, check_language, in_words, say

UNKNOWN = "?"
ABOUT = ("Event", "Site", "Date", "Players", "Format", "Manche", "Partie", "Score")


def draw_setup(setup: Setup, language: Language, observer: int | None = None) -> list[str]:
    """A position; to an observer, the other hands and the talon from behind."""
    if observer is not None:
        setup = from_behind(setup, observer)
    pen = Pen(language, SEATS)
    lines = [f"{setup.rules} · {pen.say('to-act', setup.to_act)} · {pen.trump(setup.trump, setup.turnup)}"]
    for seat, hand in enumerate(setup.hands):
        parts = [f"{SEATS[seat]}  {pen.hand(hand)}"]
        parts += [pen.say("declares", said=declaration_spoken(each, language)) for each in setup.said[seat]]
        taken = setup.taken[seat]
        parts += [f"{pen.say('taken')} {faces(arrange(taken), language)} ({taken.points})"] if taken else []
        lines.append(" · ".join(parts))
    lines += [f"{pen.say('table')}  {faces(setup.table, language)}"] if setup.table else []
    lines += [f"{pen.say('talon')}  {' '.join(map(pen.card, setup.talon))}"] if setup.talon else []
    return lines


def from_behind(setup: Setup, observer: int) -> Setup:
    """A position as one seat sees it."""
    hands = tuple(
        hand if seat == observer else SeenHand(CardSet(), len(hand)) for seat, hand in enumerate(setup.hands)
    )
    return replace(setup, hands=hands, talon=(None,) * len(setup.talon))


def draw_record(record: Record, language: Language, observer: int | None = None) -> list[str]:
    """A partie trick by trick; for an observer, with that seat's knowledge alone. Variations are left out."""
    return ["  ".join(parts) for parts in record_parts(record, language, observer)]


def record_parts(record: Record, language: Language, observer: int | None = None) -> list[list[str]]:
    """The lines of `draw_record`, each in its parts."""
    tags = dict(record.tags)
    names = [strip_controls(name.strip()) for name in tags.get("Players", "").split(";")]
    sheet = TrickLines(Pen(language, names if len(names) == record.rules.seats else SEATS))
    steps = replay_with_events(record.rules, record.deal, record.actions)
    seen = (
        [event if observer is None else hide_cards(event, observer) for event in events]
        for _, events in steps
    )
    sheet.write(next(seen))
    for item in record.items:
        if is_action(item):
            sheet.write(next(seen))
        elif isinstance(item, Glyph):
            sheet.add(item.text)
        elif isinstance(item, Comment):
            sheet.add(f"{{{strip_controls(item.text)}}}")
    sheet.write([Ended(record.result)])
    about = " · ".join(strip_controls(tags[name]) for name in ABOUT if name in tags)
    return [*([[about]] if about else []), [str(record.rules)], *sheet.parts]


def record_table(record: Record, language: Language) -> str:
    """An HTML table of a record, a row a trick: its number, what was laid and said, who took and drew."""
    check_language(language)
    lines = record_parts(record, language)
    first = next((nth for nth, line in enumerate(lines) if len(line) > 1), len(lines) - 1)
    rows = []
    for number, *parts in lines[first:]:
        taken = next((nth for nth, part in enumerate(parts) if part.startswith("→")), len(parts))
        cells = [number, " · ".join(parts[:taken]), " · ".join(parts[taken:])]
        rows.append(cells if parts else [number])
    return html_table("\n".join(line[0] for line in lines[:first]), (), rows)


def view_of(record: Record, observer: int | None) -> View:
    """What a seat knows at the end of a record; for None all that the record tells."""
    return scenes_of(record, observer)[-1][0]


def scenes_of(record: Record, observer: int | None) -> list[tuple[View, Played | None]]:
    """What a seat knows after the deal and each act, before a card that fills a trick with that card too.

    For None all that the record tells.
    """
    scenes: list[tuple[View, Played | None]] = []
    for _, news in replay_with_events(record.rules, record.deal, record.actions):
        told = [event if observer is None else hide_cards(event, observer) for event in news]
        if not scenes:
            scenes.append((View(record.rules, observer, tuple(told)), None))
            continue
        before = scenes[-1][0]
        if any(isinstance(event, Taken) for event in told):
            place, played = next((nth, event) for nth, event in enumerate(told) if isinstance(event, Played))
            scenes.append((before.then(told[:place]), played))
        scenes.append((before.then(told), None))
    if record.result.by != "unfinished":
        scenes[-1] = scenes[-1][0].then([Ended(record.result)]), None
    return scenes


def draw_film_of(record: Record, language: Language, observer: int | None, seconds: float) -> str:
    """The film of a partie; its text alternative is `draw_record`."""
    check_language(language)
    check_seconds(seconds)
    if observer is not None:
        check_seat("observer", observer, record.rules.seats)
    text = "\n".join(draw_record(record, language, observer))
    return draw_partie(scenes_of(record, observer), seconds=seconds, text=text, language=language)


def strip_controls(text: str) -> str:
    """A text with control characters replaced by spaces, so that a file cannot send escape codes to a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


class Pen:
    """Writes cards and phrases in one language, with these names for the seats."""

    def __init__(self, language: Language, names: Sequence[str]) -> None:
        self.language = language
        self.names = names

    def say(self, code: str, seat: int | None = None, **data: object) -> str:
        """The phrase `show/CODE` with its data; `%(seat)s` is the seat's name, or ? without a seat."""
        return say(f"show/{code}", self.language, seat=UNKNOWN if seat is None else self.names[seat], **data)

    def card(self, card: Card | None) -> str:
        """A card's rank and suit, or ? for an unknown card."""
        return UNKNOWN if card is None else face(card, self.language)

    def hand(self, hand: SeenHand) -> str:
        """A hand sorted as players sort it (§14)."""
        return " ".join([*map(self.card, arrange(hand.known)), *[UNKNOWN] * hand.unknown])

    def trump(self, trump: Suit | None, turnup: Card | None) -> str:
        """The trump suit, and the turnup while it lies there."""
        if trump is None:
            return self.say("no-trump")
        text = self.say("trump", suit=in_words(trump, self.language), symbol=trump.symbol)
        return text if turnup is None else f"{text} · {self.say('turnup', card=self.card(turnup))}"


class TrickLines:
    """The lines of a partie, one for each trick."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.parts: list[list[str]] = []
        """Each line's parts, joined at the end: a line may have any number of comments."""
        self.said = ""
        self.tricks = 0
        self.between = True
        """Whether the next action begins a trick."""

    def write(self, events: Sequence[Event]) -> None:
        """Write events; a declaration goes with the card that follows."""
        pen = self.pen
        for event in events:
            match event:
                case Dealt():
                    self.parts += [[line] for line in draw_deal(pen, event)]
                case Declared(declaration=declaration, counts=counts):
                    self.said = f" {pen.say('declares', said=declaration_spoken(declaration, pen.language))}"
                    self.said += f" (+{counts})" if declaration.value else ""
                case TrumpFixed(suit=suit):
                    self.said += f" {pen.trump(suit, None)}"
                case Taken(seat=seat, points=points):
                    self.between = True
                    self.add(pen.say("takes", seat, points=points))
                case Ended(result=result):
                    code = "won" if result.by == "points" else result.by
                    self.parts.append([pen.say(code, result.winner, points=points_text(result))])
                case _:
                    self.act(event)

    def act(self, event: Played | Exchanged | AuSept | Shown | Drawn) -> None:
        """Write a seat's act."""
        pen = self.pen
        match event:
            case Played(seat=seat, card=card):
                self.begin()
                self.add(f"{pen.names[seat]} {pen.card(card)}{self.said}")
                self.said = ""
            case Exchanged(seat=seat, card=card):
                self.begin()
                self.add(pen.say("exchanges", seat, card=pen.card(card)))
            case AuSept(seat=seat):
                self.begin()
                self.add(pen.say("au-sept", seat))
            case Shown(seat=seat, cards=cards):
                self.add(
                    pen.say("shows", seat, cards=faces(arrange(cards), pen.language) if cards else UNKNOWN)
                )
            case _:
                self.add(pen.say("draws", event.seat, card=pen.card(event.card)))

    def begin(self) -> None:
        """Begin the line of a trick if it has none yet."""
        if self.between:
            self.between = False
            self.tricks += 1
            self.parts.append([f"{self.tricks:2}."])

    def add(self, text: str) -> None:
        """Append to the line; before the first trick, write a separate line."""
        if self.tricks:
            self.parts[-1].append(text)
        else:
            self.parts.append([text])


def draw_deal(pen: Pen, event: Dealt) -> list[str]:
    """Write the deal."""
    trump = pen.trump(None if event.turnup is None else event.turnup.suit, event.turnup)
    hands = [f"{name}  {pen.hand(hand)}" for name, hand in zip(pen.names, event.hands, strict=False)]
    return [f"{pen.say('deals', event.dealer)} · {trump}", *hands]


CARD = re.compile(r"(?:10|[AKQJRDV987])([♠♥♦♣])")
CHIP = "background:#fff;border:1px solid #b9b3a6;border-radius:3px;padding:0 3px;white-space:nowrap;color:"
LEFT = ' style="text-align:left;vertical-align:top;line-height:1.6;padding:1px 4px"'


def html_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts; cards such as Q♥ in them are drawn as small cards. A row of one text spans all columns."""
    columns = max(map(len, [heads, *rows]))
    head = "".join(f'<th scope="col"{LEFT}>{escape(text)}</th>' for text in heads)
    body = "".join(html_row(row, columns) for row in rows)
    return (
        f"<table><caption{LEFT}>{html_text(caption)}</caption>"
        f"{f'<thead><tr>{head}</tr></thead>' if heads else ''}<tbody>{body}</tbody></table>"
    )


def html_row(row: Sequence[str], columns: int) -> str:
    """A row of a table with so many columns."""
    span = f' colspan="{columns}"' if len(row) == 1 else ""
    return f"<tr>{''.join(f'<td{span}{LEFT}>{html_text(text)}</td>' for text in row)}</tr>"


def html_text(text: str) -> str:
    """A text, escaped, with its cards as small cards and its lines apart."""
    return CARD.sub(
        lambda card: f'<span style="{CHIP}{"#c2182b" if card[1] in "♥♦" else "#1b1b26"}">{card[0]}</span>',
        escape(text).replace("\n", "<br>"),
    )
