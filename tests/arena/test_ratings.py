"""Ratings of results simulated from known ratings; and `chouine pool`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations
from math import log10, sqrt
from pathlib import Path
from random import Random

import pytest

from chouine.arena.pool import Couple, ratings, times_of
from chouine.cli import main
from tests.cli.bare import without_compiler

Pairs = list[tuple[int, int]]


def made_up(elos: list[float], pairs: int, rng: Random, deals: float = 0.0) -> dict[Couple, Pairs]:
    """Simulated results under the model; in a fraction `deals` of the pairs the deal decides, one partie each."""
    results = {}
    decided = [rng.random() < deals for _ in range(pairs)]
    for one, other in combinations(range(len(elos)), 2):
        chance = 1 / (1 + 10 ** ((elos[other] - elos[one]) / 400))
        own = (chance - deals / 2) / (1 - deals)
        wins = [1 if split else sum(rng.random() < own for _ in range(2)) for split in decided]
        results[one, other] = [(won, 2 - won) for won in wins]
    return results


def test_two_players_are_apart_by_the_odds() -> None:
    (a, b) = ratings(2, {(0, 1): [(2, 0)] * 57 + [(1, 1)] * 21 + [(0, 2)] * 20})
    wins, losses = 2 * 58 + 21, 2 * 21 + 21  # with one prior pair won by each
    assert a.elo - b.elo == pytest.approx(400 * log10(wins / losses))
    assert a.elo == pytest.approx(-b.elo)
    assert a.error == pytest.approx(b.error)
    squares = 58 * 2**2 * (losses / 200) ** 2 + 21 * 2**2 * (wins / 200) ** 2 + 21 * (1 - wins / 100) ** 2
    deviation = (
        sqrt(squares) / 200 / (wins * losses / 200**2)
    )  # the delta method, for the logarithm of the odds
    assert a.error == pytest.approx(1.96 * 400 / 2.302585 * deviation / 2, rel=1e-4)


def test_the_intervals_hold_the_true_ratings_in_95_of_100() -> None:
    """The intervals cover the true ratings, and are narrower where many deals split pairs, which parties would hide."""
    elos, widths = [-90.0, -20.0, 30.0, 80.0], []
    for deals in (0.0, 0.4):
        rng, held, width = Random(3), 0, 0.0
        for _ in range(50):
            told = ratings(4, made_up(elos, 150, rng, deals))
            held += sum(abs(rating.elo - elo) <= rating.error for rating, elo in zip(told, elos, strict=True))
            width += sum(rating.error for rating in told) / 200
            assert sum(rating.elo for rating in told) == pytest.approx(0, abs=1e-6)
        assert 180 <= held <= 198
        widths.append(width)
    even = 1.96 * 400 / 2.302585 * sqrt(3 / 4 / (4 * 300 / 4))  # if all four were equal
    assert widths[0] == pytest.approx(even, rel=0.1)
    assert widths[1] < 0.9 * widths[0]


def test_intervals_do_not_depend_on_the_order_of_names() -> None:
    """The ratings do not depend on the players' order, even after a single pair each."""
    chance = Random(5)
    for _ in range(100):
        few = {couple: [(won := chance.randrange(3), 2 - won)] for couple in combinations(range(3), 2)}
        told = ratings(3, few)
        order = [2, 0, 1]
        turned = ratings(
            3,
            {
                (min(a, b), max(a, b)): pairs if a < b else [(lost, won) for won, lost in pairs]
                for (one, other), pairs in few.items()
                for a, b in [(order[one], order[other])]
            },
        )
        for nth, rating in enumerate(told):
            assert rating.error > 0
            assert turned[order[nth]].error == pytest.approx(rating.error)


def test_a_player_without_wins_has_a_rating() -> None:
    told = ratings(3, {(0, 1): [(2, 0)] * 50, (0, 2): [(2, 0)] * 50, (1, 2): [(1, 1)] * 50})
    assert told[0].elo > 300
    assert told[1].elo == pytest.approx(told[2].elo)


def test_times() -> None:
    assert times_of([]) == (0, 0, 0)
    assert times_of([5_000_000]) == (5, 5, 5)
    mean, p99, longest = times_of([*range(1, 200), 1_000_000])
    assert mean == pytest.approx((199 * 100 + 1_000_000) / 200 / 1e6)
    assert p99 == pytest.approx(198e-6)
    assert longest == 1


def test_a_pool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A player may be added later: pairs in the logs are not played again."""
    common = ["--pairs", "30", "--workers", "1", "--logs", str(tmp_path / "logs"), "--language", "en"]
    (tmp_path / "logs").mkdir()
    assert main(["pool", "random", "greedy", *common]) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "logs").iterdir()}
    capsys.readouterr()
    tables = tmp_path / "tables.md"
    assert main(["pool", "random", "greedy", "heuristic", *common, "--markdown", str(tables), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert {path: path.read_bytes() for path in before} == before
    assert len(list((tmp_path / "logs").iterdir())) == 3
    by_name = {player["player"]: player for player in figures["players"]}
    assert by_name["random"]["elo"] < by_name["greedy"]["elo"] < by_name["heuristic"]["elo"]
    for player in figures["players"]:
        assert 0 < max(player["seconds"], player["p99"]) <= player["longest"]
    assert [(duel["a"], duel["b"]) for duel in figures["duels"]] == list(
        combinations(("random", "greedy", "heuristic"), 2)
    )
    told = tables.read_text()
    assert told.count("\n| --- |") == 2
    names = [line.split("|")[1].strip() for line in told.splitlines() if "±" in line]
    assert names == ["heuristic", "greedy", "random", "random", "greedy", "heuristic"]
    rate = figures["duels"][0]["rate"]
    assert f"{100 * rate:.1f} ± " in told
    assert f"{100 - 100 * rate:.1f} ± " in told
    assert main(["pool", "random", "greedy", "heuristic", *common]) == 0
    plain = capsys.readouterr().out
    assert "ms a decision" in plain
    assert [line.split()[0] for line in plain.splitlines()[1:4]] == names[:3]


def test_a_cell_of_the_cross_table_is_a_duel(capsys: pytest.CaptureFixture[str]) -> None:
    common = ["--pairs", "5", "--workers", "1", "--json", "--seed", "x", "--rules", "three"]
    assert main(["pool", "random", "greedy", *common]) == 0
    pooled = json.loads(capsys.readouterr().out)["duels"][0]
    assert main(["duel", "random", "greedy", *common]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert all(pooled[key] == alone[key] for key in alone if not key.startswith("seconds"))


def test_a_pool_without_numpy_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "chouine", "pool", "random", "greedy", "--pairs", "1"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **without_compiler(tmp_path)},
    )
    assert done.returncode == 2
    assert "pip install 'chouine[fast]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("players", [["random"], ["random", "greedy", "random"], ["random", "nobody"]])
def test_no_pool(players: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pool", *players, "--pairs", "1"]) == 2
    assert capsys.readouterr().err.startswith("chouine pool: ")
