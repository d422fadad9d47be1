"""Shared by the commands that take long: who computes, and how far they are."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from gettext import gettext as _
from pathlib import Path
from time import monotonic
from typing import Any

from chouine.jobs import Crew, Log, crew, processors
from chouine.phrases import Language, say

INTERRUPTED = 130


def configure_workers(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that say who computes."""
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--workers", metavar="W", type=positive, help=_("processes (default: one for each processor)")
    )
    who.add_argument(
        "--ray", metavar=_("ADDRESS"), help=_("address of a Ray cluster whose workers compute instead")
    )


def configure_log(parser: argparse.ArgumentParser) -> None:
    """Declare the argument for a log."""
    parser.add_argument(
        "--log",
        metavar=_("FILE"),
        type=Path,
        help=_("log; run again with the same log, the command prints what it holds and goes on"),
    )


def positive(text: str) -> int:
    """A positive whole number, for argparse."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(_("a whole number from 1, not “%(text)s”") % {"text": text})
    return int(text)


@contextmanager
def workers(args: argparse.Namespace, most: int) -> Iterator[Crew]:
    """The executor of these arguments, by default with at most `most` processes. SIGTERM interrupts like SIGINT."""
    with suppress(ValueError):  # not in the main thread, where alone handlers can be set
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # A shell starts background jobs with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with crew(args.workers or max(1, min(processors(), most)), args.ray) as computing:
        yield computing


@contextmanager
def saying_that_it_goes_on(language: Language) -> Iterator[None]:
    """Say of an interrupted command that it goes on when it is called again."""
    try:
        yield
    except KeyboardInterrupt:
        clear()
        print(say("jobs/interrupted", language), file=sys.stderr)
        raise


def log_of(args: argparse.Namespace, **settings: Any) -> Log | None:
    """The log that was asked for, of a job with these settings."""
    return None if args.log is None else Log(args.log, settings)


class Progress:
    """A line on standard error, if that is a terminal: items done, and the time that the others may take."""

    def __init__(self, many: int | None, language: Language) -> None:
        """`many` is the number of all items, None if it is not known."""
        self.many = many
        self.language = language
        self.before: int | None = None
        """Number of items that an earlier call did; None until the first item of this one."""
        self.began = monotonic()

    def tell(self, done: int, about: str = "") -> None:
        """Tell how many items are done, and something else."""
        if self.before is None:
            self.before = max(done - 1, 0)
        if sys.stderr.isatty():
            line = "  ".join(filter(None, (self.text(done, self.before), about)))
            print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    def text(self, done: int, before: int) -> str:
        """`12/400, 0:03:20 left`."""
        if self.many is None:
            return str(done)
        counted = f"{done}/{self.many}"
        if done <= before:
            return counted
        left = (monotonic() - self.began) / (done - before) * (self.many - done)
        return say("jobs/left", self.language, counted=counted, left=str(timedelta(seconds=round(left))))


def clear() -> None:
    """Clear the progress line."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
