"""Who waits for a partner, who never plays with whom again, and what was reported to the keeper."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """From nothing."""
    op.create_table(
        "waiting",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
    )
    op.create_table(
        "block",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("other", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("words", sa.String(300), nullable=False),
        sa.UniqueConstraint("game", "guest", "seat"),
    )
