"""Limits on the length of a match and of its log."""

from __future__ import annotations

import pytest

from chouine.match.score import Format
from chouine.server import terms
from chouine.server.store import Store
from chouine.table import commands as ask
from chouine.table.commands import Refused
from chouine.table.entries import ClockTerms
from chouine.table.evolve import rebuild
from chouine.table.state import Phase
from tests.server.matches import Table, any_answer, opening
from tests.server.stores import Clock, set_table, tables_of, with_store


def test_a_manche_is_no_longer_than_a_table_may_hold() -> None:
    terms.check_terms(opening(terms=str(Format(terms.LONGEST_MANCHE, 2))))
    with pytest.raises(Refused, match="to 10 parties"):
        terms.check_terms(opening(terms=str(Format(terms.LONGEST_MANCHE + 1, 1))))


def test_a_longer_match_begun_before_goes_on() -> None:
    table = Table.set(opening(terms="99x2"))
    assert rebuild(table.log) == table.table


def test_a_log_ends_in_the_end(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long log first phrases are refused (a pause can end), then everything but forfeiting the match."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        table_id, room = await set_table(tables, opening(terms="5x2"))
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
        table = Table.set(opening())
        while room.n < terms.LONGEST_LOG:
            room = await tables.do(table_id, any_answer(room, table.rng))
        with pytest.raises(Refused, match="can only be forfeited"):
            await tables.do(table_id, any_answer(room, table.rng))
        assert (await tables.do(table_id, ask.ForfeitMatch(0))).phase is Phase.OVER

    with_store(sqlite, test)


def test_holidays_begun_and_ended_cannot_fill_a_log(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever is about to lose on time could do so until nothing more can be played, and no time run out."""

    async def test(store: Store) -> None:
        clock = Clock()
        tables = tables_of(store, clock)
        table_id, table = await set_table(tables, opening(clock=ClockTerms(86_400, 0)))
        monkeypatch.setattr(terms, "LONGEST_TALK", table.n + 3)
        until = clock.now + 86_400
        await tables.do(table_id, ask.GoOnHoliday(0, until, "2026-12-05"))
        await tables.do(table_id, ask.ComeBack(0))
        await tables.do(table_id, ask.GoOnHoliday(0, until, "2026-12-05"))
        await tables.do(table_id, ask.ComeBack(0))
        with pytest.raises(Refused) as refused:
            await tables.do(table_id, ask.GoOnHoliday(0, until, "2026-12-05"))
        assert refused.value.code == "table/said-enough"

    with_store(sqlite, test)
