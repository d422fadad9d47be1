"""Slow matches: reminders in the evening, holidays, and acts prepared for another's card."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
kind = "expand"


def upgrade() -> None:
    """Nobody is reminded, on holiday, or has prepared anything."""
    op.create_table(
        "reminder",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("due", sa.Float, nullable=False, index=True),
        sa.Column("sent", sa.Float, nullable=False),
    )
    op.create_table(
        "holiday",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("first", sa.String(10), nullable=False),
        sa.Column("last", sa.String(10), nullable=False),
        sa.Column("begins", sa.Float, nullable=False),
        sa.Column("ends", sa.Float, nullable=False, index=True),
    )
    op.create_table(
        "prepared",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("card", sa.String(2), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("token", sa.String(20), nullable=False),
        sa.Column("partie", sa.Integer, nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("lapsed", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
