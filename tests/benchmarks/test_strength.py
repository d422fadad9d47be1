"""docs/strength.md shows the figures of benchmarks/strength.json."""

from __future__ import annotations

from pathlib import Path

from benchmarks.strength import DOCS, against, drawn, filled, measured


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
