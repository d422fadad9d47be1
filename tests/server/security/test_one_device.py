"""Several players on one device (§14): behind the curtain, pages show what a spectator may know."""

from __future__ import annotations

import re
from random import Random

import pytest

from chouine.partie import Drawn
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.table import commands as ask
from chouine.table.entries import Cut, SeatHolder
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState
from tests.server.matches import Table, opening, playing
from tests.server.worlds import another_log

BOTH = Visit(language="fr", csrf="token", guest="one-device")


def tables_on_one_device(preset: str, seed: int, acts: int) -> tuple[Table, Table]:
    """A table with all seats on one device, so many acts after a deal, and the same table in another world."""
    seats = 3 if preset == "three" else 2
    chairs = [SeatHolder("person", f"Nom {seat}", BOTH.guest) for seat in range(seats)]
    table = Table.set(opening(preset, "2x1", chairs), seed).until(playing)
    for _ in range(acts):
        table.step()
    table.until(playing)
    other = another_log(table, None, Random(seed))
    assert other is not None
    assert other.table.state != table.table.state
    return table, other


def page(table: TableState, observer: int | None) -> str:
    """The page without its form numbers."""
    return re.sub(r'name="id" value="\w+"', "", Viewer(BOTH, "game", observer).page(table))


MOMENTS = [("classic", 0, 0), ("classic", 1, 9), ("three", 2, 4), ("mondoubleau", 3, 7)]


@pytest.mark.parametrize(("preset", "seed", "acts"), MOMENTS)
@pytest.mark.parametrize("paused", [False, True])
def test_the_curtain_hides_every_hand(preset: str, seed: int, acts: int, *, paused: bool) -> None:
    here, there = tables_on_one_device(preset, seed, acts)
    if paused:
        here.do(ask.Pause(0))
        there.do(ask.Pause(0))
    for observer in (None, *here.table.seats):
        alike = page(here.table, observer) == page(there.table, observer)
        assert alike == (observer not in here.table.awaited), (
            f"seat {observer} looks, {set(here.table.awaited)} awaited"
        )


@pytest.mark.parametrize(("preset", "seed"), [("classic", 0), ("three", 2)])
def test_the_deal_is_told_to_nobody_behind_the_curtain(preset: str, seed: int) -> None:
    """The sentences for screen readers do not read out the hand dealt unless its owner is on turn."""
    dealt = []
    for table in tables_on_one_device(preset, seed, 0):
        cut = next(nth for nth, (entry, _) in enumerate(table.log) if isinstance(entry, Cut))
        before, entry = rebuild(table.log[:cut]), table.log[cut][0]
        after = rebuild(table.log[: cut + 1])
        assert after.phase is Phase.PLAY
        told = {
            seat: Viewer(BOTH, "game", seat).frames(before, entry, after)[0].say
            for seat in (None, *after.seats)
        }
        dealt.append((after.awaited, told))
    (awaited, here), (_, there) = dealt
    for observer in here:
        assert (here[observer] == there[observer]) == (observer not in awaited)


@pytest.mark.parametrize(("preset", "seed"), [("classic", 1), ("three", 2)])
def test_a_drawn_card_is_told_to_nobody_behind_the_curtain(preset: str, seed: int) -> None:
    table, _ = tables_on_one_device(preset, seed, 0)
    covered = 0
    for _ in range(12):
        before, entries = table.table, len(table.log)
        table.step()
        after, entry = table.table, table.log[entries][0]
        if len(table.log) > entries + 1 or after.phase is not Phase.PLAY or after.state is None:
            continue
        for observer in after.seats:
            last = Viewer(BOTH, "game", observer).frames(before, entry, after)[-1]
            told = [said for said in last.say if " tire " in said and "retourne" not in said]
            own = [
                event
                for event in after.state.events[len(before.state.events if before.state else ()) :]
                if isinstance(event, Drawn) and event.seat == observer and not event.turnup
            ]
            assert len(told) == (len(own) if observer in after.awaited else 0)
            covered += bool(own) and observer not in after.awaited
    assert covered
