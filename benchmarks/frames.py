"""Processor time for a table's frames: `python -m benchmarks.frames [CHECKOUT…]`.

Plays a fixed random match of two persons, and times what a stream does for each reader and entry: building and
encoding the frames. Reports the fastest of twelve runs. Checkouts take turns, so that other load affects all equally.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.arguments import read_arguments

ROOT = Path(__file__).parents[1]
ROUNDS = 5
PROGRAM = """
import gc, json
from time import process_time
from tests.server.pages.tables import played
from chouine.server.frame_updates import FrameEncoder, FrameUpdate
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit

visits = [Visit("fr", "c" * 32, guest) for guest in "ab"]
def reader(seat):
    viewer, encoder = Viewer(visits[seat], "game", seat), FrameEncoder()
    return lambda m: encoder.encode(FrameUpdate(m.after.n, viewer.frames(m.before, m.entry, m.after)))

moments = list(played("classic", "5x1", "ab", 1))
def once():
    readers, size = [reader(0), reader(1)], 0
    began = process_time()
    for moment in moments:
        for read in readers:
            size += len(read(moment))
    return process_time() - began, size
once()
gc.freeze()
spent, size = min(once() for _ in range(12))
count = 2 * len(moments)
print(json.dumps([1000 * spent / count, size / count, count]))
"""


def main() -> None:
    """Print milliseconds and bytes for an entry and a reader, for each checkout."""
    (named,) = read_arguments(__doc__, checkouts=[str(ROOT)])
    checkouts = [Path(one) for one in named]
    runs: dict[Path, list[list[float]]] = {checkout: [] for checkout in checkouts}
    for _ in range(ROUNDS):
        for checkout in checkouts:
            done = subprocess.run(  # noqa: S603  # this file's own program
                [sys.executable, "-c", PROGRAM],
                cwd=checkout,
                env={"PYTHONPATH": f"{checkout}/src:{checkout}"},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            runs[checkout].append(json.loads(done.stdout))
    first = median(spent for spent, *_ in runs[checkouts[0]])
    for checkout in checkouts:
        spent, (_, size, count) = median(each[0] for each in runs[checkout]), runs[checkout][0]
        print(f"{checkout}: {spent:.3f} ms ({spent / first:.2f}), {size:.0f} bytes; {count:.0f} of them")


if __name__ == "__main__":
    main()
