"""What the first page tells of a table that is over, so that its log need not be folded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Tables that are over already have none: it is written when one is listed."""
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("brief", sa.LargeBinary))
