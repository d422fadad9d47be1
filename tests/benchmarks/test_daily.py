"""The deal of the day by all levels: both builds of the kernels play alike, and when the order of the levels is out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks import daily
from benchmarks.daily import Different, Ranking
from chouine.ai import search
from chouine.daily import PlayedDay
from chouine.players.base import Player
from chouine.registry import player_of
from chouine.rules import Rules
from tests.needs import need


@pytest.fixture(autouse=True)
def own_kernels() -> Iterator[None]:
    yield
    search._backends.clear()  # production code never removes a backend


def test_two_days_are_played_alike_and_a_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need("kernels")
    log, costs = tmp_path / "days", list[PlayedDay]()

    def cost_of(played: PlayedDay) -> float:
        costs.append(played)
        return len(costs) / 100

    monkeypatch.setattr(daily, "COSTED", 1)
    monkeypatch.setattr(PlayedDay, "cost", property(cost_of))
    monkeypatch.setattr("sys.argv", ["daily", "days", "2", "--log", str(log)])
    daily.main()
    told = capsys.readouterr().out
    assert "2 days of 3 parties, levels 1 to 8" in told
    assert "no difference" in told
    assert "cost a day, parties (2 days)" in told
    assert len(costs) == 16
    daily.main()
    assert capsys.readouterr().out == told
    assert len(costs) == 16  # all was in the log


def test_another_act_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    need("kernels")
    made = list[int]()

    def one_build_plays_worse(_: str, rules: Rules, seed: int) -> Player:
        made.append(seed)
        return player_of("level:6" if len(made) > 3 else "level:1", rules, seed)

    monkeypatch.setattr(daily, "player_of", one_build_plays_worse)
    with pytest.raises(Different, match="2027-01-02, level 1"):
        daily.play_by_all_levels(1)


def test_the_order_is_out_when_no_later_day_changes_it() -> None:
    """The better is behind after the second day alone; those who are not told apart have no order."""
    best = np.array([3.0, -9.0, 8.0, 3.0, 3.0, 3.0, 3.0, 3.0, 4.0, 3.0] * 4)
    ranking = Ranking(np.stack([best, best - 1, np.zeros(40), np.tile([5.0, -5.0], 20)], axis=1))
    assert (0, 1) in ranking.parted
    assert (0, 2) in ranking.parted
    assert not {(2, 3), (3, 2)} & {*ranking.parted}
    assert ranking.known == 4
