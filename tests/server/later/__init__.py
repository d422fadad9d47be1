"""The program of a later version: this one with migrations that it does not have yet, to run beside this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from alembic.config import Config
from alembic.script import Script

from chouine.server import database as storage
from chouine.server import heartbeat, migrations, schema
from chouine.server.routes import operations
from tests.server.serving import serve_alone

FOLDER = Path(__file__).parent / "versions"
ADDED, REMOVED, ADDED_AGAIN = "9001", "9002", "9003"
"""Migrations of later versions: an expand, a contract that removes a part of it, and an expand again."""
PRESENT, PRESENT_VERSION, EVERY_STEP = migrations.configuration, schema.VERSION, migrations.steps_after


def configuration(database: str) -> Config:
    """Alembic's configuration with the later migrations too."""
    config = PRESENT(database)
    places = [str(Path(migrations.__file__).parent / "versions"), str(FOLDER)]
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", os.pathsep.join(places).replace("%", "%%"))
    return config


def steps_to(newest: str) -> Callable[[str | None], list[Script]]:
    """`migrations.steps_after` of a program that knows the migrations up to this one."""

    def steps_after(version: str | None) -> list[Script]:
        return [step for step in EVERY_STEP(version) if step.revision <= newest]

    return steps_after


def serve_later(arguments: Sequence[str], version: str = ADDED) -> int:
    """Run `chouine serve` as a version whose newest migration this is."""
    for module in (storage, heartbeat, migrations, operations, schema):
        module.VERSION = version  # type: ignore[attr-defined]
    migrations.configuration = configuration
    migrations.steps_after = steps_to(version)  # type: ignore[assignment]  # its argument has the same name
    return serve_alone(arguments)
