"""The count at the end of a partie, laid out as players count: brisques, heads, declarations, dix de der (§12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chouine.cards import Card, Rank
from chouine.cli.terminal.wording import figure
from chouine.partie import Declared, View
from chouine.partie.course import taken_by
from chouine.phrases import Language, say
from chouine.rules.play import DIX_DE_DER

COUNTED = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK)


class Row(NamedTuple):
    """One line of the count, a figure a seat; `rule` draws a line above it."""

    label: str
    cells: tuple[int | None, ...]
    rule: bool = False


def count_lines(view: View, names: Sequence[str], language: Language, width: int) -> list[str]:
    """The count of a partie played out."""
    seats = len(names)
    column = max(5, min(10, (width - 16) // seats))
    label = min(24, width - column * seats)
    lines = [" " * label + "".join(name[: column - 1].rjust(column) for name in names)]
    for row in rows(view, language):
        cells = "".join(("" if cell is None else str(cell)).rjust(column) for cell in row.cells)
        lines += ["-" * (label + column * seats)] * row.rule
        lines.append(row.label[: label - 1].ljust(label) + cells)
    return lines


def rows(view: View, language: Language) -> list[Row]:
    """Cards by rank, their sum, declarations one by one, the last trick, the total."""
    seats = range(view.rules.seats)
    cards = taken_by(view.events, view.rules.seats)
    by_rank = [
        Row(
            say(f"terminal/count/{rank.name.lower()}", language, points=Card(rank).points),
            tuple(sum(card.points for card in each if card.rank == rank) for each in cards),
        )
        for rank in COUNTED
    ]
    der = view.tricks[-1].seat
    return [
        Row(say("terminal/count/cards", language), tuple(map(len, cards))),
        *by_rank,
        Row(say("terminal/count/tricks", language), tuple(each.points for each in cards), rule=True),
        *declared(view, language),
        Row(
            say("terminal/count/der", language), tuple(DIX_DE_DER if seat == der else None for seat in seats)
        ),
        Row(say("terminal/count/total", language), view.points, rule=True),
    ]


def declared(view: View, language: Language) -> list[Row]:
    """A row for each declaration."""
    said = (event for event in view.events if isinstance(event, Declared))
    return [
        Row(
            figure(event.declaration, language).capitalize(),
            tuple(event.counts if seat == event.seat else None for seat in range(view.rules.seats)),
        )
        for event in said
    ]


def short_count(view: View) -> tuple[int, ...]:
    """Brisques, declarations and dix de der: the quick count of §12."""
    der = view.tricks[-1].seat
    return tuple(
        sum(card.points for card in cards if card.rank >= Rank.TEN)
        + view.position.declared[seat]
        + (DIX_DE_DER if seat == der else 0)
        for seat, cards in enumerate(taken_by(view.events, view.rules.seats))
    )
