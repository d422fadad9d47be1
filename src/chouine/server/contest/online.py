"""Contests on a server: their logs in its database, and the tables at which they are played.

The key (contest, n) decides races between writers, as for tables.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from chouine.contest import (
    ActRefused,
    Contest,
    ContestAct,
    ContestOpened,
    DealsPlayed,
    Entered,
    LogLine,
    ResultEntered,
    Revealed,
    Round,
    RoundTable,
    Score,
    TableForfeited,
    Withdrew,
    add,
    after,
    commit,
)
from chouine.contest.duplicate import RULES, difference_of, numbers_of, sealed_deal
from chouine.contest.formula import Formula
from chouine.match import Forfeit
from chouine.partie.events import Played
from chouine.server.database import take_turns
from chouine.server.limits import NETWORK, WIDE
from chouine.server.schema import act, contest, entrant, playing_table
from chouine.server.store import Conflict, Store
from chouine.server.table_ids import LENGTH, NAMED, TABLE
from chouine.table.entries import ClockTerms, Opened, SeatHolder
from chouine.table.state import FinishedPartie, TableState

State = Literal["open", "live", "over"]
"""Open for entries, being played, or finished."""
KEPT = 200
"""Contests cached in memory; others are rebuilt from their logs."""
LISTED = 50
LARGEST = 200
"""Most entries of a contest."""
UNDER_WAY = 3
"""Most unfinished contests of one visitor."""
AT_ONCE = 20
"""Acts folded before others are served."""
RETRIES = 8
DAY = 24 * 3600.0
LATELY = 3
"""Ended contests looked at for the first page."""
FORGOTTEN = 30 * DAY
"""Seconds after which an announced contest that never started is no longer listed."""


@dataclass(frozen=True, slots=True)
class EntryVisitor:
    """The visitor behind an entry; `origin`: a digest of their address, until play begins."""

    guest: str
    name: str
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Online:
    """An online contest's current state."""

    id: str
    owner: str
    seed: str = field(repr=False)
    clock: ClockTerms
    state: State
    contest: Contest
    players: Mapping[int, EntryVisitor]
    origin: str = ""
    """A digest of the address of the announcer, or of the hall they opened it to; empty once it is over."""

    def check_entries_from(self, origin: str, most: int) -> None:
        """Raise `ActRefused` if `most` have entered from an address that is not the hall's."""
        others = [player.origin for player in self.players.values()]
        here, wide = others.count(origin), sum(other[:NETWORK] == origin[:NETWORK] for other in others)
        if origin != self.origin and (here >= most or wide >= most * WIDE):
            raise ActRefused("contest/address-full", most=most)

    @property
    def names(self) -> dict[int, str]:
        """Names by entry number; `n° 7` for an entry withdrawn before the start, whose name is deleted."""
        players = self.players
        return {n: players[n].name if n in players else f"n° {n}" for n in self.contest.entrants}

    def number_of(self, guest: str) -> int | None:
        """A guest's entry number; None if they are not entered."""
        return next((number for number, player in self.players.items() if player.guest == guest), None)


def state_of(stored: State, contest: Contest) -> State:
    """A contest's state, by what was stored, perhaps before the newest lines of its log."""
    return "over" if contest.seed is not None else stored


class Contests:
    """All contests of a store, cached. Other processes may use the same store."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self.store, self.clock = store, clock
        self.database = store.database
        self._known: OrderedDict[str, Contest] = OrderedDict()
        self.begun: Callable[[str], None] = lambda _which: None
        """Called with each contest whose play this node begins."""

    async def open(
        self,
        formula: Formula,
        title: str,
        clock: ClockTerms,
        owner: str,
        origin: str = "",
        most_here: int = 1,
        which: str = "",
    ) -> str:
        """Announce a contest and return its identifier. Raises `ActRefused` if visitor or address has too many.

        `most_here`: unfinished contests from an address, whose digest is `origin`. `which`: the identifier, if it is
        not to be a random one; of two contests announced at once with the same the first counts.
        """
        now = self.clock()
        seed, which = secrets.token_hex(32), which or secrets.token_urlsafe(NAMED * 3 // 4)
        first = add(None, ContestOpened(formula, commit(seed), title), "server", int(now * 1000)).head
        values = {
            "id": which,
            "opened": now,
            "owner": owner,
            "seed": seed,
            "move": clock.move,
            "reserve": clock.reserve,
            "state": "open",
            "origin": origin,
        }

        def change(connection: sa.Connection) -> None:
            check_under_way(connection, (owner, origin), most_here, now)
            connection.execute(contest.insert().values(values))
            connection.execute(act.insert().values(contest=which, n=1, line=str(first)))

        try:
            with suppress(IntegrityError):
                await self.database.write(change)
        except ActRefused:
            # If it is there, the form was sent twice at once, and the first was the last contest allowed.
            if await self.get(which) is None:
                raise
        return which

    async def get(self, which: str) -> Online | None:
        """A contest's state, current with the store; None if there is none."""
        rows = await self.database.rows(sa.select(contest).where(contest.c.id == which))
        if not rows:
            return None
        row, known = rows[0], self._known.get(which)
        newer = sa.select(act.c.line).where(act.c.contest == which, act.c.n > (known.head.n if known else 0))
        for nth, (text,) in enumerate(await self.database.rows(newer.order_by(act.c.n)), 1):
            known = after(known, LogLine.parse(text))
            if not nth % AT_ONCE:
                await asyncio.sleep(0)
        if known is None:
            return None
        self._keep(which, known)
        if row.title:
            known = replace(known, opened=replace(known.opened, title=row.title))
        register = await self._register(which)
        players = {number: player for number, player in register.items() if number in known.entrants}
        clock = ClockTerms(row.move, row.reserve)
        return Online(
            which, row.owner, row.seed, clock, state_of(row.state, known), known, players, row.origin
        )

    async def do(
        self,
        which: str,
        make: Callable[[Online], ContestAct],
        entering: Callable[[Online], EntryVisitor] | None = None,
    ) -> Online:
        """Append an act, made from the current state, and return the new state. Raises `ActRefused` or `LookupError`.

        `entering` gives the person behind an entry, stored with it; a withdrawal deletes them.
        """
        stored_state = sa.select(contest.c.state).where(contest.c.id == which).with_for_update(read=True)
        for _ in range(RETRIES):
            online = await self.get(which)
            if online is None:
                raise LookupError(which)
            what, player = make(online), entering(online) if entering else None
            now = add(online.contest, what, "server", int(self.clock() * 1000))
            row = {"contest": which, "n": now.head.n, "line": str(now.head)}

            def change(
                connection: sa.Connection,
                row: dict[str, Any] = row,
                what: ContestAct = what,
                player: EntryVisitor | None = player,
                state: State = online.state,
            ) -> None:
                connection.execute(act.insert().values(row))
                if player is not None and isinstance(what, Entered):
                    if connection.scalar(stored_state) != state:
                        raise Conflict  # it was started, which has erased the origins
                    connection.execute(
                        entrant.insert().values(contest=which, number=what.number, **asdict(player))
                    )
                if isinstance(what, Withdrew):
                    gone = (entrant.c.contest == which) & (entrant.c.number == what.number)
                    connection.execute(entrant.delete().where(gone))
                if isinstance(what, Revealed):  # the contest is over, and its address is forgotten
                    over = contest.update().where(contest.c.id == which)
                    connection.execute(over.values(state="over", origin=""))

            try:
                await self.database.write(change)
            except (IntegrityError, Conflict):
                continue  # another node, or another visitor, came first
            self._keep(which, now)
            players = {**online.players}
            if isinstance(what, Entered) and player is not None:
                players[what.number] = player
            if isinstance(what, Withdrew):
                players.pop(what.number, None)
            return replace(online, state=state_of(online.state, now), contest=now, players=players)
        raise ActRefused("contest/busy")

    async def delete(self, which: str) -> None:
        """Delete a contest with its log and its names. Its tables stay, as any others."""
        gone = [
            column.table.delete().where(column == which)
            for column in (entrant.c.contest, act.c.contest, contest.c.id)
        ]
        await self.database.write(lambda connection: [*map(connection.execute, gone)])

    async def _register(self, which: str) -> dict[int, EntryVisitor]:
        rows = await self.database.rows(sa.select(entrant).where(entrant.c.contest == which))
        return {row.number: EntryVisitor(row.guest, row.name, row.origin) for row in rows}

    async def turn(self, which: str, state: Literal["open", "live"]) -> None:
        """Let play begin, when from where the entries came is forgotten; or open entries again."""
        changes: list[sa.Update] = [contest.update().where(contest.c.id == which).values(state=state)]
        if state == "live":
            changes.append(entrant.update().where(entrant.c.contest == which).values(origin=""))
        await self.database.write(lambda connection: [*map(connection.execute, changes)])
        if state == "live":
            self.begun(which)

    async def open_to_hall(self, which: str, origin: str, most_here: int = 1) -> None:
        """Let any number enter from an address, whose contest it then is. Raises `ActRefused` if that has too many."""
        now, this = self.clock(), contest.c.id == which

        def change(connection: sa.Connection) -> None:
            moved = sa.select(contest).where(this, contest.c.state == "open", contest.c.origin != origin)
            if connection.execute(moved).first() is not None:
                check_under_way(connection, ("", origin), most_here, now)
                connection.execute(contest.update().where(this).values(origin=origin))

        await self.database.write(change)

    async def listed_contests(self) -> list[Online]:
        """Public contests: open and running ones, then finished ones, newest first.

        The first of each address comes before the second of any: none hides the others'.
        """
        ended, newest = contest.c.state == "over", contest.c.opened.desc()
        nth = sa.func.row_number().over(
            partition_by=[ended, sa.func.substr(contest.c.origin, 1, NETWORK)], order_by=newest
        )
        query = (
            sa.select(contest.c.id)
            .where(sa.or_(contest.c.state != "open", contest.c.opened > self.clock() - FORGOTTEN))
            .order_by(ended, nth, newest)
            .limit(LISTED)
        )
        return await self._all(query)

    async def of(self, guest: str) -> list[Online]:
        """The unfinished contests that a guest is entered in."""
        held = sa.select(entrant.c.contest).where(entrant.c.guest == guest)
        return await self._all(
            sa.select(contest.c.id).where(contest.c.id.in_(held), contest.c.state != "over")
        )

    async def ended_lately(self, guest: str) -> list[Online]:
        """A guest's contests that have ended within a week, of the last few they entered."""
        held = sa.select(entrant.c.contest).where(entrant.c.guest == guest)
        over = sa.select(contest.c.id).where(contest.c.id.in_(held), contest.c.state == "over")
        last = await self._all(over.order_by(contest.c.opened.desc()).limit(LATELY))
        return [one for one in last if one.contest.head.at >= (self.clock() - 7 * DAY) * 1000]

    async def live_contests(self) -> list[str]:
        """Identifiers of the contests being played."""
        return [
            row.id
            for row in await self.database.rows(sa.select(contest.c.id).where(contest.c.state == "live"))
        ]

    async def table_ids(self, asked: Collection[str]) -> dict[str, bool]:
        """Of these tables those that exist, each with whether it is over."""
        query = sa.select(playing_table.c.id, playing_table.c.over).where(playing_table.c.id.in_(asked))
        return {row.id: row.over for row in await self.database.rows(query)}

    def _keep(self, which: str, now: Contest) -> None:
        self._known[which] = now
        self._known.move_to_end(which)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    async def _all(self, query: sa.Select[Any]) -> list[Online]:
        found = []
        for row in await self.database.rows(query):
            found.append(await self.get(row.id))
            await asyncio.sleep(0)  # SQLite is read on the spot: others come in between
        return [one for one in found if one is not None]


def move_entry(which: str, guest: str, now: str, connection: sa.Connection) -> None:
    """Move a player's entry to another browser's guest, unless that one is entered itself."""
    mine, own = entrant.c.contest == which, entrant.alias()
    entered = sa.exists().where(own.c.contest == which, own.c.guest == now)
    connection.execute(entrant.update().where(mine, entrant.c.guest == guest, ~entered).values(guest=now))


def check_under_way(connection: sa.Connection, set_by: tuple[str, str], here: int, now: float) -> None:
    """Raise `ActRefused` if a visitor has `UNDER_WAY` unfinished contests, or an address has `here`."""
    owner, origin = set_by
    take_turns(connection, *filter(None, (owner, origin, origin[:NETWORK])))
    unfinished = sa.or_(
        contest.c.state == "live", sa.and_(contest.c.state == "open", contest.c.opened > now - FORGOTTEN)
    )
    bounds = [(contest.c.owner == owner, UNDER_WAY, "contest/too-many")]
    if origin:
        wide = sa.func.substr(contest.c.origin, 1, NETWORK) == origin[:NETWORK]
        bounds.append((contest.c.origin == origin, here, "contest/too-many-here"))
        bounds.append((wide, here * WIDE, "contest/too-many-here"))
    for theirs, most, code in bounds:
        counted = sa.select(sa.func.count()).select_from(contest).where(theirs, unfinished)
        if (connection.execute(counted).scalar() or 0) >= most:
            raise ActRefused(code, most=most)


def table_id_of(online: Online, round_: Round, table: RoundTable) -> str:
    """The identifier of a pair's table: the same whichever node opens it."""
    which = f"{online.id} {online.seed} {round_.stage} {round_.number} {table.number} {table.players}"
    return f"{TABLE}{online.id}-{hashlib.sha256(which.encode()).hexdigest()}"[:LENGTH]


def opening_of(online: Online, round_: Round, table: RoundTable) -> Opened:
    """The settings of a contest table: its match, and the clock by which an absent player forfeits."""
    sitting = [online.players[player] for player in table.players]
    holders = tuple(SeatHolder("person", player.name, player.guest) for player in sitting)
    if round_.deals:
        numbers = numbers_of(round_.number, len(round_.deals))
        deals = tuple(str(sealed_deal(RULES, online.seed, number)) for number in numbers)
        return Opened(str(RULES), f"{len(deals)}x1", holders, online.clock, deals=deals)
    return Opened("classic", str(round_.match), holders, online.clock)


def check_entrants(which: str, numbers: Sequence[int], opened: Opened) -> Callable[[sa.Connection], None]:
    """A check, made with a table's opening, that its players are still entered: nobody is named who has left since."""
    here = sa.select(entrant).where(entrant.c.contest == which, entrant.c.number.in_(numbers))
    seated = zip(numbers, opened.chairs, strict=True)
    expected = {number: (holder.guest, holder.name) for number, holder in seated}

    def check(connection: sa.Connection) -> None:
        rows = connection.execute(here.with_for_update(read=True)).all()
        if {row.number: (row.guest, row.name) for row in rows} != expected:
            raise Conflict

    return check


def result_of(round_: Round, table: RoundTable, played: TableState) -> ContestAct:
    """The contest's act for a finished match."""
    if round_.deals:
        return deals_played(round_, table, played)
    where = (round_.stage, round_.number, table.number)
    last = played.match.entries[-1] if played.match.entries else None
    if isinstance(last, Forfeit):
        return TableForfeited(*where, table.players[last.seat])
    parties = tuple(map(sum, zip(*played.match.history, strict=True)))
    return ResultEntered(*where, Score.of(played.match.manches, parties))


def deals_played(round_: Round, table: RoundTable, played: TableState) -> DealsPlayed:
    """What a finished table made of its round's sealed deals.

    Whoever leaves before playing a card of a deal has not played it, and nor has the other.
    """
    last = played.match.entries[-1] if played.match.entries else None
    parties = [one for one in played.played if one.result.by != "forfeit" or has_played(one, one.stopped)]
    missing = len(parties) < len(round_.deals)
    return DealsPlayed(
        round_.number,
        table.number,
        tuple(difference_of(one.result, 0) for one in parties),
        tuple(nth for nth, one in enumerate(parties, 1) if one.stopped is not None),
        table.players[last.seat] if missing and isinstance(last, Forfeit) else 0,
        tuple(one.acts for one in parties),
    )


def has_played(partie: FinishedPartie, seat: int | None) -> bool:
    """Whether a seat laid a card in a finished partie."""
    return any(isinstance(event, Played) and event.seat == seat for event in partie.state.events)


def open_tables(online: Online) -> list[tuple[str, Round, RoundTable]]:
    """The tables without a result, each with its identifier."""
    return [
        (table_id_of(online, round_, table), round_, table)
        for round_ in online.contest.all_rounds()
        for table in round_.open
    ]


def is_sealed(online: Online, table_id: str) -> bool:
    """Whether a table plays deals that others of its round are still playing, or have not begun."""
    return any(
        table_id_of(online, round_, table) == table_id
        for round_ in online.contest.main
        if round_.deals and round_.open
        for table in round_.played
    )
