"""Who was erased, so that copies of the database can be cleared of them too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Nobody yet."""
    op.create_table(
        "erasure",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
