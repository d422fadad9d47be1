"""The format of a match: parties for a manche, manches for the match (§13)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from chouine.errors import NotationError


@dataclass(frozen=True, slots=True)
class Format:
    """`Format.parse("5x2")`: five parties won make a manche, two manches won make the match."""

    parties: int
    """Parties to win for a manche."""
    manches: int
    """Manches to win for the match: one, or two with a belle at one all."""

    def __post_init__(self) -> None:
        if self.parties < 1 or self.manches not in (1, 2):
            raise ValueError("a manche has at least one partie, a match is to one manche or two (§13)")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `5x2`, or `5` for one manche. Raises `NotationError`."""
        found = re.fullmatch(r"([1-9][0-9]{0,2})(?:x([12]))?", text)
        if not found:
            raise NotationError("syntax/format", 1, 1, text)
        return cls(int(found[1]), int(found[2] or 1))

    def __str__(self) -> str:
        return f"{self.parties}x{self.manches}"
