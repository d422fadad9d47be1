"""What a person's finished matches count: each for one seat, stored once, and all of them added up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from chouine.ai.levels import LEVELS, level_of
from chouine.partie.actions import Figure
from chouine.server.codec import decode_brief
from chouine.server.database import Damaged
from chouine.server.schema import playing_table, seat, tally
from chouine.server.standing.marks import OF_MATCH, OF_PARTIE, OwnPartie, au_sept, manches_won, unders
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table.state import TableState

VERSION = 1
"""Raised when matches are counted otherwise: each is then counted again, while its log is kept."""
STREAK, MANY = 10, 100
"""Parties won in a row, and parties in all, that are feats."""
OF_PERSON = ("strongest", "valley", "streak", "hundred")
"""Feats of several matches: the strongest level beaten in a match, all levels in a partie, ten in a row, a hundred."""
FEATS = (*OF_PARTIE, *OF_MATCH, *OF_PERSON)
"""All twenty, in the order in which they are shown."""
TWO = ("classic", "mondoubleau")
"""The presets of two seats."""


class Sums(msgspec.Struct):
    """What a match counts for a seat, and all matches of a person."""

    manches_won: int = 0
    manches_lost: int = 0
    under_given: int = 0
    """Manches won in which another won no partie."""
    under_taken: int = 0
    """Manches in which the seat itself won none."""
    chouines: int = 0
    quintes: int = 0
    sevens: int = 0
    """Sevens exchanged at "au sept"."""


class Tally(Sums, omit_defaults=True, kw_only=True):
    """What a match counts for a seat. `parties` has a letter for each decided partie: `w` won, `l` lost, `n` nulle."""

    variant: str
    seat: int
    level: int = 0
    """The computer's level at a table of two; 0 for a person, and at larger tables."""
    won: bool | None = None
    """Whether the match was won; None if nobody won it."""
    helped: bool = False
    parties: str = ""
    feats: dict[str, int] = {}
    """Feats, each with the number of the partie, from 1; 0 for those of the match."""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Tally).decode


def tally_of(table: TableState, seat: int) -> Tally:
    """The tally of a match that is over."""
    match = table.match
    feats: dict[str, int] = {}
    letters, chouines, quintes, sevens = "", 0, 0, 0
    for number, played in enumerate(table.played, 1):
        result = played.result
        if result.by in ("misdeal", "unfinished"):
            continue
        lost = result.winner is not None or played.stopped == seat
        letters += "w" if result.winner == seat else "l" if lost else "n"
        own = OwnPartie(played.state, seat)
        chouines += result.by == "chouine" and result.winner == seat
        quintes += len(own.declarations_of(Figure.QUINTE))
        sevens += au_sept(own)
        for name, earns in OF_PARTIE.items():
            if name not in feats and earns(own):
                feats[name] = number
    of_manches = not table.opened.deals  # sealed deals are no manche: each is compared for itself
    feats |= {name: 0 for name, earns in OF_MATCH.items() if of_manches and earns(match, seat)}
    winners = [winner for winner in manches_won(match) if of_manches and winner is not None]
    passed = unders(match) if of_manches else []
    return Tally(
        variant=match.rules.preset,
        seat=seat,
        level=level_beside(table, seat),
        won=None if match.winner is None or not of_manches else match.winner == seat,
        helped=bool(table.helped),
        parties=letters,
        manches_won=winners.count(seat),
        manches_lost=len(winners) - winners.count(seat),
        under_given=sum(winner == seat for winner, _ in passed),
        under_taken=sum(seat in without for _, without in passed),
        chouines=chouines,
        quintes=quintes,
        sevens=sevens,
        feats=feats,
    )


def level_beside(table: TableState, seat: int) -> int:
    """The level of the computer at the other seat of a table of two; else 0."""
    others = [holder for other, holder in enumerate(table.holders) if other != seat]
    return (level_of(others[0].player) or 0) if len(others) == 1 else 0


AT_ONCE = 40
"""Matches counted for one request: some tens of milliseconds each, between which others are served."""


async def count_matches(tables: Tables, guest: str, most: int = AT_ONCE) -> int:
    """Count a guest's finished matches that are not counted yet; returns how many are left for the next time."""
    rows = await tables.store.database.rows(seats_to_count(guest))
    for row in rows[:most]:
        await asyncio.sleep(0)
        counted = await count_match(tables, row.table_id, row.seat, guest)
        await tables.store.database.write(lambda connection, counted=counted: replace(connection, counted))  # type: ignore[misc]
    return max(0, len(rows) - most)


def seats_to_count(guest: str) -> sa.Select[Any]:
    """The guest's seats at finished tables without a tally by this version, oldest first."""
    own = (tally.c.table_id == seat.c.table_id, tally.c.seat == seat.c.seat, tally.c.guest == seat.c.guest)
    counted = sa.exists().where(*own, tally.c.version == VERSION)
    return (
        sa.select(seat.c.table_id, seat.c.seat)
        .join(playing_table, playing_table.c.id == seat.c.table_id)
        .where(seat.c.guest == guest, playing_table.c.over, ~counted)
        .order_by(playing_table.c.opened, seat.c.table_id, seat.c.seat)
    )


async def count_match(tables: Tables, table_id: str, own: int, guest: str) -> dict[str, Any]:
    """The row of a match for a seat; without a tally for what does not count.

    That is a deal played again, a table at which the guest held several seats, and a log that cannot be read.
    """
    row = {
        "table_id": table_id,
        "seat": own,
        "guest": guest,
        "version": VERSION,
        "at": 0.0,
        "other": "",
        "body": b"",
    }
    table = None
    with suppress(Damaged):
        table = await tables.table(table_id)
    if table is None:
        return row
    row["at"] = table.since
    if table.opened.deal is None and table.held_by(guest) == (own,):
        others = [holder.guest for place, holder in enumerate(table.holders) if place != own]
        row["other"] = (others[0] or "") if len(others) == 1 else ""
        row["body"] = encode(tally_of(table, own))
    return row


def replace(connection: sa.Connection, row: dict[str, Any]) -> None:
    """Store a match's row in place of an earlier one."""
    connection.execute(tally.delete().where(tally.c.table_id == row["table_id"], tally.c.seat == row["seat"]))
    connection.execute(tally.insert().values(row))


async def counted_of(store: Store, guest: str) -> list[MatchTally]:
    """A guest's counted matches, oldest first."""
    query = sa.select(tally).where(tally.c.guest == guest).order_by(tally.c.at, tally.c.table_id)
    rows = await store.database.rows(query)
    return [MatchTally(row.table_id, row.at, row.other, decode(row.body)) for row in rows if row.body]


async def names_at(store: Store, table_ids: list[str]) -> dict[str, tuple[str, ...]]:
    """The names at finished tables, by seat; of tables that have been removed there are none."""
    query = sa.select(playing_table.c.id, playing_table.c.brief).where(
        playing_table.c.id.in_(table_ids), playing_table.c.brief.is_not(None)
    )
    found = {}
    for row in await store.database.rows(query):
        with suppress(msgspec.MsgspecError):
            found[row.id] = tuple(holder.name for holder in decode_brief(row.brief).holders)
    return found


@dataclass(frozen=True, slots=True)
class MatchTally:
    """A tally with its match."""

    table_id: str
    at: float
    other: str
    """The only other person at a table of two; empty for computers, larger tables and whoever was erased."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class EarnedFeat:
    """The first time that a feat was done."""

    table_id: str
    partie: int
    """From 1; 0 for the whole match."""
    at: float


@dataclass(slots=True)
class PartieCounts:
    """Parties of some kind."""

    won: int = 0
    lost: int = 0
    nulles: int = 0

    def add(self, letters: str) -> None:
        """Add the parties of a match."""
        self.won += letters.count("w")
        self.lost += letters.count("l")
        self.nulles += letters.count("n")

    @property
    def parties(self) -> int:
        return self.won + self.lost + self.nulles


class Statistics(Sums):
    """A person's statistics."""

    matches: int = 0
    matches_won: int = 0
    matches_lost: int = 0
    parties: PartieCounts = msgspec.field(default_factory=PartieCounts)
    streak: int = 0
    """Most parties won in a row."""
    levels: dict[int, PartieCounts] = {}
    people: dict[str, PartieCounts] = {}
    """Against the only other person at a table, by guest; those who were erased together under an empty name."""
    variants: dict[str, PartieCounts] = {}
    seats: dict[int, PartieCounts] = {}
    feats: dict[str, EarnedFeat] = {}


def statistics_of(counted: Iterable[MatchTally]) -> Statistics:
    """The statistics; `counted` are the matches, oldest first."""
    found, row = Statistics(), 0
    beaten: set[int] = set()
    for each in counted:
        tally = each.tally
        add_match(found, each)
        for number, letter in enumerate(tally.parties, 1):
            row = row + 1 if letter == "w" else 0
            found.streak = max(found.streak, row)
            if row == STREAK:
                earn(found, "streak", each, number)
        if not tally.helped and "w" in tally.parties:
            beaten.add(tally.level)
        reached: dict[str, bool] = {
            "strongest": tally.level == LEVELS[-1] and tally.won is True and not tally.helped,
            "valley": beaten >= {*LEVELS},
            "hundred": found.parties.parties >= MANY,
        }
        for name, is_reached in reached.items():
            if is_reached:
                earn(found, name, each, 0)
    return found


def add_match(found: Statistics, each: MatchTally) -> None:
    """Add a match to the sums, and its own feats."""
    tally = each.tally
    found.matches += 1
    found.matches_won += tally.won is True
    found.matches_lost += tally.won is False
    for name in Sums.__struct_fields__:
        setattr(found, name, getattr(found, name) + getattr(tally, name))
    found.parties.add(tally.parties)
    found.variants.setdefault(tally.variant, PartieCounts()).add(tally.parties)
    found.seats.setdefault(tally.seat, PartieCounts()).add(tally.parties)
    if tally.level:
        found.levels.setdefault(tally.level, PartieCounts()).add(tally.parties)
    elif tally.variant in TWO:
        found.people.setdefault(each.other, PartieCounts()).add(tally.parties)
    for name, partie in tally.feats.items():
        earn(found, name, each, partie)


def earn(found: Statistics, name: str, each: MatchTally, partie: int) -> None:
    """Note a feat, unless it was done before."""
    found.feats.setdefault(name, EarnedFeat(each.table_id, partie, each.at))
