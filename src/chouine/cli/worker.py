"""Compute computers' moves for a server's nodes: any number of workers, on any machine that reaches their Redis."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from gettext import gettext as _

from chouine.cli.addresses import CannotOpen, check_redis
from chouine.cli.texts import lacking


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Compute the moves of a server's computer players. Any number of workers may run, on any "
        "machine that reaches the servers' Redis."
    )
    parser.add_argument(
        "--redis",
        default=os.environ.get("CHOUINE_REDIS_URL", ""),
        help=_("address of the nodes' Redis (default: CHOUINE_REDIS_URL)"),
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=os.cpu_count() or 1,
        help=_("processes, each computing one move at a time (default: one for each processor)"),
    )


def run(args: argparse.Namespace) -> int:
    """Work until told to stop; unfinished jobs are left to other workers."""
    try:
        from chouine.server.logs import to_standard_error
        from chouine.server.workers import work
    except ModuleNotFoundError as missing:
        return lacking("worker", missing)
    if not args.redis:
        return cannot(_("it needs the address of a Redis: --redis or CHOUINE_REDIS_URL"))
    try:
        check_redis(args.redis)
    except CannotOpen as error:
        return cannot(_("cannot read the address of Redis: %(why)s") % {"why": error})
    to_standard_error()
    asyncio.run(work(args.redis, max(1, args.processes)))
    return 0


def cannot(why: str) -> int:
    """Print why the worker cannot start; returns the exit code."""
    print(f"chouine worker: {why}", file=sys.stderr)
    return 2
