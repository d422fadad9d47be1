"""Chouine for Gymnasium: many parties at once against a chosen player, stepped by compiled code.

    env = ChouineVectorEnv(1000, "classic", opponent="greedy")      # or gymnasium.make_vec("chouine/Chouine-v0", 1000)
    seen, _ = env.reset(seed=1)
    seen, rewards, ended, _, infos = env.step(actions)     # one number a party, of those in seen["action_mask"]

The learner has seat a; the deal rotates. At its end a partie gives a reward of 1 for a win, 0 for a nulle and
−1 / (seats − 1) for a loss (§12); the next begins in the same step. For the other seats see `opponents`.
"""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

from chouine.envs import MissingPackage
from chouine.errors import ChouineError, int_of
from chouine.phrases import say
from chouine.rules import Rules, rule_table_of
from chouine.rules.explain import explain
from chouine.rules.position import NONE

try:
    import numpy as np
    from gymnasium.spaces import Discrete, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from chouine.envs.compiled_players import ASKED, Rival, rival
    from chouine.envs.encode import LET_PASS, NUMBERS, Observation, Sight, in_words, seen_by_a_seat, size_of
    from chouine.envs.numbered_partie import CopiedWhole, NumberedPartie, check_reset, rules_of
    from chouine.envs.opponents import (
        Opponent,
        OpponentPool,
        Policy,
        SeatedPlayers,
        acts_of,
        deal_of,
        pool_of,
    )
    from chouine.envs.rows import (
        DEALER,
        DONE,
        HEIGHT,
        KIND,
        LEARNER,
        LONGEST,
        STREAM,
        TURN,
        Batch,
        first_not_open,
        play_any,
        play_simple,
        play_simple_for_two,
    )
    from chouine.fast.batch import NO_ACTION, BatchError
    from chouine.fast.compiler import compiled
    from chouine.fast.kernels import AVAILABLE
    from chouine.fast.soa_layout import load
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error

Actions = NDArray[np.integer[Any]]
Numbers = NDArray[Any]
FEWEST = 1_000
"""Parties of a thread: to wake one costs as much as stepping a few hundred."""
SMALL = 1_000_000
"""Bytes of an array that one thread copies sooner than two."""
SIMPLE = ("random", "eager")
"""Simple players whose kernel is compiled separately, in a fraction of the time."""


class SlowEnvironment(UserWarning):
    """The environment runs uncompiled."""


class ChouineVectorEnv(CopiedWhole, VectorEnv[Sight, Actions, Numbers]):
    """`num_envs` parties under the same rules, shared among at most `threads`, each with at least `FEWEST` of them.

    `copy`: return new arrays; otherwise the next step overwrites those returned.
    """

    def __init__(
        self,
        num_envs: int,
        rules: Rules | str = "classic",
        opponent: Opponent | OpponentPool = "random",
        *,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        num_envs = int_of("num_envs", num_envs, "a number of parties")
        threads = int_of("threads", threads, "a number of threads")
        if num_envs < 1 or threads < 1:
            raise ChouineError("research/count", parties=num_envs, threads=threads)
        threads = min(threads, max(1, num_envs // FEWEST))
        self.num_envs, self.threads, self.copy = num_envs, threads, copy
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.rules = rules_of(rules)
        self.rule_table = rule_table_of(self.rules)
        self.opponents = pool_of(opponent)
        """The pool from which opponents are drawn; may be extended at any time."""
        warn_once_if_slow()
        self.single_observation_space = seen_by_a_seat(self.rule_table.seats)
        self.single_action_space = Discrete(NUMBERS)
        shares = [num_envs * nth // threads for nth in range(threads + 1)]
        self.shares = list(pairwise(shares))
        self._set_up()
        self.ready = False

    def _set_up(self) -> None:
        """Make what no copy can share: the arrays, the threads and the compiled opponents."""
        self.batch = empty_batch(self.num_envs, self.rule_table.seats)
        self.pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 and AVAILABLE else None
        self.rivals: list[list[Rival]] = []
        self.players: dict[int, SeatedPlayers] = {}
        self._take_up_opponents()

    def __getstate__(self) -> dict[str, Any]:
        arrays = self.batch._asdict()
        for again in ("numbers", "last_numbers", "shares"):
            del arrays[again]
        return {**vars(self), "batch": arrays, "pool": None, "rivals": None, "kernel": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._set_up()
        self.players.update(state["players"])
        for name, array in state["batch"].items():
            getattr(self.batch, name)[...] = array

    @cached_property
    def observation_space(self) -> Space[Any]:  # type: ignore[override]  # made on demand: it is large
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> Space[Any]:  # type: ignore[override]  # likewise
        return batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Sight, dict[str, Any]]:
        """Deal new parties in all rows, or in those of `options["reset_mask"]`; the deal rotates over seats."""
        super().reset(seed=None if seed is None else int_of("seed", seed, "an int"), options=options)
        check_reset(options, "reset_mask")
        batch = self.batch
        rows = self._to_reset((options or {}).get("reset_mask"))
        first_dealers = (
            np.arange(self.num_envs) + self.np_random.integers(self.rule_table.seats)
        ) % self.rule_table.seats
        batch.cells[STREAM, rows] = self.np_random.integers(2**63, size=self.num_envs)[rows]
        batch.cells[DEALER, rows] = first_dealers[rows]
        batch.packs.reshape(-1, 32)[rows] = np.arange(32)
        for cell, value in ((TURN, NONE), (KIND, 0), (DONE, 0)):
            batch.cells[cell, rows] = value
        self.ready = True
        self._play(np.full(self.num_envs, NO_ACTION))
        return self._sight_of(slice(None)), {}

    def _to_reset(self, mask: Any) -> NDArray[np.int64]:
        """The rows to reset: those of the mask, or all."""
        if mask is None:
            return np.arange(self.num_envs)
        rows = np.asarray(mask)
        if rows.shape != (self.num_envs,) or rows.dtype != np.bool_ or not self.ready:
            raise ChouineError("research/reset-mask", count=self.num_envs)
        return np.flatnonzero(rows)

    def step(self, actions: Actions) -> tuple[Sight, Numbers, Numbers, Numbers, dict[str, Any]]:
        """Step every partie by the learner's action. Raises `BatchError`, with nothing played, for an illegal one.

        Of `infos["final_obs"]` and `infos["final_info"]["points"]` (the learner's first) only rows whose partie has
        ended are valid; later steps overwrite them.
        """
        self._check_dealt()
        batch = self.batch
        taken = self._check_actions(slice(None), actions)
        batch.over[:] = False
        batch.rewards[:] = 0
        self._play(taken)
        over = self._handed_out(batch.over)
        no_actions = np.broadcast_to(np.int8(0), (self.num_envs, NUMBERS))
        infos = {
            "final_obs": {"observation": self._observations(batch.last_numbers), "action_mask": no_actions},
            "final_info": {"points": batch.points},
            "_final_obs": over,
            "_final_info": over,
        }
        return self._sight_of(slice(None)), self._handed_out(batch.rewards), over, np.zeros_like(over), infos

    def sight(self) -> Sight:
        """The learner's observations as last returned."""
        self._check_dealt()
        return self._sight_of(slice(None))

    def _check_dealt(self) -> None:
        if not self.ready:
            raise ChouineError("research/not-reset")

    def close_extras(self, **_: Any) -> None:
        for players in self.players.values():
            players.close()
        if self.pool:
            self.pool.shutdown()
            self.pool = None  # what is still asked of it, this thread does

    def partie(self, row: int) -> NumberedPartie:
        """A row's partie, to render or record it; it holds hidden cards."""
        self._check_dealt()
        if not 0 <= int_of("row", row, "a row's number") < self.num_envs:
            raise ValueError(f"row is one of 0 to {self.num_envs - 1}, not {row}")
        partie = NumberedPartie(self.rules, deal_of(self.batch, self.rule_table, row))
        partie.catch_up(acts_of(self.batch, row))
        return partie

    def _take_up_opponents(self) -> None:
        """Set up opponents added since; each thread has its own, with scratch buffers."""
        added = range(len(self.rivals[0]) if self.rivals else 0, len(self.opponents.opponents))
        self.rivals = self.rivals or [[] for _ in range(self.threads)]
        for kind in added:
            opponent = self.opponents.opponents[kind]
            name = opponent if isinstance(opponent, str) else None
            for own in self.rivals:
                own.append(rival(kind, name, self.rules))
            if self.rivals[0][kind].way == ASKED and (
                isinstance(opponent, (str, type)) or hasattr(opponent, "act")
            ):
                self.players[kind] = SeatedPlayers(self.rules, self.rule_table, opponent, self._seed)
        simple = all(opponent in SIMPLE for opponent in self.opponents.opponents if isinstance(opponent, str))
        self.kernel = (
            (play_alone_for_two if self.rule_table.seats == 2 else play_alone) if simple else play_all
        )
        self.batch = self.batch._replace(shares=self.opponents.shares)

    def _seed(self) -> int:
        """A random seed for a player."""
        return int(self.np_random.integers(2**53))

    def _play(self, taken: NDArray[np.int64]) -> None:
        """Play in every row until every decision is the learner's."""
        if len(self.opponents.opponents) > len(self.rivals[0]):
            self._take_up_opponents()
        many = len(self.rivals[0])
        kinds = self.batch.cells[KIND, : self.num_envs].copy() if many > 1 else None
        for kind in range(many):
            # a new partie may have another opponent, which must not get the last one's action
            self._play_against(kind, taken if kinds is None else np.where(kinds == kind, taken, NO_ACTION))
        while (rows := np.flatnonzero(self.batch.deciding != LEARNER)).size:
            kinds = self.batch.cells[KIND, rows]
            for kind in np.unique(kinds).tolist():
                taken = np.full(self.num_envs, NO_ACTION)
                if self.rivals[0][kind].way == ASKED:
                    taken[rows[kinds == kind]] = self._ask_opponents(kind, rows[kinds == kind])
                self._play_against(kind, taken)

    def _ask_opponents(self, kind: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions of a Python opponent in these rows."""
        if kind in self.players:
            return self._check_actions(rows, self.players[kind].decide(self.batch, rows))
        seen, policy = self._sight_of(rows), self.opponents.opponents[kind]
        return self._check_actions(rows, cast("Policy", policy)(seen["observation"], seen["action_mask"]))

    def _check_actions(self, rows: slice | NDArray[np.int64], actions: Actions) -> NDArray[np.int64]:
        """The actions as an array, checked."""
        taken, legal = np.asarray(actions), self.batch.legal[rows]
        if taken.shape != legal.shape or not np.issubdtype(taken.dtype, np.integer):
            raise BatchError("batch/shape", shape=str(taken.shape), dtype=str(taken.dtype), count=len(legal))
        numbers = np.ascontiguousarray(taken, np.int64)
        wrong = first_illegal(*as_kernels_take(legal, numbers))
        if wrong >= 0:
            row, action = int(np.arange(self.num_envs)[rows][wrong]), int(numbers[wrong])
            raise BatchError("batch/illegal", row, action=action, why=self._why(row, action))
        return numbers

    def _why(self, row: int, action: int) -> str:
        """The code of the rule that an action breaks."""
        if not 0 <= action < NUMBERS:
            return "no such action"
        p = load(self.batch.cells.data, row)
        if action == LET_PASS:
            return "research/no-au-sept"
        return explain(self.rule_table, p, int(self.batch.deciding[row]), action) or "illegal"

    def _play_against(self, kind: int, taken: NDArray[np.int64]) -> None:
        """Play all rows against this opponent, split among threads."""
        batch = Batch(*as_kernels_take(*self.batch))
        (numbers,) = as_kernels_take(taken)
        rivals = [own[kind] for own in self.rivals]
        if self.pool is None:
            self.kernel(self.rule_table, rivals[0], batch, numbers, 0, self.num_envs)
            return
        *others, own = zip(rivals, self.shares, strict=True)
        begun = [
            self.pool.submit(self.kernel, self.rule_table, each, batch, numbers, *rows)
            for each, rows in others
        ]
        self.kernel(self.rule_table, own[0], batch, numbers, *own[1])
        for done in begun:
            done.result()

    def _sight_of(self, rows: slice | NDArray[np.int64]) -> Sight:
        """The observations of the deciding seats in these rows."""
        masks = self.batch.masks.view(np.int8)[rows, :NUMBERS]
        return {
            "observation": self._handed_out(self._observations(self.batch.numbers[rows])),
            "action_mask": self._handed_out(masks),
        }

    def _observations(self, numbers: Observation) -> Observation:
        return numbers[:, : size_of(self.rule_table.seats)]

    def _handed_out(self, array: NDArray[Any]) -> NDArray[Any]:
        """The array, or a copy made in parallel."""
        if not self.copy:
            return array
        if self.pool is None or array.nbytes < SMALL or len(array) < self.num_envs:
            return array.copy()
        copied = np.empty_like(array, order="C")
        *others, own = [(copied[first:last], array[first:last]) for first, last in self.shares]
        begun = [self.pool.submit(np.copyto, *share) for share in others]
        np.copyto(*own)
        for done in begun:
            done.result()
        return copied


play_alone, play_alone_for_two = compiled(play_simple), compiled(play_simple_for_two)
play_all = compiled(play_any)
first_illegal = compiled(first_not_open)


def empty_batch(count: int, seats: int) -> Batch:
    """Zeroed arrays for this many parties. A partie's cells are contiguous, in an even number of words.

    At least two parties are allocated: numba types an array with one column as C-contiguous, and would compile a
    second version for it.
    """
    words, last_words = np.zeros((2, count, in_words(size_of(seats))), np.uint64)
    return Batch(
        cells=np.zeros((max(count, 2), HEIGHT + HEIGHT % 2), np.int64).T,
        packs=np.zeros(count * 32, np.uint8),
        acts=np.zeros(count * LONGEST, np.int8),
        shares=np.ones(1),
        legal=np.zeros(count, np.int64),
        deciding=np.zeros(count, np.int64),
        words=words,
        numbers=words.view(np.uint8),
        masks=np.zeros((count, in_words(NUMBERS)), np.uint64),
        over=np.zeros(count, np.bool_),
        rewards=np.zeros(count),
        points=np.zeros((count, seats), np.int64),
        last_words=last_words,
        last_numbers=last_words.view(np.uint8),
    )


def as_kernels_take(*arrays: NDArray[Any]) -> list[Any]:
    """The arrays for compiled code; for plain Python memoryviews, whose elements are ints."""
    return list(arrays) if AVAILABLE else [array.data for array in arrays]


def warn_once_if_slow() -> None:
    """Warn once that without numba this is a hundred times slower."""
    if not AVAILABLE:
        warnings.warn(say("research/slow", "en"), SlowEnvironment, stacklevel=3)
