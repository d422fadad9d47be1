"""The static files of the pages, under types that do not depend on the system, style sheets without their comments."""

from __future__ import annotations

import mimetypes
import os
import re
from functools import cache
from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

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
QUOTED, REMARK = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", r"/\*(?:[^*]|\*(?!/))*\*/"
COMMENT = re.compile(rf"({QUOTED})|^[ \t]*{REMARK}[ \t]*\n|{REMARK}", re.DOTALL | re.MULTILINE)
"""Matches a text in quotation marks, which is kept, or a comment of a style sheet, with its line if it has its own."""


def static_files() -> StaticFiles:
    """The application that serves the static files.

    On Windows Python takes types from the registry, where programs leave `.js` as plain text, and no browser runs that.
    """
    for end, kind in TYPES.items():
        mimetypes.add_type(kind, end)
    return LeanFiles(directory=STATIC)


class LeanFiles(StaticFiles):
    """Files as they are, and style sheets without their comments, a fifth of the table's."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        found = super().file_response(full_path, stat_result, scope, status_code)
        path = Path(full_path)
        if path.suffix != ".css" or not isinstance(found, FileResponse):
            return found
        kept = {name: found.headers[name] for name in ("etag", "last-modified")}
        return Response(bare_sheet(path, stat_result.st_mtime), status_code, kept, TYPES[".css"])


@cache
def bare_sheet(path: Path, changed: float) -> str:  # noqa: ARG001  # read anew when the file has changed
    """A style sheet without comments."""
    return strip_comments(path.read_text("utf-8"))


def strip_comments(sheet: str) -> str:
    """A style sheet without comments; where one stood between two words a space stays."""
    return COMMENT.sub(lambda found: found[1] or ("" if found[0].endswith("\n") else " "), sheet)
