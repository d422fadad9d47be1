"""The deal of the day: who played it, who wishes to be named, and what level 8 made of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
kind = "expand"


def upgrade() -> None:
    """Nobody has played yet."""
    op.create_table(
        "daily_play",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("nth", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=False, server_default="0"),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("mark", sa.Integer, nullable=False, server_default="0"),
        sa.Column("gain", sa.Integer, nullable=False, server_default="0"),
        sa.Column("chouine", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("acts", sa.String(400), nullable=False, server_default=""),
    )
    op.create_index("ix_daily_play_game", "daily_play", ["game"])
    op.create_index("ix_daily_play_day_ended", "daily_play", ["day", "ended"])
    op.create_table(
        "daily_listing",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "daily_reference",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("nth", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mark", sa.Integer, nullable=False),
        sa.Column("gain", sa.Integer, nullable=False),
        sa.Column("chouine", sa.Boolean, nullable=False),
    )
