"""The files a browser downloads to play without a network: Python as WebAssembly, these sources, the pages' files.

`make offline` puts Python for browsers (Pyodide) and the compiled packages into `runtime/`. They are not part of
the package; where they are missing, offline play is not offered.
"""

from __future__ import annotations

import ast
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import files as files_of
from pathlib import Path
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from chouine.compilations import WEBASSEMBLY
from chouine.imports import imported_names
from chouine.server.pages.env import static
from chouine.server.pages.home import Takeaway

Result = TypeVar("Result")

PACKAGE = Path(__file__).parents[2]
STATIC = PACKAGE / "server" / "static"
RUNTIME = Path(__file__).parent / "runtime"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that are needed."""
KERNELS = "kernels.wasm"
"""The kernels of levels 7 and 8."""
PURE = ("jinja2", "markupsafe", "markdown_it", "mdurl")
"""Packages that are pure Python, taken whole from where they are installed."""
PARTS = {
    "anyio": "__init__ _core/__init__ _core/_eventloop _core/_exceptions _lazyimport abc/__init__ to_thread",
    "starlette": (
        "__init__ _exception_handler _utils applications background concurrency convertors datastructures exceptions "
        "formparsers middleware/__init__ middleware/body_limit middleware/errors middleware/exceptions requests "
        "responses routing types websockets"
    ),
}
"""The modules taken of packages of which the pages need no more."""
STARTED = tuple(f"chouine.server.offline.{name}" for name in ("preload", "site", "kernels"))
"""The modules that the worker imports."""
LEFT_OUT = (
    "ai/kernels.wasm.gz",
    "server/offline/runtime/",
    "server/static/",
    "server/templates/account/",
    "server/templates/contest/",
    "server/templates/contests/",
    "server/templates/feat_drawings.html",
    "server/templates/feats.html",
    "server/templates/operator/",
    "server/templates/rating.html",
    "server/templates/school/own.html",
    "server/templates/school/progress.html",
)
"""Files beside these modules that offline play does not need."""
ONLY_ONLINE = ("icons/invitation.png",)
"""Static files that no page shows without a network: the picture of a link that is sent."""
ADDRESSES = "server/offline/addresses.json"
"""Addresses of static files: Python in the browser does not have the files themselves."""
KINDS = (
    ".css",
    ".gz",
    ".html",
    ".ico",
    ".js",
    ".json",
    ".md",
    ".mo",
    ".npz",
    ".png",
    ".svg",
    ".toml",
    ".txt",
)
ROOM = 60e6
"""Bytes of storage beyond the download: unpacked files, and the image of Python's memory."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)


class File(NamedTuple):
    """A file of the runtime."""

    path: Path
    kind: str


KIND = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".json": "application/json",
}


@cache
def is_there() -> bool:
    """Whether the bundle was built."""
    return bool(wheels()) and all(packed_path(name).is_file() for name in PYTHON)


def wheels() -> list[Path]:
    """The packages compiled for browsers."""
    return sorted(RUNTIME.glob("*wasm32.whl"))


def packed_path(name: str) -> Path:
    """A file of Python for browsers, compressed."""
    return WEBASSEMBLY if name == KERNELS else RUNTIME / f"{name}.gz"


def runtime_file(name: str) -> File | None:
    """A file of Python for browsers, compressed; None for any other."""
    return (
        File(packed_path(name), KIND[Path(name).suffix]) if is_there() and name in runtime_names() else None
    )


def runtime_names() -> list[str]:
    """The files of the runtime that are here."""
    return [name for name in (*PYTHON, KERNELS) if packed_path(name).is_file()]


def sources() -> Iterator[tuple[str, bytes]]:
    """The source files for the browser, with their paths there."""
    modules = module_files()
    folders = {path.parent for path in modules if path.name == "__init__.py"}
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        beside = path.suffix in KINDS and not folders.isdisjoint(path.parents)
        if path in modules or (beside and path.is_file() and not name.startswith(LEFT_OUT)):
            yield f"chouine/{name}", path.read_bytes()
    names = (path.relative_to(STATIC).as_posix() for path in statics())
    yield f"chouine/{ADDRESSES}", json.dumps({name: static(name) for name in names}).encode()
    for book in ("REGLES.md", "RULES.md"):
        if not (PACKAGE / book).is_file():  # a checkout, where they lie above the sources
            yield f"chouine/{book}", (PACKAGE.parents[1] / book).read_bytes()
    for package in (*PURE, *PARTS):
        parts = {f"{package}/{part}.py" for part in PARTS.get(package, "").split()}
        for found in sorted(files_of(distribution_of(package)) or (), key=str):
            if (
                found.parts[0] == package
                and found.suffix == ".py"
                and (not parts or found.as_posix() in parts)
            ):
                yield found.as_posix(), found.read_binary()
    for wheel in wheels():
        with zipfile.ZipFile(wheel) as opened:
            for name in sorted(opened.namelist()):
                if ".dist-info/" not in name and not name.endswith(".pyi"):
                    yield name, opened.read(name)


def module_files() -> set[Path]:
    """The sources of all our modules that offline play may import, also late or by a name in a string."""
    found = {"chouine": PACKAGE / "__init__.py"}
    names = [*STARTED]
    while names:
        name = names.pop()
        if name in found or not name.startswith("chouine."):
            continue
        path = PACKAGE.parent.joinpath(*name.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if path.is_file():
            found[name] = path
            module = ast.parse(path.read_bytes())
            names += [name.rpartition(".")[0], *imported_names(module), *names_in_texts(module)]
    return {*found.values()}


def names_in_texts(module: ast.AST) -> Iterator[str]:
    """What a module names in a string to import it, a player's class, say; with all its other strings."""
    for node in ast.walk(module):
        match node:
            case ast.Constant(value=str(text)):
                yield text.partition(":")[0]


def distribution_of(package: str) -> str:
    """The name of the distribution that installs a package."""
    return {"markdown_it": "markdown-it-py"}.get(package, package)


class Once(Generic[Result]):
    """Keeps what a function returns. Threads that ask while it is computed wait for that.

    Else each would have it computed. Besides, Python 3.11 raises `SystemError` where two threads make syntax trees.
    """

    def __init__(self, function: Callable[[], Result]) -> None:
        self.function, self.computing = function, Lock()
        self.kept: list[Result] = []

    def __call__(self) -> Result:
        with self.computing:
            if not self.kept:
                self.kept.append(self.function())
            return self.kept[0]

    @property
    def at_hand(self) -> Result | None:
        """What the function has returned; None until it has."""
        return self.kept[0] if self.kept else None


@Once
def app() -> bytes:
    """All sources as one zip, byte for byte reproducible."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, body in sources():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), body, zipfile.ZIP_DEFLATED)
    return held.getvalue()


@Once
def takeaway() -> Takeaway | None:
    """The sizes of the download; None if the bundle was not built. The first call takes seconds."""
    if not is_there():
        return None
    digest, static = sha256(app()), [path.read_bytes() for path in statics()]
    runtime = [packed_path(name).read_bytes() for name in runtime_names()]
    for body in (*runtime, *static):
        digest.update(body)
    fetched = len(app()) + sum(map(len, runtime)) + sum(len(gzip.compress(body, 6)) for body in static)
    return Takeaway(digest.hexdigest()[:12], round(fetched / 1e6), round((ROOM + fetched) / 1e6))


def statics() -> list[Path]:
    """The pages' files."""
    online = {STATIC / name for name in ONLY_ONLINE}
    return [path for path in sorted(STATIC.rglob("*")) if path.is_file() and path not in online]


def addresses() -> list[str]:
    """The addresses of all files that a browser stores."""
    static = (path.relative_to(STATIC).as_posix() for path in statics())
    return [
        "/offline",
        "/offline/worker.js",
        "/offline/app.zip",
        "/offline/days.json",
        *(f"/offline/runtime/{name}" for name in runtime_names()),
        *(f"/offline/static/{name}" for name in static),
    ]
