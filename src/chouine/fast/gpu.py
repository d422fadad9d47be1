"""The rules' functions on a GPU, one thread per partie: playouts, and batches whose arrays stay on the device.

    playouts(Rules(), 10_000_000, seed=1)

    batch = GpuBatch.random(Rules(), 1_000_000, seed=1)
    batch.step(batch.sample(seed=2))           # or any device array, for example of CuPy or PyTorch

Needs a GPU that numba supports, or numba's simulator (`NUMBA_ENABLE_CUDASIM=1`, slow, for tests).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from chouine.errors import ChouineError
from chouine.fast import batch as rows
from chouine.fast.batch import NO_ACTION, BatchError, allocate, as_plain
from chouine.fast.bits import as_int64, nth_bit, splitmix64
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.playout import PLAYOUT_POLICIES, PlayoutCounts, PlayoutPolicy, playout_loop
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import ACTIONS
from chouine.rules.options import Rules

BLOCK_SIZE = 128
"""Threads per CUDA block."""
PLAYOUT_THREADS = 1 << 17
"""Threads for playouts: enough to fill any current GPU."""


class NoGpu(ChouineError):
    """No GPU, or no numba that supports it."""


if AVAILABLE:
    import numpy as np
    from numba import config, cuda
    from numba.extending import overload

    from chouine.fast.intrinsics import nth_bit_by_loop

    overload(nth_bit, target="cuda", strict=False)(lambda *_: nth_bit_by_loop)  # GPUs have no pdep
    for _function in (
        rows.write_legal_rows,
        rows.step_rows,
        rows.deal_rows,
        rows.sample_rows,
        rows.winner_rows,
    ):
        kernel(_function)
    SIMULATED = bool(config.ENABLE_CUDASIM)
else:
    SIMULATED = False


def as_rows(array: Any) -> Any:
    """An array as row kernels take it; plain Python in the simulator."""
    return array


if SIMULATED:
    as_rows = as_plain
else:
    kernel(as_rows)


def check_present() -> None:
    """Raise `NoGpu` if no GPU can be used."""
    if not AVAILABLE or not cuda.is_available():
        raise NoGpu("research/no-gpu")


class GpuKernels(NamedTuple):
    """The CUDA kernels of one set of rules; one thread per row."""

    deal: Any
    legal: Any
    sample: Any
    check: Any
    step: Any
    winner: Any


@cache
def kernels_for(book: Book) -> GpuKernels:
    open_rows, step_rows, deal_rows = rows.write_legal_rows, rows.step_rows, rows.deal_rows
    choose_rows, win_rows = rows.sample_rows, rows.winner_rows

    def deal(cells: Any, packs: Any, dealer: int, stream: int) -> None:
        row = cuda.grid(1)
        if row < len(packs):
            deal_rows(book, as_rows(cells), as_rows(packs), dealer, stream, row, row + 1)

    def open_(cells: Any, actions: Any) -> None:
        row = cuda.grid(1)
        if row < len(actions):
            open_rows(book, as_rows(cells), as_rows(actions), row, row + 1)

    def choose(actions: Any, taken: Any, stream: int) -> None:
        row = cuda.grid(1)
        if row < len(actions):
            choose_rows(as_rows(actions), as_rows(taken), stream, row, row + 1)

    def check(actions: Any, taken: Any, wrong: Any) -> None:
        row = cuda.grid(1)
        if row < len(actions):
            action = taken[row]
            known = 0 <= action < ACTIONS and actions[row] >> action & 1
            if not known and (actions[row] or action != NO_ACTION):
                cuda.atomic.min(wrong, 0, row)

    def step(cells: Any, talons: Any, taken: Any, actions: Any) -> None:
        row = cuda.grid(1)
        if row < len(actions):
            step_rows(book, as_rows(cells), as_rows(talons), as_rows(taken), as_rows(actions), row, row + 1)

    def win(cells: Any, winners: Any) -> None:
        row = cuda.grid(1)
        if row < len(winners):
            win_rows(book, as_rows(cells), as_rows(winners), row, row + 1)

    return GpuKernels(*map(cuda.jit, (deal, open_, choose, check, step, win)))


class GpuBatch:
    """A `PartieBatch` on the GPU. `legal: int64[parties]` is a device array of action sets, 0 once a partie is over."""

    def __init__(self, rules: Rules, cells: Any, packs: Any) -> None:
        self.rules, self.book = rules, book_of(rules)
        self.cells, self.packs = cells, packs
        self.dealt = self.book.seats * self.book.hand
        self.kernels = kernels_for(self.book)
        self.legal = self._int64_array()
        self._run(self.kernels.legal, self.cells, self.legal)

    @classmethod
    def random(cls, rules: Rules, count: int, seed: int) -> GpuBatch:
        """Deal `count` parties; a seed gives the parties that `fast.PartieBatch.random` deals. Raises `NoGpu`."""
        check_present()
        book = book_of(rules)
        cells, packs = map(np.ascontiguousarray, allocate(count))
        packs[:] = np.arange(32)
        there, dealt = cuda.to_device(cells), cuda.to_device(packs)
        launch(kernels_for(book).deal, count, there, dealt, book.seats - 1, as_int64(splitmix64(seed)))
        return cls(rules, there, dealt)

    def __len__(self) -> int:
        return len(self.packs)

    def sample(self, seed: int) -> Any:
        """`int64[parties]` on the device: one legal action per partie, uniformly; `NO_ACTION` where it is over."""
        taken = self._int64_array()
        self._run(self.kernels.sample, self.legal, taken, as_int64(splitmix64(seed)))
        return taken

    def step(self, actions: Any) -> None:
        """Play one action in every partie, all or none.

        Raises `BatchError` for the first row whose action is illegal.
        """
        taken = actions if SIMULATED else cuda.as_cuda_array(actions)
        if taken.shape != (len(self),) or taken.dtype != np.int64:
            raise BatchError("batch/shape", shape=taken.shape, dtype=str(taken.dtype), count=len(self))
        wrong = cuda.to_device(np.array([len(self)]))
        self._run(self.kernels.check, self.legal, taken, wrong)
        row = int(wrong.copy_to_host()[0])
        if row < len(self):
            raise self.host().illegal_action(row, int(taken[row]))
        self._run(self.kernels.step, self.cells, self.packs[:, self.dealt :], taken, self.legal)

    @property
    def winners(self) -> Any:
        """`int64[parties]` on the host: the winning or leading seat.

        `NONE` where the top score is shared (§10, §12).
        """
        won = self._int64_array()
        self._run(self.kernels.winner, self.cells, won)
        return won.copy_to_host()

    def host(self) -> rows.PartieBatch:
        """The batch copied to host memory."""
        return rows.PartieBatch(
            self.rules, self.cells.copy_to_host(), self.packs.copy_to_host()[:, self.dealt :]
        )

    def _int64_array(self) -> Any:
        return cuda.device_array(len(self), np.int64)

    def _run(self, function: Any, *args: Any) -> None:
        launch(function, len(self), *args)


def launch(function: Any, threads: int, *args: Any) -> None:
    function[-(-threads // BLOCK_SIZE), BLOCK_SIZE](*args)


@cache
def playouts_kernel(book: Book, policy: PlayoutPolicy) -> Any:
    playouts: Callable[..., PlayoutCounts] = kernel(playout_loop(book, PLAYOUT_POLICIES[policy]))

    def play(packs: Any, each: int, dealer: int, stream: int, counts: Any) -> None:
        row = cuda.grid(1)
        if row < len(packs):
            tally = playouts(as_rows(packs)[row], each, dealer, splitmix64(stream + row))
            for seat in range(book.seats):
                counts[row, seat], counts[row, 4 + seat] = tally.won[seat], tally.points[seat]
            counts[row, 8], counts[row, 9] = tally.nulles, tally.chouines

    return cuda.jit(play)


def playouts(
    rules: Rules, count: int, seed: int, policy: PlayoutPolicy = "uniform", threads: int = PLAYOUT_THREADS
) -> PlayoutCounts:
    """Deal and play out at least `count` parties, the same number in each thread. Raises `NoGpu`."""
    check_present()
    book, threads = book_of(rules), min(threads, count)
    packs = cuda.to_device(np.tile(np.arange(32), (threads, 1)))
    counts = cuda.to_device(np.zeros((threads, 10), np.int64))
    stream = as_int64(splitmix64(seed))
    launch(
        playouts_kernel(book, policy), threads, packs, -(-count // threads), book.seats - 1, stream, counts
    )
    sums = [int(number) for number in counts.copy_to_host().sum(axis=0)]
    return PlayoutCounts(tuple(sums[: book.seats]), sums[8], sums[9], tuple(sums[4 : 4 + book.seats]))
