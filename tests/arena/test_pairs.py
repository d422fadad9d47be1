"""Pairs are fair to both players, show them only views, and do not depend on the process that plays them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from time import sleep

import pytest

from chouine.arena import Duel, Pair, PairScore, play_pair
from chouine.arena.pairs import seatings
from chouine.errors import ChouineError
from chouine.jobs import crew
from chouine.notation.reader import read_record
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players import HeuristicPlayer, RandomPlayer
from chouine.registry import PLAYERS, Entry
from chouine.rules.options import PRESETS, Rules


def facts(pair: Pair) -> tuple[object, ...]:
    """All fields of a pair except times."""
    return pair.number, pair.outcomes, pair.faults, pair.records


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_has_every_chair_as_often_as_the_other(seats: int) -> None:
    parties = seatings(seats)
    assert len(set(parties)) == len(parties) == (2 if seats == 2 else 2 * seats)
    for seat in range(seats):
        assert sum(of_a[seat] for of_a in parties) == len(parties) // 2
    assert all(any(of_a) and not all(of_a) for of_a in parties)


@pytest.mark.parametrize(
    "preset",
    [
        "classic",
        "three",
        *(
            pytest.param(each, marks=pytest.mark.nightly)
            for each in sorted({*PRESETS} - {"classic", "three"})
        ),
    ],
)
def test_equal_players_win_as_much(preset: str) -> None:
    """The 95 % interval of a player against itself contains 0.5 in at least ten of twelve duels."""
    covers, pairs = 0, 32 // len(seatings(Rules.of_preset(preset).seats))
    for seed in range(12):
        duel = Duel("random", "random", preset, str(seed))
        low, high = PairScore.of(play_pair(duel, number) for number in range(pairs)).interval
        covers += low <= 0.5 <= high
    assert covers >= 10


def test_a_player_beside_itself_has_half_of_every_pair() -> None:
    """A deterministic player against itself wins half of each pair."""
    for number in range(3):
        pair = play_pair(Duel("heuristic", "heuristic"), number)
        assert pair.won == pair.lost


def test_the_same_whoever_plays_it() -> None:
    duel = Duel("random", "greedy", "three", "seed", recorded=True)
    told = []
    for workers in (1, 2):
        with crew(workers) as playing:
            told.append([facts(pair) for pair in playing(partial(play_pair, duel), range(8))])
    assert told[0] == told[1]
    assert [pair[0] for pair in told[0]] == list(range(8))
    assert facts(play_pair(duel, 5)) == told[0][5]


def test_another_seed_is_another_duel() -> None:
    one, other = (play_pair(Duel("random", "random", seed=seed, recorded=True), 0) for seed in "01")
    assert one.records != other.records


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_partie_replays(preset: str) -> None:
    """Records replay; their results and points match."""
    pair = play_pair(Duel("heuristic", "random", preset, recorded=True), 3)
    parties = [read_record(text) for text in pair.records]
    assert len(parties) == len(pair.outcomes)
    for outcome, partie, of_a in zip(pair.outcomes, parties, seatings(parties[0].rules.seats), strict=True):
        names = (partie.tag("Players") or "").split("; ")
        assert [name == "heuristic" for name in names] == list(of_a)
        winner = partie.result.winner
        assert outcome == (0 if winner is None else 1 if of_a[winner] else -1)
        assert partie.deal.dealer == 3 % partie.rules.seats


class Spy:
    """Plays as the heuristic player and records its arguments."""

    def __init__(self, given: list[tuple[object, ...]]) -> None:
        self.given = given
        self.player = HeuristicPlayer()

    def act(self, *given: View) -> Action | None:
        self.given.append((self, *given))
        return self.player.act(*given)


@pytest.fixture
def given() -> Iterator[list[tuple[object, ...]]]:
    """The arguments that players named `spy` receive."""
    kept: list[tuple[object, ...]] = []
    PLAYERS["spy"] = Entry(lambda _: Spy(kept), "keeps what it is given")
    yield kept
    del PLAYERS["spy"]


def test_14_a_player_is_given_its_own_views_and_nothing_else(given: list[tuple[object, ...]]) -> None:
    play_pair(Duel("spy", "spy", "four"), 0)  # loads code and data
    given.clear()
    play_pair(Duel("spy", "spy", "four"), 0)
    chair: dict[int, set[int | None]] = {}
    for player, view, *rest in given:
        assert type(view) is View
        assert not rest
        assert view.observer is not None
        chair.setdefault(id(player), set()).add(view.observer)
    assert len(chair) == 8 * 4
    assert all(len(seats) == 1 for seats in chair.values())


def test_times_are_of_decisions_alone(given: list[tuple[object, ...]]) -> None:
    pair = play_pair(Duel("spy", "random"), 0)
    parties = [read_record(text) for text in play_pair(Duel("spy", "random", recorded=True), 0).records]
    assert sum(map(len, pair.micros)) == sum(len(partie.actions) for partie in parties)


def test_players_are_seeded_by_their_chair() -> None:
    """Two random players of one partie have different seeds."""
    seeds: set[int] = set()

    def note(order: object) -> RandomPlayer:
        seeds.add(order.seed)  # type: ignore[attr-defined]
        return RandomPlayer(Random(1))

    PLAYERS["noted"] = Entry(note, "notes its seed")
    try:
        play_pair(Duel("noted", "noted", "three"), 0)
        seeds.discard(0)  # the seed of players created for loading only
        play_pair(Duel("noted", "noted", "three"), 1)
    finally:
        del PLAYERS["noted"]
    assert len(seeds) == 2 * 6 * 3


def test_what_a_player_loads_at_first_is_not_its_time() -> None:
    class Slow:
        """Simulates loading: its first decision is slow."""

        loaded = False

        def act(self, view: View) -> Action | None:
            if not Slow.loaded:
                Slow.loaded = True
                sleep(1.5)
            return HeuristicPlayer().act(view)

    PLAYERS["slow"] = Entry(lambda _: Slow(), "takes its time")
    try:
        pair = play_pair(Duel("slow", "random"), 0)
    finally:
        del PLAYERS["slow"]
    assert Slow.loaded
    assert max(pair.micros[0]) < 1_500_000


@pytest.mark.parametrize("action", [None, Exchange()])
def test_a_player_of_our_own_that_errs_is_named_with_its_view(action: Action | None) -> None:
    class Errs:
        def act(self, view: View) -> Action | None:
            del view
            return action

    Errs.__module__ = "chouine.players.errs"
    PLAYERS["errs"] = Entry(lambda _: Errs(), "errs")
    try:
        with pytest.raises(ChouineError, match=r"Errs.*view b classic a ") as raised:
            play_pair(Duel("errs", "errs"), 1)
    finally:
        del PLAYERS["errs"]
    assert raised.value.code == "arena/illegal"


@pytest.mark.parametrize("when", [1, 6, 9])
def test_the_end_of_a_worker_is_reported(when: int) -> None:
    """The end of a worker is reported at once: at the beginning, during pairs, and while the next one is submitted."""
    others = {*multiprocessing.active_children()}  # the servers of other tests

    def numbers() -> Iterator[int]:
        for number in range(50):
            if number == when:
                ({*multiprocessing.active_children()} - others).pop().kill()
            yield number

    with crew(2) as playing, pytest.raises(ChouineError) as raised:
        list(playing(partial(play_pair, Duel("random", "random")), numbers()))
    assert raised.value.code == "jobs/worker-ended"
    assert not {*multiprocessing.active_children()} - others


def test_errors_in_workers_are_raised_here(tmp_path: Path) -> None:
    """An error in a worker process is the same as in this process: the engine does not exist."""
    engine = tmp_path / "engine"
    told = []
    for workers in (1, 2):
        with crew(workers) as playing, pytest.raises(ChouineError) as raised:
            list(playing(partial(play_pair, Duel(f"pipes:{engine}", "random")), range(3)))
        told.append((raised.value.code, str(raised.value)))
    assert told[0] == told[1]
    assert told[0][0] == "player/unknown"


@pytest.mark.parametrize("taken", [1, 2])
def test_a_duel_given_up_leaves_nothing_to_the_next(taken: int) -> None:
    """An abandoned duel, as after a verdict, leaves no results to the next, even if all workers are busy with it."""
    first, second = Duel("heuristic", "greedy", seed="1"), Duel("greedy", "random", seed="2", recorded=True)
    with crew(2) as playing:
        assert [pair.number for pair in islice(playing(partial(play_pair, first), range(100)), taken)] == [
            *range(taken)
        ]
        pairs = list(playing(partial(play_pair, second), range(5)))
    assert [pair.records for pair in pairs] == [play_pair(second, number).records for number in range(5)]
