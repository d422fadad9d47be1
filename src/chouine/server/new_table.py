"""The terms of a new table: as a form asks, on the deal of a finished partie, or for a revanche."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from chouine.ai.levels import level_of
from chouine.partie.state import State
from chouine.server.forms import Form, of_level, opened_by, told_apart
from chouine.server.pages.opponents import usual_level
from chouine.server.pages.visit import PACES, Visit
from chouine.table.entries import LEFT, Opened, SeatHolder
from chouine.table.state import Phase, TableState


def new_table(form: Form, visit: Visit) -> Opened:
    """The table that a form asks for. Raises `ChouineError` for one that cannot be played."""
    return with_settings(opened_by(form, visit.guest, visit.programs), visit)


def with_settings(opened: Opened, visit: Visit) -> Opened:
    """A table with the visitor's emblem, time for the seven (§11) and pace."""
    chosen = visit.settings
    holders = tuple(
        replace(holder, emblem=chosen.emblem) if holder.guest else holder for holder in opened.chairs
    )
    return replace(opened, chairs=holders, window=chosen.window, pace=PACES[chosen.pace].computers)


def own_name(opened: Opened) -> str:
    """The name at the first seat that the visitor holds; empty if there is none."""
    return next((holder.name for holder in opened.chairs if holder.guest), "")


def first_level(opened: Opened) -> int | None:
    """The level of the first computer at a table."""
    return next(filter(None, (level_of(holder.player) for holder in opened.chairs)), None)


def same_deal(visit: Visit, table: TableState, finished: State, mine: int) -> Opened:
    """A partie on the deal of a finished one, with the visitor in seat `mine` and computers in the others."""
    sitting: list[SeatHolder] = []
    for seat, holder in enumerate(table.holders):
        name = visit.name or ("" if holder.name == LEFT else holder.name)
        person = SeatHolder("person", name, visit.guest)
        sitting.append(person if seat == mine else of_level(usual_level(visit), "", sitting))
    rules, deal = str(finished.rules), str(finished.deal)
    return with_settings(Opened(rules, "1x1", told_apart(sitting), deal=deal), visit)


def revanche(table_id: str, table: TableState) -> tuple[str, Opened] | None:
    """The revanche's identifier and terms once every person wants it, else None. Equal however often it is called."""
    if table.phase is not Phase.OVER or not table.people or not table.people <= table.ready:
        return None
    following = hashlib.sha256(f"{table_id} revanche".encode()).hexdigest()[:32]
    return following, replace(table.opened, chairs=table.holders, deal=None)
