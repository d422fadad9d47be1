"""Contests of the server's own players: their logs, and who stands behind an entry."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """From nothing."""
    op.create_table(
        "contest",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("reserve", sa.Integer, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
    )
    op.create_index("ix_contest_owner", "contest", ["owner"])
    op.create_index("ix_contest_state", "contest", ["state"])
    op.create_table(
        "act",
        sa.Column("contest", sa.String(32), sa.ForeignKey("contest.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("line", sa.Text, nullable=False),
    )
    op.create_table(
        "entrant",
        sa.Column("contest", sa.String(32), sa.ForeignKey("contest.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.UniqueConstraint("contest", "guest"),
    )
    op.create_index("ix_entrant_guest", "entrant", ["guest"])
