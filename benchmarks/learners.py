"""Speed of the environments beside RLCard, pgx and OpenSpiel: `python -m benchmarks.learners`.

The part of `make bench` about environments, in a minute: it stores its figures in `learners.json`, and prints the
table of docs/research.md.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import peers, results, singly
from benchmarks.__main__ import merge, one_round, output_of, processor
from benchmarks.arguments import read_arguments
from benchmarks.results import GROUPS, Entry
from chouine.cli import bench
from chouine.envs import spiel  # noqa: F401  # registers the game

KEPT = Path(__file__).with_name("learners.json")
MODULES = ("openspiel", "pgx_games", "rlcard_games")
COMPARED = [
    each
    for title in ("Decisions a second, one game at a time from Python", "Steps a second of games in a batch")
    for each in GROUPS[title]
    if each.theirs.startswith(("rlcard", "openspiel", "pgx"))
]


def measure() -> Entry:
    """Rounds of all compared figures, in turns."""
    meters = {
        "pettingzoo_decisions_s": singly.pettingzoo_meter(),
        "spiel_decisions_s": singly.openspiel_meter("chouine"),
        "vector_1000_steps_s": bench.vector_meter(1_000),
        "vector_10000_steps_s": bench.vector_meter(10_000),
    }
    with peers.running(MODULES) as others:
        one_round(meters, [], [])
        rounds = [one_round(meters, [], others) for _ in range(bench.REPEATS)]
        wanted = {name for each in COMPARED for name in (each.ours, each.theirs)}
        return {
            "commit": output_of("git", "describe", "--always", "--dirty"),
            "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            "machine": f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
            "rounds": {
                name: [round(figures[name], 1) for figures in rounds if name in figures]
                for name in sorted(wanted)
            },
            "versions": {other.package: other.summary()["version"] for other in others},
            "decisions": {},
            "missing": merge([other.outputs["missing"] for other in others]),
        }


def comparison_text(entry: Entry) -> str:
    """The table, and the conditions of the measurement."""
    rows = [
        [row[0], row[1], row[2], row[3], row[4]] for row in (results.row(entry, each) for each in COMPARED)
    ]
    versions = ", ".join(f"{name} {version}" for name, version in entry["versions"].items())
    return (
        results.lines(["", "a second", "beside", "a second", "ratio"], rows)
        + f"\nCommit {entry['commit']}, {entry['when']}, {entry['machine']}; {versions}.\n"
    )


if __name__ == "__main__":
    read_arguments(__doc__)
    KEPT.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    print(comparison_text(json.loads(KEPT.read_text(encoding="utf-8"))))
