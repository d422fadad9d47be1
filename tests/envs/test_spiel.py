"""The OpenSpiel game: its API tests, perfect recall, resampling of hidden cards, and its solvers."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pyspiel
import pytest
from hypothesis import given
from open_spiel.python.algorithms import cfr, exploitability, ismcts
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.policy import UniformRandomPolicy

from chouine.cards import PACK, CardSet
from chouine.envs.encode import LET_PASS, NUMBERS, encode, open_to, row_of
from chouine.envs.spiel import PETITE, BadPack
from chouine.envs.spiel_partie import Partie, members, shared_out, world_of
from chouine.errors import ChouineError, IllegalAction, NotationError
from chouine.partie import Deal, Declaration, Exchange, Play, State
from chouine.rules import OPTIONS, PRESETS, Rules
from chouine.rules.combinations import EXCHANGE, MARIAGE, TRENTES
from chouine.rules.position import NONE
from tests.laws.strategies import SEEDS, rules

TINY = {"ranks": "A7", "suits": 2, "hand": 1}
"""A pack of four cards."""


def game_of(chosen: Rules) -> Any:
    options = {option: getattr(chosen, option) for option in OPTIONS}
    return pyspiel.load_game("chouine", {"preset": chosen.preset, **options})


def any_action(state: Any, rng: Random) -> int:
    """A random chance outcome or action; declarations and exchanges are as likely as all others together."""
    if state.is_chance_node():
        cards, likely = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(cards, likely)[0])
    actions = state.legal_actions()
    rare = [action for action in actions if action >= EXCHANGE]
    return int(rng.choice(rare if rare and rng.random() < 0.5 else actions))


def decisions(game: Any, rng: Random) -> Iterator[Any]:
    """The states of a random partie at each decision, then its end."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if not state.is_chance_node():
            yield state
        state.apply_action(any_action(state, rng))
    yield state


def as_state(chosen: Rules, spiel: Partie) -> tuple[State, int]:
    """The partie as a `State`, and the pending declaration, whose card is still to be played."""
    world = world_of(spiel)
    turnup = PACK[spiel.dealt[-1]] if spiel.setting.rule_table.turned else None
    talon = tuple(PACK[card] for card in [*world.drawn, *members(spiel.undealt)])
    partie = State.new(chosen, Deal(chosen.seats - 1, tuple(map(CardSet, world.hands)), turnup, talon))
    pending = NONE
    for act in spiel.acts:
        if act.action < EXCHANGE:
            declaration = Declaration(pending) if pending >= 0 else None
            partie, pending = partie.play(Play(PACK[act.action], declaration), act.seat), NONE
        elif act.action == EXCHANGE:
            partie = partie.play(Exchange(), act.seat)
        elif act.action != LET_PASS:
            pending = act.action
    return partie, pending


@pytest.mark.parametrize("preset", PRESETS)
def test_openspiel_s_own_tests(preset: str) -> None:
    game = pyspiel.load_game(f"chouine(preset={preset})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


@given(rules(), SEEDS)
def test_a_seat_sees_and_may_do_what_its_view_says(chosen: Rules, seed: int) -> None:
    """§14, §12: Observations, actions and returns equal those of the same partie as a `State`."""
    rng = Random(seed)
    partie = None
    for state in decisions(game_of(chosen), rng):
        spiel: Partie = state.partie
        if rng.random() > 0.2 and not state.is_terminal():
            continue
        partie, pending = as_state(chosen, spiel)
        for seat in range(chosen.seats):
            view, acts = partie.view(seat), seat == spiel.deciding
            if acts or pending < 0:
                told = encode(view, pending if acts else NONE)
                assert (row_of(spiel.setting.rule_table, spiel.p, spiel.seen, seat) == told).all()
            if acts:
                assert spiel.actions == open_to(view, pending)
    assert partie is not None
    assert partie.result is not None
    won = [seat == partie.result.winner for seat in range(chosen.seats)]
    assert [gain > 0 for gain in state.returns()] == won
    assert sum(state.returns()) == pytest.approx(0)


@given(rules(), SEEDS)
def test_a_resampled_world_has_equal_observations(chosen: Rules, seed: int) -> None:
    """§14: In a resampled state the seat's information state, observation and actions are identical."""
    rng = Random(seed)
    for state in decisions(game_of(chosen), rng):
        if state.is_terminal() or rng.random() > 0.2:
            continue
        for seat in range(chosen.seats):
            other = state.resample_from_infostate(seat, rng.random)
            for told in ("information_state_string", "information_state_tensor", "observation_string"):
                assert getattr(other, told)(seat) == getattr(state, told)(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            if state.partie.p.pending < 0:
                views = [as_state(chosen, each.partie)[0].view(seat) for each in (state, other)]
                assert views[0] == views[1]
            if seat == state.current_player():
                assert other.current_player() == seat
                assert other.legal_actions() == state.legal_actions()


def test_a_state_as_json_is_enough_to_go_on() -> None:
    for state in decisions(pyspiel.load_game("chouine(preset=three)"), Random(4)):
        told = json.loads(state.to_json())
        again = pyspiel.load_game(told["game"]).new_initial_state()
        for action in told["history"]:
            again.apply_action(action)
        assert str(again) == str(state)
        assert told["information_states"] == [again.information_state_string(seat) for seat in range(3)]
        assert told["current_player"] == again.current_player()
        assert told["returns"] == (again.returns() if again.is_terminal() else None)


def observer(game: Any, *, public: bool, own: bool, recall: bool) -> Any:
    private = pyspiel.PrivateInfoType.SINGLE_PLAYER if own else pyspiel.PrivateInfoType.NONE
    return game.make_py_observer(pyspiel.IIGObservationType(public, recall, private))


@pytest.mark.parametrize("recall", [False, True], ids=["now", "recall"])
@pytest.mark.parametrize("preset", ["classic", "mondoubleau-four"])
def test_what_is_public_is_the_same_in_every_world_and_to_every_seat(preset: str, *, recall: bool) -> None:
    """§14: Public observers are the same for all seats and worlds; private ones show the own hand."""
    rng, game, chosen = Random(1), game_of(Rules.parse(preset)), Rules.parse(preset)
    public, own = (observer(game, public=not mine, own=mine, recall=recall) for mine in (False, True))
    for state in decisions(game, rng):
        if state.is_terminal() or rng.random() > 0.2:
            continue
        told = set()
        for seat in range(chosen.seats):
            for world in (state, state.resample_from_infostate(seat, rng.random)):
                public.set_from(world, seat)
                told.add((public.string_from(world, seat), public.tensor.tobytes()))
            own.set_from(state, seat)
            if not recall:
                assert own.dict["hand"][0].astype(int).tolist() == [
                    state.partie.p.hands[seat] >> card & 1 for card in range(32)
                ]
        assert len(told) == 1
    assert not set(public.dict) & set(own.dict)


def test_openspiel_s_playthrough_of_petite_by_name() -> None:
    """The playthrough uses public and private observers; PETITE can be loaded by name."""
    from open_spiel.python.algorithms import generate_playthrough  # imports scipy's statistics: 0.7 s

    named, given_pack = pyspiel.load_game("chouine_petite"), pyspiel.load_game("chouine", PETITE)
    assert named.max_game_length() == given_pack.max_game_length()
    lines = generate_playthrough.playthrough_lines("chouine_petite", seed=1)
    assert {line.split(" = ")[0] for line in lines} >= {
        "PublicObservationString()",
        "PrivateObservationString(1)",
    }
    assert "IsTerminal() = True" in lines


def outcomes_of(partie: Partie, seat: int) -> tuple[int, ...]:
    """The other seats' hands."""
    return tuple(hand for other, hand in enumerate(partie.p.hands) if other != seat)


SMALL = {
    "classic": {"ranks": "AK7", "suits": 2, "hand": 2},
    "mondoubleau": {"ranks": "AK7", "suits": 2, "hand": 2},
    "three": {"ranks": "K97", "suits": 4, "hand": 3},
}


def worth_asking(partie: Partie) -> bool:
    """Two seats: cards are left to draw. Three: answers (§8) exclude suits from hands still held."""
    seats = partie.setting.rule_table.seats
    if seats == 2:
        return partie.undealt != 0
    return any(
        partie.barred[seat] and partie.p.hands[seat] for seat in range(seats) if seat != partie.deciding
    )


def test_cards_are_shared_out_all_ways_alike() -> None:
    """§14: Distributions of cards are uniform over those allowed, even if one seat's exclusions restrict others."""
    cards, rooms, barred = [0, 1, 2, 3, 4], [2, 2, 1], [0b10000, 0b11000, 0]
    ways = {
        tuple(tuple(card for card in cards if seats[card] == seat) for seat in range(3))
        for seats in product(range(3), repeat=5)
        if all(seats.count(seat) == room for seat, room in enumerate(rooms))
        and not any(barred[seat] >> card & 1 for card, seat in enumerate(seats))
    }
    many, rng = 4_000, Random(2)
    drawn = Counter(tuple(map(tuple, shared_out(cards, rooms, barred, rng.random))) for _ in range(many))
    assert set(drawn) == ways
    share = 1 / len(ways)
    assert all(abs(met / many - share) <= 4 * (share * (1 - share) / many) ** 0.5 for met in drawn.values())


@pytest.mark.parametrize(
    "preset", ["classic", "mondoubleau", pytest.param("three", marks=pytest.mark.nightly)]
)
def test_other_worlds_are_as_likely_as_the_deal_makes_them(preset: str) -> None:
    """§14: Resampling frequencies equal those over all deals of a small pack with the same public actions."""
    game = pyspiel.load_game("chouine", {"preset": preset, **SMALL[preset]})
    rng, many = Random(3), 600
    met = [state.clone() for _ in range(60) for state in decisions(game, rng) if not state.is_terminal()]
    sizes = []
    for state in rng.sample([state for state in met if worth_asking(state.partie)], 4):
        seat = state.current_player()
        likely = defaultdict[tuple[int, ...], float](float)
        same_told(game.new_initial_state(), 1.0, state, seat, likely)
        drawn = Counter(
            outcomes_of(state.resample_from_infostate(seat, rng.random).partie, seat) for _ in range(many)
        )
        assert set(drawn) <= set(likely)
        sizes.append(len(likely))
        for cards, weight in likely.items():
            share = weight / sum(likely.values())
            spread = (share * (1 - share) / many) ** 0.5
            assert abs(drawn[cards] / many - share) <= 4.5 * spread + 1e-9
    assert max(sizes) > 1


def same_told(state: Any, reach: float, asked: Any, seat: int, likely: dict[tuple[int, ...], float]) -> None:
    """Accumulate, by the others' hands, the chance probability of states with the same information state."""
    told = asked.information_state_string(seat)
    if state.is_terminal() or not told.startswith(state.information_state_string(seat)):
        return
    if state.is_chance_node():
        for card, share in state.chance_outcomes():
            same_told(state.child(card), reach * share, asked, seat, likely)
        return
    if state.current_player() == seat and state.information_state_string(seat) == told:
        likely[outcomes_of(state.partie, seat)] += reach
        return
    for action in state.legal_actions():
        same_told(state.child(action), reach, asked, seat, likely)


def test_a_trente_said_and_not_yet_shown_binds_other_worlds() -> None:
    """§9.5: The three brisques of a trente are its seat's whole hand, although unknown before they are shown."""
    game, rng, met = pyspiel.load_game("chouine(preset=three)"), Random(5), 0
    while met < 3:
        for state in decisions(game, rng):
            partie = state.partie
            saying = [seat for seat in range(3) if partie.p.said[seat] & TRENTES and not partie.shown[seat]]
            if state.is_terminal() or not saying or partie.deciding == saying[0]:
                continue
            met += 1
            hands = {
                state.resample_from_infostate(partie.deciding, rng.random).partie.p.hands[saying[0]]
                for _ in range(20)
            }
            assert len(hands) > 1
            assert all(card & 7 >= 6 for hand in hands for card in members(hand))


def test_while_a_card_is_awaited_there_is_no_other_world() -> None:
    state = pyspiel.load_game("chouine").new_initial_state()
    with pytest.raises(ChouineError, match="A card is awaited"):
        state.resample_from_infostate(0, Random(1).random)


def test_what_is_not_legal_leaves_a_state_as_it_is() -> None:
    game, rng = pyspiel.load_game("chouine"), Random(6)
    state = game.new_initial_state()
    for _ in range(30):
        open_to = state.legal_actions()
        for action in {*range(NUMBERS + 50)} - {*range(32)} - {*open_to}:
            with pytest.raises(IllegalAction, match=f"Action {action} is not one of"):
                state.clone().apply_action(action)
        assert state.legal_actions() == open_to
        state.apply_action(any_action(state, rng))
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="player is one of the seats"):
            state.resample_from_infostate(seat, rng.random)


def test_search_by_openspiel() -> None:
    """OpenSpiel's ISMCTS plays a complete partie legally."""
    game = pyspiel.load_game("chouine")
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=RandomRolloutEvaluator(n_rollouts=1),
        uct_c=1.0,
        max_simulations=8,
        random_state=None,
    )
    state, rng = game.new_initial_state(), Random(2)
    for _ in range(30):
        searching = not state.is_chance_node() and state.current_player() == 0
        state.apply_action(int(bot.step(state)) if searching else any_action(state, rng))
    assert len(state.partie.acts) > 5


def test_solvers_of_openspiel_on_a_small_pack() -> None:
    """CFR+ lowers the exploitability, as computed by OpenSpiel."""
    game = pyspiel.load_game("chouine", TINY)
    before = exploitability.exploitability(game, UniformRandomPolicy(game))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert before == pytest.approx(1 / 12)
    assert exploitability.exploitability(game, solver.average_policy()) < before / 20


@pytest.mark.parametrize("pack", [{"suits": 1}, {"hand": 6}, {"ranks": "A", "suits": 4, "hand": 2}])
def test_a_pack_that_cannot_be_dealt_says_so(pack: dict[str, Any]) -> None:
    with pytest.raises(BadPack, match="cannot be dealt"):
        pyspiel.load_game("chouine", pack)


def test_unknown_rules_say_so() -> None:
    with pytest.raises(NotationError, match="head"):
        pyspiel.load_game("chouine(head=sometimes)")


def test_petite_has_a_mariage_and_an_exchange() -> None:
    """§9, §11: Parties of PETITE include mariages and exchanges."""
    game, rng, said = pyspiel.load_game("chouine", PETITE), Random(1), set[int]()
    for _ in range(60):
        *_, end = decisions(game, rng)
        said |= {act.action for act in end.partie.acts if act.action >= EXCHANGE}
    assert {EXCHANGE, LET_PASS, MARIAGE, MARIAGE + 1} == said
