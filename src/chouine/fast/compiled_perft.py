"""Count action sequences, compiled (perft)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from chouine.fast.compiler import compiled
from chouine.fast.kernels import AVAILABLE
from chouine.fast.soa_layout import compiled_position
from chouine.rules import perft as plain
from chouine.rules.position import UNKNOWN, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

_perft = compiled(plain.perft)


def perft(rule_table: RuleTable, talon: Sequence[int], p: Position, depth: int) -> int:
    """The number of legal action sequences of `depth` actions; see `rules.perft.perft`."""
    whole = [*talon, *[UNKNOWN] * (32 - len(talon))]  # pad to 32: compiled code does not check array bounds
    return _perft(rule_table, memoryview(array("q", whole)), compiled_position(p), depth)
