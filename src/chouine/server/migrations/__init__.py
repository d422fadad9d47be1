"""The database's shape, one step after another (Alembic)."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config


def configuration(database: str) -> Config:
    """Alembic's configuration for a database address."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("sqlalchemy.url", database.replace("%", "%%"))
    return config


def upgrade(database: str) -> None:
    """Bring a database to the newest shape."""
    command.upgrade(configuration(database), "head")
