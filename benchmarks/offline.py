"""Response times in a browser without network: `python -m benchmarks.offline [PARTIES] [PRESET…]`.

Self-play of levels 6, 7 and 8 with Python and the kernels in WebAssembly, in Node, which has the same engine as
Chromium. Reports elapsed milliseconds of decisions between several acts: median, 90th and 99th percentiles, maximum.
Needs node and `make offline`.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.arguments import read_arguments
from benchmarks.identity import NETWORKS
from chouine.server.offline.bundle import KERNELS, PYTHON, STATIC, app, packed_path

PARTIES = 10
SHOWN = (50, 90, 99, 100)
PLAYED = """
import json
from random import Random
from time import perf_counter
from chouine.server.offline.preload import preload
preload()
from chouine.partie import Deal, Exchange, State
from chouine.registry import player_of
from chouine.rules import Rules
from chouine.rules.play import exchanger

def answers(preset, level, parties):
    rules, rng, taken = Rules.parse(preset), Random(f"{preset} {level}"), []
    for nth in range(parties):
        state = State.new(rules, Deal.random(rules, nth % rules.seats, rng))
        while state.result is None:
            swapper = exchanger(state.rule_table, state.position)
            if swapper >= 0 and swapper != state.position.turn:
                state = state.play(Exchange(), swapper)
                continue
            seat = state.position.turn
            began = perf_counter()
            act = player_of(f"level:{level}", rules, nth).act(state.view(seat))
            if len(state.legal(seat)) > 1:
                taken.append(1000 * (perf_counter() - began))
            state = state.play(act, seat)
    return taken

told = json.dumps([answers(*each) for each in json.loads(asked)])
"""


def run_script(script: str, asked: str, folder: Path, *, kernels: bool = False) -> str:
    """Run a script in Pyodide. It reads the file `asked` and writes the file `told`, whose text is returned."""
    for name in (*PYTHON, *([KERNELS] if kernels else [])):
        (folder / name).write_bytes(gzip.decompress(packed_path(name).read_bytes()))
    (folder / "app.zip").write_bytes(app())
    (folder / "script.py").write_text(script)
    (folder / "asked").write_text(asked)
    named = [folder, *(folder / name for name in ("app.zip", "script.py", "asked", "told"))]
    if kernels:
        shutil.copy(STATIC / "js" / "offline" / "kernels.js", folder / "kernels.mjs")
        named += [folder / "kernels.mjs", folder / KERNELS]
    runner = Path(__file__).with_name("pyodide.mjs")
    subprocess.run(["node", runner, *named], check=True)  # noqa: S603, S607  # our own script
    return (folder / "told").read_text()


def main(parties: int, presets: list[str]) -> None:
    every = [(preset, level, parties) for preset in presets for level in (6, 7, 8)]
    with TemporaryDirectory() as folder:
        told = json.loads(run_script(PLAYED, json.dumps(every), Path(folder), kernels=True))
    for (preset, level, _), taken in zip(every, told, strict=True):
        figures = "  ".join(f"{figure:7.1f}" for figure in np.percentile(taken, SHOWN))
        sys.stdout.write(f"{preset:12} level {level}: {len(taken):5} answers  {figures}\n")


if __name__ == "__main__":
    main(*read_arguments(__doc__, parties=PARTIES, presets=list(NETWORKS)))
