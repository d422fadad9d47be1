"""Positions and books as flat numbers: every field is written and read, one added later too."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

from chouine.ai.search import BOOK, POSITION, WORDS, flat_numbers
from chouine.ai.search_kernels import position_in, rule_table_in
from chouine.fast.soa_layout import PerSeat, compiled_position, kernel_of_fields, load, places_of, store
from chouine.rules import PRESETS, Rules, rule_table_of
from chouine.rules.play import start
from chouine.rules.position import NONE, Position

EXTRA = 99


def number_places(record: Any) -> Any:
    """The record with another number in each of its places."""
    places = places_of(record)
    return record._replace(
        **{
            field: tuple(range(at.start, at.stop)) if at.stop - at.start > 1 else at.start
            for field, at in places.items()
        }
    )


SOME: Position = number_places(start(rule_table_of(Rules()), (0, 0, 0, 0), NONE, 0))


def test_a_position_is_stored_whole() -> None:
    cells = [[0] * 2 for _ in range(len(flat_numbers(SOME)))]

    class Cells:
        def __getitem__(self, at: tuple[int, int]) -> int:
            return cells[at[0]][at[1]]

        def __setitem__(self, at: tuple[int, int], value: int) -> None:
            cells[at[0]][at[1]] = value

    store(Cells(), 1, SOME)
    assert [row[1] for row in cells] == flat_numbers(SOME)
    assert load(Cells(), 1) == SOME == compiled_position(SOME)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_searchs_words_hold_a_book_and_a_position(preset: str) -> None:
    words = [0] * WORDS
    for rule_table in (rule_table_of(Rules.parse(preset)), number_places(rule_table_of(Rules.parse(preset)))):
        words[BOOK:POSITION] = flat_numbers(rule_table)
        words[POSITION : POSITION + len(flat_numbers(SOME))] = flat_numbers(SOME)
        assert rule_table_in(words) == rule_table
        assert position_in(words, POSITION) == SOME


@pytest.mark.parametrize("record", [SOME, rule_table_of(Rules())], ids=["position", "rule table"])
def test_a_field_added_later_is_read_too(record: Any) -> None:
    made: Any = namedtuple  # noqa: PYI024  # its fields are only known here
    kind = made("longer", [*record._fields, "extra"])
    longer = kind(*record, EXTRA)
    read = kernel_of_fields(
        "def read(words): return longer({})",
        places_of(longer),
        "PerSeat({all})" if record is SOME else "({all})",
        "words[{at}]",
        {"longer": kind, "PerSeat": PerSeat},
    )
    assert read(flat_numbers(longer)) == longer
