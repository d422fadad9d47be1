"""The people of a store, as a test has them meet."""

from __future__ import annotations

from typing import Any

import pytest

from chouine.errors import ChouineError
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.known import CHOICES, KnownPerson
from chouine.server.circle.people import People
from chouine.server.partners import Partners
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table.entries import SeatHolder
from tests.server.matches import opening
from tests.server.stores import Clock, tables_of

NAMES = {"odette": "Odette", "basile": "Basile", "clovis": "Clovis", "irma": "Irma"}


EVENING_TERMS = Terms("classic", "3x1", 60, 300)


SLOW_TERMS = Terms("classic", "3x1", 86400, 172800)


class Village:
    """The people of a store."""

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.tables: Tables = tables_of(store, self.clock)
        self.people = People(self.tables)
        self.challenges = Challenges(self.people)
        self.partners = Partners(store, self.clock)

    async def settle(self, *guests: str) -> None:
        """Give each of these a page."""
        for guest in guests or NAMES:
            await self.people.own(guest, NAMES[guest])

    async def play(self, *guests: str) -> str:
        """A table at which these have sat down."""
        chairs = tuple(SeatHolder("person", NAMES[guest], guest) for guest in guests)
        return await self.tables.open(opening("classic" if len(guests) == 2 else "three", chairs=chairs))

    async def befriend(self, one: str, other: str) -> None:
        await self.people.ask(one, other)
        await self.people.accept(other, one)

    async def page_seen_by(self, viewer: str, other: str) -> KnownPerson | None:
        """What one sees of another on their page."""
        own = await self.people.own(other, NAMES[other])
        found = await self.people.find(viewer, own.id)
        return found[1] if found else None

    async def show_all(self, guest: str, answer: str) -> None:
        """Show everything to `answer`."""
        choices = {each: answer for each, known in CHOICES.items() if answer in known}
        await self.people.change(guest, NAMES[guest], "Thoré", "kh", choices)

    async def friends(self, guest: str) -> list[str]:
        return [one.name for one in await self.people.friends(await self.people.bonds(guest))]

    async def refusal(self, made: Any) -> str:
        with pytest.raises(ChouineError) as refused:
            await made
        return refused.value.code
