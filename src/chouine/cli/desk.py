"""Open the desk of a contest in the browser, for this laptop and those on the same network."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from errno import EADDRINUSE
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from chouine.desk.contest_store import ContestStore
from chouine.phrases import Language, say
from chouine.tournament.errors import ActRefused

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from chouine.server.contest.desk import Desk


def serve_desk(store: ContestStore, host: str, port: int, language: Language, *, browser: bool) -> int:
    """Serve an open contest until told to stop."""
    from chouine.server.contest.app import desk_application

    with closing(store), closing(listening_at(host, port)) as listening:
        app = desk_application(store, addresses_of(host, listening))
        desk: Desk = app.state.desk
        print(say("concours/open", language, address=f"{desk.address}/join"))
        announce(host, listening, desk.opening, language, browser=browser)
        asyncio.run(served(app, listening, lambda: desk))
    return 0


def serve_start(folder: Path, host: str, port: int, language: Language, *, browser: bool) -> int:
    """Serve the page that asks which contest to open, and then its desk, until told to stop."""
    from chouine.server.contest.start import Start

    with closing(listening_at(host, port)) as listening:
        start = Start(folder, addresses_of(host, listening))
        announce(host, listening, start.opening, language, browser=browser)
        asyncio.run(served(start, listening, lambda: start.desk.state.desk if start.desk else None))
        if start.desk is not None:
            start.desk.state.desk.store.close()
    return 0


def listening_at(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `ActRefused`, which says of a port in use that a desk may be open already."""
    from chouine.server.networks import HERE
    from chouine.server.protocol import listen

    try:
        return listen(host, port)
    except OSError as fault:
        if getattr(fault, "errno", 0) == EADDRINUSE:
            raise ActRefused("concours/port-taken", port=port, address=f"http://{HERE}:{port}/") from fault
        why = str(getattr(fault, "strerror", "") or fault).partition(" (while")[0]
        raise ActRefused("concours/no-port", host=host, port=port, why=why) from fault


def addresses_of(host: str, listening: socket.socket) -> Callable[[], Sequence[str]]:
    """What asks for this laptop's addresses for other devices: a network may be joined later."""
    from chouine.server.networks import urls

    return partial(urls, host, listening.getsockname()[1])


def announce(host: str, listening: socket.socket, opening: str, language: Language, *, browser: bool) -> None:
    """Print, and open in a browser, the address that signs a browser of this laptop in as the desk."""
    from chouine.server.networks import HERE, urls

    own = HERE if host in ("0.0.0.0", "::", "") else host  # noqa: S104  # all interfaces: this one too
    here = f"{urls(own, listening.getsockname()[1])[0]}/open?key={opening}"
    print(say("concours/here", language, address=here), flush=True)
    print(say("concours/window", language), flush=True)
    if browser:
        with suppress(webbrowser.Error):
            webbrowser.open(here)


async def served(app: ASGIApp, listening: socket.socket, desk: Callable[[], Desk | None]) -> None:
    """Serve until stopped, then end open streams so that the shutdown does not wait for them."""
    import uvicorn

    from chouine.server.protocol import Impatient

    config = uvicorn.Config(
        app,
        http=Impatient,
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
    await server.serve([listening])
    stopping.cancel()
