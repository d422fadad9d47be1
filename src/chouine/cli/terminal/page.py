"""What the terminal prints: a seat's page before it plays, the ends of a partie, a manche and the match, the rule book.

A page tells no more than §14 allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chouine.ai.levels import level_of
from chouine.cards import PACK, Card, CardSet
from chouine.match import Match, Tirage
from chouine.notation.display import Narrator, arrange, declaration_name, face, faces
from chouine.partie import (
    Action,
    AllowedView,
    Dealt,
    Declaration,
    Declared,
    Event,
    Exchange,
    Play,
    State,
    Taken,
    View,
)
from chouine.phrases import Language, in_words, say, score_of
from chouine.phrases.books import rulebook
from chouine.rules.play import DIX_DE_DER, declare
from chouine.table import SeatHolder
from chouine.table.count import counts_of, tally_of


class Teller:
    """Writes sentences for one seat, or for all (None), in one language."""

    def __init__(self, names: Sequence[str], observer: int | None, language: Language) -> None:
        self._names = names
        self._language = language
        self._narrator = Narrator(names, observer, language, short=True)

    def phrase(self, code: str, seat: int | None = None, **data: object) -> str:
        """A sentence of the terminal, which may name a seat."""
        name = "" if seat is None else self._names[seat]
        return say(f"terminal/{code}", self._language, name=name, **data)

    def tell(self, events: Iterable[Event]) -> list[str]:
        """One line for each event that has a sentence."""
        return [line for event in events if (line := self._line(event))]

    def _line(self, event: Event) -> str:
        match event:
            case Dealt():
                return f"{self._narrator.sentence(event)} {self._tell_turnup(event)}"
            case Declared() | Taken():
                return self._narrator.tell_count(event)
            case _:
                return self._narrator.sentence(event)

    def _tell_turnup(self, event: Dealt) -> str:
        card = event.turnup
        if card is None:
            return self.phrase("no-turnup")
        suit = in_words(card.suit, self._language)
        return self.phrase("turned", card=face(card, self._language), suit=suit)


RULE = "-" * 40


def heading(match: Match, names: Sequence[str], language: Language) -> list[str]:
    """Rules, manche, partie and score."""
    teller = Teller(names, None, language)
    place = teller.phrase("belle" if match.belle else "manche", manche=match.manche, partie=match.partie)
    return [f"La Chouine · {match.rules} · {match.format}", f"{place} · {score(match, names)}"]


def opponents(holders: Sequence[SeatHolder], language: Language) -> list[str]:
    """Level and character of the computers at the table."""
    named = dict[int, list[str]]()
    for holder in holders:
        if number := level_of(holder.player):
            named.setdefault(number, []).append(holder.name)
    return [
        f"{say('persona/named', language, name=', '.join(names), number=number)}. "
        + say(f"persona/{number}", language)
        for number, names in named.items()
    ]


def score(match: Match, names: Sequence[str]) -> str:
    """Parties in this manche, and manches where there are more than one."""
    parties = " – ".join(f"{name} {won}" for name, won in zip(names, match.score, strict=True))
    if match.format.manches == 1:
        return parties
    return f"{parties} · manches {score_of(match.manches, '')}"


def seat_lines(view: View, names: Sequence[str], language: Language) -> list[str]:
    """The table and the hand."""
    teller = Teller(names, view.observer, language)
    lines = table_lines(AllowedView.of(view), names, teller, language)
    if view.tricks and not view.table:
        lines.append(teller.phrase("last-trick") + "".join(trick_lines(view.tricks[-1:], names, language)))
    if view.hand:
        lines += ["", *hand_lines(view, teller, language)]
    return lines


def table_lines(allowed: AllowedView, names: Sequence[str], teller: Teller, language: Language) -> list[str]:
    """Trump, talon, declarations, one's own tricks and the cards on the table."""
    lines = [f"{trump_line(allowed, teller, language)} · {teller.phrase('talon', cards=allowed.talon)}"]
    if any(allowed.declared):
        declared = ", ".join(f"{name} {points}" for name, points in zip(names, allowed.declared, strict=True))
        lines.append(teller.phrase("declared", told=declared))
    if allowed.own_tricks:
        lines.append(teller.phrase("own", tricks=len(allowed.own_tricks), num=allowed.own_points))
    if allowed.table:
        laid = "   ".join(f"{names[play.seat]} {face(play.card, language)}" for play in allowed.table)
        lines.append(teller.phrase("table", cards=laid))
    return lines


def trump_line(allowed: AllowedView, teller: Teller, language: Language) -> str:
    """The trump suit and the card that lies by the talon."""
    if allowed.trump is None:
        return teller.phrase("no-trump")
    trump = teller.phrase("trump", suit=in_words(allowed.trump, language), symbol=allowed.trump.symbol)
    if allowed.turnup is None:
        return trump
    return f"{trump} · {teller.phrase('turnup', card=face(allowed.turnup, language))}"


def hand_lines(view: View, teller: Teller, language: Language) -> list[str]:
    """The hand, numbered as it is answered."""
    cards = arrange(view.hand)
    numbered = "   ".join(f"{number} {face(card, language)}" for number, card in enumerate(cards, 1))
    return [teller.phrase("hand"), f"  {numbered}"]


def offers(view: View, names: Sequence[str], language: Language) -> list[str]:
    """Declarations that may be made, with what they count, and the exchange."""
    teller = Teller(names, view.observer, language)
    with_it: dict[Declaration, list[Card]] = {}
    for action in view.legal:
        if isinstance(action, Play) and action.declaration is not None:
            with_it.setdefault(action.declaration, []).append(action.card)
    hand = arrange(view.hand)
    lines = []
    for said, cards in with_it.items():
        numbers = " ".join(f"{number}+" for number, card in enumerate(hand, 1) if card in cards)
        counts = teller.phrase("worth", points=worth(view, said)) if said.value else teller.phrase("wins")
        what = declaration_name(said, language)
        lines.append(teller.phrase("may-declare", token=said, figure=what, worth=counts, numbers=numbers))
    if Exchange() in view.legal and view.turnup is not None:
        lines.append(teller.phrase("may-exchange", card=face(view.turnup, language)))
    return lines


def worth(view: View, declaration: Declaration) -> int:
    """Points that a declaration would count now (§9)."""
    p = view.position
    return declare(view.rule_table, p, declaration).declared[p.turn] - p.declared[p.turn]


def legal_line(actions: Sequence[Action], teller: Teller, language: Language) -> str:
    """The cards that may be played."""
    cards = {action.card: None for action in actions if isinstance(action, Play)}
    return teller.phrase("legal", cards=faces(arrange(CardSet(cards)), language))


def own_tricks(view: View) -> Sequence[Taken]:
    """One's own tricks (§14)."""
    return AllowedView.of(view).own_tricks


def others_last_tricks(view: View) -> Sequence[Taken]:
    """The last trick of each other seat (§14)."""
    last = AllowedView.of(view).last_tricks
    return [trick for seat, trick in enumerate(last) if trick is not None and seat != view.observer]


def trick_lines(tricks: Sequence[Taken], names: Sequence[str], language: Language) -> list[str]:
    """Tricks, one per line: leader, cards in order, taker."""
    return [
        f"{names[trick.leader]} : {faces(trick.cards, language)} → {names[trick.seat]}, {trick.points}"
        for trick in tricks
    ]


class CountRow(NamedTuple):
    """One line of the count, a figure a seat; `rule` draws a line above it."""

    label: str
    cells: tuple[int | None, ...]
    rule: bool = False


def count_lines(state: State, names: Sequence[str], language: Language, width: int) -> list[str]:
    """The count of a partie played out."""
    seats = len(names)
    column = max(5, min(10, (width - 16) // seats))
    label = min(24, width - column * seats)
    lines = [" " * label + "".join(name[: column - 1].rjust(column) for name in names)]
    for row in rows(state, language):
        cells = "".join(("" if cell is None else str(cell)).rjust(column) for cell in row.cells)
        lines += ["-" * (label + column * seats)] * row.rule
        lines.append(row.label[: label - 1].ljust(label) + cells)
    return lines


def rows(state: State, language: Language) -> list[CountRow]:
    """Cards by rank, their sum, declarations one by one, the last trick, the total."""
    tally, seats = tally_of(state), range(state.rules.seats)

    def label(code: str, **data: object) -> str:
        return say(f"terminal/count/{code}", language, **data)

    return [
        CountRow(label("cards"), tally.taken),
        *(CountRow(label(line.rank.name.lower(), points=line.each), line.points) for line in tally.ranks),
        CountRow(label("tricks"), tally.cards, rule=True),
        *(
            CountRow(
                declaration_name(event.declaration, language).capitalize(),
                tuple(event.counts if seat == event.seat else None for seat in seats),
            )
            for declared in tally.declared
            for event in declared
        ),
        CountRow(label("der"), tuple(DIX_DE_DER if seat == tally.der else None for seat in seats)),
        CountRow(label("total"), tally.totals, rule=True),
    ]


BY_COUNT = ("points", "nulle")


def partie_lines(state: State, names: Sequence[str], language: Language, width: int) -> list[str]:
    """The count, if the partie was played out, and the winner."""
    result = state.result
    if result is None:
        raise ValueError("the partie is not over")
    teller, lines = Teller(names, None, language), []
    if result.by in BY_COUNT:
        lines += count_lines(state, names, language, width)
        short = (count.short for count in counts_of(state))
        lines.append(teller.phrase("short-count", points=score_of(short, "")))
    code = "nulle" if result.winner is None else f"partie-won/{result.by}"
    return [*lines, "", teller.phrase(code, result.winner)]


def manche_lines(before: Match, after: Match, names: Sequence[str], language: Language) -> list[str]:
    """The manche that this partie has ended: its score, and who goes under the table."""
    if len(after.history) == len(before.history):
        return []
    teller = Teller(names, None, language)
    score = after.history[-1]
    winner = score.index(after.format.parties)
    result = score_of(sorted(score, reverse=True), "")
    lines = [teller.phrase("manche-won", winner, manche=len(after.history), score=result)]
    lines += [teller.phrase("sous-la-table", seat) for seat in after.sous_la_table]
    if after.belle and after.needs_draw:
        lines.append(teller.phrase("to-the-belle"))
    return lines


def match_lines(match: Match, names: Sequence[str], language: Language) -> list[str]:
    """The winner of the match."""
    teller = Teller(names, None, language)
    if match.winner is None:
        return [teller.phrase("match-shared")]
    manches = " · ".join(score_of(score, "") for score in match.history)
    return [
        teller.phrase("match-won", match.winner),
        *([teller.phrase("manches", scores=manches)] if manches else []),
    ]


def tirage_lines(tirage: Tirage, names: Sequence[str], language: Language) -> list[str]:
    """The cards drawn, and who deals (§2)."""
    teller = Teller(names, None, language)
    lines = [
        teller.phrase("picked", seat, card=face(card, language)) for seat, card in enumerate(tirage.cards)
    ]
    return [*lines, teller.phrase("tied" if tirage.dealer is None else "will-deal", tirage.dealer)]


def spread_lines(picks: Sequence[int | None]) -> list[str]:
    """The places of the spread pack, eight a line, without those already drawn."""
    places = [" ··" if place - 1 in picks else f"{place:3}" for place in range(1, len(PACK) + 1)]
    return [" ".join(places[start : start + 8]) for start in range(0, len(PACK), 8)]


CHAPTERS = range(1, 18)


MARKUP = re.compile(r"\*+|`|\[(?P<text>[^]]*)\]\([^)]*\)")
STARTS = re.compile(r"[-|]|\d+\. |§")
"""Lines that are not joined to the one before: lists, tables, chapters."""


def chapter(number: int, language: Language) -> list[str]:
    """The chapter without markup, one line a paragraph, to be wrapped by the caller."""
    found = re.search(rf"^## (§{number} .*?)(?=^## |\Z)", rulebook(language), re.MULTILINE | re.DOTALL)
    if not found:
        return [say("terminal/no-such-chapter", language, most=CHAPTERS[-1])]
    lines: list[str] = []
    for line in map(strip_markdown, found[1].rstrip().splitlines()):
        if lines and line and lines[-1] and not STARTS.match(line) and not lines[-1].startswith("§"):
            lines[-1] += " " + line
        elif not line.startswith("|--"):
            lines.append(line)
    return [cells(line) if line.startswith("|") else line for line in lines]


def strip_markdown(line: str) -> str:
    """A line without its Markdown."""
    return MARKUP.sub(lambda found: found["text"] or "", line.removeprefix(">").strip())


def cells(row: str) -> str:
    """The cells of a table's row."""
    return "  " + " · ".join(cell.strip() for cell in row.strip("|").split("|")).rstrip("· ")
