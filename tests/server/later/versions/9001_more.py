"""What a later version could add: a column for moves, an index, a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from tests.server.later import PRESENT_VERSION

revision = "9001"
down_revision = PRESENT_VERSION
kind = "expand"


def upgrade() -> None:
    """Filled with a default wherever an older program writes."""
    op.add_column("entry", sa.Column("mood", sa.String(8), nullable=False, server_default="calm"))
    op.add_column("game", sa.Column("village", sa.String(32)))
    op.create_index("ix_game_village", "game", ["village"])
    op.create_table("follower", sa.Column("guest", sa.String(32), primary_key=True))
