"""Run all speed benchmarks: `make bench` adds them to `results.json`, and writes `results.md` and `speed.svg`."""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import ours, peers, results, yardstick
from benchmarks.arguments import read_arguments
from benchmarks.peers import one_core
from benchmarks.results import Entry
from chouine.cli import bench

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"


def main() -> None:
    """Measure everything, append the entry to the results, and write the tables and the plot."""
    read_arguments(__doc__)
    entry: Entry = {
        "commit": output_of("git", "describe", "--always", "--dirty"),
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "machine": f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
    }
    entry |= measure_all()
    entries = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    entries = [kept for kept in entries if kept["commit"] != entry["commit"]] + [entry]
    RESULTS.write_text("[\n" + ",\n".join(json.dumps(kept) for kept in entries) + "\n]\n")
    (FOLDER / "results.md").write_text(results.results_page(entries))
    (FOLDER / "speed.svg").write_text(results.bar_chart(entry))
    print(results.results_page([entry]))
    if failed := [f"{peer['package']}: {peer['why']}" for peer in entry["peers"] if peer["why"]]:
        sys.exit("\n".join(failed))


def measure_all() -> Entry:
    """Measure in rounds, then the figures that need only one measurement."""
    cold, again = warm_up()
    with tempfile.TemporaryDirectory() as folder, peers.running() as others:
        yardstick_command = yardstick.build(Path(folder))
        meters = ours.meters()
        one_round(meters, [], [])  # warm-up round
        rounds = [one_round(meters, yardstick_command, others) for _ in range(bench.REPEATS)]
        once = {"first compilation, s": cold, "second start, s": again} | ours.measure()
        once["memory at most, MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        names = dict.fromkeys(name for figures in rounds for name in figures)
        return {
            "rounds": {
                name: [exact(figures[name]) for figures in rounds]
                for name in names
                if all(name in figures for figures in rounds)
            },
            "once": {name: exact(figure) for name, figure in once.items()},
            "decisions": merge([ours.decisions(), *(other.outputs["decisions"] for other in others)]),
            "missing": merge([other.outputs["missing"] for other in others]),
            "peers": [other.summary() for other in others],
        }


def merge(dicts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {name: told for each in dicts for name, told in each.items()}


def one_round(
    meters: dict[str, ours.Meter], yardstick_command: list[str], others: list[peers.Running]
) -> dict[str, float]:
    """One measurement of each figure, in turns."""
    figures = {}
    for name, meter in meters.items():
        if name in ours.BOTH_CORES:
            figures[name] = meter()
        else:
            with one_core():
                figures[name] = meter()
    with one_core():
        figures |= yardstick.measure(yardstick_command)
    for other in others:
        figures |= other.measure()
    return figures


def warm_up() -> tuple[float, float]:
    """Seconds for `chouine warm` with an empty and with a full cache."""
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(2):
            began = perf_counter()
            command, environment = (
                [sys.executable, "-m", "chouine", "warm"],
                os.environ | {"CHOUINE_CACHE_DIR": folder},
            )
            subprocess.run(command, check=True, capture_output=True, env=environment)  # noqa: S603
            times.append(perf_counter() - began)
    return times[0], times[1]


def processor() -> str:
    """The processor's name, from Linux."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=FOLDER).stdout.strip()  # noqa: S603


def exact(figure: float) -> float:
    """Round to five significant digits."""
    return float(f"{figure:.5g}")


if __name__ == "__main__":
    main()
