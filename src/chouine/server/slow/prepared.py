"""Acts prepared at a slow table for the card that another will play. They are shown to their owner alone.

They are done after the other's act has been answered, in a task of its own: how long that answer takes tells nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError

from chouine.cards import PACK, Card
from chouine.errors import ChouineError
from chouine.partie import Action, Played, View
from chouine.partie.actions import spell_actions
from chouine.rules.play import declarable
from chouine.rules.position import NONE
from chouine.server.schema import prepared
from chouine.server.table_cache import as_it_was
from chouine.server.table_ids import contest_in
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.commands import Refused
from chouine.table.state import Phase, TableState

log = structlog.get_logger()

WHATEVER = "*"
"""In place of a card: whatever the other plays."""


class Condition(NamedTuple):
    """What is done if the other plays a card, or `WHATEVER`."""

    card: str
    token: str


class Preparation(NamedTuple):
    """What a guest has prepared at a table, and whether what they had prepared before was not done."""

    conditions: tuple[Condition, ...] = ()
    lapsed: bool = False


def may_prepare(table_id: str, table: TableState, seat: int | None) -> bool:
    """Whether a seat may prepare an act: at a slow table, where the next card can make it this seat's turn."""
    state = table.state
    if (
        seat is None
        or state is None
        or not table.slow
        or contest_in(table_id)
        or table.phase is not Phase.PLAY
    ):
        return False
    if table.paused is not None or table.window or state.turn in (None, seat):
        return False
    return completes_trick(state.view(seat)) or next_seat(table) == seat


def completes_trick(view: View) -> bool:
    """Whether the next card completes the trick, after which any seat may lead."""
    return len(view.table) + 1 == view.rules.seats


def next_seat(table: TableState) -> int:
    """The seat after the one on turn."""
    turn = table.state.turn if table.state else None
    return ((turn or 0) + 1) % len(table.holders)


def preparable_acts(view: View) -> tuple[Action, ...]:
    """The acts that a seat may prepare: any card that it holds, with any declaration that it could make with it.

    Whether they are legal is known only when the other has played.
    """
    if view.observer is None:
        return ()
    hand = view.position.hands[view.observer]
    leads = completes_trick(view)
    position = view.position._replace(turn=view.observer, table=0 if leads else 1, pending=NONE)
    return spell_actions(view.rule_table, hand | declarable(view.rule_table, position, hand))


def cards_of_others(view: View) -> list[Card]:
    """The cards that another might play as far as one's own hand tells; who counts the fallen ones knows better."""
    return [card for card in PACK if card not in view.hand]


class PreparedActs:
    """The prepared acts of a store."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.database = tables, tables.store.database
        self.tasks: set[asyncio.Task[None]] = set()
        tables.turned.append(self.note_turn)

    async def of(self, table_id: str, guest: str) -> Preparation:
        """What a guest has prepared at a table."""
        rows = await self._rows(prepared.c.table_id == table_id, prepared.c.guest == guest)
        waiting = (Condition(row.card, row.token) for row in rows if not row.lapsed)
        return Preparation(tuple(waiting), any(row.lapsed for row in rows))

    async def prepare(self, table_id: str, table: TableState, seat: int, condition: Condition) -> None:
        """Prepare an act for a card, in place of another for the same card. Raises `Refused`."""
        state = table.state
        if state is None or not may_prepare(table_id, table, seat):
            raise Refused("table/nothing-to-prepare")
        view, (card, token) = state.view(seat), condition
        cards = {WHATEVER, *map(str, cards_of_others(view))}
        if card not in cards or token not in map(str, preparable_acts(view)):
            raise Refused("table/not-prepared")
        here = prepared.c.table_id == table_id, prepared.c.seat == seat
        row = {"table_id": table_id, "seat": seat, "guest": table.holders[seat].guest, "lapsed": False}
        row |= {"card": card, "token": token, "at": self.tables.clock()}
        row |= {"partie": len(table.played), "events": len(state.events)}

        def change(connection: sa.Connection) -> None:
            connection.execute(prepared.delete().where(*here, (prepared.c.card == card) | prepared.c.lapsed))
            connection.execute(prepared.insert().values(row))

        with suppress(IntegrityError):  # the same form, sent twice
            await self.database.write(change)
        await self.settle(table_id)  # the other may have played meanwhile

    async def withdraw(self, table_id: str, guest: str, card: str = "") -> None:
        """Take back what a guest has prepared at a table, for one card or all."""
        own = prepared.delete().where(prepared.c.table_id == table_id, prepared.c.guest == guest)
        await self.database.execute(own.where(prepared.c.card == card) if card else own)

    def note_turn(self, table_id: str, table: TableState) -> None:
        """See to what is prepared at a slow table that has changed."""
        if table.slow:
            task = asyncio.create_task(self._settle_safely(table_id))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def look(self) -> None:
        """See to all tables at which something is prepared: a node may have stopped before it did."""
        query = sa.select(prepared.c.table_id).distinct()
        for table_id in await self.database.read(lambda connection: connection.scalars(query).all()):
            await self._settle_safely(table_id)

    async def close(self) -> None:
        """Drop what is not done: another node does it."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _settle_safely(self, table_id: str) -> None:
        try:
            await self.settle(table_id)
        except Exception as error:  # noqa: BLE001  # one table that cannot be read is not the others'
            log.warning("cannot do what is prepared", kind=type(error).__name__)

    async def settle(self, table_id: str) -> None:
        """Do, drop or leave what is prepared at a table, by what has been played since."""
        rows = await self._rows(prepared.c.table_id == table_id)
        for _, of_seat in groupby(rows, key=lambda row: row.seat):
            await self._settle_seat(table_id, [*of_seat])

    async def _settle_seat(self, table_id: str, rows: Sequence[sa.Row[Any]]) -> None:
        seat, partie, events = rows[0].seat, rows[-1].partie, rows[-1].events
        table = await self.tables.table(table_id)
        state = table.state if table is not None else None
        if table is None or state is None or table.phase is not Phase.PLAY or len(table.played) != partie:
            return await self._clear(rows)
        cards = [event for event in state.events[events:] if isinstance(event, Played)]
        if any(card.seat == seat for card in cards) or table.holders[seat].guest != rows[0].guest:
            return await self._clear(rows)
        if not cards or rows[0].lapsed:
            return None
        tokens = {row.card: row.token for row in rows}
        token = tokens.get(str(cards[-1].card), tokens.get(WHATEVER, ""))
        if token and len(cards) == 1 and table.awaited == {seat} and not table.window:
            try:
                command = ask.Act(seat, token)
                await self.tables.do(table_id, command, f"prepared-{table.n}-{seat}", as_it_was(table))
                return await self._clear(rows)
            except ChouineError:
                now = await self.tables.table(table_id)
                if now is not None and now.n != table.n:
                    return await self._settle_seat(table_id, rows)
        return await self._clear(rows, lapse=len(state.events))

    async def _clear(self, rows: Sequence[sa.Row[Any]], lapse: int | None = None) -> None:
        """Delete what a seat had prepared; with `lapse`, the events so far, note that it was not done."""
        first = rows[0]
        here = prepared.c.table_id == first.table_id, prepared.c.seat == first.seat
        row = {"table_id": first.table_id, "seat": first.seat, "guest": first.guest, "partie": first.partie}
        row |= {"card": WHATEVER, "token": "", "events": lapse, "lapsed": True, "at": first.at}

        def change(connection: sa.Connection) -> None:
            connection.execute(prepared.delete().where(*here, prepared.c.at <= rows[-1].at))
            if lapse is not None:
                connection.execute(prepared.delete().where(*here))
                connection.execute(prepared.insert().values(row))

        await self.database.write(change)

    async def _rows(self, *which: sa.ColumnElement[bool]) -> Sequence[sa.Row[Any]]:
        query = (
            sa.select(prepared).where(*which).order_by(prepared.c.table_id, prepared.c.seat, prepared.c.at)
        )
        return await self.database.rows(query)
