"""Help at a table: for one person among computers, marked, and hidden from everybody else."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from chouine.partie import Played, State
from chouine.rules import PRESETS
from chouine.server.codec import decode, encode
from chouine.server.new_table import revanche
from chouine.table import Watcher
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.brief import tags_of
from chouine.table.entries import GivenAdvice, SeatHolder
from chouine.table.evolve import rebuild
from chouine.table.state import TableState
from tests.server.matches import Table, any_answer, is_over, opening, person, playing, refusal

ME = 1
ADVICE = GivenAdvice("As")


def table_for_one(preset: str = "classic", seed: int = 0, terms: str = "1x1") -> Table:
    """A table with one person at seat 1, computers elsewhere, and a partie in progress."""
    seats = len(opening(preset).chairs)
    chairs = [person(seat) if seat == ME else SeatHolder("heuristic", f"L{seat}") for seat in range(seats)]
    return Table.set(opening(preset, terms, chairs), seed).until(playing)


def truth(table: TableState) -> State:
    assert table.state is not None
    return table.state


def play_until_awaited(table: Table) -> Table:
    """Play on until the person is on turn."""
    return table.until(lambda table: playing(table) and ME in table.awaited)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_an_act_taken_back_is_as_if_it_had_not_been(preset: str, seed: int) -> None:
    """Taking back restores the state before the act, undoes the computers' later acts, and replays from the log."""
    table, rng, taken_back = table_for_one(preset, seed), Random(seed), 0
    before: list[State] = []
    while not table.table.played:
        if before and rng.random() < 0.3:
            table.do(ask.TakeBack(ME))
            taken_back += 1
            assert truth(table.table) == before.pop()
            assert ME in table.table.awaited
            continue
        command = any_answer(table.table, rng)
        if command == ask.Pass(ME) or not isinstance(command, ask.Act):
            table.do(command)
            continue
        if command.seat == ME:
            before.append(truth(table.table))
        table.do(command)
    assert taken_back
    assert table.table == rebuild(table.log)
    assert table.table.helped == {"took-back"}


def test_cards_drawn_again_are_the_same() -> None:
    """§5: The deal does not change: after taking back, the same cards are drawn."""
    table = play_until_awaited(table_for_one())
    begun, length = truth(table.table), len(table.log)
    table.do(ask.Act(ME, str(begun.legal(ME)[0])))
    play_until_awaited(table)
    first, acts = truth(table.table), [entry for entry, _ in table.log[length:]]
    table.do(ask.TakeBack(ME))
    assert truth(table.table) == begun
    for act in acts:
        assert isinstance(act, log.Acted)
        table.do(ask.Act(act.seat, act.token))
    assert truth(table.table) == first


def test_there_must_be_something_to_take_back() -> None:
    table = table_for_one()
    if not any(isinstance(event, Played) and event.seat == ME for event in truth(table.table).events):
        assert refusal(table, ask.TakeBack(ME)) == "table/nothing-to-take-back"
    table.until(is_over)
    assert refusal(table, ask.TakeBack(ME)) == "table/nothing-to-take-back"


def test_an_act_is_offered_to_be_taken_back_once_there_is_one() -> None:
    table, watcher = play_until_awaited(table_for_one()), Watcher(ME)
    for acted in (False, True):
        own = watcher.snapshot(table.table).help
        assert own is not None
        assert own.takes_back is acted
        if not acted:
            table.do(ask.Act(ME, str(truth(table.table).legal(ME)[0])))


@pytest.mark.parametrize("command", [ask.TakeBack(0), ask.Explain(0, on=True), ask.Advise(0, ADVICE)])
def test_nobody_is_helped_against_another_person(command: ask.Command) -> None:
    between = Table.set(opening(), 0).until(lambda table: playing(table) and 0 in table.awaited)
    assert refusal(between, command) == "table/no-help"
    assert refusal(table_for_one(), command) == "table/no-help", "a computer's seat"


def test_nobody_is_helped_at_a_table_opened_without_help() -> None:
    """The log says so, and older logs, which do not, stay as they were."""
    chairs = [SeatHolder("heuristic", "L0"), person(ME)]
    terms = replace(opening(chairs=chairs), unaided=True)
    table = play_until_awaited(Table.set(terms, 0).until(playing))
    for command in (ask.TakeBack(ME), ask.Explain(ME, on=True), ask.Advise(ME, ADVICE)):
        assert refusal(table, command) == "table/unaided"
    for observer in (None, ME):
        shown = Watcher(observer).snapshot(table.table)
        assert (shown.unaided, shown.help) == (True, None)
    table.until(is_over).do(ask.Revanche(ME))
    agreed = revanche("first", table.table)
    assert agreed is not None
    assert agreed[1].unaided
    stored = encode(terms)
    assert decode(stored) == terms
    older = stored.replace(b',"unaided":true', b"")
    assert older != stored
    assert decode(older) == replace(terms, unaided=False)


def test_advice_is_given_step_by_step_until_the_act() -> None:
    table = play_until_awaited(table_for_one())
    assert refusal(table, ask.Advise(ME)) == "table/no-advice"
    table.do(ask.Advise(ME, ADVICE))
    assert refusal(table, ask.Advise(ME, GivenAdvice("7s"))) == "table/no-advice", "there is one already"
    for step in (2, 3):
        table.do(ask.Advise(ME))
        assert table.table.advice is not None
        assert table.table.advice.step == step
    assert refusal(table, ask.Advise(ME)) == "table/no-advice"
    table.do(ask.Act(ME, str(truth(table.table).legal(ME)[0])))
    assert table.table.advice is None
    table.do(ask.TakeBack(ME))
    assert table.table.advice is None
    assert table.table == rebuild(table.log)
    assert table.table.helped == {"advised", "took-back"}


def test_advice_is_for_who_is_awaited() -> None:
    table = table_for_one().until(lambda table: playing(table) and ME not in table.awaited)
    assert refusal(table, ask.Advise(ME, ADVICE)) == "table/not-your-turn"
    assert refusal(Table.set(table.table.opened), ask.Advise(ME, ADVICE)) == "table/not-now"


def test_nobody_else_sees_advice() -> None:
    """§14: Other observers do not see advice, which would reveal a hand."""
    table = play_until_awaited(table_for_one())
    table.do(ask.Explain(ME, on=True))
    table.do(ask.Advise(ME, ADVICE))
    own = Watcher(ME).snapshot(table.table).help
    assert own is not None
    assert own.advice is not None
    assert own.advice.given == ADVICE
    for other in (0, None):
        seen = Watcher(other).snapshot(table.table)
        assert seen.help is None
        assert seen.helped == {"explained", "advised"}, "that there was help is told to all"


def test_explanations_go_on_and_off_and_the_mark_stays() -> None:
    table = table_for_one()
    table.do(ask.Explain(ME, on=True))
    table.do(ask.Explain(ME, on=False))
    assert not table.table.explained
    table.until(is_over)
    assert table.table.helped == {"explained"}
    assert tags_of(table.table, table.table.played[0])["Help"] == "explained"


def test_a_match_without_help_has_no_mark() -> None:
    table = table_for_one().until(is_over)
    assert "Help" not in tags_of(table.table, table.table.played[0])
