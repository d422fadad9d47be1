"""Tokens with which programs play for a person, and the guests that are programs themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0018"
kind = "expand"


def upgrade() -> None:
    """Nobody has any yet."""
    op.create_table(
        "token",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("scopes", sa.String(60), nullable=False),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "bot",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False, unique=True),
        sa.Column("seen", sa.Float, nullable=False),
    )
