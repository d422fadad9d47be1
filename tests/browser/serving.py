"""The server of the browser tests, in a subprocess.

Its computers answer faster than usual, and it loads the advice and thinking processes at their first use.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

import uvicorn

from chouine.cli.databases import ready_database
from chouine.cli.serve import serve_site
from chouine.server import app as server
from chouine.server.logs import to_standard_error
from chouine.server.tables import Tempo
from tests.server.serving import think_when_asked

QUICK = Tempo(rest=0.05, thinking=0.05, every=0.05)


def main(arguments: Sequence[str]) -> None:
    """Serve a database on a port, 0 for any free one, and print the address once the server answers."""
    from tests.server.preload import lay_newest

    database, port = f"sqlite:///{arguments[0]}", int(arguments[1])
    lay_newest(database)
    to_standard_error()
    server.UNHURRIED = 3600.0
    think_when_asked()
    app = server.application(ready_database(database), QUICK, per_address=1000)
    listening = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(
        app, log_config=None, log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    asyncio.run(serve_site(uvicorn.Server(config), app, listening, [address], browser=False))
