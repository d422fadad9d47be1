"""The score keeper's pages: a sheet between two players with real cards, as plain values for its templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.cards import POINTS, Suit
from chouine.match import Match
from chouine.names import NAME_LENGTH
from chouine.notation.tokens import read_declaration
from chouine.partie.actions import Declaration, Figure
from chouine.partie.deal import SEATS
from chouine.phrases import say
from chouine.server.pages import wording
from chouine.server.pages.cards import sign
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.table.count import COUNTED
from chouine.table.sheet import ALL_POINTS, EACH, FAULT_KINDS, Sheet, figures

HOUSE = ("again", "trump_chouine", "tie", "fixing")
"""Rule options that change the score sheet."""
SUITS = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
"""Suits with alternating colours, as in a sorted hand."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A declaration's button, or the reason why it is disabled."""

    token: str
    label: str
    """Its points; empty for a chouine."""
    suit: Suit | None
    name: str
    said: bool
    open: bool


@dataclass(frozen=True, slots=True)
class SuitRow:
    """A figure in each suit."""

    figure: Figure
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ListedSheet:
    """A sheet in a list."""

    names: tuple[str, ...]
    match: Match


@dataclass(frozen=True, slots=True)
class AtTable:
    """The contest table to which a sheet belongs."""

    title: str
    address: str
    """The sheet's address."""
    table: int
    round: str
    """Its name, such as `Round 3`."""
    decided: str
    """The result at the desk, as a sentence; empty before there is one."""
    scores: Sequence[tuple[str, int, str]] = ()
    """The possible results: the act, the seat that wins, the winner's manches first."""
    code: str = ""
    """The address as a QR code for the other player's phone, once this phone has confirmed."""


def start_page(visit: Visit, sheets: Sequence[ListedSheet], refused: str = "") -> str:
    """The page to begin a sheet, with stored ones, latest first."""
    words = words_of(visit)
    listed = [(place, players(words, kept.names), kept.match) for place, kept in enumerate(sheets)]
    return render(
        visit,
        "marqueur/start.html",
        here="/marqueur?new=1",
        refused=refused,
        sheets=listed[::-1],
        wording=wording,
        house=HOUSE,
        name_length=NAME_LENGTH,
        places=range(4),
    )


def sheet_page(
    visit: Visit,
    sheet: Sheet,
    names: Sequence[str],
    refused: str = "",
    at: AtTable | None = None,
) -> str:
    """A sheet, the next input, and its parties. At a contest's table the players confirm the result."""
    words, match = words_of(visit), sheet.match
    labels = players(words, names)
    return render(
        visit,
        "marqueur/sheet.html",
        here=at.address if at else "/marqueur",
        sheet=sheet,
        of=form_token(names),
        match=match,
        names=labels,
        letters=SEATS,
        refused=refused,
        at=at,
        last=sheet.played[-1] if sheet.played and not sheet.said and not sheet.faults else None,
        trump=Suit(sheet.position.trump)
        if sheet.position is not None and sheet.position.trump >= 0
        else None,
        suits=[(suit, words.suit(suit)) for suit in SUITS],
        grids=[grid(words, sheet, seat) for seat in sheet.seats]
        if sheet.waits in ("play", "chouine")
        else [],
        ranks=[(rank.letter, POINTS[rank]) for rank in COUNTED],
        each=range(EACH + 1),
        all_points=ALL_POINTS,
        slips=[
            (nth, say(f"match/fault/{slip.value}", visit.language)) for nth, slip in enumerate(FAULT_KINDS)
        ],
        act=act_words(words, sheet, labels),
        sign=sign,
        said_words=words.declaration,
        ahead=own_score_first,
    )


def own_score_first(seat: int, scores: Sequence[int]) -> tuple[int, ...]:
    """Scores with this seat's first, as a sentence about it tells them."""
    return scores[seat], *scores[:seat], *scores[seat + 1 :]


def form_token(names: Sequence[str]) -> str:
    """A form token of the sheet, so that a tap on an old page does not change another sheet."""
    return "/".join(names)


def players(words: Words, names: Sequence[str]) -> tuple[str, ...]:
    """All players' names; "Player 2" and so on where none was given."""
    return tuple(words.player(name, seat) for seat, name in enumerate(names))


def grid(words: Words, sheet: Sheet, seat: int) -> tuple[SuitRow, ...]:
    """The buttons of a seat, figure by figure."""
    found: dict[Figure, list[Declaration]] = {}
    for one in figures(sheet.match.rules.seats):
        if sheet.waits == "play" or one.figure is Figure.CHOUINE:
            found.setdefault(one.figure, []).append(one)
    return tuple(
        SuitRow(figure, tuple(cell(words, sheet, seat, one) for one in in_order(declarations)))
        for figure, declarations in found.items()
    )


def in_order(declarations: Sequence[Declaration]) -> list[Declaration]:
    """Sort by suit, in the order of the buttons."""
    return sorted(declarations, key=lambda one: 0 if one.suit is None else SUITS.index(one.suit))


def cell(words: Words, sheet: Sheet, seat: int, one: Declaration) -> Cell:
    """One button."""
    said = any((own.seat, own.declaration) == (seat, one) for own in sheet.said)
    worth = sheet.worth(seat, one)
    return Cell(
        token=f"s{SEATS[seat]}{one}",
        label=str(worth or one.value or ""),
        suit=one.suit,
        name=words.declaration(one),
        said=said,
        open=not sheet.why_not(seat, one),
    )


def act_words(words: Words, sheet: Sheet, names: Sequence[str]) -> str:
    """The last act in words, for the undo button; empty without one."""
    if not sheet.acts:
        return ""
    kind, rest = sheet.acts[-1][0], sheet.acts[-1][1:]
    name = names[SEATS.index(rest[0])] if rest and kind not in "tw" else ""
    gettext = words.gettext
    match kind:
        case "d":
            return gettext("%(name)s deals") % {"name": name}
        case "t":
            return gettext("trumps: %(suit)s") % {"suit": words.suit(Suit("shdc".index(rest)))}
        case "s":
            declaration = words.a(read_declaration(rest[1:]))
            return gettext("%(name)s: %(declaration)s") % {"name": name, "declaration": declaration}
        case "f":
            return gettext("a fault of %(name)s") % {"name": name}
        case "g":
            return gettext("the partie goes on")
        case "m":
            return gettext("the void deal")
        case "w":
            return gettext("the result")
        case "o":
            return gettext("%(name)s agrees") % {"name": name}
        case _:
            return gettext("the end of the last partie")
