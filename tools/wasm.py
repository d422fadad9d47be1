"""Compile the strongest player's backend to WebAssembly from the same Python: `python -m tools.wasm FILE.gz`.

numba compiles `ai.search_kernels` to LLVM IR, LLVM compiles that to WebAssembly, and `wasm-ld` links it.
`server/static/js/offline/kernels.js` runs it.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128"
ENTRY = "compute"
PLAIN = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "CHOUINE_CACHE_DIR": os.devnull,
}
"""Makes numba emit unoptimised code for a generic processor; LLVM optimises it for WebAssembly."""


def intermediate() -> tuple[str, str]:
    """The LLVM IR, and the entry point's name. `PLAIN` must be set before numba is imported."""
    from llvmlite import binding as llvm

    class NoFeatures(dict[str, bool]):
        def flatten(self, sort: bool = True) -> str:  # noqa: FBT001, FBT002, ARG002  # llvmlite's signature
            return ""

    llvm.get_host_cpu_features = NoFeatures
    from numba import carray, cfunc, types

    from chouine.ai.features import MAX_MARKS, VALUE_SLOT
    from chouine.ai.macro_actions import MAX_ACTS
    from chouine.ai.network import MAX_SCALARS, Network
    from chouine.ai.rollout import Policy
    from chouine.ai.search import MAX_PAST, MOST, MOST_CANDIDATES, SLOTS, TYPES, VALUES, WORDS
    from chouine.ai.search_kernels import STATES, Scratch, choose, end, try_acts
    from chouine.players.heuristic import TABLE

    outputs = VALUE_SLOT + 1

    def compute(
        task: Any, inputs: Any, hidden: Any, words: Any, first: Any, first_bias: Any, second: Any, second_bias: Any,
        out: Any, out_bias: Any, table: Any, one: Any, two: Any, told: Any, numbers: Any, ways: Any, values: Any,
        bonus: Any, results: Any, weights: Any, likelihoods: Any, evidence: Any, act_likelihoods: Any,
        marks: Any, cards: Any, excluded: Any, strides: Any, hands: Any, talons: Any, seated: Any, nodes: Any,
        alive: Any, held: Any, act_hands: Any,
    ) -> None:  # fmt: skip
        given, found = carray(words, (WORDS,)), carray(values, (VALUES,))
        network = Network(
            carray(first, (inputs, hidden)), carray(first_bias, (hidden,)), carray(second, (hidden, hidden)),
            carray(second_bias, (hidden,)), carray(out, (hidden, outputs)), carray(out_bias, (outputs,)),
            carray(marks, (MAX_MARKS,)), carray(numbers, (MAX_SCALARS,)), carray(one, (hidden,)),
            carray(two, (hidden,)), carray(told, (outputs,)),
        )  # fmt: skip
        scratch = Scratch(
            carray(cards, (32,)), carray(excluded, (32,)), carray(strides, (5,)), carray(ways, (33, STATES)),
            carray(hands, (1, 4)), carray(talons, (1, 32)), carray(seated, (4,)), carray(nodes, (1,)),
            carray(alive, (MAX_ACTS,)), carray(bonus, (MAX_ACTS,)), carray(results, (MAX_ACTS, MOST)),
            carray(held, (MOST_CANDIDATES, 4)), carray(weights, (MOST_CANDIDATES, 4, TYPES)),
            carray(likelihoods, (2, TYPES)), carray(evidence, (4, 2, TYPES)),
            carray(act_hands, (MAX_PAST, SLOTS)), carray(act_likelihoods, (MAX_PAST, SLOTS, TYPES)),
        )  # fmt: skip
        if task == 0:
            choose(given, network, found)
        elif task == 1:
            thumbs, none = carray(table, (TABLE,)), Network(*network[:8], carray(one, (0,)), *network[9:])
            policies = Policy(network, thumbs, 0), Policy(none, thumbs, 0), Policy(none, thumbs, 1)
            try_acts(given, policies, scratch, found)
        else:
            end(given, scratch, found)

    whole, single, double = (
        types.CPointer(types.int64),
        types.CPointer(types.float32),
        types.CPointer(types.float64),
    )
    signature = types.void(
        types.int64,
        types.int64,
        types.int64,
        whole,
        *[single] * 6,
        double,
        *[single] * 3,
        *[double] * 9,
        *[whole] * 11,
    )
    made = cfunc(signature, nopython=True, error_model="numpy")(compute)
    return made.inspect_llvm(), made.native_name


def simplify(text: str) -> str:
    """The IR without numba's overflow promises and reference counting.

    Random number generators overflow integers on purpose. Nothing is freed here, and counting would prevent vectorised
    loops.
    """
    text = text.replace(" nsw ", " ")
    for name in ("NRT_incref", "NRT_decref"):
        text = re.sub(
            rf"(define [^\n]*@{name}\([^\n]*\)[^\n{{]*)\{{.*?\n\}}",
            lambda found: (
                re.sub("noinline", "alwaysinline", re.sub(r"#\d+", "alwaysinline", found[1]))
                + "{\nentry:\n  ret void\n}"
            ),
            text,
            count=1,
            flags=re.DOTALL,
        )
    return text


def object_code(text: str, name: str) -> bytes:
    """The WebAssembly object code that LLVM generates."""
    from llvmlite import binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{LAYOUT}"', simplify(text))
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", text).replace(name, ENTRY)
    module = llvm.parse_assembly(text)
    for each in [*module.functions, *module.global_variables]:
        if not each.is_declaration and not each.name.startswith("llvm."):
            each.linkage = "external" if each.name == ENTRY else "internal"
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    tuning.loop_unrolling = tuning.loop_interleaving = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def link(code: bytes) -> bytes:
    """The object code linked as a module."""
    with tempfile.TemporaryDirectory() as folder:
        made, module = Path(folder, "kernels.o"), Path(folder, "kernels.wasm")
        made.write_bytes(code)
        options = f"--no-entry --export={ENTRY} --export=__heap_base -z stack-size=1048576 --stack-first"
        options += " --allow-undefined -O3 --strip-all"
        link = [sys.executable, "-m", "ziglang", "wasm-ld", *options.split(), "-o", str(module), str(made)]
        subprocess.run(link, check=True)  # noqa: S603  # our own command
        return module.read_bytes()


def main(target: Path) -> None:
    """Write the module."""
    if any(os.environ.get(name) != value for name, value in PLAIN.items()):
        os.execve(sys.executable, [sys.executable, "-m", "tools.wasm", str(target)], {**os.environ, **PLAIN})  # noqa: S606
    target.write_bytes(gzip.compress(link(object_code(*intermediate())), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
