"""The count at the end of a partie as lines of text, a column a seat (§12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chouine.notation.french import named
from chouine.partie import State
from chouine.phrases import Language, say
from chouine.rules.play import DIX_DE_DER
from chouine.table.count import tally_of


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
                named(event.declaration, language).capitalize(),
                tuple(event.counts if seat == event.seat else None for seat in seats),
            )
            for declared in tally.declared
            for event in declared
        ),
        CountRow(label("der"), tuple(DIX_DE_DER if seat == tally.der else None for seat in seats)),
        CountRow(label("total"), tally.totals, rule=True),
    ]
