"""The report of `make bench` on other libraries, including those that cannot be measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks import learners, peers, results
from benchmarks.results import GROUPS, NAMES, SHORT, Comparison

HEARTS = Comparison("compiled_parties_s", "openspiel_hearts_games_s", "Another game.")


@pytest.fixture
def entry() -> dict[str, Any]:
    return {
        "commit": "abc1234",
        "when": "2026-01-01 12:00",
        "machine": "a machine",
        "python": "3.11",
        "rounds": {
            "compiled_parties_s": [200.0, 100.0, 300.0],
            "openspiel_hearts_games_s": [100.0, 100.0, 50.0],
            "plain_parties_s": [12_345.0, 12_345.0, 12_345.0],
        },
        "once": {"second start, s": 0.512},
        "decisions": {"compiled_parties_s": 30.0, "openspiel_hearts_games_s": 60.0},
        "missing": {"openspiel_german_whist_foregame_games_s": "this release has no such game"},
        "peers": [
            {"package": "open-spiel", "version": "2.0", "ready_s": 1.5, "memory_mib": 99.0, "why": None},
            {"package": "pgx", "version": None, "ready_s": None, "memory_mib": None, "why": "No module"},
        ],
    }


def test_a_ratio_is_of_one_round(entry: dict[str, Any]) -> None:
    """Ratios are computed within a round, since a busy machine slows both sides."""
    assert results.ratios(entry, HEARTS) == [2.0, 1.0, 6.0]
    assert results.row(entry, HEARTS) == [
        "Chouine, compiled",
        "200 (100–300)",
        "OpenSpiel hearts",
        "100 (50–100)",
        "2 (1–6)",
        "1 (0.5–3)",
        "Another game. 60.0 decisions a game there, 30.0 here.",
    ]


def test_missing_figures_are_listed(entry: dict[str, Any]) -> None:
    text = results.results_page([entry])
    assert "| OpenSpiel German whist | this release has no such game | – | – |" in text
    assert "| pgx | – | – | – | No module |" in text
    assert "| open-spiel | 2.0 | 1.5 | 99 | measured |" in text


def test_commits_side_by_side(entry: dict[str, Any]) -> None:
    """A missing figure of a commit is shown as a dash."""
    earlier = entry | {"commit": "older", "rounds": {"compiled_parties_s": [150.0]}, "once": {}}
    text = results.results_page([earlier, entry])
    assert "|  | older | abc1234 |" in text
    assert f"| {NAMES['compiled_parties_s']} | 150 | 200 |" in text
    assert "| second start, s | – | 0.512 |" in text
    assert "| Chouine, compiled / OpenSpiel hearts | – | 2 |" in text


def test_the_plot_draws_what_was_measured_on_both_sides(entry: dict[str, Any]) -> None:
    bars = ET.fromstring(results.bar_chart(entry)).findall("{*}rect")  # noqa: S314
    widths = {bar.get("class", ""): float(bar.get("width", "")) for bar in bars}
    assert [bar.get("class") for bar in bars] == ["ours", "ours", "theirs"]
    assert widths["ours"] > widths["theirs"] > 0


def test_figures_for_people() -> None:
    told = [results.short(each) for each in (21_345_678, 999_999, 85_312.2, 999.6, 47.11, 0.01234, 0)]
    assert told == ["21.3 M", "1 M", "85.3 k", "1 k", "47.1", "0.0123", "0"]


def test_every_comparison_has_names() -> None:
    for comparison in (each for group in GROUPS.values() for each in group):
        assert comparison.ours in SHORT
        assert comparison.theirs in NAMES | SHORT


def test_a_peer_that_is_not_installed_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(peers, "MODULES", {"schnapsen_games": "schnapsen"})
    with peers.running() as (schnapsen,):
        assert schnapsen.measure() == {}
        assert schnapsen.summary()["why"] == "ModuleNotFoundError: No module named 'schnapsen'"


def test_a_peer_that_fails_later_is_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If a peer fails, its earlier figures are kept, and its last output line is the reason."""
    failing = tmp_path / "python"
    lines = ["#!/bin/sh", """echo '{"version": "1"}'""", "read line", """echo '{"figure": 2}'""", "read line"]
    failing.write_text("\n".join([*lines, "echo first >&2", "echo out of memory >&2"]))
    failing.chmod(0o755)
    monkeypatch.setattr(peers, "PYTHON", failing)
    monkeypatch.setattr(peers, "MODULES", {"dds": "endplay"})
    with peers.running() as (dds,):
        assert [dds.measure() for _ in range(3)] == [{"figure": 2}, {}, {}]
        assert dds.summary() == {
            "package": "endplay", "version": "1", "ready_s": None, "memory_mib": None, "why": "out of memory"
        }  # fmt: skip


def test_the_page_for_researchers_shows_what_was_measured() -> None:
    page = (peers.ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    entry = json.loads(learners.KEPT.read_text(encoding="utf-8"))
    assert learners.comparison_text(entry) in page
    assert all(len(results.ratios(entry, each)) >= 3 for each in learners.COMPARED)
