"""The book's figures: exact odds, intervals, agreement of two seeds, and reproduction from small parts."""

from __future__ import annotations

import csv
import re
import subprocess
from fractions import Fraction
from math import isclose, sqrt
from pathlib import Path

import numpy as np
import pytest

from chouine import __version__, cli
from chouine.book import estimates, run
from chouine.book.estimates import TableFigure, count_disagreements, figure, figures_of
from chouine.book.kernel import DRAWING, play
from chouine.book.tallies import tallies_of
from chouine.cli import book

BOOK = Path(__file__).parents[2] / "docs" / "book"


def test_exact_odds() -> None:
    """§9: A quinte is dealt once in 3,596 hands, a chouine once in 50,344."""
    assert estimates.chance_dealt("quinte") == Fraction(1, 3_596)
    assert estimates.chance_dealt("chouine") == Fraction(1, 50_344)
    assert (
        estimates.chance_dealt("mariage")
        > estimates.chance_dealt("tierce")
        > estimates.chance_dealt("quarteron")
        > estimates.chance_dealt("chouine")
    )


def test_the_exact_odds_are_a_file_of_the_book(tmp_path: Path) -> None:
    """It needs no play, and is the one in `docs/book/data`."""
    estimates.write_csv(tmp_path, {})
    (written,) = tmp_path.iterdir()
    assert written.name == "exact.csv"
    assert written.read_bytes() == (BOOK / "data" / "exact.csv").read_bytes()


def test_what_is_dealt_is_dealt_as_often_as_it_must_be() -> None:
    counted = tallies_of(*play("level:1", 20_000, 3, 1_000))
    for family, tally in zip(("mariage", "tierce"), counted["dealt"], strict=False):
        chance = float(estimates.chance_dealt(family))
        assert abs(tally[1] / tally[0] - chance) < 4 * sqrt(chance / tally[0])
    seven = float(estimates.dealt_seven())
    n, many, _ = counted["dealt_seven"][0]
    assert abs(many / n - seven) < 4 * sqrt(seven / n)


def test_a_hidden_card_comes_as_often_as_it_must() -> None:
    """§5: A hidden card's frequency matches: a player draws ten or eleven of the 26 cards it does not see."""
    played, _ = play("level:1", 4_000, 4, 4_000)
    whole = played.tricks >= DRAWING
    first, turnup = played.hands[whole, 0, 0].astype(np.int64), played.turnup[whole, 0].astype(np.int64)
    ever = np.bitwise_or.reduce(played.hands[whole, : DRAWING + 1, 0], axis=1).astype(np.int64)
    seven = 1 << (turnup & 24)  # it may be exchanged, and then drawn as the turnup (§11)
    unseen = ~(first | 1 << turnup | seven) & 0xFFFFFFFF
    came = np.bitwise_count(ever & unseen).sum() / np.bitwise_count(unseen).sum()
    assert isclose(came, float(estimates.chance_to_come(0)), abs_tol=0.005)


def test_intervals() -> None:
    share = figure("t", "share", "", (1_000, 500, 500))
    assert share is not None
    assert isclose(share.low, 0.469, abs_tol=1e-3)
    assert isclose(share.high, 0.531, abs_tol=1e-3)
    mean = figure("t", "mean", "", (100, 200, 500))
    assert mean is not None
    assert isclose(mean.high - mean.value, 1.96 * sqrt(5 - 4) / 10, rel_tol=1e-4)
    assert figure("t", "few", "", (29, 3, 3)) is None


def test_figures_that_differ_significantly_are_listed() -> None:
    near, far = TableFigure("t", "a", "", 10, 0.5, 0.4, 0.6), TableFigure("t", "a", "", 10, 0.8, 0.7, 0.9)
    assert count_disagreements([near], [near]) == (1, 0)
    assert count_disagreements([near], [far]) == (1, 1)


def test_two_seeds_agree_within_their_intervals() -> None:
    one, other = (figures_of(tallies_of(*play("level:2", 6_000, seed, 2))) for seed in (11, 12))
    both, apart = count_disagreements(one, other)
    assert both > 150
    assert apart / both < 0.12


def test_two_processes_write_the_same_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PART", 1_200)
    written = []
    for workers in ("1", "2"):
        folder = tmp_path / workers
        folder.mkdir()
        asked = ["book", "--parties", "1200", "--level-parties", "1200", "--workers", workers]
        assert cli.main([*asked, "--parts", str(folder / "parts"), "--write", str(folder / "book")]) == 0
        written.append(
            {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        )
    assert written[0] == written[1]
    assert len(written[0]) > 20


def test_the_book_is_written_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command runs end to end in small parts; a second run of the same version reuses them."""
    monkeypatch.setattr(run, "PART", 1_200)
    other = tmp_path / "parts" / "0.0.9" / "net-1-00000.npz"
    other.parent.mkdir(parents=True)
    other.write_text("of another version")
    asked = ["book", "--parties", "1200", "--level-parties", "1200"]
    asked += ["--parts", str(tmp_path / "parts"), "--write", str(tmp_path / "book")]
    assert cli.main([*asked, "--language", "en"]) == 0
    assert f"The book is in {tmp_path / 'book'}." in capsys.readouterr().out
    parts = sorted((tmp_path / "parts" / __version__).iterdir())
    assert len(parts) == 8
    moments = [path.stat().st_mtime_ns for path in parts]
    written = {path.name: path.read_bytes() for path in (tmp_path / "book" / "data").iterdir()}
    assert cli.main(asked) == 0
    assert [path.stat().st_mtime_ns for path in parts] == moments
    assert {path.name: path.read_bytes() for path in (tmp_path / "book" / "data").iterdir()} == written
    for language in ("fr", "en"):
        text = (tmp_path / "book" / f"{language}.md").read_text(encoding="utf-8")
        assert "{{" not in text
        assert text.count("\n| --- |") >= 15
        assert "3,596" in text or "3\N{NO-BREAK SPACE}596" in text
    results = (tmp_path / "book" / "data" / "results.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(results.splitlines()))
    assert {row["player"] for row in rows} == {"net", *run.LEVELS}
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows)


def test_the_commit_of_a_book_is_never_that_of_the_user_s_own_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package may be installed in a folder of the user's sources."""
    module = tmp_path / "book.py"
    module.touch()
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Begin"], check=True)
    monkeypatch.setattr(book, "__file__", str(module))
    assert book.commit() == __version__
    subprocess.run([*git, "add", module.name], check=True)
    assert re.fullmatch("[0-9a-f]{7,}", book.commit())
