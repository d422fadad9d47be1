"""The server's templates, compiled once for all processes of tests: otherwise each server would do it for its pages."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import get_args

from jinja2 import FileSystemBytecodeCache

from chouine.phrases.catalogue import Language
from chouine.server.pages import env

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".pytest_cache" / "templates"


def share_templates() -> None:
    """Store compiled templates where all processes find them. Sentences are part of them, and how they are prepared."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    sources = [Path(env.__file__), *sorted((ROOT / "src/chouine/phrases/locale").rglob("*.mo"))]
    digest = sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    for language in get_args(Language):
        shared = FileSystemBytecodeCache(str(FOLDER), f"{language}-{digest}-%s")
        env.environment(language).bytecode_cache = shared


def load_templates() -> None:
    """Load those of both languages."""
    for language in ("fr", "en"):
        found = env.environment(language)
        for name in found.list_templates(extensions=["html"]):
            found.get_template(name)
