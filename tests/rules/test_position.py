"""Positions: their fields, in whichever way one is made."""

from typing import get_args, get_type_hints

from chouine.rules.position import Fields, Position, new_position, put


def test_the_short_way_to_a_position_takes_its_fields() -> None:
    fields = (put((0, 0, 0, 0), 2, 5), *range(1, 10), *[(0, 0, 0, 0)] * 5, 15, 16)
    assert get_args(Fields) == tuple(get_type_hints(Position).values())
    assert new_position(fields) == Position(*fields)
    assert type(new_position(fields)) is Position
