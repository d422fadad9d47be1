"""Listen on a port, or learn why that is not possible."""

from __future__ import annotations

import os
import socket


class CannotListen(Exception):
    """Its text is the system's reason."""

    def __init__(self, error: OSError) -> None:
        self.code = error.errno or 0
        """The system's number of the reason (see `errno`); 0 or negative where it has none."""
        why = (
            os.strerror(self.code)
            if self.code > 0 and os.name != "nt"  # which has no text of its own for the network's numbers
            else str(error.strerror or error).partition(" (while")[0]
        )
        super().__init__(why)


def listen_at(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `CannotListen`."""
    from chouine.server.protocol import listen

    try:
        return listen(host, port)
    except OSError as error:
        raise CannotListen(error) from error
