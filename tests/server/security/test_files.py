"""The database holds all packs and the server's key: no other user of the machine can read it."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IMODE

from tests.server.serving import serving


def test_the_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The database, and SQLite's files beside it, have mode 0600 whatever the umask."""
    folder = tmp_path / "data"
    folder.mkdir()
    usual = os.umask(0o022)
    try:
        with serving(f"sqlite:///{folder / 'chouine.db'}", tmp_path / "errors", whole=True) as server:
            server.visit().open(**{"chair-1": "heuristic"})
            modes = {file.name: oct(S_IMODE(file.stat().st_mode)) for file in folder.iterdir()}
    finally:
        os.umask(usual)
    assert "chouine.db" in modes
    assert set(modes.values()) == {"0o600"}, modes
