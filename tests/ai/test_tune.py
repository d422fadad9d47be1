"""Comparison of weight tables by play."""

from __future__ import annotations

import json

import numpy as np
import pytest

from chouine.ai.training.tune import win_share
from chouine.players.evaluation import WEIGHTS
from chouine.rules.book import book_of
from chouine.rules.options import Rules


@pytest.mark.parametrize("preset", ["classic", "mondoubleau-three"])
def test_equals_share_alike_and_nonsense_loses(preset: str) -> None:
    rules = Rules.parse(preset)
    book, weights = book_of(rules), np.array(json.loads(WEIGHTS.read_text())[preset])
    assert win_share(book, weights, weights, 50, seed=1) == pytest.approx(1 / rules.seats)
    assert win_share(book, -weights, weights, 200, seed=2) < 0.6 / rules.seats
