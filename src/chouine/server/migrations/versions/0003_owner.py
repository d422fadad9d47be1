"""Who set a table: for fair turns where computers think, and for a visitor's quota."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Existing tables get no owner: it was not recorded."""
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("owner", sa.String(32), nullable=False, server_default=""))
        table.add_column(sa.Column("origin", sa.String(32), nullable=False, server_default=""))
        table.create_index("ix_game_owner", ["owner"])
