"""Tables, their logs, seats, sessions and settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """From nothing."""
    op.create_table(
        "game",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("wake", sa.Float),
    )
    op.create_index("ix_game_wake", "game", ["wake"])
    op.create_table(
        "entry",
        sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("command", sa.String(64)),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("game", "command"),
    )
    op.create_table(
        "seat",
        sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False),
    )
    op.create_index("ix_seat_guest", "seat", ["guest"])
    op.create_table(
        "session",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "setting",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
    )
