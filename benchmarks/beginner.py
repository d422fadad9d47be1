"""Strength of a program that knows only what the lessons teach: `python -m benchmarks.beginner [deals]`."""

from __future__ import annotations

import sys

from tests.school.test_beginner import level_two, random_player, won

ROWS = (
    (0, random_player, "`random`"),
    (4, random_player, "`random`"),
    (4, level_two, "level 2"),
    (8, level_two, "level 2"),
    (11, level_two, "level 2"),
)
"""Number of lessons, and the opponent."""


def main() -> None:
    deals = int(sys.argv[1]) if sys.argv[1:] else 100
    print(f"Each of {deals} deals from both seats:\n\n| lessons done | against | wins |\n| --- | --- | --- |")
    for done, other, name in ROWS:
        print(f"| {done} | {name} | {won(done, other, deals):.0%} |", flush=True)


if __name__ == "__main__":
    main()
