"""`chouine replay --legal` agrees with the referee on random rules, deals and actions, illegal ones included.

Runs a few cases by default; `CHOUINE_REFEREE=20000 pytest tests/notation/test_replay_against_referee.py` runs more.
"""

from __future__ import annotations

import json
import os
from io import BufferedReader, BytesIO, TextIOWrapper
from random import Random

import pytest

from chouine.cards import PACK
from chouine.cli import main
from chouine.partie import Declaration
from chouine.rules.combinations import ACTIONS, MARIAGE
from tests.referee import Referee, Refused, random_deal, random_rules, replay, rich_deal
from tests.referee.deals import random_partie

PARTIES = int(os.environ.get("CHOUINE_REFEREE", "150"))
SAID = [str(Declaration(number)) for number in range(MARIAGE, ACTIONS)]
TOKENS = ["7x", *map(str, PACK), *[f"{card}+{said}" for card in PACK for said in SAID]]


def partie(rng: Random) -> str:
    """A random partie line, complete or truncated."""
    rules = random_rules(rng)
    words = random_partie(rules, rng.choice((random_deal, rich_deal))(rules, rng), rng).split()
    return " ".join(words[: rng.choice((len(words), rng.randint(6, len(words))))])


def spoilt(line: str, rng: Random) -> str:
    """The line with one action replaced, usually by one of the seat's own cards."""
    words = line.split()
    if len(words) > 6:
        words[rng.randrange(6, len(words))] = rng.choice(
            [*TOKENS[:33], *TOKENS[:33], *TOKENS, *words[6:] * 20]
        )
    return " ".join(words)


def referee_outcome(line: str) -> tuple[object, int]:
    """The referee's result, and the column of the refused token, or 0."""
    head, _, actions = line.partition(" :")
    referee = Referee(head)
    for nth, token in enumerate(actions.split()):
        try:
            referee.play(token)
        except Refused:
            before = " ".join(line.split()[: 6 + nth])
            return None, len(before) + 2
    return replay(line), 0


def run_replay(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[object]:
    """The output of the command for each line."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BufferedReader(BytesIO("\n".join(lines).encode()))))
    main(["replay", "--legal"])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("seed", range(3))
def test_replay_agrees_with_the_referee(
    seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = Random(f"replay {seed}")
    honest = [partie(rng) for _ in range(PARTIES // 3)]
    lines = [line if rng.random() < 0.5 else spoilt(line, rng) for line in honest]
    told = run_replay(lines, monkeypatch, capsys)
    refused = 0
    for line, answer in zip(lines, told, strict=True):
        outcome, column = referee_outcome(line)
        assert isinstance(answer, dict)
        if column:
            refused += 1
            error = answer["error"]
            assert error["code"].startswith("illegal/"), line
            assert (error["column"], error["token"]) == (column, line[column - 1 :].split()[0]), line
        else:
            assert answer == outcome, line
    assert 0 < refused < len(lines)
