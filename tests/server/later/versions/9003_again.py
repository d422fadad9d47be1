"""What a version after that could add."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "9003"
down_revision = "9002"
kind = "expand"


def upgrade() -> None:
    """A table."""
    op.create_table("friend", sa.Column("guest", sa.String(32), primary_key=True))
