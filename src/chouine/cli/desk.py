"""Open the desk of a contest in the browser, for this laptop and those on the same network."""

from __future__ import annotations

import asyncio
import socket
import sys
import webbrowser
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing, suppress
from errno import EADDRINUSE
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chouine.cli.listening import CannotListen, listen_at
from chouine.errors import ActRefused
from chouine.phrases import Language, say, translations
from chouine.server.contest.contest_store import ContestStore

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from chouine.server.contest.desk import Desk
    from chouine.server.contest.season_store import SeasonStore


def serve_desk(
    store: ContestStore, host: str, port: int, language: Language, *, browser: bool, drill: bool = False
) -> int:
    """Serve an open contest until told to stop."""
    from chouine.server.contest.app import desk_application

    with closing(store), closing(desk_socket(host, port)) as listening:
        app = desk_application(store, addresses_of(host, listening))
        desk: Desk = app.state.desk
        desk.drill = drill
        print(say("concours/open", language, address=f"{desk.address}/join"))
        announce(host, listening, desk.opening, language, browser=browser)
        run_server(serve_until_stopped(app, listening, lambda: desk, language))
    return 0


def serve_start(folder: Path, host: str, port: int, language: Language, *, browser: bool) -> int:
    """Serve the page that asks which contest to open, and then its desk, until told to stop."""
    from chouine.server.contest.start import Start

    with (
        closing(desk_socket(host, port)) as listening,
        closing(Start(folder, addresses_of(host, listening))) as start,
    ):
        announce(host, listening, start.opening, language, browser=browser)
        run_server(serve_until_stopped(start, listening, lambda: start.held, language))
    return 0


def serve_season(
    store: SeasonStore, host: str, port: int, public_url: str, language: Language, *, browser: bool
) -> int:
    """Serve a season until told to stop; `public_url` is its address through a proxy on this machine, if any.

    Raises `ValueError` with a sentence for what is no address.
    """
    from chouine.server.contest.season_app import season_application
    from chouine.server.proxies import NO_PROXIES, Proxies
    from chouine.server.site import Site

    site, proxies = Site.of(public_url, ""), Proxies.of("127.0.0.1,::1") if public_url else NO_PROXIES
    with closing(store), closing(desk_socket(host, port)) as listening:
        found = addresses_of(host, listening)
        addresses = (lambda: (site.public_url,)) if public_url else found
        print(say("saison/open", language, address=addresses()[0]))
        if public_url:
            address = f"{site.public_url}/open?key={store.opening()}"
            print(say("saison/keeper", language, address=address), flush=True)
        else:
            announce(host, listening, store.opening(), language, browser=browser)
        app = season_application(store, addresses, site, proxies)
        run_server(serve_until_stopped(app, listening, lambda: None, language))
    return 0


def desk_socket(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `ActRefused`, which says of a port in use that a desk may be open already."""
    from chouine.cli.listening import HERE

    try:
        return listen_at(host, port)
    except CannotListen as fault:
        if fault.code == EADDRINUSE:
            raise ActRefused("concours/port-taken", port=port, address=f"http://{HERE}:{port}/") from fault
        raise ActRefused("concours/no-port", host=host, port=port, why=fault) from fault


def addresses_of(host: str, listening: socket.socket) -> Callable[[], Sequence[str]]:
    """What asks for this laptop's addresses for other devices: a network may be joined later."""
    from chouine.cli.listening import urls

    return partial(urls, host, listening.getsockname()[1])


def announce(host: str, listening: socket.socket, opening: str, language: Language, *, browser: bool) -> None:
    """Print, and open in a browser, the address that signs a browser of this laptop in as the desk."""
    from chouine.cli.listening import HERE, urls

    own = HERE if host in ("0.0.0.0", "::", "") else host  # noqa: S104  # all interfaces: this one too
    here = f"{urls(own, listening.getsockname()[1])[0]}/open?key={opening}"
    print(say("concours/here", language, address=here), flush=True)
    print(say("concours/window", language), flush=True)
    if sys.platform == "win32" and own == HERE:
        print(say("concours/firewall", language), flush=True)
    if browser:
        with suppress(webbrowser.Error):
            webbrowser.open(here)


def run_server(serving: Coroutine[Any, Any, None]) -> None:
    """Run until the server has stopped."""
    from chouine.cli.windows import loop_factory

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(serving)


async def serve_until_stopped(
    app: ASGIApp, listening: socket.socket, desk: Callable[[], Desk | None], language: Language
) -> None:
    """Serve until stopped, then end open streams so that the shutdown does not wait for them."""
    import uvicorn

    from chouine.cli.windows import console_guard
    from chouine.server.protocol import TimeoutHttpProtocol

    config = uvicorn.Config(
        app,
        http=TimeoutHttpProtocol,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    server = uvicorn.Server(config)

    async def until_stopped() -> None:
        while not server.should_exit:  # noqa: ASYNC110  # uvicorn has no event for it
            await asyncio.sleep(0.2)
        if found := desk():
            found.closing = True
            found.store.tell()

    stopping = asyncio.create_task(until_stopped())
    with console_guard(translations(language).gettext("Chouine: the desk is open, leave this window")):
        await server.serve([listening])
    stopping.cancel()
