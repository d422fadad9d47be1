"""Shared by the commands that take long: who computes, and from which log."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from gettext import gettext as _
from pathlib import Path
from typing import Any

from chouine import __version__
from chouine.cli.arguments import MOST_PROCESSES, bounded_number
from chouine.jobs import Crew, Log, crew, processors


def configure_workers(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that say who computes."""
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--workers",
        metavar="W",
        type=bounded_number(1, MOST_PROCESSES),
        help=_("processes (default: one for each processor)"),
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


@contextmanager
def workers(args: argparse.Namespace, most: int) -> Iterator[Crew]:
    """The executor of these arguments, by default with at most `most` processes. SIGTERM interrupts like SIGINT."""
    with suppress(ValueError):  # not in the main thread, where alone handlers can be set
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        # A shell starts background jobs with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with crew(args.workers or max(1, min(processors(), most)), args.ray) as computing:
        yield computing


def log_of(args: argparse.Namespace, **settings: Any) -> Log | None:
    """The log that was asked for, of a job with these settings; another version may have other results."""
    return None if args.log is None else Log(args.log, {"chouine": __version__, **settings})
