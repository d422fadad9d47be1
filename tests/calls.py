"""Commands called as the shell calls them."""

from __future__ import annotations

from chouine.cli import main


def status_of(*arguments: str) -> int:
    """A command's exit status, told by itself or by the reader of its arguments."""
    try:
        return main(list(arguments))
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
