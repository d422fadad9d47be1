"""Limits on the length of a match and of its log."""

from __future__ import annotations

import pytest

from chouine.match.format import Format
from chouine.server import terms
from chouine.server.store import Store
from chouine.table import commands as ask
from chouine.table.commands import Refused
from chouine.table.evolve import rebuild
from chouine.table.state import Phase
from tests.server.matches import Table, any_answer, opened
from tests.server.stores import begun, tables_of, with_store


def test_a_manche_is_no_longer_than_a_table_may_hold() -> None:
    terms.check_terms(opened(terms=str(Format(terms.LONGEST_MANCHE, 2))))
    with pytest.raises(Refused, match="to 10 parties"):
        terms.check_terms(opened(terms=str(Format(terms.LONGEST_MANCHE + 1, 1))))


def test_a_longer_match_begun_before_goes_on() -> None:
    table = Table.set(opened(terms="99x2"))
    assert rebuild(table.log) == table.table


def test_a_log_ends_in_the_end(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long log first phrases are refused (a pause can end), then everything but forfeiting the match."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, room = await begun(tables, opened(terms="5x2"))
        monkeypatch.setattr(terms, "LONGEST_TALK", room.n + 20)
        monkeypatch.setattr(terms, "LONGEST_LOG", room.n + 22)
        for _ in range(19):
            await tables.do(table_id, ask.Speak(0, "hello"))
        await tables.do(table_id, ask.Pause(0))
        for command in (ask.Speak(0, "hello"), ask.Pause(1)):
            with pytest.raises(Refused) as refused:
                await tables.do(table_id, command)
            assert refused.value.code in ("table/said-enough", "table/paused")
        room = await tables.do(table_id, ask.Resume(0))
        table = Table.set(opened())
        while room.n < terms.LONGEST_LOG:
            room = await tables.do(table_id, any_answer(room, table.rng))
        with pytest.raises(Refused, match="can only be forfeited"):
            await tables.do(table_id, any_answer(room, table.rng))
        assert (await tables.do(table_id, ask.ForfeitMatch(0))).phase is Phase.OVER

    with_store(sqlite, test)
