"""Compute computers' moves for a server's nodes: any number of workers, on any machine that reaches their Redis."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from gettext import gettext as _

from chouine.cli.arguments import MOST_PROCESSES, bounded_number, from_environment
from chouine.cli.databases import check_redis, redis_faults
from chouine.cli.texts import CannotRun
from chouine.phrases import reason_in_words


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Compute the moves of a server's computer players. Any number of workers may run, on any "
        "machine that reaches the servers' Redis."
    )
    parser.add_argument(
        "--redis",
        default=from_environment("CHOUINE_REDIS_URL"),
        help=_("address of the nodes' Redis (default: CHOUINE_REDIS_URL)"),
    )
    parser.add_argument(
        "--processes",
        type=bounded_number(0, MOST_PROCESSES),
        default=os.cpu_count() or 1,
        help=_("processes, each computing one move at a time (default: one for each processor)"),
    )

    parser.add_argument(
        "--check",
        action="store_true",
        help=_("do not work: tell whether a worker on this machine does (exit code 0 or 1)"),
    )


def run(args: argparse.Namespace) -> int:
    """Work until told to stop; unfinished jobs are left to other workers."""
    from chouine.server.logs import to_standard_error
    from chouine.server.workers import work

    if not args.redis:
        raise CannotRun(_("it needs the address of a Redis: --redis or CHOUINE_REDIS_URL"))
    with redis_faults(args.redis):
        check_redis(args.redis)
    if args.check:
        return check_health(args.redis)
    to_standard_error()
    asyncio.run(work(args.redis, max(1, args.processes)))
    return 0


def check_health(redis: str) -> int:
    """Print and return whether a worker on this machine takes moves."""
    from redis.exceptions import RedisError

    from chouine.server.workers import is_working

    try:
        healthy = asyncio.run(is_working(redis))
    except (RedisError, OSError) as error:
        print(
            _("chouine worker: Redis does not answer: %(why)s") % {"why": reason_in_words(error)},
            file=sys.stderr,
        )
        return 1
    print(
        _("a worker on this machine takes moves") if healthy else _("no worker on this machine takes moves")
    )
    return 0 if healthy else 1
