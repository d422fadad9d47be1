"""The static files of the pages, under types that do not depend on the system."""

from __future__ import annotations

import mimetypes

from starlette.staticfiles import StaticFiles

from chouine.server.pages.env import STATIC

TYPES = {
    ".css": "text/css",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}


def static_files() -> StaticFiles:
    """The application that serves the static files.

    On Windows Python takes types from the registry, where programs leave `.js` as plain text, and no browser runs that.
    """
    for end, kind in TYPES.items():
        mimetypes.add_type(kind, end)
    return StaticFiles(directory=STATIC)
