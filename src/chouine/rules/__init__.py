"""THE rules, once: plain functions over ints, each citing its §. Everything else is derived from them."""

from chouine.rules.book import Book, book_of
from chouine.rules.options import OPTIONS, PRESETS, VALUES, Rules

__all__ = ["OPTIONS", "PRESETS", "VALUES", "Book", "Rules", "book_of"]
