"""The command line of a measurement, which says what its module says."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable
from typing import Any


def read_arguments(doc: str | None, /, **usual: Any) -> tuple[Any, ...]:
    """The arguments of a measurement in their order, each by its name with its usual value, of whose type it is.

    A tuple are the texts among which to choose, the first being usual; a list is for all that follow; None is for a
    whole number that may be missing; and a type, or a function of a text, is for what must be given. Raises
    `SystemExit` after `--help` or for what was mistyped.
    """
    module = sys.modules["__main__"].__spec__
    parser = ArgumentParser(
        f"python -m {module.name.removesuffix('.__main__') if module else 'benchmarks'}",
        description=doc,
        formatter_class=RawDescriptionHelpFormatter,
    )
    for name, value in usual.items():
        if callable(value):
            parser.add_argument(name, type=value if isinstance(value, type) else telling(value))
        elif isinstance(value, tuple):
            parser.add_argument(name, nargs="?", choices=value, default=value[0])
        elif isinstance(value, list):
            parser.add_argument(name, nargs="*", default=value)
        else:
            parser.add_argument(name, nargs="?", type=int if value is None else type(value), default=value)
    found = vars(parser.parse_args())
    return tuple(found[name] for name in usual)


def telling(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A function of a text for argparse, which else would hide why it refuses a text."""

    def read_or_explain(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from error

    return read_or_explain
