"""Parties brought as a file, and their reviews: apart from matches, since nobody here saw them played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
kind = "expand"


def upgrade() -> None:
    """None yet."""
    op.create_table(
        "imported",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("parties", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "imported_review",
        sa.Column("imported", sa.String(32), sa.ForeignKey("imported.id"), primary_key=True),
        sa.Column("partie", sa.Integer, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
