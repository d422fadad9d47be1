"""The log: one line an act, each sealed by the SHA-256 of itself and of the line before (a hash chain)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from chouine.tournament.acts import Act
from chouine.tournament.errors import ActRefused
from chouine.tournament.plain import LARGEST, act_data, act_of, readable

START = "0" * 64
"""The seal before the first line."""


@dataclass(frozen=True, slots=True)
class LogLine:
    n: int
    """From 1."""
    at: int
    """Milliseconds since 1970, UTC; never decreasing."""
    by: str
    """The desk's role; never a person's name, since the log cannot be erased."""
    act: Act
    seal: str
    """`sealed` of this line and of the line before."""

    @classmethod
    def after(cls, before: Self | None, act: Act, by: str, at: int) -> Self:
        """The next line. If the clock was set back, it gets the time of the line before."""
        n, at = (1, at) if before is None else (before.n + 1, max(at, before.at))
        return cls(n, at, by, act, sealed(before.seal if before else START, n, at, by, act))

    def __str__(self) -> str:
        """The line as JSON."""
        return text({**sealed_data(self.n, self.at, self.by, self.act), "seal": self.seal})

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
        whole = all(type(number) is int and 0 <= number <= LARGEST for number in (n, at))
        if not (whole and readable(by) and readable(seal)):
            raise ActRefused("contest/shape", piece="line")
        return cls(n, at, by, act_of(data["act"]), seal)


def sealed_data(n: int, at: int, by: str, act: Act) -> dict[str, Any]:
    """The sealed fields as JSON data."""
    return {"n": n, "at": at, "by": by, "act": act_data(act)}


def text(data: object) -> str:
    """Canonical JSON: sorted keys, no blanks, no escapes for letters."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sealed(before: str, n: int, at: int, by: str, act: Act) -> str:
    """SHA-256 of the previous line's seal, a newline and this line without its own."""
    return sha256(f"{before}\n{text(sealed_data(n, at, by, act))}".encode()).hexdigest()


def unbroken(lines: Iterable[LogLine]) -> int | None:
    """The number of the first line whose seal is wrong; None if there is none."""
    before: LogLine | None = None
    for nth, line in enumerate(lines, 1):
        if line != LogLine.after(before, line.act, line.by, line.at) or line.n != nth:
            return nth
        before = line
    return None
