"""Chouine for Gymnasium: many parties at once against a chosen player, whole batches stepped by compiled code.

    env = ChouineVectorEnv(1000, "classic", opponent="greedy")
    seen, _ = env.reset(seed=1)
    seen, rewards, ended, _, infos = env.step(actions)     # one number a party, of those in seen["action_mask"]

The learner has seat a; the deal passes round. A party that ends is rewarded 1 for winning, 0 for a nulle, and what the
others lose between them for losing (§12); another begins in the same step. The opponent is `random`, `greedy` (any
card, the seven exchanged, the best declaration with it) or a function from observations and masks to actions, which
plays every other seat.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import Any

from chouine.envs import MissingPackage
from chouine.envs.encode import Mask, Observation, Sight, in_words, size_of
from chouine.envs.rows import (
    ASKED,
    DEALER,
    GREEDY,
    HEIGHT,
    LEARNER,
    RANDOM,
    STREAM,
    TURN,
    Batch,
    first_not_open,
    play_rows,
)
from chouine.envs.turns import LET_PASS, NUMBERS
from chouine.errors import ChouineError
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.parties import NO_ACTION, BatchError
from chouine.fast.seats import load
from chouine.rules import Rules, book_of
from chouine.rules.explain import explain
from chouine.rules.position import NONE

try:
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Discrete, Space
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from chouine.envs.spaces import seen_by_a_seat
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error

Actions = NDArray[np.integer[Any]]
Numbers = NDArray[Any]
Policy = Callable[[Observation, Mask], Actions]
WAYS = {"random": RANDOM, "greedy": GREEDY}


class UnknownOpponent(ChouineError, ValueError):
    """What is named as an opponent is none."""


class ChouineVectorEnv(VectorEnv[Sight, Actions, Numbers]):
    """`num_envs` parties by the same rules, shared by so many `threads`.

    `copy`: hand out arrays of their own; if not, those handed out are written over by the next step.
    """

    def __init__(
        self,
        num_envs: int,
        rules: str = "classic",
        opponent: str | Policy = "random",
        *,
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        if num_envs < 1 or threads < 1:
            raise ChouineError("research/count", parties=num_envs, threads=threads)
        if not callable(opponent) and opponent not in WAYS:
            raise UnknownOpponent("research/opponent", opponent=opponent, known=", ".join(WAYS))
        self.num_envs, self.threads, self.copy = num_envs, threads, copy
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.rules = Rules.parse(rules)
        self.book = book_of(self.rules)
        self.policy = opponent if callable(opponent) else None
        self.way = ASKED if callable(opponent) else WAYS[opponent]
        self.single_observation_space = seen_by_a_seat(self.book.seats)
        self.single_action_space = Discrete(NUMBERS)
        self.batch = empty(num_envs, self.book.seats)
        self.pool = ThreadPoolExecutor(threads - 1) if threads > 1 and AVAILABLE else None
        shares = [num_envs * nth // threads for nth in range(threads + 1)]
        self.shares = list(pairwise(shares))
        self.ready = False

    @cached_property
    def observation_space(self) -> Space[Any]:  # type: ignore[override]  # made when asked for: it is large
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> Space[Any]:  # type: ignore[override]  # likewise
        return batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Sight, dict[str, Any]]:
        """Deal every party anew; each seat deals as many as another."""
        super().reset(seed=seed, options=options)
        batch = self.batch
        batch.cells[TURN] = NONE
        batch.cells[STREAM] = self.np_random.integers(2**63, size=self.num_envs)
        batch.cells[DEALER] = np.arange(self.num_envs) % self.book.seats
        batch.packs[:] = np.arange(self.num_envs * 32) % 32
        self.ready = True
        self._play(np.full(self.num_envs, NO_ACTION))
        self._let_others_play()
        return self._seen(slice(None)), {}

    def step(self, actions: Actions) -> tuple[Sight, Numbers, Numbers, Numbers, dict[str, Any]]:
        """The learner's action in every party, all or none: `BatchError` names the first row whose is not legal.

        Of `infos["final_obs"]` and `infos["final_info"]["points"]`, the learner's first, those rows count whose
        party has ended; they are written over by later steps.
        """
        if not self.ready:
            raise ChouineError("research/not-reset")
        batch = self.batch
        taken = self._checked(slice(None), actions)
        batch.over[:] = False
        batch.rewards[:] = 0
        self._play(taken)
        self._let_others_play()
        over = self._handed_out(batch.over)
        no_actions = np.broadcast_to(np.int8(0), (self.num_envs, NUMBERS))
        infos = {
            "final_obs": {"observation": self._observations(batch.last_numbers), "action_mask": no_actions},
            "final_info": {"points": batch.points},
            "_final_obs": over,
            "_final_info": over,
        }
        return self._seen(slice(None)), self._handed_out(batch.rewards), over, np.zeros_like(over), infos

    def close_extras(self, **_: Any) -> None:
        if self.pool:
            self.pool.shutdown()

    def _let_others_play(self) -> None:
        """Ask the function that plays the other seats until every decision is the learner's."""
        while self.policy and (rows := np.flatnonzero(self.batch.deciding != LEARNER)).size:
            seen = self._seen(rows)
            taken = np.full(self.num_envs, NO_ACTION)
            taken[rows] = self._checked(rows, self.policy(seen["observation"], seen["action_mask"]))
            self._play(taken)

    def _checked(self, rows: slice | NDArray[np.int64], actions: Actions) -> NDArray[np.int64]:
        """The actions taken in these rows."""
        taken, legal = np.asarray(actions), self.batch.legal[rows]
        if taken.shape != legal.shape or not np.issubdtype(taken.dtype, np.integer):
            raise BatchError("batch/shape", shape=taken.shape, dtype=str(taken.dtype), count=len(legal))
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
        return explain(self.book, p, int(self.batch.deciding[row]), action) or "illegal"

    def _play(self, taken: NDArray[np.int64]) -> None:
        """Play in every row, each thread taking its share."""
        batch = Batch(*as_kernels_take(*self.batch))
        (numbers,) = as_kernels_take(taken)
        if self.pool is None:
            play(self.book, self.way, batch, numbers, 0, self.num_envs)
            return
        *others, own = self.shares
        begun = [self.pool.submit(play, self.book, self.way, batch, numbers, *rows) for rows in others]
        play(self.book, self.way, batch, numbers, *own)
        for done in begun:
            done.result()

    def _seen(self, rows: slice | NDArray[np.int64]) -> Sight:
        """What the seats that decide see in these rows."""
        masks = self.batch.masks.view(np.int8)[rows, :NUMBERS]
        return {
            "observation": self._handed_out(self._observations(self.batch.numbers[rows])),
            "action_mask": self._handed_out(masks),
        }

    def _observations(self, numbers: Observation) -> Observation:
        return numbers[:, : size_of(self.book.seats)]

    def _handed_out(self, array: NDArray[Any]) -> NDArray[Any]:
        """The array, or a copy of it, of which each thread makes its share."""
        if not self.copy:
            return array
        if self.pool is None or len(array) < self.num_envs:
            return array.copy()
        told = np.empty_like(array, order="C")
        *others, own = [(told[first:last], array[first:last]) for first, last in self.shares]
        begun = [self.pool.submit(np.copyto, *share) for share in others]
        np.copyto(*own)
        for done in begun:
            done.result()
        return told


play = compiled(play_rows)
first_illegal = compiled(first_not_open)


def empty(count: int, seats: int) -> Batch:
    """Room for so many parties. A party's cells lie together, in whole words of two."""
    words, last_words = np.zeros((2, count, in_words(size_of(seats))), np.uint64)
    return Batch(
        cells=np.zeros((count, HEIGHT + HEIGHT % 2), np.int64).T,
        packs=np.zeros(count * 32, np.uint8),
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
    """Arrays as they are for compiled code, and as plain Python reads and writes them: as ints of its own."""
    return list(arrays) if AVAILABLE else [array.data for array in arrays]


gymnasium.register("Chouine-v0", vector_entry_point="chouine.envs.vector:ChouineVectorEnv")
