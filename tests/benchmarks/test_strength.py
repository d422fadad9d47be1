"""docs/strength.md shows the figures of benchmarks/strength.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.strength import DOCS, against, drawn, filled, measured, read_log, scored
from chouine.cli import main


def test_the_page_and_its_plot_are_generated_from_the_figures() -> None:
    duels, page = measured(), (DOCS / "strength.md").read_text(encoding="utf-8")
    assert filled(page, duels) == page
    assert drawn(duels) == Path(DOCS / "strength.svg").read_text(encoding="utf-8")
    assert all(f"<!-- {duel['table']} -->" in page for duel in duels if duel["table"] != "pool")


def test_the_first_table_agrees_with_the_figures() -> None:
    page = (DOCS / "strength.md").read_text(encoding="utf-8").partition("## Method")[0]
    for duel in against(measured(), "heuristic"):
        assert any(f"`{duel['a']}`" in line and f"{duel['rate']:.1f} %" in line for line in page.splitlines())


def test_a_duel_is_seen_from_both_sides() -> None:
    duel = {"rules": "classic", "a": "x", "b": "y", "rate": 60.0, "low": 55.0, "high": 64.0, "pairs": 9}
    (seen,) = against([duel], "x")
    assert (seen["a"], seen["rate"], seen["low"], seen["high"]) == ("y", 40.0, 36.0, 45.0)


def test_a_log_gives_the_figures_of_its_duel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "duel.jsonl"
    told = ["duel", "heuristic", "random", "--pairs", "7", "--log", str(log), "--json", "--workers", "1"]
    assert main(told) == 0
    figures, row = json.loads(capsys.readouterr().out), scored(read_log(log, "duels", "abc"))
    rates = [round(100 * figures[name], 1) for name in ("rate", "low", "high")]
    assert [row["rate"], row["low"], row["high"]] == rates
    assert (row["a"], row["b"], row["rules"], row["pairs"], row["commit"]) == (
        "heuristic",
        "random",
        "classic",
        7,
        "abc",
    )
    signs = row["outcomes"].replace(" ", "")
    assert [signs.count(each) for each in "+-="] == [figures[each] for each in ("wins", "losses", "nulles")]


def test_a_longer_duel_replaces_a_shorter_one() -> None:
    duels = [
        {"rules": "classic", "a": "x", "b": "y", "rate": rate, "low": 1.0, "high": 99.0, "pairs": pairs}
        for rate, pairs in ((70.0, 9), (60.0, 99), (80.0, 5))
    ]
    assert [duel["rate"] for duel in against(duels, "y")] == [60.0]
