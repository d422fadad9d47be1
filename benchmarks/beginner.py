"""Strength of a program that knows only what the lessons teach: `python -m benchmarks.beginner [deals]`."""

from __future__ import annotations

from benchmarks.arguments import read_arguments
from tests.school.test_beginner import level_two, random_player, win_rate

ROWS = (
    (0, random_player, "`random`"),
    (4, random_player, "`random`"),
    (4, level_two, "level 2"),
    (8, level_two, "level 2"),
    (11, level_two, "level 2"),
)
"""Number of lessons, and the opponent."""


def main() -> None:
    (deals,) = read_arguments(__doc__, deals=100)
    print(f"Each of {deals} deals from both seats:\n\n| lessons done | against | wins |\n| --- | --- | --- |")
    for done, other, name in ROWS:
        print(f"| {done} | {name} | {win_rate(done, other, deals):.0%} |", flush=True)


if __name__ == "__main__":
    main()
