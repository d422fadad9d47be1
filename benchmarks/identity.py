"""Bit-identity of all builds: `python -m benchmarks.identity [PARTIES]`.

Compares the interpreter, compiled code and WebAssembly. Rules: complete parties of each preset. Network, worlds,
rollouts and endings: every question of parties of all presets with a network; the interpreter, a thousand times slower
there, answers one in a hundred. Needs node and `make offline`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks.arguments import read_arguments
from chouine.ai import search_native
from chouine.ai.macro_actions import legal_acts
from chouine.ai.search import NETWORK, VALUES, WORDS, Search, has_network, weights_of, words_of
from chouine.ai.search_kernels import choose
from chouine.ai.search_native import policies_of
from chouine.ai.search_wasm import TASKS
from chouine.partie.actions import Exchange
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players.base import as_play
from chouine.players.endgame import known_position
from chouine.players.heuristic import weight_table
from chouine.rules import PRESETS
from chouine.rules.options import Rules
from chouine.rules.play import exchanger
from chouine.rules.position import NONE
from chouine.server.offline.bundle import KERNELS, STATIC, packed_path

NETWORKS = [preset for preset in PRESETS if has_network(Rules.parse(preset))]
TRIED, RARELY = 8, 64
"""One decision in this number is also tried in worlds; the second for runs of very many parties."""
CANDIDATES = 16
"""Number of candidates for that."""
INTERPRETED = 100
"""One question in this number is also answered by the interpreter."""
AT_ONCE = 500
"""Parties between two comparisons."""
PARTIES = 100_000
Asked = tuple[str, str, "array[int]"]
"""A task, a preset, and the input words of `ai.search`."""


class Different(Exception):
    """Two builds give different results."""


PLAYED = """
import json, sys
preset, count, build = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if build == "plain":
    sys.modules["numba"] = None
from array import array
from hashlib import sha256
from chouine.fast import AVAILABLE
from chouine.fast.bits import as_int64, splitmix64
from chouine.fast.playout import PLAYOUT_POLICIES, playouts_for
from chouine.rules import Rules, book_of
assert AVAILABLE is (build != "plain")
book, told = book_of(Rules.parse(preset)), sha256()
plays = [playouts_for(book, policy) for policy in PLAYOUT_POLICIES.values()]
for nth in range(count):
    pack = memoryview(array("q", range(32)))
    found = plays[nth % len(plays)](pack, 1, nth % book.seats, as_int64(splitmix64(nth)))
    told.update(repr([[*map(int, found[0])], int(found[1]), int(found[2]), [*map(int, found[3])], [*pack]]).encode())
    if not (nth + 1) % 1000 or nth + 1 == count:
        print(told.hexdigest())
"""
"""Plays random parties and prints each one's winner, chouine, nulle, points and cards."""


def rules_agree(preset: str, parties: int) -> bool:
    """Whether interpreter and compiled code play the parties identically."""
    told = (
        subprocess.run(  # noqa: S603  # our own program
            [sys.executable, "-c", PLAYED, preset, str(parties), build],
            check=True,
            capture_output=True,
        ).stdout
        for build in ("plain", "compiled")
    )
    return next(told) == next(told)


def questions(preset: str, parties: int, chance: str, tried: int = TRIED) -> Iterator[Asked]:
    """The questions of parties in which acts are the network's or random, half each."""
    rules, rng = Rules.parse(preset), Random(f"{preset} {chance}")
    for nth in range(parties):
        state = State.new(rules, Deal.random(rules, nth % rules.seats, rng))
        while state.result is None:
            seat = state.position.turn
            view = state.view(seat)
            words = words_of(view, view.position, ())
            yield "choose", preset, words
            acts = legal_acts(view.rule_table, view.position, seat)
            if len(acts) > 1 and not rng.randrange(tried):
                tries, only = rng.choice((0, 64 * len(acts))), rng.choice((NONE, NETWORK))
                search = Search(rng.getrandbits(63), tries, CANDIDATES, only)
                yield "try", preset, words_of(view, view.position, acts, search)
            if (whole := known_position(view)) is not None:
                yield "end", preset, words_of(view, whole, acts)
            swapper = exchanger(state.rule_table, state.position)
            if swapper not in (NONE, seat) and rng.random() < 0.5:
                state = state.play(Exchange(), swapper)
                continue
            if rng.random() < 0.5:
                card, said = search_native.compute("choose", preset, words)[:2]
                state = state.play(as_play(int(card), int(said)), seat)
            else:
                state = state.play(rng.choice(state.legal(seat)), seat)


def browsers_answers(asked: Sequence[Asked], folder: Path) -> list[bytes]:
    """The answers of WebAssembly through the browser's own script, each as the bytes of its floats."""
    script, given, told = folder / "kernels.mjs", folder / "asked", folder / "told"
    shutil.copy(STATIC / "js" / "offline" / "kernels.js", script)
    with given.open("wb") as file:
        for task, preset, words in asked:
            file.write(array("q", [TASKS.index(task), NETWORKS.index(preset), *words]).tobytes())
    nets = []
    for preset in NETWORKS:
        inputs, hidden, parts = weights_of(preset)
        thumbs = weight_table(Rules.parse(preset))
        (folder / preset).write_bytes(parts.tobytes() + thumbs.tobytes())
        nets.append(f"{preset} {inputs} {hidden} {len(thumbs)} {folder / preset}")
    runner = Path(__file__).with_name("kernels.mjs")
    named = [script, packed_path(KERNELS), WORDS, given, told, *nets]
    subprocess.run(["node", runner, *map(str, named)], check=True)  # noqa: S603, S607  # our own script
    body, length = told.read_bytes(), 8 * VALUES
    return [body[at : at + length] for at in range(0, len(body), length)]


def interpreters_answer(asked: Asked) -> tuple[float, float]:
    """The network's act, by the interpreter."""
    values = np.zeros(2)
    choose([*asked[2]], policies_of(asked[1])[0].network, values)
    return float(values[0]), float(values[1])


def kernels_agree(preset: str, parties: int, tried: int = TRIED) -> dict[str, int]:
    """Number of identical answers by task. Raises `Different` at the first difference."""
    put = dict.fromkeys((*TASKS, "interpreted"), 0)
    for batch in range(0, parties, AT_ONCE):
        asked = [*questions(preset, min(AT_ONCE, parties - batch), f"identity {batch}", tried)]
        with TemporaryDirectory() as folder:
            found = browsers_answers(asked, Path(folder))
        for question, answer in zip(asked, found, strict=True):
            task, values = question[0], search_native.compute(*question)
            if array("d", values).tobytes() != answer:
                raise Different(f"WebAssembly: {question}")
            put[task] += 1
            if task == "choose" and not put[task] % INTERPRETED:
                if interpreters_answer(question) != (*values[:2],):
                    raise Different(f"the interpreter: {question}")
                put["interpreted"] += 1
    return put


def main(parties: int = PARTIES) -> None:
    """Compare all, and print a line for each preset."""
    for preset in PRESETS:
        begun = perf_counter()
        if not rules_agree(preset, parties):
            raise Different(f"the rules of {preset}")
        print(f"rules {preset}: {parties} parties, {perf_counter() - begun:.0f} s", flush=True)
    for preset in NETWORKS:
        begun, each = perf_counter(), parties // len(NETWORKS)
        put = ", ".join(f"{task} {count}" for task, count in kernels_agree(preset, each, RARELY).items())
        print(f"kernels {preset}: {each} parties, {put}, {perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(*read_arguments(__doc__, parties=PARTIES))
