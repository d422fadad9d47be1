"""The four colours of the suits, for those who see fewer colours."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from art.palette import SUITS

SEEN = {
    "without red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "without green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "without blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
"""Linear RGB as dichromats see it (Machado, Oliveira and Fernandes 2009, severity 1)."""
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
WHITE = [0.9505, 1, 1.089]
APART = 25
"""Least distance of two colours in CIELAB: ten times what is just noticed."""


def light(colour: str) -> np.ndarray:
    """A colour's linear RGB."""
    share = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """Linear RGB in CIELAB."""
    x, y, z = np.cbrt(np.array(XYZ) @ rgb.clip(0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eyes", SEEN)
def test_the_four_colours_differ_for_the_colour_blind(eyes: str) -> None:
    seen = {suit.name: lab(np.array(SEEN[eyes]) @ light(suit.four_colours)) for suit in SUITS}
    near = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(seen, 2)}
    assert min(near.values()) > APART, near


def test_the_four_colours_are_legible_on_the_cards() -> None:
    """A contrast of 4.5 on white, as for text."""
    for suit in SUITS:
        assert 1.05 / (np.array(XYZ[1]) @ light(suit.four_colours) + 0.05) > 4.5, suit.name
