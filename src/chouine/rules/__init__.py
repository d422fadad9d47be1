"""THE rules, once: plain functions over ints, each citing its §. Everything else is derived from them."""

from typing import Any
from warnings import warn

from chouine.rules.options import OPTIONS, PRESETS, VALUES, Rules
from chouine.rules.rule_table import RuleTable, rule_table_of

__all__ = ["OPTIONS", "PRESETS", "VALUES", "RuleTable", "Rules", "rule_table_of"]

_FORMER_NAMES: dict[str, Any] = {"Book": RuleTable, "book_of": rule_table_of}
"""Names of before version 0.2, until the next one."""


def __getattr__(name: str) -> Any:
    if name not in _FORMER_NAMES:
        raise AttributeError(f"module 'chouine.rules' has no attribute {name!r}")
    warn(f"chouine.rules.{name} is now {_FORMER_NAMES[name].__name__}", DeprecationWarning, stacklevel=2)
    return _FORMER_NAMES[name]
