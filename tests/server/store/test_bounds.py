"""What may be there only so often is there no more often, however many ask for one more at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC

import pytest
import sqlalchemy as sa

from chouine.contest import formula_for
from chouine.errors import ChouineError
from chouine.server import partners, tokens
from chouine.server.accounts.browsers import Browsers
from chouine.server.accounts.members import MOST, Credential, Members
from chouine.server.circle import challenges, people
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.people import People
from chouine.server.contest import online
from chouine.server.contest.online import Contests
from chouine.server.partners import Partners
from chouine.server.routes import classroom
from chouine.server.routes.classroom import Classes
from chouine.server.schema import credential
from chouine.server.store import Store
from chouine.server.tokens import Tokens
from chouine.table.entries import ClockTerms
from tests.server.stores import Clock, tables_of, with_store

FEW, AT_ONCE = 3, 5
OTHERS = [f"other-{nth}" for nth in range(FEW + AT_ONCE)]
Ask = Callable[[int], Awaitable[object]]
"""Asks for one more, whose number is given."""


def classes(store: Store) -> Ask:
    made = Classes(tables_of(store), UTC)
    return lambda nth: made.make("guest", f"secret {nth}")


def access(store: Store) -> Ask:
    made = Tokens(store, Clock())
    return lambda _: made.make("guest", "Robot", ["play"])


def blocks(store: Store) -> Ask:
    made = Partners(store, Clock())
    return lambda nth: made.block("guest", OTHERS[nth], "Basile")


def wishes(store: Store) -> Ask:
    made = People(tables_of(store))
    return lambda nth: made.ask("guest", OTHERS[nth])


def friends(store: Store) -> Ask:
    """Half of them come from the other's side."""
    made = People(tables_of(store))
    return lambda nth: made.accept(*("guest", OTHERS[nth])[:: 1 if nth % 2 else -1], invited=True)


def sent_challenges(store: Store) -> Ask:
    everyone = People(tables_of(store))

    async def ask(nth: int) -> None:
        await everyone.own(OTHERS[nth], "Basile")
        if OTHERS[nth] not in (await everyone.bonds("guest")).friends:
            await everyone.accept("guest", OTHERS[nth], invited=True)
        await Challenges(everyone).send("guest", [OTHERS[nth]], Terms("classic", "3x1", 60, 300))

    return ask


def contests_of_one(store: Store) -> Ask:
    made = Contests(store, Clock())
    return lambda _: made.open(formula_for("lavardin"), "Troo", ClockTerms(60, 300), "guest", "o" * 32, 99)


def contests_here(store: Store) -> Ask:
    made = Contests(store, Clock())
    return lambda nth: made.open(
        formula_for("lavardin"), "Troo", ClockTerms(60, 300), OTHERS[nth], "o" * 32, FEW
    )


BOUNDS: dict[str, tuple[object, str, Callable[[Store], Ask]]] = {
    "class/too-many": (classroom, "CLASSES", classes),
    "token/too-many": (tokens, "MOST", access),
    "partners/too-many": (partners, "BLOCKED", blocks),
    "people/too-many-asked": (people, "ASKS", wishes),
    "people/too-many-friends": (people, "FRIENDS", friends),
    "people/too-many-challenges": (challenges, "OPEN", sent_challenges),
    "contest/too-many": (online, "UNDER_WAY", contests_of_one),
    "contest/too-many-here": (online, "UNDER_WAY", contests_here),
}


@pytest.mark.parametrize("code", BOUNDS)
def test_a_bound_holds_for_many_at_once(code: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, asking = BOUNDS[code]
    monkeypatch.setattr(module, name, FEW)

    async def test(store: Store) -> None:
        ask = asking(store)
        for nth in range(FEW - 1):
            await ask(nth)
        asked = [ask(nth) for nth in range(FEW - 1, FEW - 1 + AT_ONCE)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        refused = [one for one in done if isinstance(one, BaseException)]
        assert [one.code for one in refused if isinstance(one, ChouineError)] == [code] * (AT_ONCE - 1)
        assert len(refused) == AT_ONCE - 1

    with_store(database, test)


def test_files_that_are_brought_at_once(database: str) -> None:
    def row(nth: int) -> dict[str, object]:
        return {"id": str(nth), "guest": "guest", "at": 1.0, "title": "", "parties": 1, "body": ""}

    async def test(store: Store) -> None:
        assert await store.keep_imports("guest", [row(nth) for nth in range(FEW - 1)], FEW)
        done = await asyncio.gather(*(store.keep_imports("guest", [row(9 + nth)], FEW) for nth in range(4)))
        assert sorted(done) == [False] * 3 + [True]
        assert await store.keep_imports("guest", [row(0)], FEW)  # it is there already

    with_store(database, test)


def test_addresses_that_are_added_at_once(database: str) -> None:
    """The oldest goes for each."""

    async def test(store: Store) -> None:
        tables = tables_of(store)
        members = Members(tables, Contests(store, Clock()), Browsers(tables))
        guest = await members.begin()
        await asyncio.gather(*(members.add(guest, Credential("mail", str(nth))) for nth in range(8)))
        count = sa.select(sa.func.count()).select_from(credential)
        assert await store.database.read(lambda connection: connection.scalar(count)) == MOST["mail"]

    with_store(database, test)
