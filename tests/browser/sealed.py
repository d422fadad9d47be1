"""A duplicate contest for the tour: one that is over, and a table of one that is played."""

from __future__ import annotations

from chouine.contest import ContestAct, DealsPlayed, Entered, Revealed, draw, formula_for
from chouine.contest.duplicate import RULES, sealed_deal
from chouine.server.contest.online import Contests, EntryVisitor, Online
from chouine.server.contest.solver import cheapest_matching
from chouine.server.tables import Tables
from chouine.table.entries import ClockTerms

MADE = ((12, -35, 0, 100), (-8, 4, 20, 100))
"""The differences of points of both tables in each round."""


async def finished_contest(tables: Tables, names: dict[str, str]) -> str:
    """A contest of these guests, by their names, in which two rounds of four deals were played."""
    contests = Contests(tables.store, tables.clock)
    formula = formula_for("rounds", rounds=2, deals=4, matches=("4x1",))
    which = await contests.open(formula, "Les mêmes cartes pour tous", ClockTerms(30, 300), "nobody")

    async def do(act: ContestAct) -> Online:
        return await contests.do(which, lambda _: act)

    for guest, name in names.items():

        def player(_: Online, guest: str = guest, name: str = name) -> EntryVisitor:
            return EntryVisitor(guest, name)

        await contests.do(which, lambda now: Entered(now.contest.next_number), player)
    for number in (1, 2):
        online = await present_contest(contests, which)
        online = await do(draw(online.contest, "main", online.seed, solver=cheapest_matching))
        for table, differences in zip(online.contest.main[-1].played, MADE, strict=False):
            await do(DealsPlayed(number, table.number, differences, (4,) if number == 2 else ()))
    await do(Revealed((await present_contest(contests, which)).seed))
    return which


async def present_contest(contests: Contests, which: str) -> Online:
    """The contest as it stands."""
    online = await contests.get(which)
    assert online is not None
    return online


def sealed_deals(seed: str) -> tuple[str, ...]:
    """Four sealed deals."""
    return tuple(str(sealed_deal(RULES, seed, number)) for number in range(1, 5))
