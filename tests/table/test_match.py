"""Complete matches at a table: tirage, cut, parties, counts, belle, end."""

from __future__ import annotations

import gc
from dataclasses import replace
from functools import cached_property
from random import Random
from types import FunctionType, ModuleType

import pytest

from chouine.cards import PACK, Card
from chouine.match.draw import cut
from chouine.partie import Deal, Event, State
from chouine.rules import PRESETS
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState
from tests.server.matches import Table, is_over, opening, person, playing, refusal


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_match_is_the_fold_of_its_log(preset: str, seed: int) -> None:
    terms = "2x2" if preset in ("classic", "mondoubleau") else "2x1"
    table = Table.set(opening(preset, terms), seed).until(is_over)
    room = table.table
    assert room == rebuild(table.log)
    assert room.n == len(table.log)
    assert room.match.winner is not None
    assert room.match.manches[room.match.winner] == int(terms[2])
    assert len(room.played) == sum(isinstance(entry, log.Cut) for entry, _ in table.log)
    for played in room.played:
        assert played.pack is not None
        assert played.state.result is not None
        dealt = cut(played.pack.in_order, played.cut)
        assert Deal.from_pack(room.match.rules, played.state.deal.dealer, dealt) == played.state.deal


def test_a_partie_is_remembered_as_it_was_played() -> None:
    """Its state, played again from what is kept of it, equals the state it ended in: conceded ones too."""
    for preset in PRESETS:
        for conceding in (False, True):
            table = Table.set(opening(preset, "2x1"), 3).until(playing)
            last = table.table.state
            while not table.table.played:
                if conceding and table.table.n > 20 and table.table.phase is Phase.PLAY:
                    table.do(ask.Concede(0))
                else:
                    table.step()
                last = table.table.state
            (played,) = table.table.played
            assert played.state == last
            assert played.result == played.state.result


def test_finished_parties_hold_no_state() -> None:
    """What a table keeps of finished parties is text: a state of each took most of a server's memory."""
    room, seen = Table.set(opening("classic", "2x2"), 1).until(is_over).table, set[int]()
    left: list[object] = list(room.played)
    while left:
        one = left.pop()
        if id(one) not in seen and not isinstance(one, type | FunctionType | ModuleType):
            seen.add(id(one))
            assert not isinstance(one, State | Deal | Event)
            left += gc.get_referents(one)


def test_cached_properties_are_right_after_each_entry() -> None:
    """After each entry, every cached property that `TableState.but` keeps equals its recomputed value."""
    found = [name for name, value in vars(TableState).items() if isinstance(value, cached_property)]
    table = Table.set(opening("classic", "1x1"), 1)
    while not is_over(table.table):
        assert all(getattr(table.table, name) == getattr(replace(table.table), name) for name in found)
        table.step()


@pytest.mark.parametrize("seed", range(6))
def test_a_belle_is_drawn_for_anew(seed: int) -> None:
    """§13: The highest card of the tirage deals manche 2; the belle has its own tirage."""
    table = Table.set(opening("classic", "1x2"), seed)
    first: list[int] = []
    while not is_over(table.table):
        if table.table.phase is Phase.CUT:
            first.append(table.table.dealer)
        table.step()
    draws = [tirage for tirage in table.table.tirages if not tirage.tied]
    assert len(draws) == (2 if table.table.match.belle else 1)
    assert first[0] == draws[0].dealer
    assert first[-1] == (draws[1].dealer if table.table.match.belle else draws[0].highest)


def test_some_of_those_matches_had_a_belle() -> None:
    matches = [Table.set(opening("classic", "1x2"), seed).until(is_over).table.match for seed in range(6)]
    assert {match.belle for match in matches} == {True, False}


def places_in_pack(table: Table, *cards: str) -> list[int]:
    """The positions of cards in the spread pack."""
    assert table.table.pack is not None
    return [table.table.pack.in_order.index(Card(card)) for card in cards]


def test_equal_lowest_cards_are_drawn_again() -> None:
    """§2: Equal lowest cards are drawn again from a newly shuffled pack."""
    table = Table.set(opening("three"))
    pack, digest = table.table.pack, table.table.pack and table.table.pack.digest
    for seat, place in enumerate(places_in_pack(table, "8s", "8d", "Ah")):
        table.do(ask.Pick(seat, place))
    room = table.table
    assert room.phase is Phase.TIRAGE
    assert room.tirages[0].tied
    assert room.picks == (None, None, None)
    assert room.pack is not None
    assert room.pack != pack
    assert room.pack.digest != digest
    for seat, place in enumerate(places_in_pack(table, "9s", "8d", "8h")):
        table.do(ask.Pick(seat, place))
    for seat, place in enumerate(places_in_pack(table, "9s", "7d", "9h")):
        table.do(ask.Pick(seat, place))
    assert table.table.phase is Phase.CUT
    assert table.table.dealer == 1
    assert table.table.awaited == {0}


def test_the_tirage_takes_one_card_a_seat() -> None:
    """§2: The tirage takes one free card of each seat."""
    table = Table.set(opening())
    for place in (-1, 32):
        assert refusal(table, ask.Pick(0, place)) == "table/no-such-card"
    table.do(ask.Pick(0, 3))
    assert refusal(table, ask.Pick(0, 4)) == "table/not-your-turn"
    assert refusal(table, ask.Pick(1, 3)) == "table/no-such-card"
    assert refusal(table, ask.CutAt(1, 16)) == "table/not-now"
    assert refusal(table, ask.Act(1, "As")) == "table/not-now"


def test_four_cards_at_least_in_each_packet() -> None:
    """§2: A cut leaves at least four cards in each packet."""
    table = Table.set(opening()).until(lambda room: room.phase is Phase.CUT)
    cutter = 1 - table.table.dealer
    for at in (-4, 0, 3, 29, 32):
        assert refusal(table, ask.CutAt(cutter, at)) == "table/void-cut"
    assert refusal(table, ask.CutAt(table.table.dealer, 16)) == "table/not-your-turn"
    room = table.table
    for at in (4, 28):
        again = Table(room, list(table.log), Random(0))
        again.do(ask.CutAt(cutter, at))
        assert again.table.cut == at
        assert again.table.state is not None


def test_a_nulle_is_dealt_again_by_the_same_seat() -> None:
    """§12: After a nulle, found by playing random parties, the same seat deals."""
    for seed in range(400):
        table = Table.set(opening("mondoubleau", "1x1"), seed).until(lambda room: bool(room.played))
        result = table.table.played[0].state.result
        if result is not None and result.by == "nulle":
            break
    else:
        raise AssertionError("no nulle in so many parties")
    dealer = table.table.played[0].state.deal.dealer
    assert table.table.phase is Phase.COUNT
    assert table.table.match.score == (0, 0)
    table.until(lambda room: room.phase is Phase.CUT)
    assert table.table.dealer == dealer


def test_the_count_waits_for_every_person() -> None:
    table = Table.set(opening("three", "2")).until(lambda room: room.phase is Phase.COUNT)
    table.do(ask.GoOn(1))
    assert refusal(table, ask.GoOn(1)) == "table/not-your-turn"
    assert table.table.awaited == {0, 2}
    table.do(ask.GoOn(0))
    assert table.table.awaited == {2}
    table.do(ask.GoOn(2))
    assert table.table.phase is Phase.CUT


def test_the_count_does_not_wait_for_computers() -> None:
    chairs = (person(0), log.SeatHolder("heuristic", "Lavardin"))
    table = Table.set(opening("classic", "2x1", chairs)).until(lambda room: room.phase is Phase.COUNT)
    assert table.table.awaited == {0}
    table.do(ask.GoOn(0))
    assert table.table.phase is Phase.CUT


def test_an_illegal_card_is_refused_with_its_code() -> None:
    """§5, §8: A card not in hand is refused with its code."""
    table = Table.set(opening(), 3).until(playing)
    state = table.table.state
    assert state is not None
    turn = state.position.turn
    hand = state.view(turn).hand
    elsewhere = next(card for card in PACK if card not in hand)
    assert refusal(table, ask.Act(turn, str(elsewhere))) == "illegal/not-held"
    assert refusal(table, ask.Act(1 - turn, str(elsewhere))) == "illegal/not-your-turn"
    for token in ("", "joker", "Qd+", "7x7x", "\x00", "💣" * 20):
        assert refusal(table, ask.Act(turn, token)) == "table/unreadable"


def test_conceding_loses_the_partie() -> None:
    """§16: Conceding loses the partie."""
    table = Table.set(opening("classic", "2x1"))
    assert refusal(table, ask.Concede(0)) == "table/no-partie"
    table.until(playing).do(ask.Concede(0))
    assert table.table.phase is Phase.COUNT
    assert table.table.match.score == (0, 1)
    assert table.table.played[0].state.result is not None
    assert table.table.played[0].state.result.by == "concede"
    assert refusal(table, ask.Concede(0)) == "table/no-partie"


@pytest.mark.parametrize("phase", [Phase.TIRAGE, Phase.CUT, Phase.PLAY, Phase.COUNT])
def test_forfeiting_ends_the_match_at_any_time(phase: Phase) -> None:
    """§16: A forfeit ends the match; a partie in progress is kept, and its deal can be verified."""
    table = Table.set(opening("classic", "2x1")).until(lambda room: room.phase is phase)
    parties = len(table.table.played)
    table.do(ask.ForfeitMatch(1))
    room = table.table
    assert is_over(room)
    assert room.match.winner == 0
    assert len(room.played) == parties + (phase is Phase.PLAY)
    assert room.awaited == frozenset()
    assert room.deadline is None
    assert refusal(table, ask.ForfeitMatch(0)) == "table/no-partie"


def test_forfeiting_ends_a_pause() -> None:
    table = Table.set(opening()).until(playing)
    table.do(ask.Pause(0))
    table.do(ask.ForfeitMatch(1))
    assert table.table.paused is None
    table.do(ask.Revanche(0))
    assert table.table.ready == {0}


def test_a_revanche_is_asked_for_once_the_match_is_over() -> None:
    """§13: A revanche can be requested when the match is over."""
    table = Table.set(opening()).until(playing)
    assert refusal(table, ask.Revanche(0)) == "table/no-revanche"
    table.until(is_over).do(ask.Revanche(0))
    assert refusal(table, ask.Revanche(0)) == "table/no-revanche"
    table.do(ask.Revanche(1))
    table.do(ask.Follow("elsewhere"))
    assert table.table.next_table == "elsewhere"
    assert refusal(table, ask.Follow("elsewhere still")) == "table/no-revanche"
    assert refusal(table, ask.Revanche(1)) == "table/no-revanche"


def test_chairs_are_taken_once_and_come_back_to() -> None:
    chairs = (person(0), log.SeatHolder("person", "Ami"))
    table = Table.set(opening(chairs=chairs))
    assert table.table.awaited == frozenset()
    early: list[ask.Command] = [ask.Pick(0, 3), ask.Act(0, "As"), ask.GoOn(0)]
    assert {refusal(table, command) for command in early} == {"table/not-now"}
    quitting: list[ask.Command] = [ask.ForfeitMatch(0), ask.Concede(0)]
    assert {refusal(table, command) for command in quitting} == {"table/no-partie"}
    table.do(ask.Sit(1, "friend", "Charles"))
    assert table.table.phase is Phase.TIRAGE
    assert refusal(table, ask.Sit(1, "stranger", "X")) == "table/seat-taken"
    assert refusal(table, ask.Sit(1, "stranger", "X", "guest-0")) == "table/seat-taken"
    table.until(playing)
    state = table.table.state
    table.do(ask.Sit(1, "friend-elsewhere", "Charles", "friend"))
    assert table.table.holders[1].guest == "friend-elsewhere"
    assert table.table.state is state


def test_nobody_takes_a_computers_chair() -> None:
    table = Table.set(opening(chairs=(person(0), log.SeatHolder("heuristic", "Lavardin"))))
    assert refusal(table, ask.Sit(1, "stranger", "X")) == "table/seat-taken"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_deal_is_laid_out_again(preset: str) -> None:
    first = Table.set(opening(preset, "1x1"), 5).until(is_over).table.played[0].state
    table = Table.set(opening(preset, "1x1", deal=str(first.deal)), 6)
    room = table.table
    assert room.phase is Phase.PLAY
    assert room.state is not None
    assert room.state.deal == first.deal
    assert room.dealer == first.deal.dealer
    assert room.pack is None
    table.until(lambda room: bool(room.played))
    assert table.table.played[0].pack is None


def test_what_is_said_is_one_of_the_phrases_and_the_last_three_stay() -> None:
    table = Table.set(opening())
    assert refusal(table, ask.Speak(0, "<script>")) == "table/no-such-phrase"
    for phrase in ("hello", "good-luck", "wow", "oops"):
        table.do(ask.Speak(1, phrase))
    assert [said for _, said, _ in table.table.spoken] == ["good-luck", "wow", "oops"]


def deals_of(room: TableState) -> list[str]:
    return [str(played.state.deal) for played in room.played]


def test_no_two_packs_are_alike() -> None:
    """The spread pack differs from the dealt pack: the drawn cards would be known."""
    table = Table.set(opening("classic", "3x2")).until(is_over)
    packs = [entry.pack for entry, _ in table.log if isinstance(entry, log.Shuffled)]
    assert len(packs) == len(set(packs)) >= 4
    assert len(set(deals_of(table.table))) == len(table.table.played)
