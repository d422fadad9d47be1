"""THE rules, once: plain functions over ints, each citing its §. Everything else is derived from them."""

from typing import TYPE_CHECKING

from chouine.former import former_names
from chouine.rules.options import OPTIONS, PRESETS, VALUES, Rules
from chouine.rules.rule_table import RuleTable, rule_table_of

__all__ = ["OPTIONS", "PRESETS", "VALUES", "RuleTable", "Rules", "rule_table_of"]

if TYPE_CHECKING:
    Book = RuleTable
    book_of = rule_table_of
else:
    __getattr__ = former_names(
        __name__,
        {"Book": "chouine.rules.RuleTable", "book_of": "chouine.rules.rule_table_of"},
        gone="1.1",
    )
