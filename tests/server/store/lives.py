"""A person's life in a database: all that is stored of them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from chouine.contest.formula import formula_for
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.people import People
from chouine.server.contest.online import Contests
from chouine.server.contest.online_pages import enter
from chouine.server.order import KeeperActs
from chouine.server.partners import Partners
from chouine.server.schema import (
    access,
    bot,
    browser,
    classroom,
    credential,
    daily_listing,
    daily_play,
    former,
    holiday,
    imported,
    imported_review,
    mailbox,
    member,
    metadata,
    passage,
    prepared,
    pupil,
    rating,
    reminder,
    session,
    showing,
    subscription,
    tally,
)
from chouine.server.store import Store
from chouine.server.visitors import secrets_of
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, SeatHolder
from tests.server.matches import is_over, opening
from tests.server.store.test_retention import row_of
from tests.server.stores import play_on, tables_of

MINE, FRIEND, THIRD = "a" * 32, "b" * 32, "c" * 32


NAME, TWIN, ORIGIN = "Zébulon", "Zébuline", "d" * 32


OWN = {
    "name": NAME,
    "another name": TWIN,
    "guest": MINE,
    "address digest": ORIGIN,
    "cookie": "cookie-digest",
    "push endpoint": "https://push.example/zebulon",
    "e-mail": "zebulon@chouine.example",
    "browser": "Zéphyr",
    "village": "Zébuville",
}


ME, OTHER = SeatHolder("person", NAME, MINE, "kh"), SeatHolder("person", "Berthe", FRIEND)


LISON = SeatHolder("level:3", "Lison")


SET_BY = MINE, ORIGIN


async def fill_with_a_life(store: Store) -> dict[str, str]:
    """Fill a database with the life of a person; its tables by what they are."""
    tables = tables_of(store)
    games = {
        "over": await tables.open(opening(terms="3x1", chairs=(ME, OTHER)), set_by=SET_BY),
        "going": await tables.open(opening(terms="5x2", chairs=(OTHER, ME)), set_by=SET_BY),
        "paused": await tables.open(opening(chairs=(OTHER, ME))),
        "computer": await tables.open(opening(chairs=(ME, LISON)), set_by=SET_BY),
        "device": await tables.open(opening(chairs=(ME, SeatHolder("person", TWIN, MINE)))),
        "others": await tables.open(opening(chairs=(OTHER, SeatHolder("person", "Carole", THIRD)))),
        "seating": await tables.open(
            opening("three", chairs=(OTHER, SeatHolder("person", ""), SeatHolder("person", "")))
        ),
        "phone": await tables.open(opening(chairs=(OTHER, SeatHolder("person", NAME, "e" * 32)))),
    }
    await tables.do(games["seating"], ask.Sit(1, MINE, NAME))
    await tables.do(games["phone"], ask.Sit(1, MINE, NAME, "e" * 32))
    for which in ("over", "computer", "others", "phone"):
        await play_on(tables, games[which], is_over)
    await play_on(tables, games["going"], lambda table: len(table.played) == 2)
    await tables.do(games["paused"], ask.Pause(0))
    partners = Partners(store, tables.clock)
    await partners.wait(MINE, NAME, ORIGIN)
    await partners.block(MINE, THIRD, "Carole")
    await partners.block(THIRD, MINE, NAME)
    people = People(tables)
    for guest, name in ((MINE, NAME), (FRIEND, "Berthe"), (THIRD, "Carole")):
        await people.own(guest, name)
    await people.change(MINE, NAME, "Zébuville", "kh", {})
    await people.ask(MINE, FRIEND)
    await people.accept(FRIEND, MINE)
    for one, other in ((MINE, FRIEND), (FRIEND, MINE)):
        await Challenges(people).send(one, [other], Terms("classic", "3x1", 60, 300))
    await partners.report(MINE, games["over"], 1, "Berthe", "other", "")
    await partners.report(FRIEND, games["over"], 0, NAME, "rude", f"{NAME} m’a insultée")
    await partners.report(FRIEND, "wait", 0, NAME, "name", f"Non à {NAME}", place="waiting", other=MINE)
    order = KeeperActs(tables, Contests(store, tables.clock), await secrets_of(store))
    await order.log("warn", f"{NAME} exagère", MINE, NAME)
    await order.log("rename", "Un gros mot", FRIEND, "Affreux")

    def fill(connection: sa.Connection) -> None:
        row = {"token": "cookie-digest", "guest": MINE, "begun": 0, "seen": 0}
        connection.execute(session.insert().values(row | {"settings": f'{{"name":"{NAME}"}}'.encode()}))
        push = {"id": "x", "guest": MINE, "endpoint": OWN["push endpoint"], "key": "k", "auth": "a", "at": 0}
        connection.execute(subscription.insert().values(push))
        mail = {"id": "m", "guest": MINE, "address": OWN["e-mail"], "language": "fr", "confirmed": True}
        connection.execute(mailbox.insert().values(mail | {"at": 0, "owner": "digest"}))
        token = {"id": "t", "digest": "token-digest", "guest": MINE, "name": "Engine", "scopes": "play"}
        connection.execute(access.insert().values(token | {"begun": 0, "seen": 0}))
        connection.execute(bot.insert().values(guest=MINE, name="BOT Anne", seen=0))
        account = {"guest": MINE, "since": 1, "seen": 1, "settings": f'{{"name":"{NAME}"}}'.encode()}
        connection.execute(member.insert().values(account))
        signed_in = {
            "token": "another cookie-digest",
            "guest": MINE,
            "begun": 1,
            "seen": 1,
            "device": "Zéphyr",
        }
        connection.execute(browser.insert().values(signed_in))
        way = {
            "id": "w",
            "guest": MINE,
            "kind": "mail",
            "at": 1,
            "used": 1,
            "label": OWN["e-mail"],
            "counter": 0,
        }
        connection.execute(credential.insert().values(way))
        connection.execute(passage.insert().values(id="l", address=OWN["e-mail"], at=1))
        connection.execute(former.insert().values(former="f" * 32, guest=MINE, at=1))
        for table in (rating, tally, showing, daily_play, daily_listing, reminder, holiday, prepared):
            connection.execute(table.insert().values(row_of(table, guest=MINE, table_id=games["over"])))
        file = {"id": "i-file", "guest": MINE, "at": 0, "title": NAME, "parties": 1, "body": NAME}
        connection.execute(imported.insert().values(file))
        teach_and_learn(connection)
        review = {"table_id": "i-file", "partie": 1, "body": NAME.encode()}
        connection.execute(imported_review.insert().values(review))

    await store.database.write(fill)
    return games


def teach_and_learn(connection: sa.Connection) -> None:
    """A class of the person's with a pupil, and one in which they are a pupil."""
    for secret, teacher, guest, name in (("s", MINE, FRIEND, "Berthe"), ("t", THIRD, MINE, NAME)):
        row = {"secret": secret, "guest": teacher, "code": f"BCDF{secret.upper()}", "until": 9e9}
        connection.execute(classroom.insert().values(row))
        connection.execute(pupil.insert().values(guest=guest, classroom=secret, name=name))


async def announce(contests: Contests, *guests: tuple[str, str]) -> str:
    """A contest that the person announces, with these entries."""
    which = await contests.open(formula_for("swiss"), "Concours", ClockTerms(60, 300), *SET_BY, most_here=9)
    for guest, name in guests:
        online = await contests.get(which)
        assert online is not None
        await enter(contests, online, guest, name, (ORIGIN if guest == MINE else "", 9))
    return which


async def everything(store: Store) -> str:
    """All that is stored, as text."""

    def read(connection: sa.Connection) -> list[Any]:
        return [
            tuple(row) for table in metadata.sorted_tables for row in connection.execute(sa.select(table))
        ]

    rows = await store.database.read(read)
    return "\n".join(
        str(value.decode() if isinstance(value, bytes) else value) for row in rows for value in row
    )
