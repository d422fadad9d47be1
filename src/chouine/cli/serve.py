"""Serve the browser table; prints one line with its address when it answers."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL
from gettext import gettext as _
from typing import TYPE_CHECKING, NoReturn

from chouine.cli.arguments import (
    MOST_PROCESSES,
    blame_setting,
    bounded_number,
    from_environment,
    natural_number,
    port,
)
from chouine.cli.databases import (
    CannotOpen,
    check_redis,
    configure_database,
    database_faults,
    ready_database,
    redis_faults,
)
from chouine.cli.listening import CannotListen, listen_at, own_addresses, urls
from chouine.cli.texts import CannotRun
from chouine.errors import ChouineError
from chouine.phrases import reason_in_words, say

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from uvicorn import Server

    from chouine.server.proxies import Proxies
    from chouine.server.push.mail import Mailer
    from chouine.server.site import Site

FREE = 1024
"""The lowest port that everybody may listen on."""
ANY_MAIL_SERVER = "smtps://localhost"
LITTLE = 1_500, 10, 1_000_000_000
"""Thresholds of Python's garbage collector. New objects are searched often and briefly, since each search stops
everybody; a full search, which takes a second with 2,000 tables in memory, never starts by itself."""
NOTICE = 3.0
"""Seconds for which a node of several serves on when it is told to stop. Meanwhile the proxy, which asks twice a
second whether it is ready and waits two for the answer, leads new requests to others: a form that met a closed port
would be refused."""
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
        default=from_environment("CHOUINE_REDIS_URL"),
        help=_("Redis that several nodes and their workers share (default: CHOUINE_REDIS_URL, else none)"),
    )
    parser.add_argument(
        "--thinkers",
        type=bounded_number(0, MOST_PROCESSES),
        default=max(1, (os.cpu_count() or 2) - 1),
        help=_(
            "processes that compute the computers' moves, when there are no workers (default: processors less one)"
        ),
    )
    parser.add_argument(
        "--per-address",
        type=natural_number,
        default=from_environment("CHOUINE_PER_ADDRESS", "20"),
        help=_(
            "open pages allowed for one network address; other limits grow with it; raise it for a tournament hall"
            " (default: CHOUINE_PER_ADDRESS, else 20)"
        ),
    )
    parser.add_argument(
        "--trusted-proxies",
        default=from_environment("CHOUINE_TRUSTED_PROXIES"),
        metavar=_("ADDRESSES"),
        help=_(
            "addresses or networks of proxies whose X-Forwarded-For and -Proto are believed, separated by commas, such"
            " as 127.0.0.1,10.0.0.0/8 (default: CHOUINE_TRUSTED_PROXIES, else none)"
        ),
    )
    parser.add_argument(
        "--public-url",
        default=from_environment("CHOUINE_PUBLIC_URL"),
        metavar="URL",
        help=_(
            "the site's address, such as https://chouine.example: links to friends begin with it, and no other host"
            " is allowed (default: CHOUINE_PUBLIC_URL, else as the browser has it)"
        ),
    )
    parser.add_argument(
        "--allowed-hosts",
        default=from_environment("CHOUINE_ALLOWED_HOSTS"),
        metavar=_("HOSTS"),
        help=_(
            "host names the server answers to, separated by commas (default: CHOUINE_ALLOWED_HOSTS, else that of"
            " --public-url, else any)"
        ),
    )
    parser.add_argument(
        "--evening",
        default=from_environment("CHOUINE_EVENING"),
        metavar=_("HOUR"),
        help=_(
            "hour in Paris, such as 20:30, at which the page for strangers invites them to meet"
            " (default: CHOUINE_EVENING, else none)"
        ),
    )
    parser.add_argument(
        "--zone",
        default=from_environment("CHOUINE_ZONE"),
        metavar=_("ZONE"),
        help=_(
            "time zone of visitors whose browser does not tell theirs, for the days of their problems and records"
            " (default: CHOUINE_ZONE, else Europe/Paris)"
        ),
    )
    parser.add_argument(
        "--legal",
        default=from_environment("CHOUINE_LEGAL"),
        metavar=_("FILE"),
        help=_(
            "TOML file that names who answers for a public site: host, contact, publisher"
            " (default: CHOUINE_LEGAL, else nobody)"
        ),
    )
    parser.add_argument(
        "--off",
        default=from_environment("CHOUINE_OFF"),
        metavar=_("WHAT"),
        help=_(
            "what is switched off, separated by commas: strangers, contests, newcomers, levels (7 and 8), offline"
            " (default: CHOUINE_OFF, else nothing)"
        ),
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar=_("NAME=COMMAND"),
        help=_(
            "a program of the engine protocol to play against, offered under this name; for this machine alone; may be"
            " given several times"
        ),
    )
    parser.add_argument(
        "--mail-from",
        default=from_environment("CHOUINE_MAIL_FROM"),
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


def run(args: argparse.Namespace) -> int:
    import uvicorn

    from chouine.cli.windows import loop_factory
    from chouine.server.app import application
    from chouine.server.logs import to_standard_error
    from chouine.server.protocol import TimeoutHttpProtocol

    with redis_faults(args.redis):
        check_redis(args.redis)
    try:
        site = site_of(args)
        mailer = mailer_of(args.mail_from)
        with blame_setting(args.trusted_proxies, "--trusted-proxies"):
            proxies = proxies_of(args.trusted_proxies)
    except ValueError as error:
        raise CannotRun(str(error)) from error
    warn(args, everyone=proxies.everyone)
    to_standard_error()
    os.umask(0o077)  # the database holds every pack and the server's key: its files are for their owner alone
    with database_faults(args.database):
        database = ready_database(args.database)
        asyncio.run(clock_checked(database, reset=args.reset_clock))
    try:
        listening = listen_at(args.host, args.port)
    except CannotListen as error:
        raise CannotRun(not_listening(args, error)) from error
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
        http=TimeoutHttpProtocol,
        log_config=None,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=3,
        server_header=False,
        proxy_headers=False,  # ours are read by Proxies
    )
    server = uvicorn.Server(config)
    signal.signal(signal.SIGTERM, leave)  # uvicorn stops serving first, and then raises the signal again
    with asyncio.Runner(loop_factory=loop_factory(config.get_loop_factory())) as runner:
        runner.run(serve_site(server, app, listening, addresses, browser=not args.no_browser))
    return 0 if server.started else 1


def site_of(args: argparse.Namespace) -> Site:
    """What the site says of itself. Raises `CannotRun`, `ValueError` or `OSError` for what cannot be read."""
    from chouine.server.site import LegalNotice, Site

    with blame_setting(args.legal, "--legal"):
        legal = LegalNotice.of(args.legal)
    for name in ("public_url", "evening", "zone", "off"):
        value = getattr(args, name)
        with blame_setting(value, f"--{name.replace('_', '-')}"):
            Site.of(**{"public_url": "", "hosts": "", name: value})
    site = Site.of(args.public_url, args.allowed_hosts, args.evening, args.zone, legal, args.off)
    return replace(site, programs=programs_of(args))


def mailer_of(sender: str) -> Mailer | None:
    """What sends letters, if anything does. Raises `CannotRun` for what cannot be read."""
    from chouine.server.push.mail import Mailer

    server = from_environment("CHOUINE_SMTP_URL")
    with blame_setting(sender, "--mail-from"):
        Mailer.of(server and ANY_MAIL_SERVER, sender)
    with blame_setting(server, "CHOUINE_SMTP_URL"):
        return Mailer.of(server, sender)


def programs_of(args: argparse.Namespace) -> dict[str, str]:
    """The command lines of `--engine` by name. Raises `ValueError` with a sentence for what cannot be seated."""
    from chouine.names import NAME_LENGTH
    from chouine.registry import displayed_name
    from chouine.rules import Rules
    from chouine.server.decent_names import decent_name
    from chouine.server.pages.join import HERE_ONLY

    if args.engine and (args.host not in HERE_ONLY or args.public_url or args.redis):
        raise ValueError(
            _(
                "--engine starts programs for whoever opens the page: it is for this machine alone, without --host,"
                " --public-url and --redis"
            )
        )
    found: dict[str, str] = {}
    for text in args.engine:
        name, _equals, command = (part.strip() for part in text.partition("="))
        if not (name and command) or len(name) > NAME_LENGTH or name in found:
            said = _("--engine takes a short name of its own and a command line, NAME=COMMAND, not %(what)s")
            raise ValueError(said % {"what": text})
        try:
            displayed_name(f"pipe:{command}", Rules())
            found[decent_name(name, NAME_LENGTH)] = command
        except ChouineError as error:
            raise ValueError(say(error.code, args.language, **error.data)) from error
    return found


def proxies_of(names: str) -> Proxies:
    """The proxies of `--trusted-proxies`. Raises `ValueError` with a sentence for what cannot be read."""
    from chouine.server.proxies import Proxies

    try:
        return Proxies.of(names)
    except ValueError as error:
        said = _("addresses and networks such as 10.0.0.0/8, not %(what)s")
        raise ValueError(said % {"what": error}) from error


def leave(*_: object) -> NoReturn:
    """Exit in good order, closing what is open."""
    sys.exit(0)


def warn(args: argparse.Namespace, *, everyone: bool) -> None:
    """Print what in the settings is dangerous, or does not fit together."""
    if args.public_url.startswith("https:") and not args.legal:
        said = _(
            "a public site must name who answers for it: --legal, or CHOUINE_LEGAL, as docs/deploy.md describes"
        )
        print(f"chouine serve: {said}", file=sys.stderr)
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


def not_listening(args: argparse.Namespace, error: CannotListen) -> str:
    """The sentence for a port that cannot be had, with what may help."""
    again = ""
    if error.code == EADDRINUSE:
        again = _(" (is it open already? --port 0 takes a free one)")
    elif error.code == EACCES and args.port < FREE:
        again = _(" (the ports from %(port)s on are for everybody)") % {"port": FREE}
    elif error.code == EADDRNOTAVAIL:
        again = _(" (this machine has %(addresses)s)") % {"addresses": ", ".join(own_addresses("::"))}
    where = {"host": args.host, "port": args.port, "why": f"{reason_in_words(error)}{again}"}
    return _("cannot listen on %(host)s port %(port)s: %(why)s") % where


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


async def serve_site(
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
        services = app.state.services
        if services.shared_limits and sys.platform != "win32":  # there may be other nodes
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, services.leaving.set)
        while not (server.should_exit or services.leaving.is_set()):  # noqa: ASYNC110  # nor for that
            await asyncio.sleep(0.2)
        if not server.should_exit:
            await asyncio.sleep(NOTICE)
            server.should_exit = True
        services.leaving.set()
        services.stopping.set()
        services.tables.notify_all()

    tasks = [asyncio.create_task(each) for each in (announce(), collect_garbage())]
    await server.serve([listening])
    for task in tasks:
        task.cancel()


async def collect_garbage() -> None:
    """Run a full garbage collection now and then, until cancelled."""
    while True:
        await asyncio.sleep(WHOLE)
        gc.collect()
