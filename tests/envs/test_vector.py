"""The vector environment equals, row by row, parties played with the rules and views."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given

from chouine.cards import PACK, CardSet
from chouine.envs.compiled_players import eager_move, random_move
from chouine.envs.encode import LET_PASS, NUMBERS, actor, encode, mask_of, open_to, rewards_of, size_of
from chouine.envs.opponents import UnknownOpponent
from chouine.envs.rows import DEALER, LEARNER, Batch
from chouine.envs.single import ChouineEnv
from chouine.envs.vector import FEWEST, ChouineVectorEnv, play_alone_for_two
from chouine.errors import ChouineError
from chouine.fast import AVAILABLE, NO_ACTION, BatchError
from chouine.fast.soa_layout import load, store
from chouine.partie import Deal, Declaration, Exchange, Play, State
from chouine.rules import PRESETS, Rules, rule_table_of
from chouine.rules.combinations import DECLARATIONS, EXCHANGE, EXCHANGING
from chouine.rules.play import declare, legal_for, start
from chouine.rules.position import NONE
from tests.laws.strategies import SEEDS, any_deal, moments, rules

Actions = Any
ROWS = 6


class Mirror:
    """A row's partie, played beside the batch as a `State`."""

    def __init__(self, rules: Rules, deal: Deal) -> None:
        self.state, self.pending, self.let_pass = State.new(rules, deal), NONE, False

    @property
    def deciding(self) -> int:
        p = self.state.position
        others = [seat for seat in range(self.state.rules.seats) if seat != p.turn and self.state.legal(seat)]
        return others[0] if others and not self.let_pass else p.turn

    def act(self, action: int) -> None:
        seat = self.deciding
        if action == LET_PASS:
            self.let_pass = True
        elif action > EXCHANGE:
            self.pending = action
        elif action == EXCHANGE:
            self.state = self.state.play(Exchange(), seat)
        else:
            said = Declaration(self.pending) if self.pending >= 0 else None
            self.state, self.pending = self.state.play(Play(PACK[action], said), seat), NONE


def set_deal(batch: Batch, row: int, deal: Deal) -> None:
    """Set the deal of a row that is at the beginning of a partie."""
    seats = len(deal.hands)
    hands = [hand.mask for hand in deal.hands] + [0] * (4 - seats)
    turnup = NONE if deal.turnup is None else int(deal.turnup)
    rule_table = rule_table_of(Rules(seats=seats))  # type: ignore[arg-type]
    p = start(rule_table, (hands[0], hands[1], hands[2], hands[3]), turnup, deal.dealer)
    store(batch.cells, row, p)
    pack = [card for hand in deal.hands for card in hand] + [*deal.talon]
    batch.packs[32 * row : 32 * row + 32] = pack if deal.turnup is None else [*pack, deal.turnup]
    batch.deciding[row] = p.turn


def deal_in(env: ChouineVectorEnv, row: int) -> Deal:
    """The deal of a partie that has just begun."""
    p = load(env.batch.cells.data, row)
    first = env.rule_table.seats * env.rule_table.hand
    pack = env.batch.packs[32 * row : 32 * row + 32].tolist()
    return Deal(
        int(env.batch.cells[DEALER, row]),
        tuple(CardSet(int(hand)) for hand in p.hands[: env.rule_table.seats]),
        PACK[p.turnup] if p.turnup >= 0 else None,
        tuple(PACK[card] for card in pack[first : first + env.rule_table.hidden]),
    )


def some_action(actions: int, rng: Random) -> int:
    """A random legal action; declarations, exchanges and passes are as likely as all others together."""
    rare = actions & (DECLARATIONS | EXCHANGING | 1 << LET_PASS)
    among = rare if rare and rng.random() < 0.5 else actions
    return rng.choice([action for action in range(NUMBERS) if among >> action & 1])


@given(rules(), SEEDS)
def test_every_row_is_what_the_rules_and_the_views_make_of_it(chosen: Rules, seed: int) -> None:
    """§3-§14, §17: The deciding seat, its observation and mask, and the end agree in every row."""
    rng = Random(seed)
    env = ChouineVectorEnv(ROWS, str(chosen), opponent=lambda seen, _: np.zeros(len(seen), np.int64))
    batch = env.batch
    deals = [any_deal(chosen, rng) for _ in range(ROWS)]
    mirrors = [Mirror(chosen, deal) for deal in deals]
    for row, deal in enumerate(deals):
        set_deal(batch, row, deal)
    for _ in range(45):
        taken = np.array([some_action(actions_of(mirror), rng) for mirror in mirrors])
        batch.over[:] = False
        env.kernel(env.rule_table, env.rivals[0][0], batch, taken, 0, ROWS)
        for row, mirror in enumerate(mirrors):
            mirror.act(int(taken[row]))
            assert bool(batch.over[row]) == (mirror.state.result is not None)
            if mirror.state.result is not None:
                check_end(env, row, mirror.state)
                mirrors[row] = Mirror(chosen, deal_in(env, row))
            now = mirrors[row]
            seat = now.deciding
            assert batch.deciding[row] == seat
            if rng.random() < 0.7:  # views are slow
                continue
            seen = env._observations(batch.numbers)[row]
            assert (seen == encode(now.state.view(seat), now.pending)).all()
            assert (batch.masks.view(np.int8)[row, :NUMBERS] == mask_of(actions_of(now))).all()


def actions_of(mirror: Mirror) -> int:
    return open_to(mirror.state.view(mirror.deciding), mirror.pending)


def check_end(env: ChouineVectorEnv, row: int, state: State) -> None:
    """§12: Points, reward and final observation agree."""
    assert state.result is not None
    assert env.batch.points[row].tolist() == list(state.result.points)
    assert env.batch.rewards[row] == rewards_of(state.rules.seats, state.result.winner)[LEARNER]
    assert (env._observations(env.batch.last_numbers)[row] == encode(state.view(LEARNER))).all()


@given(moments(), SEEDS)
def test_what_the_others_do_is_legal(state: State, seed: int) -> None:
    """§9, §11: A random seat does any legal action; an eager one exchanges and declares what it can."""
    p, rule_table = state.position, state.rule_table
    seat = actor(rule_table, p, 0)
    if seat < 0 or state.result:
        return
    half = Random(seed).getrandbits(32)
    actions = open_to(state.view(seat))
    action, owed = random_move(rule_table, p, seat, half)
    assert actions >> action & 1
    if action > EXCHANGE:
        assert legal_for(rule_table, declare(rule_table, p, action), seat) >> owed & 1
    action, owed = eager_move(rule_table, p, seat, half)
    assert actions >> action & 1
    assert (action == EXCHANGE) == bool(actions & EXCHANGING)
    if action > EXCHANGE:
        assert legal_for(rule_table, declare(rule_table, p, action), seat) >> owed & 1
    else:
        assert owed == NONE


def any_actions(masks: Any, rng: np.random.Generator) -> Actions:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def play_randomly(env: ChouineVectorEnv, steps: int, seed: int) -> list[Any]:
    """The results of random play, as lists."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    told = []
    for _ in range(steps):
        seen, rewards, over, cut, infos = env.step(any_actions(seen["action_mask"], rng))
        assert not cut.any()
        points = infos["final_info"]["points"][over]
        told.append([seen["observation"].tolist(), rewards.tolist(), over.tolist(), points.tolist()])
    return told


@pytest.mark.parametrize("opponent", ["random", "eager"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_is_the_same_however_shared(
    preset: str, opponent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chouine.envs.vector.FEWEST", 1)
    alone = play_randomly(ChouineVectorEnv(7, preset, opponent), 30, seed=4)
    shared = ChouineVectorEnv(7, preset, opponent, threads=3, copy=False)
    assert len(shared.shares) == 3
    assert play_randomly(shared, 30, seed=4) == alone
    assert play_randomly(shared, 30, seed=4) == alone
    assert play_randomly(shared, 30, seed=5) != alone
    shared.close()


def test_few_parties_are_not_shared_among_threads() -> None:
    """Waking a second thread for 500 parties would cost more than it saves."""
    assert [ChouineVectorEnv(many, threads=2).threads for many in (7, 1_999, 2_000)] == [1, 1, 2]


@pytest.mark.skipif(not AVAILABLE, reason="nothing is compiled without numba")
def test_one_is_compiled_as_many_are() -> None:
    for many in (1, 2, 7):
        ChouineVectorEnv(many).reset(seed=1)
    assert len(play_alone_for_two.signatures) == 1  # type: ignore[attr-defined]  # numba's


COMPARED = """
import json, sys
if sys.argv[1] == "plain":
    sys.modules["numba"] = None
from chouine.fast import AVAILABLE
from tests.envs.test_vector import ChouineVectorEnv, play_randomly
assert AVAILABLE is (sys.argv[1] != "plain")
print(json.dumps([play_randomly(ChouineVectorEnv(3, preset, opponent), 25, seed=1)
                  for preset in ("classic", "mondoubleau-three") for opponent in ("random", "eager")]))
"""


def test_without_the_compiler_all_is_the_same() -> None:
    if not AVAILABLE:
        pytest.skip("numba is not installed")
    told = [
        json.loads(
            subprocess.run([sys.executable, "-c", COMPARED, how], check=True, capture_output=True).stdout
        )
        for how in ("compiled", "plain")
    ]
    assert told[0] == told[1]


def mean_reward(env: ChouineVectorEnv, steps: int) -> tuple[float, int]:
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    sums, parties = 0.0, 0
    for _ in range(steps):
        seen, rewards, over, _, _ = env.step(any_actions(seen["action_mask"], rng))
        sums, parties = sums + rewards.sum(), parties + int(over.sum())
    return sums / parties, parties


@pytest.mark.parametrize("preset", PRESETS)
def test_random_against_random_is_nearly_even_and_eager_is_better(preset: str) -> None:
    """Random play against random is nearly even; eager opponents win more by declaring (§9)."""
    even, parties = mean_reward(ChouineVectorEnv(2000, preset), 60)
    assert abs(even) < 0.05 + 4 / parties**0.5  # the learner declares slightly more often
    assert mean_reward(ChouineVectorEnv(2000, preset, "eager"), 60)[0] < even


def test_a_function_may_play_the_other_seats() -> None:
    """§14: An opponent function gets the observations of its seats; random play by it is as strong as built-in."""
    rng, asked = np.random.default_rng(2), []

    def policy(seen: Any, masks: Any) -> Actions:
        assert masks.any(axis=1).all()
        assert seen.shape == (len(masks), size_of(3))
        asked.append(len(seen))
        return any_actions(masks, rng)

    even, parties = mean_reward(ChouineVectorEnv(2000, "three", policy), 60)
    assert abs(even) < 4 / parties**0.5
    assert max(asked) <= 2000


def test_parties_end_and_begin_in_one_step() -> None:
    """Same-step autoreset: final observations and points come with the first observations of the next partie."""
    env = gymnasium.make_vec("chouine/Chouine-v0", num_envs=50, rules="four")
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    rng = np.random.default_rng(3)
    seen, _ = env.reset(seed=3)
    ended = 0
    for _ in range(30):
        assert env.observation_space.contains(seen)
        assert seen["action_mask"].any(axis=1).all()
        taken = any_actions(seen["action_mask"], rng)
        assert env.action_space.contains(taken)
        seen, rewards, over, _, infos = env.step(taken)
        assert (rewards[~over] == 0).all()
        for row in np.flatnonzero(infos["_final_obs"]):
            ended += 1
            last = {name: rows[row] for name, rows in infos["final_obs"].items()}
            assert env.single_observation_space.contains(last)
            assert not last["action_mask"].any()
            points = infos["final_info"]["points"][row]
            if points[0] == points.max() and (points == points.max()).sum() == 1 and points.sum() >= 130:
                assert rewards[row] == 1
    assert ended > 50


def test_arrays_handed_out_are_one_s_own_unless_asked_otherwise() -> None:
    for copy in (True, False):
        env = ChouineVectorEnv(3, copy=copy)
        first, _ = env.reset(seed=1)
        before = first["observation"].copy()
        env.step(any_actions(first["action_mask"], np.random.default_rng(1)))
        assert (first["observation"] == before).all() == copy


def test_an_illegal_action_names_its_row_and_nothing_is_played() -> None:
    env = ChouineVectorEnv(5)
    seen, _ = env.reset(seed=1)
    taken = any_actions(seen["action_mask"], np.random.default_rng(1))
    before = env.batch.cells.copy()
    not_held = int((seen["action_mask"][3][:32] == 0).argmax())
    for action, why in (
        (not_held, "illegal/not-held"),
        (52, "no such action"),
        (-1, "no such action"),
        (2**40, "no such action"),
        (LET_PASS, "research/no-au-sept"),
    ):
        wrong = taken.copy()
        wrong[3] = action
        with pytest.raises(BatchError, match=f"Row 3: action {action} is not legal there .{why}") as refused:
            env.step(wrong)
        assert refused.value.row == 3
        assert (env.batch.cells == before).all()
    env.step(taken)


@pytest.mark.parametrize("wrong", [[1, 2], [[1], [2], [3]], [0.5, 0.5, 0.5], 1])
def test_wrong_shapes_are_refused(wrong: Any) -> None:
    env = ChouineVectorEnv(3)
    env.reset(seed=1)
    with pytest.raises(BatchError, match="One integer action for each of the 3 parties"):
        env.step(wrong)


def test_what_a_function_answers_is_checked_too() -> None:
    """Invalid answers of an opponent function raise `BatchError` with their row."""
    env = ChouineVectorEnv(4, opponent=lambda seen, _: np.full(len(seen), NO_ACTION))
    with pytest.raises(BatchError, match="action -1 is not legal there") as refused:
        env.reset(seed=1)
    assert env.batch.deciding[refused.value.row] != LEARNER
    env = ChouineVectorEnv(4, opponent=lambda _seen, _masks: np.zeros(9, np.int64))
    with pytest.raises(BatchError, match="One integer action for each"):
        env.reset(seed=1)


def test_other_mistakes_say_what_they_are() -> None:
    with pytest.raises(ChouineError, match="call reset"):
        ChouineVectorEnv(3).step(np.zeros(3, np.int64))
    with pytest.raises(UnknownOpponent, match="'strong' is no opponent: random, eager, greedy"):
        ChouineVectorEnv(3, opponent="strong")
    with pytest.raises(ChouineError, match="one party and one thread"):
        ChouineVectorEnv(0)
    with pytest.raises(ChouineError, match="one party and one thread"):
        ChouineVectorEnv(1, threads=0)


def test_before_the_first_deal_it_is_told_so() -> None:
    env, single = ChouineVectorEnv(2), ChouineEnv(render_mode="ansi")
    for ask in (env.sight, lambda: env.partie(0), single.action_masks, single.render):
        with pytest.raises(ChouineError, match=r"call reset\(\) first"):
            ask()


def test_closed_it_may_still_be_stepped_whatever_its_threads() -> None:
    stepped = []
    for threads in (1, 2):
        env = ChouineVectorEnv(2 * FEWEST, threads=threads)
        seen, _ = env.reset(seed=1)
        env.close()
        stepped.append(env.step(seen["action_mask"].argmax(axis=1))[0]["observation"])
    assert (stepped[0] == stepped[1]).all()
