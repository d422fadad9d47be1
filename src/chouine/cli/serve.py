"""Serve the browser table; prints one line with its address when it answers."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import signal
import socket
import sqlite3
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import closing, suppress
from errno import EADDRINUSE, EADDRNOTAVAIL
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from chouine.cli.addresses import CannotOpen, check_redis, database_of, file_of
from chouine.cli.arguments import port

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from uvicorn import Server

LITTLE = 1_500, 10, 1_000_000_000
"""Thresholds of Python's garbage collector. New objects are searched often and briefly, since each search stops
everybody; a full search, which takes a second with 2,000 tables in memory, never starts by itself."""
WHOLE = 600.0
"""Seconds between full searches all the same, for what aborted requests leave behind."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Open the table in the browser. One line with its address is printed as soon as it answers."
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help=_("address to listen on (default: this machine only)")
    )
    parser.add_argument(
        "--port", type=port, default=8000, help=_("port to listen on, 0 for any free one (default: 8000)")
    )
    configure_database(parser)
    parser.add_argument(
        "--redis",
        default=os.environ.get("CHOUINE_REDIS_URL", ""),
        help=_("Redis that several nodes and their workers share (default: CHOUINE_REDIS_URL, else none)"),
    )
    parser.add_argument(
        "--thinkers",
        type=int,
        default=max(1, (os.cpu_count() or 2) - 1),
        help=_(
            "processes that compute the computers' moves, when there are no workers (default: processors less one)"
        ),
    )
    parser.add_argument(
        "--per-address",
        type=int,
        default=os.environ.get("CHOUINE_PER_ADDRESS", "20"),
        help=_(
            "open pages allowed for one network address; other limits grow with it; raise it for a tournament hall"
            " (default: CHOUINE_PER_ADDRESS, else 20)"
        ),
    )
    parser.add_argument(
        "--trusted-proxies",
        default=os.environ.get("CHOUINE_TRUSTED_PROXIES", ""),
        metavar=_("ADDRESSES"),
        help=_(
            "addresses or networks of proxies whose X-Forwarded-For and -Proto are believed, separated by commas, such"
            " as 127.0.0.1,10.0.0.0/8 (default: CHOUINE_TRUSTED_PROXIES, else none)"
        ),
    )
    parser.add_argument(
        "--public-url",
        default=os.environ.get("CHOUINE_PUBLIC_URL", ""),
        metavar="URL",
        help=_(
            "the site's address, such as https://chouine.example: links to friends begin with it, and no other host"
            " is allowed (default: CHOUINE_PUBLIC_URL, else as the browser has it)"
        ),
    )
    parser.add_argument(
        "--allowed-hosts",
        default=os.environ.get("CHOUINE_ALLOWED_HOSTS", ""),
        metavar=_("HOSTS"),
        help=_(
            "host names the server answers to, separated by commas (default: CHOUINE_ALLOWED_HOSTS, else that of"
            " --public-url, else any)"
        ),
    )
    parser.add_argument(
        "--evening",
        default=os.environ.get("CHOUINE_EVENING", ""),
        metavar=_("HOUR"),
        help=_(
            "hour in Paris, such as 20:30, at which the page for strangers invites them to meet"
            " (default: CHOUINE_EVENING, else none)"
        ),
    )
    parser.add_argument(
        "--zone",
        default=os.environ.get("CHOUINE_ZONE", "") or "Europe/Paris",
        metavar=_("ZONE"),
        help=_(
            "time zone of visitors whose browser does not tell theirs, for the days of their problems and records"
            " (default: CHOUINE_ZONE, else Europe/Paris)"
        ),
    )
    parser.add_argument(
        "--mail-from",
        default=os.environ.get("CHOUINE_MAIL_FROM", ""),
        metavar=_("ADDRESS"),
        help=_(
            "what letters to players whose turn it is are from; the mail server stands in CHOUINE_SMTP_URL"
            " (default: CHOUINE_MAIL_FROM, else no letters)"
        ),
    )
    parser.add_argument(
        "--reset-clock",
        action="store_true",
        help=_("take the present time for the last sign of life, where this machine's clock was far ahead"),
    )
    parser.add_argument("--no-browser", action="store_true", help=_("do not open a browser"))


def configure_database(parser: argparse.ArgumentParser) -> None:
    """Declare `--database`."""
    parser.add_argument(
        "--database",
        default=os.environ.get("CHOUINE_DATABASE_URL", ""),
        help=_("database address (default: CHOUINE_DATABASE_URL, else SQLite in your data folder)"),
    )


def run(args: argparse.Namespace) -> int:
    try:
        import uvicorn

        from chouine.server.app import application
        from chouine.server.logs import to_standard_error
        from chouine.server.networks import own_addresses, urls
        from chouine.server.protocol import Impatient, listen
        from chouine.server.proxies import Proxies
        from chouine.server.push.mail import Mailer
        from chouine.server.site import Site
    except ModuleNotFoundError as missing:
        return lacking("serve", missing)
    try:
        check_redis(args.redis)
    except CannotOpen as error:
        return cannot(_("cannot read the address of Redis: %(why)s") % {"why": error})
    try:
        site = Site.of(args.public_url, args.allowed_hosts, args.evening, args.zone)
        mailer = Mailer.of(os.environ.get("CHOUINE_SMTP_URL", ""), args.mail_from)
    except ValueError as error:
        return cannot(str(error))
    try:
        proxies = Proxies.of(args.trusted_proxies)
    except ValueError as error:
        return cannot(
            _("--trusted-proxies takes addresses and networks such as 10.0.0.0/8, not %(what)s")
            % {"what": error}
        )
    warn(args, everyone=proxies.everyone)
    to_standard_error()
    os.umask(0o077)  # the database holds every pack and the server's key: its files are for their owner alone
    try:
        database = ready_database(args.database)
        asyncio.run(clock_checked(database, reset=args.reset_clock))
        listening = listen(args.host, args.port)
    except CannotOpen as error:
        return cannot(_("cannot open the database: %(why)s") % {"why": error})
    except OSError as error:
        code = error.errno or 0
        reason = os.strerror(code) if code > 0 else str(error.strerror or error).partition(" (while")[0]
        again = ""
        if code == EADDRINUSE:
            again = _(" (is it open already? --port 0 takes a free one)")
        elif code == EADDRNOTAVAIL:
            again = _(" (this machine has %(addresses)s)") % {"addresses": ", ".join(own_addresses("::"))}
        return cannot(not_listening(args, f"{reason}{again}"))
    addresses = [f"{url}/" for url in urls(args.host, listening.getsockname()[1])]
    app = application(
        database,
        redis=args.redis,
        thinkers=max(1, args.thinkers),
        per_address=max(1, args.per_address),
        proxies=proxies,
        site=site,
        mailer=mailer,
    )
    config = uvicorn.Config(
        app,
        http=Impatient,
        log_config=None,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        proxy_headers=False,  # ours are read by Proxies
    )
    server = uvicorn.Server(config)
    signal.signal(signal.SIGTERM, leave)  # uvicorn stops serving first, and then raises the signal again
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(served(server, app, listening, addresses, browser=not args.no_browser))
    return 0 if server.started else 1


def leave(*_: object) -> NoReturn:
    """Exit in good order, closing what is open."""
    sys.exit(0)


def warn(args: argparse.Namespace, *, everyone: bool) -> None:
    """Print what in the settings is dangerous, or does not fit together."""
    if everyone:
        said = _(
            "--trusted-proxies names everybody: whoever reaches this server without the proxy can pretend any address."
            " Name the proxy's network, such as 10.0.0.0/8"
        )
    elif args.public_url.startswith("https:") and not args.trusted_proxies:
        said = _(
            "without --trusted-proxies all visitors who come through the proxy share one address and its limits, and"
            " their cookies are those of HTTP"
        )
    else:
        return
    print(f"chouine serve: {said}", file=sys.stderr)


def not_listening(args: argparse.Namespace, why: str) -> str:
    where = {"host": args.host, "port": args.port, "why": why}
    return _("cannot listen on %(host)s port %(port)s: %(why)s") % where


def cannot(why: str) -> int:
    """Print why the server cannot start; returns the exit code."""
    print(f"chouine serve: {why}", file=sys.stderr)
    return 2


def lacking(command: str, missing: ModuleNotFoundError) -> int:
    """Print which package a server command lacks; returns the exit code."""
    needed = {"command": command, "package": missing.name}
    print(_("chouine %(command)s needs %(package)s: pip install 'chouine[server]'") % needed, file=sys.stderr)
    return 2


async def clock_checked(database: str, *, reset: bool) -> None:
    """Raise `CannotOpen` if the database was last used in the far future."""
    from chouine.server.heartbeat import WrongClock, check_clock
    from chouine.server.store import Store

    store = Store.at(database)
    try:
        await check_clock(store, reset=reset)
    except WrongClock as error:
        raise CannotOpen(
            _(
                "its last sign of life, %(seconds)s seconds since 1970, is still to come: set this machine's clock"
                " right, or if it was wrong then, start once with --reset-clock"
            )
            % {"seconds": error}
        ) from error
    finally:
        await store.close()


def ready_database(asked: str) -> str:
    """The database's URL, after creating or migrating it to the current schema."""
    from chouine.server.migrations import missing, upgrade

    try:
        database = database_of(asked)
        try_file(database)
        upgrade(database)
        check_tables(asyncio.run(missing(database)))
    except CannotOpen:
        raise
    except Exception as error:  # what a driver raises is its own affair
        raise CannotOpen(str(error).partition("\n")[0] or type(error).__name__) from error
    return database


def check_tables(missing: list[str]) -> None:
    """Raise `CannotOpen` for the first table that is missing."""
    for table in missing:
        raise CannotOpen(
            _("its table %(table)s is missing, and what was in it is lost: restore a backup")
            % {"table": table}
        )


def existing_database(asked: str) -> str:
    """As `ready_database`, but an SQLite file must be there already."""
    require_file(database_of(asked))
    return ready_database(asked)


def require_file(database: str) -> None:
    """Raise `CannotOpen` if an SQLite file is missing, which would be created."""
    path = file_of(database)
    if path is not None and not path.is_file():
        raise CannotOpen(_("there is no file %(file)s") % {"file": path})


def try_file(database: str) -> None:
    """Open an SQLite file once directly: for a bad file the driver's thread would print an error of its own."""
    path = file = file_of(database)
    if path is not None and file is not None:
        if file.is_file() and file.stat().st_size == 0:
            raise CannotOpen(
                _("%(path)s is an empty file: restore a backup, or delete it to start anew") % {"path": path}
            )
        short = file.is_file() and cut_short(file)
        unwritten = Path(f"{path}-wal")  # what a killed server had not yet copied into the file
        if short and not (unwritten.is_file() and unwritten.stat().st_size):
            raise lost(path)
        with closing(connected(path)) as connection:
            if short and connection.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise lost(path)
            connection.execute("begin immediate")
            # Fails where the file may only be read; it is rolled back.
            connection.execute("create table written (ever)")


HEADER = 100
"""Bytes of an SQLite file's header: its page size is at 16, its number of pages at 28.

The number counts if the counters at 24 and 92 are equal: very old versions of SQLite do not keep it."""


def cut_short(file: Path) -> bool:
    """Whether an SQLite file is shorter than its header says."""
    with file.open("rb") as opened:
        header = opened.read(HEADER)
    if len(header) < HEADER:
        return True
    if not header.startswith(b"SQLite format 3\0") or header[24:28] != header[92:96]:
        return False
    page = int.from_bytes(header[16:18])
    return file.stat().st_size < int.from_bytes(header[28:32]) * (page if page > 1 else 65_536)


def connected(path: Path) -> sqlite3.Connection:
    """A connection to an SQLite file, made if it is missing. Raises `CannotOpen`."""
    try:
        return sqlite3.connect(path)
    except sqlite3.OperationalError as error:
        where = {"path": path}
        raise CannotOpen(
            _("%(path)s cannot be opened: does its folder exist, and may you write there?") % where
        ) from error


def lost(path: Path) -> CannotOpen:
    """The error for a file of which a part is missing."""
    return CannotOpen(
        _(
            "%(path)s is cut short: part of what was in it is lost. Restore a backup, or delete it to start anew"
        )
        % {"path": path}
    )


async def served(
    server: Server, app: Starlette, listening: socket.socket, addresses: Sequence[str], *, browser: bool
) -> None:
    """Serve until told to stop; print the address once the server answers."""

    async def announce() -> None:
        while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
            await asyncio.sleep(0.02)
        gc.freeze()  # what is there now stays: it need not be looked through again and again
        gc.set_threshold(*LITTLE)
        print(*(f"Chouine: {address}" for address in addresses), sep="\n", flush=True)
        if browser:
            with suppress(webbrowser.Error):
                await asyncio.to_thread(webbrowser.open, addresses[0])
        while not server.should_exit:  # noqa: ASYNC110  # nor for that
            await asyncio.sleep(0.2)
        app.state.stopping.set()
        app.state.tables.notify_all()

    tasks = [asyncio.create_task(each) for each in (announce(), tidied())]
    await server.serve([listening])
    for task in tasks:
        task.cancel()


async def tidied() -> None:
    """Run a full garbage collection now and then, until cancelled."""
    while True:
        await asyncio.sleep(WHOLE)
        gc.collect()
