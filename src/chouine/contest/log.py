"""The log: one line an act, each sealed by the SHA-256 of itself and of the line before (a hash chain)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Generic, Self, TypeVar

from chouine.contest.acts import ContestAct
from chouine.contest.errors import ActRefused
from chouine.contest.plain import KINDS, LARGEST, act_data, act_of, is_readable

A = TypeVar("A")

START = "0" * 64
"""The seal before the first line."""
LATEST = 253_000_000_000_000
"""No act is later than this, in the year 9987: the clock has no hour for later ones."""


@dataclass(frozen=True, slots=True)
class SealedLine(Generic[A]):
    """A line of any log of acts; a subclass says which kinds of acts its log knows."""

    kinds: ClassVar[Mapping[str, type]] = {}
    n: int
    """From 1."""
    at: int
    """Milliseconds since 1970, UTC; never decreasing."""
    by: str
    """The desk's role; never a person's name, since the log cannot be erased."""
    act: A
    seal: str
    """`seal_after` the seal of the line before."""

    @classmethod
    def after(cls, before: Self | None, act: A, by: str, at: int) -> Self:
        """The next line. If the clock was set back, it gets the time of the line before."""
        n, at = (1, at) if before is None else (before.n + 1, max(at, before.at))
        line = cls(n, at, by, act, "")
        return cls(n, at, by, act, line.seal_after(before.seal if before else START))

    def seal_after(self, before: str) -> str:
        """SHA-256 of the previous line's seal, a newline and this line without its own."""
        return sha256(f"{before}\n{text(self.sealed_data())}".encode()).hexdigest()

    def sealed_data(self) -> dict[str, Any]:
        """The sealed fields as JSON data."""
        return {"n": self.n, "at": self.at, "by": self.by, "act": act_data(self.act, self.kinds)}

    def __str__(self) -> str:
        """The line as JSON."""
        return text({**self.sealed_data(), "seal": self.seal})

    @classmethod
    def parse(cls, line: str) -> Self:
        """Parse the JSON that `str` gives. Raises `ActRefused`. Does not verify the seal."""
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise ActRefused("contest/json") from fault
        if not isinstance(data, dict) or data.keys() != {"n", "at", "by", "act", "seal"}:
            raise ActRefused("contest/shape", piece="line")
        n, at, by, seal = data["n"], data["at"], data["by"], data["seal"]
        whole = all(
            type(number) is int and 0 <= number <= most for number, most in ((n, LARGEST), (at, LATEST))
        )
        if not (whole and is_readable(by) and is_readable(seal)):
            raise ActRefused("contest/shape", piece="line")
        return cls(n, at, by, act_of(data["act"], cls.kinds), seal)


class LogLine(SealedLine[ContestAct]):
    """A line of a contest's log."""

    __slots__ = ()
    kinds = KINDS


def text(data: object) -> str:
    """Canonical JSON: sorted keys, no blanks, no escapes for letters."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def first_broken_line(lines: Iterable[SealedLine[Any]]) -> int | None:
    """The number of the first line whose seal is wrong; None if there is none."""
    before: SealedLine[Any] | None = None
    for nth, line in enumerate(lines, 1):
        if line != type(line).after(before, line.act, line.by, line.at) or line.n != nth:
            return nth
        before = line
    return None
