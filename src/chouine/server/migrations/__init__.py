"""Alembic migrations of the database's schema."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory


def configuration(database: str) -> Config:
    """Alembic's configuration for a database address."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("sqlalchemy.url", database.replace("%", "%%"))
    return config


@cache
def newest() -> str:
    """The shape that this program knows."""
    return ScriptDirectory.from_config(configuration("")).get_current_head() or ""


def upgrade(database: str) -> None:
    """Bring a database to the newest shape."""
    command.upgrade(configuration(database), "head")
