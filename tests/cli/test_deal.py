"""`chouine deal`."""

from __future__ import annotations

import pytest

from chouine.cli import main
from chouine.notation import read_state
from chouine.rules import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_can_be_played(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "--rules", preset, "--dealer", "b", "--seed", "7"]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"{preset} b ")
    assert read_state(line).deal.dealer == 1


def test_a_seed_deals_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for seed in ("7", "7", "8"):
        main(["deal", "--seed", seed])
        lines.append(capsys.readouterr().out)
    assert lines[0] == lines[1] != lines[2]


def test_no_seed_deals_differently(capsys: pytest.CaptureFixture[str]) -> None:
    main(["deal"])
    main(["deal"])
    first, second = capsys.readouterr().out.splitlines()
    assert first != second


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rules", "belote"], "Unknown rules: “belote”."),
        (["--dealer", "x"], "Unknown seat: “x”."),
        (["--dealer", "c"], "no such seat at the table"),
    ],
)
def test_rules_and_dealers_that_do_not_exist(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", "--language", "en", *arguments]) == 2
    assert told in capsys.readouterr().err
