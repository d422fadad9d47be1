"""The same functions on a GPU, a thread a party: playouts, and batches whose arrays stay there.

    playouts(Rules(), 10_000_000, seed=1)

    parties = Parties.random(Rules(), 1_000_000, seed=1)
    parties.step(parties.choose(seed=2))           # or any array on the GPU, as CuPy and PyTorch have them

It takes a GPU that numba knows of, or numba's simulator of one (`NUMBA_ENABLE_CUDASIM=1`, slow, for tests).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from chouine.errors import ChouineError
from chouine.fast import parties as rows
from chouine.fast.bits import mixed, nth, signed
from chouine.fast.compiler import AVAILABLE, kernel
from chouine.fast.parties import NO_ACTION, BatchError, empty, entries
from chouine.fast.playout import WAYS, Tally, Way, counting
from chouine.rules.book import Book, book_of
from chouine.rules.combinations import ACTIONS
from chouine.rules.options import Rules

BLOCK = 128
"""Threads that a GPU runs together."""
THREADS = 1 << 17
"""As many as fill any GPU, for playouts."""


class NoGpu(ChouineError):
    """No GPU, or no numba that could use one."""


if AVAILABLE:
    import numpy as np
    from numba import config, cuda
    from numba.extending import overload

    from chouine.fast.machine import counting_down

    overload(nth, target="cuda", strict=False)(
        lambda *_: counting_down
    )  # what the processor has for it, GPUs lack
    for _function in (rows.open_rows, rows.step_rows, rows.deal_rows, rows.choose_rows, rows.win_rows):
        kernel(_function)
    SIMULATED = bool(config.ENABLE_CUDASIM)
else:
    SIMULATED = False


def seen(array: Any) -> Any:
    """An array as the rows' functions take it: in the simulator they are plain Python."""
    return array


if SIMULATED:
    seen = entries
else:
    kernel(seen)


def check_present() -> None:
    if not AVAILABLE or not cuda.is_available():
        raise NoGpu("research/no-gpu")


class Kernels(NamedTuple):
    """What runs on the GPU for one set of rules, a thread for each row."""

    deal: Any
    open: Any
    choose: Any
    check: Any
    step: Any
    win: Any


@cache
def kernels_for(book: Book) -> Kernels:
    open_rows, step_rows, deal_rows = rows.open_rows, rows.step_rows, rows.deal_rows
    choose_rows, win_rows = rows.choose_rows, rows.win_rows

    def deal(cells: Any, packs: Any, dealer: int, stream: int) -> None:
        row = cuda.grid(1)
        if row < len(packs):
            deal_rows(book, seen(cells), seen(packs), dealer, stream, row, row + 1)

    def open_(cells: Any, actions: Any) -> None:
        row = cuda.grid(1)
        if row < len(actions):
            open_rows(book, seen(cells), seen(actions), row, row + 1)

    def choose(actions: Any, taken: Any, stream: int) -> None:
        row = cuda.grid(1)
        if row < len(actions):
            choose_rows(seen(actions), seen(taken), stream, row, row + 1)

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
            step_rows(book, seen(cells), seen(talons), seen(taken), seen(actions), row, row + 1)

    def win(cells: Any, winners: Any) -> None:
        row = cuda.grid(1)
        if row < len(winners):
            win_rows(book, seen(cells), seen(winners), row, row + 1)

    return Kernels(*map(cuda.jit, (deal, open_, choose, check, step, win)))


class Parties:
    """A batch on the GPU; `legal` holds a set of actions for each party, 0 once it is over."""

    def __init__(self, rules: Rules, cells: Any, packs: Any) -> None:
        self.rules, self.book = rules, book_of(rules)
        self.cells, self.packs = cells, packs
        self.dealt = self.book.seats * self.book.hand
        self.kernels = kernels_for(self.book)
        self.legal = self._numbers()
        self._run(self.kernels.open, self.cells, self.legal)

    @classmethod
    def random(cls, rules: Rules, count: int, seed: int) -> Parties:
        """The same parties as `fast.Parties.random` deals."""
        check_present()
        book = book_of(rules)
        cells, packs = map(np.ascontiguousarray, empty(count))
        packs[:] = np.arange(32)
        there, dealt = cuda.to_device(cells), cuda.to_device(packs)
        launch(kernels_for(book).deal, count, there, dealt, book.seats - 1, signed(mixed(seed)))
        return cls(rules, there, dealt)

    def __len__(self) -> int:
        return len(self.packs)

    def choose(self, seed: int) -> Any:
        """A legal action for every party, each as likely; `NO_ACTION` for those that are over."""
        taken = self._numbers()
        self._run(self.kernels.choose, self.legal, taken, signed(mixed(seed)))
        return taken

    def step(self, actions: Any) -> None:
        """Do an action in every party, all or none: `BatchError` names the first row whose action is not legal."""
        taken = actions if SIMULATED else cuda.as_cuda_array(actions)
        if taken.shape != (len(self),) or taken.dtype != np.int64:
            raise BatchError("batch/shape", shape=taken.shape, dtype=str(taken.dtype), count=len(self))
        wrong = cuda.to_device(np.array([len(self)]))
        self._run(self.kernels.check, self.legal, taken, wrong)
        row = int(wrong.copy_to_host()[0])
        if row < len(self):
            raise self.host().refused(row, int(taken[row]))
        self._run(self.kernels.step, self.cells, self.packs[:, self.dealt :], taken, self.legal)

    @property
    def winners(self) -> Any:
        """Who wins, or is ahead; `NONE` where the top is equal (§10, §12)."""
        won = self._numbers()
        self._run(self.kernels.win, self.cells, won)
        return won.copy_to_host()

    def host(self) -> rows.Parties:
        """The batch as it stands, in the computer's own memory."""
        return rows.Parties(self.rules, self.cells.copy_to_host(), self.packs.copy_to_host()[:, self.dealt :])

    def _numbers(self) -> Any:
        return cuda.device_array(len(self), np.int64)

    def _run(self, function: Any, *args: Any) -> None:
        launch(function, len(self), *args)


def launch(function: Any, threads: int, *args: Any) -> None:
    function[-(-threads // BLOCK), BLOCK](*args)


@cache
def playouts_kernel(book: Book, way: Way) -> Any:
    playouts: Callable[..., Tally] = kernel(counting(book, WAYS[way]))

    def play(packs: Any, each: int, dealer: int, stream: int, told: Any) -> None:
        row = cuda.grid(1)
        if row < len(packs):
            tally = playouts(seen(packs)[row], each, dealer, mixed(stream + row))
            for seat in range(book.seats):
                told[row, seat], told[row, 4 + seat] = tally.won[seat], tally.points[seat]
            told[row, 8], told[row, 9] = tally.nulles, tally.chouines

    return cuda.jit(play)


def playouts(rules: Rules, count: int, seed: int, way: Way = "free", threads: int = THREADS) -> Tally:
    """Parties dealt and played out at random: at least `count`, as many in each thread."""
    check_present()
    book, threads = book_of(rules), min(threads, count)
    packs = cuda.to_device(np.tile(np.arange(32), (threads, 1)))
    told = cuda.to_device(np.zeros((threads, 10), np.int64))
    stream = signed(mixed(seed))
    launch(playouts_kernel(book, way), threads, packs, -(-count // threads), book.seats - 1, stream, told)
    sums = [int(number) for number in told.copy_to_host().sum(axis=0)]
    return Tally(tuple(sums[: book.seats]), sums[8], sums[9], tuple(sums[4 : 4 + book.seats]))
