"""The oldest program that may write, beside the schema's version: newer ones may add to the schema while it runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
kind = "expand"


def upgrade() -> None:
    """Programs before this one do not know the column, and stop."""
    op.add_column(
        "alembic_version", sa.Column("oldest", sa.String(32), nullable=False, server_default=revision)
    )
