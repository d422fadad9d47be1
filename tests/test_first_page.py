"""The names that library users need are in `chouine`, and importing it loads nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import chouine
from chouine import fast

RECORD = Path(__file__).parent / "records" / "lavardin.cgn"


@pytest.mark.parametrize("name", chouine.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(chouine, name) is not None
    assert name in dir(chouine)


def test_any_other_name_is_not() -> None:
    """Neither as a program is run, nor as it is checked: mypy tells an `ignore` without use."""
    with pytest.raises(AttributeError, match="Nobody"):
        _ = chouine.Nobody  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="Nothing"):
        _ = fast.Nothing  # type: ignore[attr-defined]


def test_importing_it_loads_no_other_module_of_it() -> None:
    script = "import sys, chouine; print([name for name in sys.modules if name.startswith('chouine.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_random_against_heuristic() -> None:
    rules = chouine.Rules.parse("classic;au-sept=yes")
    deal = chouine.Deal.random(rules, 0, Random(1))
    done = chouine.play_partie(rules, deal, [chouine.player_of("random"), chouine.player_of("heuristic")])
    assert done.state.result is not None


def test_records_are_read_from_a_text_as_from_lines() -> None:
    text = RECORD.read_text(encoding="utf-8")
    records = list(chouine.read_records(text))
    assert records
    assert list(map(str, records)) == list(map(str, chouine.read_records(text.splitlines())))


def test_legal_and_best_of_a_line() -> None:
    line = "classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs"
    assert chouine.best(line) in chouine.legal(line)
    assert chouine.best(line, "greedy") in chouine.legal(line)
    with pytest.raises(ValueError, match="zz"):
        chouine.legal("zz")


def test_a_partie_that_is_over_has_no_legal_act() -> None:
    (record,) = chouine.read_records(RECORD.read_text(encoding="utf-8"))
    assert isinstance(record, chouine.Record)
    over = f"{record.rules} {record.deal} : {' '.join(map(str, record.actions))}"
    assert chouine.legal(over) == ()


@pytest.mark.parametrize("preset", ["classic", "four", "mondoubleau"])
def test_deals_as_arrays(preset: str) -> None:
    rules = chouine.Rules.parse(preset)
    of = chouine.deals(2000, rules, seed=3)
    assert of.hands.shape == (2000, rules.seats)
    for hands, turnup, talon in zip(*of, strict=True):
        cards = [card for hand in hands for card in chouine.CardSet(int(hand))]
        assert sorted([*cards, *talon.tolist(), *([int(turnup)] if turnup >= 0 else [])]) == list(range(32))
    dealt = {2: 10, 4: 12}[rules.seats]
    assert (of.hands & 1).any(axis=1).mean() == pytest.approx(dealt / 32, abs=0.05)


def test_a_class_of_ones_own_in_a_duel() -> None:
    class First:
        def act(self, view: chouine.View) -> chouine.Play | chouine.Exchange | None:
            return view.legal[0] if view.legal else None

    score = chouine.duel(First, "random", pairs=10)
    assert score.pairs == 10
    assert score.wins + score.losses + score.nulles == 20
    assert chouine.duel(First, "random", pairs=10).tally == score.tally
