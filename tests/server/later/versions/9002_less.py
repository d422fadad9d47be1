"""What a later version could remove once nobody uses it."""

from __future__ import annotations

from alembic import op

revision = "9002"
down_revision = "9001"
kind = "contract"


def upgrade() -> None:
    """The column of moves goes."""
    with op.batch_alter_table("entry") as table:
        table.drop_column("mood")
