"""`chouine analyse`: the sum of a partie, its mistakes and reasons, and records that cannot be analysed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chouine.ai.reasons import TRAITS, reasons
from chouine.ai.worlds import worlds
from chouine.cli import main
from chouine.notation.lines import read_view
from chouine.partie import Play
from tests.cli.bare import without_compiler

RECORDS = Path("tests/records")
LAVARDIN = RECORDS / "lavardin.cgn"
FACE_DOWN = "??" * 21


def analysed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(["analyse", "--worlds", "60", *arguments])
    return capsys.readouterr().out


def test_result_is_luck_and_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    """To the last percent; what one gives away the other is given."""
    for line in analysed(capsys, "--json", str(LAVARDIN)).splitlines():
        told = json.loads(line)
        a, b = told["seats"]
        for seat in (a, b):
            parts = seat["fair"] + seat["mistakes"] + seat["others_mistakes"] + seat["luck"]
            assert seat["result"] == pytest.approx(parts, abs=2e-3)
        assert a["mistakes"] == -b["others_mistakes"]
        assert a["luck"] == pytest.approx(-b["luck"], abs=2e-3)
        for act in told["acts"]:
            assert act["done"] != act["best"]
            assert 0.02 <= act["cost"] <= 1
            assert all(trait in TRAITS and more > 0 for trait, more in act["reasons"].items())


def test_the_same_seed_says_the_same_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    french, english, again = (
        analysed(capsys, "--language", language, str(LAVARDIN)) for language in ("fr", "en", "fr")
    )
    assert french == again
    assert "part égale" in french
    assert "fair share" in english
    assert [line.split()[:3] for line in french.splitlines() if "mieux" in line] == [
        [*line.split()[:2], line.split()[2].rstrip(":")] for line in english.splitlines() if "better" in line
    ]


def test_what_cannot_be_analysed_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.cgn"
    broken.write_text('[Rules "classic"]\n[Deal "b nothing"]\n\n 1. Qs 1-0\n')
    assert main(["analyse", "--language", "en", str(broken)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("chouine analyse: 2:")
    assert main(["analyse", "--language", "en", str(tmp_path / "none.cgn")]) == 2
    assert "none.cgn" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "words"), [("fr", "demande numba"), ("en", "needs numba")])
def test_without_the_compiler_it_says_what_it_needs(language: str, words: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chouine", "analyse", "--language", language, str(LAVARDIN)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **without_compiler(tmp_path)},
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert "pip install 'chouine[fast]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_reasons_speak_for_the_better_act_only() -> None:
    """A quinte said is fifty points declared; the other way round nothing speaks for it."""
    view = read_view(f"classic b AT.A.T.A|?5 7c {FACE_DOWN} :", 0)
    spoken = next(action for action in view.legal if isinstance(action, Play) and action.declaration)
    silent = Play(spoken.card)
    among = worlds(view, 50, 1)
    told = {reason.trait: reason.difference for reason in reasons(view, spoken, silent, among)}
    assert told["declared"] > 10
    assert "declared" not in {reason.trait for reason in reasons(view, silent, spoken, among)}
