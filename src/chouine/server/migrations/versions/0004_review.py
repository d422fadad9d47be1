"""Reviews of finished parties, so that each is worked out once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """None yet."""
    op.create_table(
        "review",
        sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("partie", sa.Integer, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
