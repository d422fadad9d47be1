"""A problem: a position in which one act is right, and what is known about it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import log
from typing import Any, Literal, NamedTuple, Self

from chouine.errors import ChouineError
from chouine.notation.lines import read_state
from chouine.notation.setup import Setup
from chouine.notation.tokens import read_action
from chouine.partie.actions import Action
from chouine.partie.deal import SEATS
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.plaintext import parse_json
from chouine.rules.options import Rules

Kind = Literal["ending", "equilibrium", "search"]
AVERAGE, UNIT = 1500, 400 / log(10)
"""The rating scale: the handicapped levels' mean rating, and the points that multiply odds by e."""
KINDS: tuple[Kind, ...] = ("ending", "equilibrium", "search")
"""The method of solution: exact, equilibrium over both hands, or rollouts in sampled worlds."""


class BadProblem(ChouineError, ValueError):
    """A text is not a valid problem."""


@dataclass(frozen=True)
class Problem:
    """A position to solve. `partie` is the full truth and must never reach the solver; `repr` does not show it."""

    id: str
    kind: Kind
    partie: str = field(repr=False)
    """The partie line, up to where the seat is to act."""
    solution: tuple[str, ...] = field(repr=False)
    """Tokens of the right act, the others' replies, the next right act and so on; the solver's act comes last."""
    gap: float
    """Loss by the second best act, in shares of a partie."""
    themes: tuple[str, ...]
    solved: tuple[float, ...]
    """Share of attempts that found the right act, for each level from the lowest."""
    difficulty: int = 0
    """Its rating: a player with the same rating solves it in half of the attempts."""
    acts: int = 0
    """How many acts are legal in it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text that `str` gives. Raises `BadProblem`."""
        try:
            data = {name: as_tuple(value) for name, value in parse_json(text).items()}
            problem = cls(**data)
            problem.check()
        except (ValueError, TypeError, AttributeError) as error:
            raise BadProblem("problem/unreadable") from error
        return problem

    def __str__(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    def check(self) -> None:
        """Raise `TypeError` or `ValueError` for an invalid field, without replaying the partie."""
        texts = self.id, self.partie, *self.solution, *self.themes
        numbers = self.gap, self.difficulty, self.acts, *self.solved
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("not a text")
        if not all(isinstance(number, int | float) for number in numbers):
            raise TypeError("not a number")
        if self.kind not in KINDS or not self.solution:
            raise ValueError(self.kind)
        for act in self.solution:
            read_action(act)

    @property
    def quick(self) -> bool:
        """Whether only two acts are legal: who guesses is right half of the time."""
        return self.acts == 2

    @cached_property
    def state(self) -> State:
        """The truth."""
        return read_state(self.partie)

    @cached_property
    def rules(self) -> Rules:
        return Rules.parse(self.partie.partition(" ")[0])

    @property
    def seat(self) -> int:
        """Who is to act."""
        return self.state.position.turn

    @property
    def view(self) -> View:
        """The view of the seat to act."""
        return self.state.view(self.seat)

    @property
    def best(self) -> Action:
        """The right act."""
        return read_action(self.solution[0])

    def _repr_svg_(self) -> str:
        """What the solver may see, an SVG with its hand nearest."""
        return self.shown.svg()

    @property
    def shown(self) -> Setup:
        """The position as the seat to act knows it; complete in an ending."""
        return Setup.of(self.state if self.kind == "ending" else self.view)

    @property
    def line(self) -> str:
        """The position line from the view of the seat to act; complete in an ending."""
        return str(self.shown)

    def as_json(self) -> dict[str, Any]:
        """The data for other programs; see docs/notation.md."""
        data = {
            "id": self.id,
            "line": self.line,
            "seat": SEATS[self.seat],
            "best": [self.solution[0]],
            "kind": self.kind,
            "gap": self.gap,
            "themes": list(self.themes),
            "difficulty": self.difficulty,
        }
        return data | ({"deal": str(self.state.deal)} if self.kind == "ending" else {})


def as_tuple(value: object) -> Any:
    """Convert JSON lists to tuples."""
    return tuple(value) if isinstance(value, list) else value


class Sound(NamedTuple):
    """The only right act, and what the second best loses, in shares of a partie."""

    best: Action
    gap: float
