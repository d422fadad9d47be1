"""Any commands from any seats in any order are refused or executed, without other errors."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK
from chouine.errors import IllegalAction
from chouine.partie import Declaration
from chouine.rules import PRESETS
from chouine.rules.combinations import ACTIONS, MARIAGE
from chouine.server import codec
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.commands import Refused
from chouine.table.decide import PHRASES
from chouine.table.evolve import rebuild
from chouine.table.state import TableState
from tests.server.matches import Table, any_answer, opening, person

TOKENS = [
    "7x",
    "",
    "??",
    *map(str, PACK),
    *(f"{card}+{said}" for card in PACK for said in map(Declaration, range(MARIAGE, ACTIONS))),
]


def any_command(table: TableState, rng: Random) -> ask.Command:
    """A random command, mostly invalid, sometimes one that advances the table."""
    seat = rng.choice(table.seats)
    if table.awaited and rng.random() < 0.4:
        return any_answer(table, rng)
    nonsense: list[ask.Command] = [
        ask.Sit(seat, f"g{rng.randrange(4)}", "x", rng.choice([None, "guest-0", "g1"])),
        ask.Pick(seat, rng.randint(-2, 33)),
        ask.CutAt(seat, rng.randint(-2, 33)),
        ask.Act(seat, rng.choice(TOKENS)),
        ask.Act(seat, "7x"),
        ask.Pass(seat),
        ask.GoOn(seat),
        ask.Pause(seat),
        ask.Resume(seat),
        ask.Resume(seat),
        ask.Speak(seat, rng.choice([*PHRASES, "<b>", ""])),
        ask.Revanche(seat),
        ask.Explain(seat, rng.random() < 0.5),
        ask.Advise(seat, rng.choice([None, log.GivenAdvice("As")])),
        ask.TakeBack(seat),
        ask.Follow("there"),
        ask.Tick(),
        ask.Miss(seat),
        ask.Credit(rng.choice([0.0, 100.0])),
    ]
    ends: list[ask.Command] = [ask.Concede(seat), ask.Concede(seat), ask.ForfeitMatch(seat)]
    return rng.choice(ends if rng.random() < 0.02 else nonsense)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables with any rules, empty or computers' chairs, with and without a clock."""
    preset = draw(st.sampled_from(sorted(PRESETS)))
    seats = 3 if "three" in preset else 4 if "four" in preset else 2
    kinds = [
        person,
        lambda _: log.SeatHolder("person", "Ami"),
        lambda _: log.SeatHolder("heuristic", "Lavardin"),
    ]
    chairs = [draw(st.sampled_from(kinds))(seat) for seat in range(seats)]
    clock = draw(st.sampled_from([None, log.ClockTerms(5, 100), log.ClockTerms(5, 100_000)]))
    return Table.set(opening(preset, "2x1", chairs, clock), draw(st.integers(0, 2**32)))


@given(tables(), st.integers(0, 300))
def test_a_storm(table: Table, length: int) -> None:
    """Refused commands change nothing; accepted ones equal the log, also after reading it back from bytes."""
    carried_out = 0
    for _ in range(length):
        before, lines = table.table, len(table.log)
        command = any_command(table.table, table.rng)
        entries, code = outcome(table, command, table.rng.choice([0.0, 0.0, 1.0, 7.0]))
        if code:
            assert code.startswith(("table/", "illegal/"))
            assert table.table is before
            assert len(table.log) == lines
        else:
            assert entries
            carried_out += 1
            assert table.table.n == len(table.log) > lines
    assert rebuild(table.log) == table.table
    assert [codec.decode(codec.encode(entry)) for entry, _ in table.log] == [entry for entry, _ in table.log]
    sound(table.table)
    assert carried_out or length < 60


def outcome(table: Table, command: ask.Command, after: float) -> tuple[tuple[log.LogEntry, ...], str]:
    """The log entries, or the refusal's code, which must have a sentence."""
    try:
        return table.do(command, after), ""
    except (Refused, IllegalAction) as refused:
        return (), refused.code if str(refused) else "no sentence"


def sound(table: TableState) -> None:
    """Check the invariants of a table."""
    assert table.awaited <= set(table.seats)
    assert table.window <= table.awaited
    assert (table.deadline is None) or table.paused is None
    assert table.state is None or table.state.view(None).hand.mask == 0
    assert not (table.match.over and table.awaited)
    if table.next_table:
        assert table.next_table == "there"
