"""Imported by the process from which servers are forked: what each would do anew before its first page."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from chouine.server.migrations import upgrade
from chouine.server.offline import bundle
from tests.server.templates import load_templates, share_templates

share_templates()
load_templates()
bundle.takeaway()
with TemporaryDirectory() as folder:
    upgrade(f"sqlite+aiosqlite:///{Path(folder) / 'chouine.db'}")
