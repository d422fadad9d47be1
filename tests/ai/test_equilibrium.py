"""The last tricks with hidden cards: best responses agree with brute force, and CFR converges to an equilibrium."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from chouine.ai.beliefs import Range, RangeTracker
from chouine.ai.deduced import public_view
from chouine.ai.equilibrium.answers import FIXED
from chouine.ai.equilibrium.last_tricks import solve_last
from chouine.ai.equilibrium.payoffs import INFINITY, closed_by, ending_margin, ending_rules
from chouine.ai.equilibrium.subgame import Subgame
from chouine.ai.equilibrium.tree import WHOLE, SubgameTree, TooManyPositions
from chouine.ai.likelihood import UNIFORM
from chouine.fast.double_dummy import open_margin
from chouine.fast.soa_layout import compiled_position
from chouine.partie import Exchange, State, View
from chouine.rules import Rules, rule_table_of
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.play import closed_figures, start
from chouine.rules.position import NONE
from tests.ai.retold import line
from tests.ai.trying import best_against_chance


@pytest.mark.parametrize("text", ["classic", "classic;head=always", "classic;declare=lead"])
def test_endings_are_what_trying_every_declaration_gives(text: str) -> None:
    """§8, §9: With all cards open, declaring as early as possible is optimal."""
    rule_table, rng = rule_table_of(Rules.parse(text)), Random(3)
    nodes, none = memoryview(array("q", [10**9])), memoryview(array("q"))
    for nth in range(400):
        trump, cards = rng.randrange(4), [card for card in range(32) if nth % 2 or card & 7 >= 3]
        dealt = rng.sample(cards, 10)
        if nth % 20 == 0:
            suit = rng.randrange(4)
            five = list(range(8 * suit + 3, 8 * suit + 8))
            dealt = five + rng.sample([card for card in cards if card not in five], 5)
        a, b = (sum(1 << card for card in hand) for hand in (dealt[:5], dealt[5:]))
        said = [1 << rng.randrange(33, 46) if rng.random() < 0.3 else 0 for _ in range(2)]
        p = start(rule_table, (a, b, 0, 0), 8 * trump, 1)
        p = p._replace(turnup=NONE, tricks=rule_table.drawing, said=(said[0], said[1], 0, 0))
        tried = open_margin(rule_table, none, compiled_position(p), 0, -2000, 2000, nodes)
        gain = ending_margin(
            ending_rules(rule_table, trump),
            a,
            b,
            closed_by(closed_figures(rule_table, said[0])),
            closed_by(closed_figures(rule_table, said[1])),
            -INFINITY,
            INFINITY,
        )
        assert tried == (gain if abs(gain) < CHOUINE_MARGIN // 2 else int(np.sign(gain)) * CHOUINE_MARGIN)


def moments(rules: Rules, tricks: int, *, answering: bool, seed: int = 0) -> Iterator[State]:
    """States of random parties with `tricks` tricks taken, on lead or answering."""
    for nth in range(seed, 100_000):
        for state in line(rules, nth):
            here = state.position.tricks == tricks and not state.result
            if here and bool(state.position.table) is answering:
                yield state
                break


def public_view_and_pool(state: State) -> tuple[View, tuple[int, ...]]:
    """The public view, and the cards that are in hands or hidden."""
    view = public_view(state.view(0))
    cards = view.unseen.mask | view.position.hands[0] | view.position.hands[1]
    return view, tuple(card for card in range(32) if cards >> card & 1)


def has_chouine(hand: int) -> bool:
    """Whether the hand contains a chouine (§9)."""
    return any(hand >> 8 * suit & 0xF8 == 0xF8 for suit in range(4))


def few(told: Range, true_hand: int, many: int, rng: Random) -> Range:
    """A subset of a range: the true hand, random hands, and one with a chouine, if any."""
    hands = [hand for hand in told.hands.tolist() if not has_chouine(hand)]
    chouines = [hand for hand in told.hands.tolist() if has_chouine(hand)][:1]
    chosen = sorted({true_hand, *chouines, *rng.sample(hands, min(many, len(hands)))})
    return Range(np.array(chosen), np.array([rng.random() + 0.1 for _ in chosen]))


CASES = [
    ("classic", 10, False, "any"),
    ("classic", 10, True, "any"),
    ("classic", 10, False, "seven"),
    ("classic", 10, False, "mariage"),
    ("classic", 10, True, "mariage"),
    ("classic", 10, False, "chouine"),
    ("classic", 10, True, "chouine"),
    ("classic", 9, True, "any"),
    ("classic", 9, True, "seven"),
    ("classic", 9, False, "any"),
    ("classic;head=always", 10, False, "mariage"),
    ("classic;declare=lead", 10, False, "mariage"),
]


@pytest.mark.parametrize(("text", "tricks", "answering", "wanted"), CASES)
def test_the_best_against_chance_is_what_trying_everything_finds(
    text: str,
    tricks: int,
    answering: bool,  # noqa: FBT001
    wanted: str,
) -> None:
    """§5, §8-§12, §14: Best responses to uniform play equal brute force, with any declaration kept back."""
    rules, rng, met = Rules.parse(text), Random(5), 0
    for state in moments(rules, tricks, answering=answering):
        view, pool = public_view_and_pool(state)
        p = view.position
        seven = 8 * p.trump in pool and p.turnup & 7 > 0
        mariage = any(8 * suit + 4 in pool and 8 * suit + 5 in pool for suit in range(4))
        chouine = has_chouine(sum(1 << card for card in pool))
        if (wanted == "seven") is not seven or not {"mariage": mariage, "chouine": chouine}.get(wanted, True):
            continue
        told = RangeTracker(UNIFORM)
        ranges = tuple(
            few(told.of(view, seat), state.position.hands[seat], 3 if tricks == 10 else 1, rng)
            for seat in range(2)
        )
        p = p._replace(hands=(0, 0, 0, 0))
        game = Subgame(rule_table_of(rules), p, pool, (ranges[0], ranges[1]))
        game.use_averages()
        for seat in range(2):
            tried = best_against_chance(rule_table_of(rules), p, list(pool), (ranges[0], ranges[1]), seat)
            assert game.best_response(seat) == pytest.approx(tried, abs=1e-5)
        met += 1
        if met == 3:
            break
    assert met == 3


@pytest.mark.parametrize(
    ("tricks", "answering", "turns", "near"),
    [(10, False, 100, 1e-4), (10, True, 100, 1e-4), (9, True, 60, 1e-3)],
)
def test_learning_comes_near_an_equilibrium(tricks: int, answering: bool, turns: int, near: float) -> None:  # noqa: FBT001
    """Exploitability falls below a bound, and the two seats' values add up to zero."""
    for state, _ in zip(moments(Rules(), tricks, answering=answering, seed=50), range(4), strict=False):
        view, pool = public_view_and_pool(state)
        told = RangeTracker(UNIFORM)
        ranges = told.of(view, 0), told.of(view, 1)
        game = Subgame(state.rule_table, view.position._replace(hands=(0, 0, 0, 0)), pool, ranges)
        first = game.exploitability()
        assert first >= -1e-6
        found = []
        for _ in range(2):
            for _ in range(turns // 2):
                game.iterate()
            found.append(game.exploitability())
        assert found[1] <= found[0] + 1e-6 <= first + 2e-6
        assert found[1] < near
        values = []
        for seat, side in enumerate(game.sides):
            game.evaluate(seat, FIXED, game.sides[1 - seat].answer_profile)
            values.append(float(side.values[: len(side.root)] @ side.root) / game.mass)
        assert values[0] == pytest.approx(-values[1], abs=1e-4)


def test_a_view_is_told_what_it_may_do() -> None:
    """§11, §14: Strategies of a view contain legal acts only and add up to 1; win rates are in [0, 1]."""
    met = set[str]()
    for tricks, answering in ((10, False), (10, True), (9, True)):
        for state, _ in zip(moments(Rules(), tricks, answering=answering, seed=90), range(12), strict=False):
            for seat in range(2):
                view = state.view(seat)
                if not view.legal:
                    continue
                told, public = RangeTracker(UNIFORM), public_view(view)
                answer = solve_last(
                    view,
                    told.of(public, seat),
                    told.of(public, 1 - seat),
                    seconds=20,
                    target=1e-3,
                )
                assert answer is not None
                assert answer.exploitability <= 1e-3
                assert {act for act in answer.acts if act is not None} <= set(view.legal)
                assert (None in answer.acts) is (view.turn != seat)
                assert sum(told.probability for told in answer.acts.values()) == pytest.approx(1, abs=1e-3)
                assert all(-1e-6 <= told.win <= 1 + 1e-6 for told in answer.acts.values())
                best = max(told.win for told in answer.acts.values())
                often = sum(told.probability * told.win for told in answer.acts.values())
                assert often > best - 0.25
                met |= {"exchange" for act in answer.acts if isinstance(act, Exchange)}
                met |= {"asked"} if view.turn != seat else set()
    assert met == {"exchange", "asked"}


def test_a_hand_that_a_model_holds_for_impossible_is_played_well_all_the_same() -> None:
    """§14: The true hand is solved well even if the opponents' model excludes it."""
    compared = 0
    for state, _ in zip(moments(Rules(), 10, answering=False, seed=90), range(8), strict=False):
        assert state.turn is not None
        view, told = state.view(state.turn), RangeTracker(UNIFORM)
        mine, other = (told.of(public_view(view), seat) for seat in (state.turn, 1 - state.turn))
        apart = mine.hands != view.hand.mask
        unlikely = Range(mine.hands[apart], mine.weights[apart])
        answer = solve_last(view, unlikely, other, seconds=20, target=1e-4)
        assert answer is not None
        best = max(told.win for told in answer.acts.values())
        often = sum(told.probability * told.win for told in answer.acts.values())
        assert often > best - 0.05
        compared += best > min(told.win for told in answer.acts.values()) + 0.2
    assert compared


def test_what_cannot_be_solved_is_left_to_others() -> None:
    """Earlier tricks, other rules and too short a time give None."""
    early = line(Rules(), 2)[4]
    late = next(moments(Rules(), 9, answering=False))
    other = next(moments(Rules.parse("classic;again=full"), 10, answering=False))
    for state, seconds in ((early, 20.0), (late, 0.001), (other, 20.0)):
        assert state.turn is not None
        view, told = state.view(state.turn), RangeTracker(UNIFORM)
        public = public_view(view)
        assert solve_last(view, told.of(public, 0), told.of(public, 1), seconds) is None


def test_what_will_have_too_many_positions_is_soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """`TooManyPositions` is raised early, and not for a tree of exactly the maximum size."""
    view, pool = public_view_and_pool(next(moments(Rules(), 9, answering=False)))
    told, laid_out = RangeTracker(UNIFORM), list[SubgameTree]()
    p, ranges = view.position._replace(hands=(0, 0, 0, 0)), (told.of(view, 0), told.of(view, 1))
    game = Subgame(view.rule_table, p, pool, ranges, WHOLE._replace(exchange_later=0))
    to_answer = SubgameTree.add_last_answer

    def record_and_answer(tree: SubgameTree, *args: Any) -> int:
        laid_out.append(tree)
        return to_answer(tree, *args)

    monkeypatch.setattr(SubgameTree, "add_last_answer", record_and_answer)
    most = game.tree.positions // 4
    with pytest.raises(TooManyPositions):
        Subgame(view.rule_table, p, pool, ranges, WHOLE._replace(exchange_later=0, max_positions=most))
    assert 0 < len(laid_out) < most
    again = Subgame(
        view.rule_table, p, pool, ranges, WHOLE._replace(exchange_later=0, max_positions=game.tree.positions)
    )
    assert again.tree.positions == game.tree.positions


@pytest.mark.nightly
def test_twenty_positions_with_four_cards_left() -> None:
    """The exploitability falls below 0.001 parties within 24 iterations."""
    for state, _ in zip(moments(Rules(), 9, answering=False, seed=500), range(20), strict=False):
        view, pool = public_view_and_pool(state)
        told = RangeTracker(UNIFORM)
        p, ranges = (
            view.position._replace(hands=(0, 0, 0, 0)),
            (told.of(view, 0), told.of(view, 1)),
        )
        game = Subgame(state.rule_table, p, pool, ranges, WHOLE._replace(exchange_later=0))
        for _ in range(24):
            game.iterate()
        assert game.exploitability() < 1e-3
