"""Challenges: a match offered to people one knows, on terms that are agreed by accepting them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from chouine.match.score import Format, Match
from chouine.names import another_name
from chouine.rules import Rules
from chouine.server.circle.known import Challenge, State
from chouine.server.circle.people import LISTED, Bonds, People, PeopleRefused, may_be_challenged
from chouine.server.database import take_turns
from chouine.server.partners import calls
from chouine.server.schema import challenge, invitee, person
from chouine.server.store import Conflict
from chouine.server.table_cache import new_id
from chouine.server.terms import check_terms
from chouine.table.entries import ClockTerms, Opened, SeatHolder

EVENING, SLOW = 4 * 3600.0, 3 * 24 * 3600.0
"""Seconds in which an answer is waited for, and for a slow match."""
OPEN = 10
"""Most challenges that a person may have open."""
OFTEN, DAY = 5, 24 * 3600.0
"""Most challenges to one person in a day, answered or not."""
SHOWN = 24 * 3600.0
"""Seconds for which the outcome of a challenge is shown to the challenger, unless put away."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match as stored: `move` 0 without a clock."""

    rules: str
    format: str
    move: int
    reserve: int

    @classmethod
    def of(cls, opened: Opened) -> Terms:
        """The terms of a table."""
        clock = opened.clock or ClockTerms(0, 0)
        return cls(opened.rules, opened.format, clock.move, clock.reserve)

    def table(self, holders: tuple[SeatHolder, ...]) -> Opened:
        """The table on these terms. Raises `ChouineError` for what cannot be played."""
        rules, format_ = Rules.parse(self.rules), Format.parse(self.format)
        Match.new(rules, format_)
        clock = ClockTerms(self.move, self.reserve) if self.move else None
        opened = Opened(str(rules), str(format_), holders, clock)
        check_terms(opened)
        return opened


class Challenges:
    """The challenges of a store, on all its nodes."""

    def __init__(self, people: People) -> None:
        self.people, self.clock, self.database = people, people.clock, people.database

    async def send(self, guest: str, others: Sequence[str], terms: Terms) -> tuple[str, tuple[str, ...]]:
        """Challenge others. Returns the challenge, and who is to be told of it: nobody who has blocked the guest.

        Raises `ChouineError`.
        """
        now, bonds = self.clock(), await self.people.bonds(guest)
        if len(others) + 1 != Rules.parse(terms.rules).seats:
            raise PeopleRefused("people/other-seats")
        terms.table(tuple(SeatHolder("person", str(nth), str(nth)) for nth in range(len(others) + 1)))
        for other in others:
            await self._check(guest, other, bonds)
        which = secrets.token_urlsafe(12)
        row = {"id": which, "guest": guest, "at": now, "state": "open", "table_id": "", "told": False}
        row |= {"until": now + (SLOW if ClockTerms(terms.move, terms.reserve).slow else EVENING)}
        row |= {"rules": terms.rules, "format": terms.format, "move": terms.move, "reserve": terms.reserve}
        seats = [{"challenge": which, "guest": other, "answer": ""} for other in others]

        def change(connection: sa.Connection) -> None:
            check_sent(connection, guest, others, now)
            connection.execute(challenge.insert().values(row))
            connection.execute(invitee.insert(), seats)

        await self.database.write(change)
        return which, tuple(other for other in others if other not in bonds.hidden)

    async def _check(self, guest: str, other: str, bonds: Bonds) -> None:
        """Raise `PeopleRefused` unless a guest may challenge another, as far as the guest may know."""
        relation = await self.people.relation(guest, other, bonds)
        chosen = await self.database.rows(sa.select(person.c.challenged_by).where(person.c.guest == other))
        if other in bonds.blocked:
            raise PeopleRefused("people/blocked")
        if not chosen or not may_be_challenged(chosen[0].challenged_by, relation):
            raise PeopleRefused("people/not-challenged")

    async def offer_again(
        self, guest: str, others: Sequence[str], terms: Terms
    ) -> tuple[str, tuple[str, ...]]:
        """Challenge the same people again, or accept what one of them offers already.

        Returns the table if there is one now, else empty; and who is to be told of it, or of the challenge.
        """
        for row in [*await self._open_challenges(guest), *await self._just_accepted(guest)]:
            everybody = {row.guest, *(await self._guests_of(row.id))}
            if everybody == {guest, *others} and (row.rules, row.format) == (terms.rules, terms.format):
                return await self.accept(guest, row.id)
        _, told = await self.send(guest, others, terms)
        return "", told

    async def accept(self, guest: str, which: str) -> tuple[str, tuple[str, ...]]:
        """Accept a challenge: once all have, the table is opened.

        Returns the table's identifier, empty until then, and the guests to notify of it. A guest who accepts
        twice tells nobody the second time. Raises `PeopleRefused`.
        """
        rows = [row for row in await self._open_challenges(guest) if row.id == which]
        if not rows:
            return await self._accepted_table(guest, which), ()
        row, table_id = rows[0], new_id()
        invited = await self._guests_of(which)
        order = [row.guest, *invited]
        people = {one.guest: one.name for one in await self.people.rows_of(order)}
        holders: list[SeatHolder] = []
        for each in order:
            name = another_name(people.get(each, ""), [holder.name for holder in holders])
            holders.append(SeatHolder("person", name, each))
        opened = Terms(row.rules, row.format, row.move, row.reserve).table(tuple(holders))
        if not await self._accept_last(guest, which):
            return "", ()
        here = challenge.c.id == which

        def claim(connection: sa.Connection) -> None:
            """The last to accept opens the table. The row is locked, so that a challenge opens only one."""
            now = connection.execute(sa.select(challenge).where(here).with_for_update()).first()
            if now is None or now.state != "open":
                raise Conflict
            connection.execute(challenge.update().where(here).values(state="accepted", table_id=table_id))
            connection.execute(answer_of(guest, which).values(answer="yes"))

        try:
            await self.people.tables.open(opened, table_id, (row.guest, ""), claim=claim)
            return table_id, tuple(each for each in order if each != guest)
        except Conflict:
            now = await self.database.rows(sa.select(challenge).where(here))
            if not now or now[0].state not in ("open", "accepted"):
                raise PeopleRefused("people/too-late") from None
            return str(now[0].table_id), ()

    async def _just_accepted(self, guest: str) -> list[sa.Row[Any]]:
        """The challenges that a guest has accepted, and whose tables wait for them to draw: no answer led there."""
        mine = challenges_answered(guest, "yes")
        query = sa.select(challenge).where(challenge.c.id.in_(mine), challenge.c.state == "accepted")
        rows = await self.database.rows(query.where(challenge.c.at > self.clock() - DAY))
        return [row for row in rows if await calls(self.people.tables, row.table_id, guest)]

    async def _accepted_table(self, guest: str, which: str) -> str:
        """The table of a challenge that a guest has accepted, empty until all have. Raises `PeopleRefused`."""
        mine = challenge.c.id == which, challenge.c.id.in_(challenges_answered(guest, "yes"))
        here = sa.select(challenge.c.table_id).where(*mine, challenge.c.state.in_(("open", "accepted")))
        rows = await self.database.rows(here)
        if not rows:
            raise PeopleRefused("people/too-late")
        return str(rows[0].table_id)

    async def _accept_last(self, guest: str, which: str) -> bool:
        """Whether all others have accepted: then the table is to be opened. Else that this guest has is stored."""
        state = sa.select(challenge.c.state).where(challenge.c.id == which).with_for_update()
        others = sa.select(invitee.c.guest).where(
            invitee.c.challenge == which, invitee.c.guest != guest, invitee.c.answer != "yes"
        )

        def change(connection: sa.Connection) -> bool:
            if connection.scalar(state) != "open":  # of two who accept at once the second waits for the first
                raise PeopleRefused("people/too-late")
            if connection.execute(others).first() is None:
                return True
            connection.execute(answer_of(guest, which).values(answer="yes"))
            return False

        return await self.database.write(change)

    async def decline(self, guest: str, which: str) -> None:
        """Decline a challenge; the challenger is told, and the others no longer asked."""
        if any(row.id == which for row in await self._open_challenges(guest)):
            here = challenge.update().where(challenge.c.id == which, challenge.c.state == "open")

            def change(connection: sa.Connection) -> None:
                if connection.execute(here.values(state="declined")).rowcount:
                    connection.execute(answer_of(guest, which).values(answer="no"))

            await self.database.write(change)

    async def drop(self, guest: str, which: str) -> None:
        """Take one's challenge back, or put its outcome away."""
        own = challenge.update().where(challenge.c.id == which, challenge.c.guest == guest)
        dropped = sa.case((challenge.c.state == "open", "dropped"), else_=challenge.c.state)
        await self.database.execute(own.values(state=dropped, told=True))

    async def offers_to(self, guest: str) -> list[Challenge]:
        """The challenges that a guest may answer, the latest first."""
        standing = await self._open_challenges(guest)
        names = {row.guest: row.name for row in await self.people.rows_of(row.guest for row in standing)}
        return [self._offer_of(row, (names.get(row.guest, ""),)) for row in standing]

    async def count_waiting(self, guest: str) -> int:
        """How many people wait for an answer of a guest's: to a challenge, or to be friends."""
        bonds = await self.people.bonds(guest)
        return len({row.guest for row in await self._open_challenges(guest)} | bonds.asks)

    async def offers_by(self, guest: str) -> list[Challenge]:
        """A guest's own challenges: those open, and the outcome of the last day's."""
        own = sa.select(challenge).where(challenge.c.guest == guest, ~challenge.c.told)
        rows = await self.database.rows(own.order_by(challenge.c.at.desc()).limit(LISTED))
        found = []
        for row in rows:
            if row.state != "dropped" and row.until > self.clock() - SHOWN:
                people = await self.people.rows_of(await self._guests_of(row.id))
                found.append(self._offer_of(row, tuple(one.name for one in people)))
        return found

    async def opened_for(self, guest: str, since: float, *, told: bool = False) -> str:
        """The table that a challenge of this guest opened since a time; or empty. `told`: also if they know it."""
        own = sa.select(challenge).where(challenge.c.guest == guest, sa.true() if told else ~challenge.c.told)
        own = own.where(challenge.c.state == "accepted", challenge.c.at > since)
        rows = await self.database.rows(own.order_by(challenge.c.at.desc()).limit(1))
        return str(rows[0].table_id) if rows else ""

    def _offer_of(self, row: sa.Row[Any], names: tuple[str, ...]) -> Challenge:
        late = row.state == "open" and row.until <= self.clock()
        state: State = "expired" if late else row.state
        return Challenge(row.id, names, row.rules, row.format, row.move, row.until, state, row.table_id)

    async def _open_challenges(self, guest: str) -> Sequence[sa.Row[Any]]:
        """The open challenges to a guest that they have not answered, without those of blocked people."""
        bonds = await self.people.bonds(guest)
        asked = challenges_answered(guest, "")
        query = sa.select(challenge).where(challenge.c.id.in_(asked), challenge.c.state == "open")
        query = query.where(challenge.c.until > self.clock()).order_by(challenge.c.at.desc()).limit(LISTED)
        apart = bonds.blocked | bonds.hidden
        return [
            row
            for row in await self.database.rows(query)
            if row.guest not in apart and not apart.intersection(await self._guests_of(row.id))
        ]

    async def _guests_of(self, which: str) -> list[str]:
        query = sa.select(invitee.c.guest).where(invitee.c.challenge == which).order_by(invitee.c.guest)
        return [row.guest for row in await self.database.rows(query)]


def challenges_answered(guest: str, answer: str) -> sa.Select[tuple[str]]:
    """The identifiers of the challenges that a guest has answered so; `answer` is empty for none yet."""
    return sa.select(invitee.c.challenge).where(invitee.c.guest == guest, invitee.c.answer == answer)


def answer_of(guest: str, which: str) -> sa.Update:
    """The update of a guest's answer to a challenge."""
    return invitee.update().where(invitee.c.challenge == which, invitee.c.guest == guest)


def check_sent(connection: sa.Connection, guest: str, others: Sequence[str], now: float) -> None:
    """Raise `PeopleRefused` if a guest has sent too many challenges to send these one more."""
    take_turns(connection, guest)
    mine = sa.select(challenge).where(challenge.c.guest == guest, challenge.c.at > now - DAY)
    sent = connection.execute(mine).all()
    standing = {row.id for row in sent if row.state == "open" and row.until > now}
    if len(standing) >= OPEN:
        raise PeopleRefused("people/too-many-challenges", most=OPEN)
    asked = sa.select(invitee).where(invitee.c.challenge.in_([row.id for row in sent]))
    before = [row for row in connection.execute(asked).all() if row.guest in others]
    if any(row.challenge in standing for row in before):
        raise PeopleRefused("people/challenged")
    if any(sum(row.guest == other for row in before) >= OFTEN for other in others):
        raise PeopleRefused("people/too-often", most=OFTEN)
