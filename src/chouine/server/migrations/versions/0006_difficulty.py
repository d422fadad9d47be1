"""How difficult problems are for people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nobody has tried any."""
    op.create_table(
        "difficulty",
        sa.Column("problem", sa.String(32), primary_key=True),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("spread", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
