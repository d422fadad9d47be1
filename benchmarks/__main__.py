"""Every measurement, kept by commit: `make bench` writes `benchmarks/results.json` and the table `results.md`."""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks import plain, yardstick
from chouine.cli import bench

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"
TABLE = FOLDER / "results.md"
RATIOS = {
    "compiled, free choice / C": ("compiled_parties_s", "c_fused"),
    "compiled, greedy / C": ("compiled_greedy_parties_s", "c_fused"),
    "lockstep / AVX-512 C": ("lockstep_parties_s", "c_avx512"),
    "two threads / one": ("lockstep2_parties_s", "lockstep1_parties_s"),
    "solves, margin / C": ("solves_s", "c_solve"),
    "solves, outcome / C": ("outcome_solves_s", "c_solve"),
}


def main() -> None:
    """Measure, add to what was measured before, write the table."""
    load = os.getloadavg()[0]
    entry: dict[str, Any] = {
        "commit": told("git", "describe", "--always", "--dirty"),
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "python": platform.python_version(),
        "figures": figures(),
    }
    busy = max(load, os.getloadavg()[0])  # ours alone is 1
    entry["machine"] = f"{processor()}, {os.cpu_count()} cores, load {busy:.1f}"
    entries = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    entries = [kept for kept in entries if kept["commit"] != entry["commit"]] + [entry]
    RESULTS.write_text(json.dumps(entries, indent=1) + "\n")
    TABLE.write_text(table(entries))
    print(table([entry]))


def figures() -> dict[str, float]:
    """Ours and the yardstick's in turns, medians; then what is measured once."""
    cold, again = warm_up()
    with tempfile.TemporaryDirectory() as folder:
        commands = yardstick.build(Path(folder))
        meters = bench.plain_meters() | bench.fast_meters()
        rounds: list[dict[str, float]] = []
        for _ in range(bench.REPEATS):
            ours = {name: meter() for name, meter in meters.items()}
            rounds.append(ours | yardstick.measure(commands))
    measured = {name: median(each[name] for each in rounds) for name in rounds[0]}
    for name, (numerator, denominator) in RATIOS.items():
        if numerator in measured and denominator in measured:
            measured[name] = median(each[numerator] / each[denominator] for each in rounds)
    measured |= {"first compilation, s": cold, "second start, s": again}
    measured["memory at most, MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {name: bench.rounded(figure) for name, figure in measured.items()} | plain.measure()


def warm_up() -> tuple[float, float]:
    """Seconds for `chouine warm` with nothing compiled, and when all is."""
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
    """Its name, as Linux tells it."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def told(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=FOLDER).stdout.strip()  # noqa: S603


def table(entries: list[dict[str, Any]]) -> str:
    """A column for each commit, a row for each figure."""
    names = list(dict.fromkeys(name for entry in entries for name in entry["figures"]))
    rows = [["", *(entry["commit"] for entry in entries)], ["---", *("---:" for _ in entries)]]
    rows += [[title, *(entry[title] for entry in entries)] for title in ("when", "machine", "python")]
    for name in names:
        meaning = bench.MEANINGS.get(name, name)
        rows.append([meaning, *(told_as(entry["figures"].get(name)) for entry in entries)])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(["# Speed, by commit", "", "`make bench` measures and adds a column.", "", *lines, ""])


def told_as(figure: float | None) -> str:
    return "" if figure is None else f"{figure:,}"


if __name__ == "__main__":
    main()
