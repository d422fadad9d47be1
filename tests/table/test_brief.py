"""The summary of a table in one line."""

from __future__ import annotations

import pytest

from chouine.table.brief import Brief
from tests.server.matches import Table, is_over, opening


@pytest.mark.parametrize(("terms", "told"), [("1x1", False), ("1x2", True)])
def test_manches_are_shown_where_there_are_several(terms: str, told: bool) -> None:  # noqa: FBT001
    table = Table.set(opening("classic", terms)).until(is_over).table
    assert Brief.of(table).manches == (table.match.manches if told else ())
    assert Brief.of(table).parties == table.match.score
