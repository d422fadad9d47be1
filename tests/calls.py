"""Call commands in this process as the shell would."""

from __future__ import annotations

from chouine.cli import main


def status_of(*arguments: str) -> int:
    """The exit status of a command, returned by `main` or raised by the argument parser."""
    try:
        return main(list(arguments))
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
