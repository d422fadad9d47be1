"""What is called a mistake, and how: the same whatever found it."""

from __future__ import annotations

SIGNIFICANT = 3.0
"""Standard errors from which a difference counts. At two, good acts are now and then called mistakes: the best of
several estimates is biased upwards."""
LABELS = ((0.12, "blunder"), (0.05, "mistake"), (0.02, "inaccuracy"))
"""Names of mistakes by the win probability lost."""
LEAST = LABELS[-1][0]


def label_of(cost: float) -> str | None:
    """`blunder`, `mistake`, `inaccuracy`, or None."""
    return next((label for least, label in LABELS if cost >= least), None)


def cost_of(lost: float, error: float) -> float:
    """Win probability lost by an act that is so much behind, with this standard error; 0 if that is not sure."""
    return lost if lost > SIGNIFICANT * error and lost > 0 else 0.0
