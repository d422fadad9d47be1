"""docs/strength.md shows the figures of benchmarks/strength.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import strength
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


def test_everything_is_measured_by_one_command_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two tables in two goes: the second plays what is missing alone, and any number of processes the same."""
    rows = [
        {"table": name, "rules": rules, "a": a, "b": "random"}
        for name, rules, a in (("levels", "classic", "level:2"), ("variants", "three", "greedy"))
    ]
    monkeypatch.setattr(strength, "measured", lambda: rows)
    monkeypatch.setattr(strength, "DUELS", tmp_path / "duels.jsonl")
    strength.DUELS.write_text("")
    call = [str(tmp_path / "logs"), "--pairs", "2", "--only", "levels", "variants"]
    strength.measure([*call, "--workers", "1", "--dry"])
    logs = {path: path.read_bytes() for path in (tmp_path / "logs").rglob("*.jsonl")}
    assert len(logs) == 2
    assert not strength.DUELS.read_text()
    strength.measure([*call, "--workers", "2"])
    assert {path: path.read_bytes() for path in logs} == logs, "nothing is played twice"
    kept = {(duel["table"], duel["a"]): duel["outcomes"] for duel in strength.logged()}
    assert [len(outcomes.split()) for outcomes in kept.values()] == [2, 2]
    assert "together: " in capsys.readouterr().out
    strength.measure([str(tmp_path / "other"), *call[1:], "--workers", "2"])
    assert {(duel["table"], duel["a"]): duel["outcomes"] for duel in strength.logged()} == kept


def test_a_time_limit_is_part_of_the_name(tmp_path: Path) -> None:
    log = tmp_path / "duel.jsonl"
    told = ["duel", "greedy", "random", "--pairs", "1", "--workers", "1", "--log", str(log)]
    assert main([*told, "--seconds-a", "0.5"]) == 0
    assert read_log(log, "seconds", "abc")["a"] == "greedy, 0.5 s"


def test_a_longer_duel_replaces_a_shorter_one() -> None:
    duels = [
        {"rules": "classic", "a": "x", "b": "y", "rate": rate, "low": 1.0, "high": 99.0, "pairs": pairs}
        for rate, pairs in ((70.0, 9), (60.0, 99), (80.0, 5))
    ]
    assert [duel["rate"] for duel in against(duels, "y")] == [60.0]
