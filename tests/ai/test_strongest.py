"""The strongest player: the same acts on any machine, time limits kept, equilibria only against players like itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from time import process_time
from unittest.mock import patch

import pytest

from chouine.ai import search, strongest
from chouine.ai.equilibrium import last_tricks
from chouine.ai.equilibrium.last_tricks import ActStrategy, Strategy
from chouine.ai.racing import Limit
from chouine.ai.search import LIKENESS, NETWORK, has_network
from chouine.ai.strongest import LATE, NetworkPlayer, StrongestPlayer, uncompiled_act
from chouine.arena.partie import play_partie
from chouine.notation.lines import actions_of
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players.base import UnknownPlayer
from chouine.players.endgame import known_position
from chouine.players.heuristic import HeuristicPlayer
from chouine.registry import player_of
from chouine.rules import PRESETS
from chouine.rules.options import Rules
from tests.ai.test_network import CLASSIC, views
from tests.players.table import ask, play_out


@pytest.mark.parametrize("preset", ["classic", "mondoubleau", "three", "four"])
def test_it_plays_the_same_partie_again(preset: str) -> None:
    rules = Rules.parse(preset)
    deal = Deal.random(rules, 0, Random(4))
    one, again = (
        play_partie(rules, deal, [player_of("full", rules, seed=seat) for seat in range(rules.seats)]).state
        for _ in range(2)
    )
    assert one.events == again.events


def test_what_it_was_asked_before_changes_nothing() -> None:
    rules = Rules()
    played = play_partie(
        rules, Deal.random(rules, 1, Random(2)), [HeuristicPlayer(), HeuristicPlayer()]
    ).state
    seen = [state.view(state.turn) for state in steps(played) if state.turn is not None][4:30:6]
    asked = StrongestPlayer(rules, 5, Limit(worlds=24))
    forward = [asked.act(view) for view in seen]
    assert [StrongestPlayer(rules, 5, Limit(worlds=24)).act(view) for view in reversed(seen)] == forward[::-1]


def steps(state: State) -> list[State]:
    """The states of a partie, from its start."""
    states = [State.new(state.rules, state.deal)]
    for action in actions_of(state.events):
        states.append(states[-1].play(action))
    return states


@pytest.mark.parametrize("spec", ["full:0", "full:many"])
def test_its_worlds_are_a_number(spec: str) -> None:
    with pytest.raises(UnknownPlayer):
        player_of(spec)


def test_early_it_does_what_its_network_does() -> None:
    """Early in a partie it acts by its network alone, but its evaluation still runs rollouts."""
    early = next(view for view in views(CLASSIC, 100) if view.talon > LATE and len(view.legal) > 1)
    player = StrongestPlayer(CLASSIC, 1)
    assert player.act(early) == NetworkPlayer().act(early)
    assert all(each.worlds for each in player.evaluate(early, Limit(worlds=16)))


def test_14_only_the_view_is_used() -> None:
    """§14: The same view of two different deals gets the same estimates."""
    deal = Deal.random(CLASSIC, 0, Random(2))
    state = State.new(CLASSIC, deal)
    talon = (*deal.talon[:-2], deal.talon[-1], deal.talon[-2])
    other = State.new(CLASSIC, Deal(deal.dealer, deal.hands, deal.turnup, talon))
    view, same = state.view(state.turn), other.view(other.turn)
    assert view == same
    told = [StrongestPlayer(CLASSIC, 1).evaluate(each, Limit(worlds=16)) for each in (view, same)]
    assert told[0] == told[1]


def late_leads(parties: int) -> Iterator[View]:
    """Views of the seat to lead with two cards left in the talon."""
    return (view for view in views(CLASSIC, parties) if view.talon == 2 and not view.position.table)


@pytest.fixture
def mixed(monkeypatch: pytest.MonkeyPatch) -> Strategy:
    """The strategy that every equilibrium will have, for the test to fill; opponents are like oneself."""
    acts: Strategy = {}
    monkeypatch.setattr(last_tricks, "solve_with_budget", lambda *_: acts)
    return acts


def test_a_player_made_anew_for_each_decision_draws_anew(mixed: Strategy) -> None:
    """A fresh player with the same seed randomizes each decision separately: its acts do not reveal its seed."""
    mixed |= {None: ActStrategy(0.5, 0.5), Exchange(): ActStrategy(0.5, 0.4)}
    drawn = [StrongestPlayer(CLASSIC, 1, only=NETWORK).act(view) for view in islice(late_leads(60), 20)]
    assert len(drawn) == 20
    assert 2 < sum(act is None for act in drawn) < 18


def test_an_act_drawn_for_is_the_same_however_often_it_is_asked_for(mixed: Strategy) -> None:
    """A player repeats the act it drew for a view; other seeds draw other acts."""
    view = next(view for view in late_leads(400) if len(view.legal) > 1)
    mixed |= {act: ActStrategy(1 / len(view.legal), 0.5) for act in view.legal}
    players = [StrongestPlayer(CLASSIC, seed, only=NETWORK) for seed in range(8)]
    drawn = [{player.act(view) for _ in range(3)} for player in players]
    assert all(len(acts) == 1 for acts in drawn)
    assert len(set.union(*drawn)) > 1


@pytest.mark.parametrize(
    ("wins", "exchanges"), [((1.0, 1.0), True), ((0.0, 0.0), True), ((0.6, 0.6), False), ((1.0, 0.9), False)]
)
def test_the_seven_is_exchanged_where_it_does_not_matter(
    wins: tuple[float, float],
    exchanges: bool,  # noqa: FBT001
    mixed: Strategy,
) -> None:
    """§11: If exchanging wins as often as not, the seven is exchanged; otherwise the equilibrium decides."""
    view = next(view for view in late_leads(400) if Exchange() in view.legal)
    card = next(act for act in view.legal if isinstance(act, Play))
    mixed |= {card: ActStrategy(1.0, wins[0]), Exchange(): ActStrategy(0.0, wins[1])}
    assert StrongestPlayer(CLASSIC, 1, only=NETWORK).act(view) == (Exchange() if exchanges else card)


@pytest.mark.parametrize("likeness", [0.9, 0.1])
def test_other_types_are_not_played_at_equilibrium(
    likeness: float, mixed: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An opponent that is probably no network player gets the best act by search, and no equilibrium."""
    view = next(view for view in late_leads(60) if len(view.legal) > 2)
    worst = view.legal[-1]
    mixed[worst] = ActStrategy(1.0, 0.5)
    values = [0.0] * LIKENESS + [likeness]
    values[0] = 1.0
    monkeypatch.setattr(strongest, "compute", lambda *_: values)
    player = StrongestPlayer(CLASSIC, 1)
    assert (player.act(view) == worst) is (likeness > 0.5)
    assert (player.evaluate(view, Limit(worlds=32))[0].worlds == 0) is (likeness > 0.5)


def test_in_haste_it_does_not_search() -> None:
    late = next(view for view in views(CLASSIC, 30) if view.talon == 6 and len(view.legal) > 1)
    chosen = NetworkPlayer().act(late)
    with patch.object(strongest, "compute", wraps=search.compute) as asked:
        assert StrongestPlayer(CLASSIC, 1, Limit(seconds=0.01)).act(late) == chosen
    assert [call.args[0] for call in asked.call_args_list] == ["choose"]


def test_estimates_keep_their_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strongest, "perf_counter", process_time)  # independent of other programs
    view = next(view for view in views(CLASSIC, 100) if view.talon == 8 and len(view.legal) > 2)
    player = StrongestPlayer(CLASSIC, 1)
    player.evaluate(view, Limit(seconds=0.01))
    began = process_time()
    told = player.evaluate(view, Limit(seconds=1.0))
    assert process_time() - began < 1.5
    assert told[0].worlds > 0
    assert told[0].win_error < 0.1
    assert max(each.gap_error for each in told) < 0.06


def test_no_act_has_a_higher_win_rate_than_the_best() -> None:
    player = StrongestPlayer(CLASSIC, 1)
    for view in islice((view for view in views(CLASSIC, 200) if view.talon > 4), 0, 60, 4):
        told = [each.win for each in player.evaluate(view, Limit(worlds=64))]
        assert min(told) >= 0
        assert max(told) == told[0]


def test_without_the_compiler_there_is_no_equilibrium(
    mixed: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = next(late_leads(60))
    mixed[view.legal[0]] = ActStrategy(1.0, 0.5)
    assert StrongestPlayer(CLASSIC, 1).strategy(view)
    monkeypatch.setattr(strongest, "AVAILABLE", False)
    assert StrongestPlayer(CLASSIC, 1).strategy(view) is None


@pytest.mark.parametrize(
    ("preset", "spec"), [("classic", "lbr"), ("classic", "light"), ("mondoubleau", "full:8")]
)
def test_it_plays_a_partie_out_by_each_of_its_names(preset: str, spec: str) -> None:
    rules = Rules.parse(preset)
    chairs = [player_of(spec, rules, seat) for seat in range(2)]
    assert play_out(rules, Deal.random(rules, 0, Random(5)), chairs).result


class UncompiledPlayer:
    """`uncompiled_act` as a player."""

    act = staticmethod(uncompiled_act)


@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_the_network_until_all_cards_are_known(preset: str) -> None:
    rules, rng = Rules.parse(preset), Random(preset)
    for nth in range(3):
        state = State.new(rules, Deal.random(rules, nth % rules.seats, rng))
        others = NetworkPlayer() if has_network(rules) else HeuristicPlayer()
        while state.result is None:
            for seat in range(rules.seats):
                view = state.view(seat)
                if not view.legal:
                    assert uncompiled_act(view) is None
                elif known_position(view) is None:
                    assert uncompiled_act(view) == others.act(view)
                else:
                    assert uncompiled_act(view) in view.legal
            seat, action = ask(state, [UncompiledPlayer()] * rules.seats)
            state = state.play(action, seat)


def test_a_spectator_has_nothing_to_do() -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    assert uncompiled_act(state.view(None)) is None
