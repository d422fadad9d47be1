"""Generates the tables of docs/research.md: `python -m chouine.envs.page` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chouine.cards import PACK
from chouine.envs.agent_selection import LET_PASS
from chouine.envs.encode import layout, size_of
from chouine.partie.actions import Declaration
from chouine.rules.combinations import ACTIONS, EXCHANGE, MARIAGE

SEATS = (2, 3, 4)


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def observation() -> str:
    """The table of fields with their offsets, by number of seats."""
    fields = zip(*map(layout, SEATS), strict=True)
    rows = (
        (two.name, *(span(each.start, each.stop - 1) for each in (two, *others)), str(two.high), two.meaning)
        for two, *others in fields
    )
    sizes = ", ".join(f"{size_of(seats)} with {seats} seats" for seats in SEATS)
    heads = ("field", *(f"{seats} seats" for seats in SEATS), "high", "meaning")
    return f"{table(heads, rows)}\nIn all {sizes}.\n"


def actions() -> str:
    """The table of actions by number."""
    return table(("numbers", "action"), action_rows())


def action_rows() -> Iterator[Sequence[str]]:
    for first in range(0, len(PACK), 8):
        cards = PACK[first : first + 8]
        yield span(first, first + 7), f"lay {' '.join(f'`{card}`' for card in cards)}"
    yield str(EXCHANGE), "exchange the seven (§11)"
    numbers = iter(range(MARIAGE, ACTIONS))
    for number in numbers:
        said = Declaration(number)
        several = [Declaration(number + nth) for nth in range(4 if said.suit is not None else 1)]
        for _ in several[1:]:
            next(numbers)
        tokens = " ".join(f"`{each}`" for each in several)
        yield span(number, number + len(several) - 1), f"declare a {said.figure.value}: {tokens}"
    yield str(LET_PASS), "let “au sept” pass (§11)"


if __name__ == "__main__":
    print(observation(), actions(), sep="\n")  # noqa: T201  # to be copied into the page
