"""A peer's process: prints a report when ready, then one measurement for each line of input."""

from __future__ import annotations

import json
import os
import resource
import sys
from importlib import import_module
from importlib.metadata import version
from time import perf_counter

from benchmarks.arguments import read_arguments
from benchmarks.peers import Peer


def main(module: str) -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # keeps libraries' output out of the answers
    began = perf_counter()
    peer: Peer = import_module(f"benchmarks.peers.{module}").peer()
    ready = {
        "package": peer.package,
        "version": version(peer.package),
        "ready_s": perf_counter() - began,
        "memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "decisions": peer.decisions,
        "missing": peer.missing,
    }
    print(json.dumps(ready), file=answers)
    for _ in sys.stdin:
        print(json.dumps({name: meter() for name, meter in peer.meters.items()}), file=answers)


if __name__ == "__main__":
    main(*read_arguments(__doc__, peer=str))
