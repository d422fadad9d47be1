"""Keeping order: whose words stand where, what the server's keeper decides about them, and who is told.

The keeper's page and the command do the same acts. Each is logged as a `ruling`, of which the person concerned learns.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from hmac import compare_digest
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from chouine.contest import ActRefused, Withdrew
from chouine.errors import ChouineError
from chouine.names import NAME_LENGTH, one_line
from chouine.server.contest.online import Contests
from chouine.server.database import Damaged, take_turns
from chouine.server.personal import guests_named
from chouine.server.retention import DAY, Going, remove
from chouine.server.saved import encode_saved
from chouine.server.schema import (
    NEXT,
    contest,
    entrant,
    member,
    person,
    playing_table,
    report,
    ruling,
    seat,
    session,
    setting,
    waiting,
)
from chouine.server.site import Closed
from chouine.server.store import Gone
from chouine.server.tables import Tables
from chouine.server.visitors import Secrets, saved_in
from chouine.table.commands import Sit
from chouine.table.state import TableState

REASON, TITLE, LISTED = 300, 60, 30
"""Most characters of a reason or an answer, and of a title; tables whose names are listed, and acts of the log."""
TOLD = ("warn", "rename", "remove", "bar", "lift", "card")
"""The acts of which the person concerned is told."""
OPENS, LINK = 15 * 60.0, "operator"
"""Seconds in which the link opens the page; and the setting with its secret's digest, and until when it is good."""


class OrderRefused(ChouineError):
    """An act that cannot be done; `code` is `order/…`."""


class Target(NamedTuple):
    """Words and whose they are. `guest` is empty where that is not known, `name` for all of a person's names."""

    place: str
    """`table`, `contest`, `waiting`, `people`, or `person` for a guest wherever their name stands."""
    which: str
    """The identifier of the table, contest, wait or person's page, or the guest."""
    number: int
    """The seat counted from 1, the contest's entry, or 1 for a village; 0 for a contest's title, and elsewhere."""
    guest: str
    name: str

    def __str__(self) -> str:
        return f"{self.place}:{self.which}:{self.number}"


@dataclass(frozen=True, slots=True)
class KeeperDecision:
    """What the keeper decides: an act, its reason, a new name, days of a bar, and whether it is of the address too."""

    what: str
    reason: str
    name: str = ""
    days: float = 7.0
    address: bool = False


class KeeperActs:
    """Acts of the server's keeper. All state is in the store, so that any node and the command may do them."""

    def __init__(self, tables: Tables, contests: Contests, held: Secrets) -> None:
        self.tables, self.contests, self.secrets = tables, contests, held
        self.database = tables.store.database

    async def new_link(self) -> str:
        """The path of a link that opens the keeper's page once, within `OPENS`; any earlier one ends."""
        secret, until = secrets.token_urlsafe(24), self.tables.clock() + OPENS
        await self.tables.store.keep_setting(LINK, f"{sha256(secret.encode()).hexdigest()} {until}")
        return f"/operator/{secret}"

    async def use_link(self, secret: str, guest: str) -> bool:
        """Whether this is the last link's secret, in time; from now on it is good for this guest alone.

        So whoever does not get the answer can follow it again.
        """
        kept = await self.tables.store.setting(LINK) or ""
        digest, _, until = kept.partition(" ")
        fresh, own = (sha256(text.encode()).hexdigest() for text in (secret, f"{secret} {guest}"))
        if not (compare_digest(digest, fresh) or compare_digest(digest, own)):
            return False
        if self.tables.clock() > float(until):
            return False
        this = setting.update().where(setting.c.name == LINK, setting.c.value == kept)
        mine = f"{own} {until}"
        if await self._write(this.values(value=mine)):
            return True
        return await self.tables.store.setting(LINK) == mine  # it was followed twice at once

    async def words_at(self, place: str, which: str = "") -> list[Target]:
        """The names of people, and the title, at a table or a contest; of everybody who waits; empty elsewhere."""
        if place == "waiting":
            query = sa.select(waiting).where(waiting.c.table_id == "").order_by(waiting.c.since)
            return [Target(place, row.id, 0, row.guest, row.name) for row in await self.database.rows(query)]
        if place == "table" and (table := await self.tables.table(which)):
            sitting = [(seat, table.holders[seat]) for seat in sorted(table.people)]
            return [Target(place, which, n + 1, one.guest, one.name) for n, one in sitting if one.guest]
        if place == "contest" and (online := await self.contests.get(which)):
            title = Target(place, which, 0, online.owner, online.contest.opened.title)
            entries = sorted(online.players.items())
            return [title, *(Target(place, which, n, one.guest, one.name) for n, one in entries)]
        if place == "people":
            return [
                Target(place, row.id, number, row.guest, words)
                for row in await self.database.rows(sa.select(person).where(person.c.id == which))
                for number, words in enumerate((row.name, row.village))
                if words
            ]
        return []

    async def public_words(self) -> list[list[Target]]:
        """The words that strangers see now: who waits, the newest tables of several people, contests."""
        several = sa.select(seat.c.table_id).group_by(seat.c.table_id)
        several = several.having(sa.func.count(seat.c.guest.distinct()) > 1)
        newest = sa.select(playing_table.c.id).where(~playing_table.c.over, playing_table.c.id.in_(several))
        newest = newest.order_by(playing_table.c.opened.desc()).limit(LISTED)
        places = [("waiting", ""), *[("table", row.id) for row in await self.database.rows(newest)]]
        shown = sa.or_(*(each == "everybody" for each in (person.c.shows_name, person.c.shows_village)))
        open_pages = sa.select(person.c.id).where(shown).order_by(person.c.at.desc()).limit(LISTED)
        places += [("people", row.id) for row in await self.database.rows(open_pages)]
        places += [("contest", one.id) for one in await self.contests.listed_contests()]
        found = []
        for place in places:
            with suppress(Damaged, Gone):
                found.append(await self.words_at(*place))
        return [words for words in found if words]

    async def target(self, text: str) -> Target:
        """The words that a text names: as `str` writes them, a report's number, or a person as in `guests_named`.

        Raises `OrderRefused`.
        """
        place, _, rest = text.partition(":")
        found = [one for one in await self.words_at(place, rest.partition(":")[0]) if str(one) == text]
        for row in await self.database.rows(sa.select(report).where(report.c.id == text)):
            number = row.seat + (row.place == "table")
            found.append(Target(row.place, row.table_id, number, row.other, row.name))
        guests = [] if found else await guests_named(self.tables.store, self.secrets, text)
        found += [Target("person", guest, 0, guest, "") for guest in guests]
        if not found:
            raise OrderRefused("order/nobody", text=text[:60])
        return found[0]

    async def decide(self, target: Target, decision: KeeperDecision, reported: str = "") -> None:
        """Do an act, log it, and delete the report `reported` that it answers. Raises `OrderRefused`."""
        what, origin, until = decision.what, "", 0.0
        settled: list[sa.Delete] = [report.delete().where(report.c.id == reported)]
        if not decision.reason.strip():
            raise OrderRefused("order/no-reason")
        if what in ("warn", "bar") and not target.guest:
            raise OrderRefused("order/nobody", text=str(target))
        if what == "rename":
            await self._rename(target, decision.name or f"Anonyme {secrets.randbelow(9000) + 1000}")
        elif what == "remove":
            await self._remove(target)
        elif what == "bar":
            until = self.tables.clock() + decision.days * DAY
            origin = (await self._origin(target.guest) or NEXT) if decision.address else ""
            settled.append(waits_of(target.guest))
        await self.log(what, decision.reason, target.guest, target.name, origin, until, settled)

    async def log(
        self,
        what: str,
        reason: str,
        guest: str = "",
        name: str = "",
        origin: str = "",
        until: float = 0.0,
        changes: Iterable[sa.UpdateBase] = (),
    ) -> None:
        """Log an act, with its changes in the same transaction; whoever it concerns will be told."""
        values = {"what": what, "reason": reason[:REASON], "guest": guest, "name": name, "origin": origin}
        values |= {"id": secrets.token_urlsafe(8), "answer": ""}
        row = values | {"at": self.tables.clock(), "until": until, "told": not guest or what not in TOLD}
        await self._write(*changes, ruling.insert().values(row))

    async def _origin(self, guest: str) -> str:
        """The digest of the address from which a guest waits, plays or enters; empty where none is kept any more."""
        columns = waiting.c.guest, playing_table.c.owner, entrant.c.guest, contest.c.owner
        kept = sa.union(*(sa.select(column.table.c.origin).where(column == guest) for column in columns))
        return max((row.origin for row in await self.database.rows(kept)), default="")

    async def _rename(self, target: Target, name: str) -> None:
        """Replace a contest's title; or somebody's name, at tables, in contests and waits, and in their settings."""
        title = target.place == "contest" and not target.number
        name = one_line(name, TITLE if title else NAME_LENGTH)
        if target.place == "people" and target.number:
            await self._write(person.update().where(person.c.guest == target.guest).values(village=""))
            return
        if title:
            await self._write(contest.update().where(contest.c.id == target.which).values(title=name))
            return
        held = sa.select(seat.c.table_id).where(seat.c.guest == target.guest)

        def sits(table: TableState) -> list[Sit]:
            mine = ((each, table.holders[each]) for each in table.held_by(target.guest))
            meant = [(each, holder) for each, holder in mine if target.name in ("", holder.name)]
            return [Sit(each, target.guest, name, target.guest, holder.emblem) for each, holder in meant]

        table_ids = {row.table_id for row in await self.database.rows(held)}
        await self.tables.sit_again(table_ids, sits, partial(rename_rows, target, name))

    async def _remove(self, target: Target) -> None:
        """Delete a match, a wait, or a contest; withdraw an entry, whose matches are then lost."""
        if target.place == "table":
            await remove(self.tables.store, [Going(target.which, "removed", 0.0, 0)])
            self.tables.drop(target.which)
        elif target.place == "waiting":
            await self._write(waits_of(target.guest))
        elif target.place == "contest" and target.number:
            try:
                await self.contests.do(target.which, lambda _: Withdrew(target.number))
            except (ActRefused, LookupError) as error:
                raise OrderRefused("order/nobody", text=str(target)) from error
        elif target.place == "contest":
            await self.contests.delete(target.which)
        else:
            raise OrderRefused("order/not-removed")

    async def lift(self, which: str, reason: str) -> None:
        """End a bar. Raises `OrderRefused`."""
        rows = await self.database.rows(sa.select(ruling).where(ruling.c.id == which, ruling.c.what == "bar"))
        if not rows or not reason.strip():
            raise OrderRefused("order/no-reason" if rows else "order/nobody", text=which[:60])
        lifted = ruling.update().where(ruling.c.id == which)
        past = lifted.values(until=0.0)  # by the clock of every process
        await self.log("lift", reason, rows[0].guest, rows[0].name, changes=[past])

    async def check_free(self, guest: str, origin: str) -> None:
        """Raise `Closed` if the guest or the address is barred."""
        held = sa.or_(ruling.c.guest == guest, ruling.c.origin == origin)
        barred = ruling.c.what == "bar", ruling.c.until > self.tables.clock(), held
        rows = await self.database.rows(sa.select(ruling).where(*barred))
        if any(row.origin == NEXT for row in rows):
            await self._write(ruling.update().where(*barred, ruling.c.origin == NEXT).values(origin=origin))
        if rows:
            raise Closed("closed/barred")

    async def rulings(self, guest: str | None = None) -> Sequence[sa.Row[Any]]:
        """The latest acts, newest first; those of which a guest is told, if it is about one."""
        query = sa.select(ruling).order_by(ruling.c.at.desc(), ruling.c.id)
        if guest is not None:
            query = query.where(ruling.c.guest == guest, ruling.c.what.in_(TOLD))
        return await self.database.rows(query.limit(LISTED))

    async def answer(self, guest: str, which: str, words: str) -> None:
        """Note that a guest has been told, and their answer to an act; a second one to the same changes nothing."""
        own = ruling.update().where(ruling.c.guest == guest)
        first = own.where(ruling.c.id == which, ruling.c.answer == "").values(answer=words[:REASON])
        await self._write(own.values(told=True), first)

    async def guests_to_tell(self) -> frozenset[str]:
        """The guests who are to be told of something."""
        return frozenset(
            row.guest for row in await self.database.rows(sa.select(ruling.c.guest).where(~ruling.c.told))
        )

    async def _write(self, *changes: Any) -> int:
        """Make changes in one transaction; returns the number of rows that the last one changed."""
        write = self.database.write
        return await write(lambda connection: [connection.execute(one).rowcount for one in changes][-1])


def waits_of(guest: str) -> sa.Delete:
    """What ends a guest's wait for a partner."""
    return waiting.delete().where(waiting.c.guest == guest, waiting.c.table_id == "")


def rename_rows(target: Target, name: str, connection: sa.Connection) -> None:
    """Replace somebody's name, or the one that is meant, in contests, waits, on their page and in their settings."""
    take_turns(connection, target.guest)
    for table in (waiting, entrant, person):
        own = table.update().where(table.c.guest == target.guest)
        connection.execute((own.where(table.c.name == target.name) if target.name else own).values(name=name))
    for table, key in ((session, session.c.token), (member, member.c.guest)):
        for row in connection.execute(sa.select(table).where(table.c.guest == target.guest)).all():
            saved = saved_in(row.settings, target.guest)
            if target.name in ("", saved.name):
                body = encode_saved(msgspec.structs.replace(saved, name=name))
                this = table.update().where(key == getattr(row, key.key))
                connection.execute(this.values(settings=body))
