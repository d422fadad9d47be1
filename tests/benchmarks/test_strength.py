"""docs/strength.md shows the figures of benchmarks/duels.jsonl."""

from __future__ import annotations

import json
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import strength
from benchmarks.strength import (
    DOCS,
    PLAN,
    SEED,
    against,
    all_duels,
    bar_chart,
    digest_of,
    fill_tables,
    key,
    read_log,
    row_of,
    with_rate,
)
from chouine.arena.pairs import Duel as Setting
from chouine.arena.pairs import Pair, play_pair
from chouine.cli import main

SETTING = Setting("heuristic", "random")


def test_the_page_and_its_plot_are_generated_from_the_figures() -> None:
    duels, page = all_duels(), (DOCS / "strength.md").read_text(encoding="utf-8")
    assert fill_tables(page, duels) == page
    assert bar_chart(duels) == Path(DOCS / "strength.svg").read_text(encoding="utf-8")
    assert all(f"<!-- {table} -->" in page for table in PLAN)


def test_every_duel_of_the_plan_is_on_the_page() -> None:
    planned = {key(row_of(setting, table, "")) for table, each in PLAN.items() for setting in each}
    assert {key(duel) for duel in all_duels()} == planned
    assert {duel["seed"] for duel in all_duels()} == {SEED}


def check_players(wanted: Container[str]) -> None:
    """Fail for a duel between these players whose first pairs are played in another way than on the page."""
    stored = {key(duel): duel["digest"] for duel in all_duels()}
    planned = [(setting, table) for table, each in PLAN.items() for setting in each]
    rows = {
        key(row): row["digest"]
        for setting, table in planned
        if setting.a in wanted and setting.b in wanted
        for row in [row_of(setting, table, digest_of(setting))]
    }
    assert rows
    assert {of: stored[of] for of in rows} == rows, "measure again: the figures are of other players"


def test_the_figures_are_of_the_present_players() -> None:
    check_players({"random", "greedy", "heuristic", *(f"level:{level}" for level in range(1, 7))})


@pytest.mark.nightly
def test_all_figures_are_of_the_present_players() -> None:
    check_players({name for each in PLAN.values() for setting in each for name in (setting.a, setting.b)})


def test_a_duel_is_seen_from_both_sides() -> None:
    duel = {"table": "pool", "a": "x", "b": "y", "rate": 60.0, "low": 55.0, "high": 64.0, "pairs": 9}
    (seen,) = against([duel], "x")
    assert (seen["a"], seen["rate"], seen["low"], seen["high"]) == ("y", 40.0, 36.0, 45.0)


def test_a_log_gives_the_figures_of_its_duel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "duel.jsonl"
    told = ["duel", "heuristic", "random", "--pairs", "7", "--log", str(log), "--json", "--workers", "1"]
    assert main(told) == 0
    figures, row = (
        json.loads(capsys.readouterr().out),
        with_rate(read_log(log, row_of(SETTING, "pool", "abc"))),
    )
    rates = [round(100 * figures[name], 1) for name in ("rate", "low", "high")]
    assert [row["rate"], row["low"], row["high"]] == rates
    assert (row["a"], row["b"], row["rules"], row["pairs"], row["digest"]) == (
        "heuristic",
        "random",
        "classic",
        7,
        "abc",
    )
    signs = row["outcomes"].replace(" ", "")
    assert [signs.count(each) for each in "+-="] == [figures[each] for each in ("wins", "losses", "nulles")]


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words after `measure` for a plan of two short duels, whose results are kept in another file."""
    levels, variants = Setting("level:2", "random"), Setting("greedy", "random", "three")
    monkeypatch.setattr(strength, "PLAN", {"levels": [levels], "variants": [variants]})
    monkeypatch.setattr(strength, "DUELS", tmp_path / "duels.jsonl")
    strength.DUELS.write_text("")
    return [str(tmp_path / "logs"), "--workers", "1"]


def kept_outcomes() -> dict[str, list[str]]:
    """The results of each kept duel, pair by pair."""
    return {duel["a"]: duel["outcomes"].split() for duel in strength.read_logged_duels()}


def test_everything_is_measured_by_one_command_that_goes_on(tmp_path: Path, plan: list[str]) -> None:
    """In two goes: the second plays what is missing alone, and any number of processes the same."""
    strength.measure([*plan, "--pairs", "2", "--dry"])
    logs = {path: path.read_bytes() for path in (tmp_path / "logs").rglob("*.jsonl")}
    assert len(logs) == 2
    assert not strength.DUELS.read_text()
    strength.measure([*plan, "--pairs", "2", "--workers", "2"])
    assert {path: path.read_bytes() for path in logs} == logs, "nothing is played twice"
    kept = kept_outcomes()
    assert [*map(len, kept.values())] == [2, 2]
    strength.measure([str(tmp_path / "other"), *plan[1:], "--pairs", "2", "--among", "level:2", "random"])
    assert kept_outcomes() == kept


def test_it_goes_on_from_the_kept_results(
    tmp_path: Path, plan: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another machine, which has no logs; what other players did does not count."""
    strength.measure([*plan, "--pairs", "3"])
    whole = kept_outcomes()
    short = [
        duel | {"outcomes": " ".join(duel["outcomes"].split()[:2])} for duel in strength.read_logged_duels()
    ]
    strength.DUELS.write_text("".join(f"{json.dumps(duel)}\n" for duel in short))
    played = list[int]()

    def note_and_play(of: Setting, number: int) -> Pair:
        played.append(number)
        return play_pair(of, number)

    monkeypatch.setattr("chouine.arena.duel.play_pair", note_and_play)
    strength.measure([str(tmp_path / "other"), *plan[1:], "--pairs", "3"])
    assert kept_outcomes() == whole
    assert played == [2, 2]
    monkeypatch.setattr(strength, "digest_of", lambda *_: "other")
    strength.measure([str(tmp_path / "other"), *plan[1:], "--pairs", "1"])
    assert played == [2, 2, 0, 0]
    assert [*map(len, kept_outcomes().values())] == [1, 1]


def test_an_interrupted_measurement_keeps_what_is_better_than_before(
    plan: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    strength.measure([*plan, "--pairs", "2"])

    def interrupt(of: Setting, number: int) -> Pair:
        if number == 3:
            raise KeyboardInterrupt
        return play_pair(of, number)

    monkeypatch.setattr("chouine.arena.duel.play_pair", interrupt)
    with pytest.raises(KeyboardInterrupt):
        strength.measure([*plan, "--pairs", "5"])
    assert [*map(len, kept_outcomes().values())] == [3, 2]


def test_players_are_known_again_by_what_they_do() -> None:
    assert digest_of(SETTING) == digest_of(replace(SETTING, names=("other", "names")))
    assert digest_of(SETTING) != digest_of(replace(SETTING, seed="other"))
    assert digest_of(SETTING) != digest_of(replace(SETTING, a="greedy"))


def test_a_time_limit_is_part_of_the_name() -> None:
    limited = Setting("greedy", "random", seconds=(0.5, None))
    assert row_of(limited, "seconds", "abc")["a"] == "greedy, 0.5 s"
