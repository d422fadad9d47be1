"""The end of a contest, as its players see it: a scene told once, which a tap or a key ends, and again at a tap."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from playwright.sync_api import expect

from chouine.contest import Entered, formula_for
from chouine.server.contest.online import Contests, EntryVisitor, table_id_of
from chouine.server.contest.steward import Steward
from chouine.server.tables import Tables
from chouine.server.thinking import FairPool
from chouine.table.entries import ClockTerms
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.visitor import PATIENT
from tests.server.contest.test_steward import AlwaysAlive
from tests.server.matches import is_over
from tests.server.stores import play_on


def played_contest(house: House, guests: list[Guest]) -> str:
    """A knock-out of these guests, drawn by a steward and played at random to its end; its identifier."""

    async def play(tables: Tables) -> str:
        contests = Contests(tables.store, tables.clock)
        steward = Steward(contests, tables, FairPool(1, ThreadPoolExecutor), AlwaysAlive())  # type: ignore[arg-type]
        formula = formula_for("lavardin", consolante="none", matches=("1x1",))
        which = await contests.open(formula, "Dimanche à 15 heures", ClockTerms(30, 300), guests[0].guest)
        for guest in guests:
            entry = EntryVisitor(guest.guest, guest.name)
            await contests.do(
                which,
                lambda now: Entered(now.contest.next_number),
                lambda _, entry=entry: entry,  # type: ignore[misc]
            )
        await contests.turn(which, "live")
        while (online := await contests.get(which)) is not None and online.state != "over":
            await steward.attend(which)
            for round_ in online.contest.all_rounds():
                for table in round_.open:
                    await play_on(tables, table_id_of(online, round_, table), is_over, Random(1))
        return which

    return house.do(play)


@pytest.mark.parametrize("still", [False, True])
def test_the_end_is_told_once_to_each_player(house: House, visit: Visits, *, still: bool) -> None:
    guests = [house.guest("Anne"), house.guest("Basile")]
    which = played_contest(house, guests)
    pages = [visit(house, guest=guest, still=still).page for guest in guests]
    for page, guest in zip(pages, guests, strict=True):
        page.add_init_script(PATIENT)
        page.goto(f"{house.url}/contests/{which}")
        feast = page.locator(".feast.contest")
        expect(feast.locator(".title")).to_have_text(guest.name)
        moving = page.evaluate(
            "document.getAnimations().filter(one => one.effect.target.closest('.feast')).length"
        )
        assert (moving == 0) == still
        page.keyboard.press("Escape")
        expect(feast).to_have_count(0)
        expect(page.locator(".ending .outcome")).to_contain_text("gagne le concours")
        page.reload()
        again = page.get_by_role("button", name="Revoir la fin")
        expect(again).to_be_visible()
        expect(feast).to_have_count(0)
        again.click()
        expect(feast).to_be_visible()
        feast.click()
        expect(feast).to_have_count(0)
        page.goto(house.url)
        expect(page.locator(f"a[href='/contests/{which}']")).to_contain_text("voyez votre place")
    places = [
        page.goto(f"{house.url}/contests/{which}") and page.locator("#feast .prize").text_content()
        for page in pages
    ]
    assert sorted(map(str, places)) == ["2e place", "Première place"]
