"""The rules on a GPU equal the rules on a CPU: in numba's simulator, and on a GPU where available."""

from __future__ import annotations

import json
import subprocess
import sys
from array import array

import pytest

from chouine.fast import AVAILABLE, PartieBatch, gpu
from chouine.fast.bits import as_int64, splitmix64
from chouine.fast.playout import PLAYOUT_POLICIES, playouts_for
from chouine.rules import PRESETS, Rules, book_of

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="numba is not installed")
SEED = 5

TOLD = """
import json
import numpy as np
from numba import cuda
from chouine.fast import BatchError, gpu
from chouine.rules import PRESETS, Rules
told = {}
for preset in PRESETS:
    parties = gpu.GpuBatch.random(Rules.of_preset(preset), 5, seed=5)
    for turn in range(4):
        parties.step(parties.sample(turn))
    here = parties.host()
    told[preset] = [here.cells.tolist(), parties.legal.copy_to_host().tolist(), parties.winners.tolist()]
wrong = parties.sample(9).copy_to_host()
held, wrong[3] = wrong[3], 51
for actions in (wrong, wrong[1:]):
    try:
        parties.step(cuda.to_device(actions))
    except BatchError as error:
        told[f"{len(actions)} actions"] = str(error)
told["as before"] = parties.host().cells.tolist() == here.cells.tolist()
for way in ("uniform", "eager"):
    told[way] = gpu.playouts(Rules(), 5, 5, way, threads=3)
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told() -> dict[str, object]:
    command = [sys.executable, "-W", "error", "-c", TOLD]
    done = subprocess.run(command, env={"NUMBA_ENABLE_CUDASIM": "1"}, check=True, capture_output=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("preset", PRESETS)
def test_a_batch_is_the_same_there(preset: str, told: dict[str, object]) -> None:
    """§3-§12, §17: Cards, points, legal actions and winners agree in each row."""
    parties = PartieBatch.random(Rules.of_preset(preset), 5, seed=SEED)
    for turn in range(4):
        parties.step(parties.sample(turn))
    assert told[preset] == [parties.cells.tolist(), parties.legal.tolist(), parties.winners.tolist()]


@pytest.mark.parametrize("way", PLAYOUT_POLICIES)
def test_playouts_are_the_same_there(way: str, told: dict[str, object]) -> None:
    """Three threads of two parties give the same sums as one processor with each thread's random stream."""
    assert told[way] == list(here(way))


def here(way: str) -> tuple[object, ...]:
    book, play_out = book_of(Rules()), PLAYOUT_POLICIES["uniform" if way == "uniform" else "eager"]
    streams = [as_int64(splitmix64(as_int64(splitmix64(SEED)) + row)) for row in range(3)]
    packs = [memoryview(array("q", range(32))) for _ in streams]
    each = [
        playouts_for(book, play_out)(pack, 2, 1, stream) for pack, stream in zip(packs, streams, strict=True)
    ]
    won, points = (
        [sum(seat) for seat in zip(*sums, strict=True)][:2]
        for sums in ([tally.won for tally in each], [tally.points for tally in each])
    )
    return won, sum(tally.nulles for tally in each), sum(tally.chouines for tally in each), points


def test_an_illegal_action_names_its_row_and_nothing_is_played(told: dict[str, object]) -> None:
    assert told["5 actions"] == "Row 3: action 51 is not legal there (no such action)."
    assert told["4 actions"] == "One integer action for each of the 5 parties; got int64 of shape (4,)."
    assert told["as before"]


def test_where_there_is_no_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "AVAILABLE", False)
    for asked in (lambda: gpu.playouts(Rules(), 10, 1), lambda: gpu.GpuBatch.random(Rules(), 10, 1)):
        with pytest.raises(gpu.NoGpu, match="A GPU that numba can use is needed"):
            asked()
