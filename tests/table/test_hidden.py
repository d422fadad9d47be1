"""Hidden cards do not affect what a seat may do, is refused or waits for (§14)."""

from __future__ import annotations

from random import Random

import pytest

from chouine.errors import IllegalAction
from chouine.partie import State
from chouine.rules import PRESETS
from chouine.table import commands as ask
from chouine.table.commands import Refused
from chouine.table.state import TableState
from tests.needs import at_length
from tests.server.matches import Table, opening, playing
from tests.server.worlds import another_log
from tests.table.test_storms import TOKENS


@pytest.mark.parametrize("preset", at_length(PRESETS))
@pytest.mark.parametrize("seed", range(2))
def test_a_seat_is_answered_the_same_in_another_world(preset: str, seed: int) -> None:
    """Two consistent worlds give a seat equal answers to its commands, and wait for the same seats."""
    rng = Random(f"{preset} {seed}")
    table, worlds = Table.set(opening(preset, "1x1"), seed).until(playing), 0
    while not table.table.played:
        for seat in table.table.seats:
            if rng.random() < 0.2 and (elsewhere := another_log(table, seat, rng)) is not None:
                assert_alike(table.table, elsewhere.table, seat)
                worlds += truth(table.table).deal != truth(elsewhere.table).deal
        table.step()
    assert worlds > 2, "hardly any other world was looked at"


def truth(table: TableState) -> State:
    assert table.state is not None
    return table.state


def assert_alike(table: TableState, other: TableState, seat: int) -> None:
    """Check that two tables are indistinguishable for a seat."""
    assert truth(table).view(seat) == truth(other).view(seat)
    assert (table.awaited, table.window, table.deadline, table.since) == (
        other.awaited,
        other.window,
        other.deadline,
        other.since,
    )
    commands: list[ask.Command] = [ask.Act(seat, token) for token in TOKENS]
    commands += [verb(seat) for verb in (ask.Pass, ask.GoOn, ask.Concede, ask.Pause, ask.Revanche)]
    assert [answer(table, command) for command in commands] == [
        answer(other, command) for command in commands
    ]


def answer(table: TableState, command: ask.Command) -> object:
    """The code and data of the refusal, or the log entries."""
    try:
        return Table(table, [], Random(0)).do(command)
    except (Refused, IllegalAction) as refused:
        return refused.code, refused.data
