"""What the keeper of the server decides about people and their words, and of whom and what a report is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Nothing was decided yet; reports so far are of seats at tables."""
    op.add_column("contest", sa.Column("title", sa.String(60), nullable=False, server_default=""))
    op.add_column("report", sa.Column("place", sa.String(8), nullable=False, server_default="table"))
    op.add_column("report", sa.Column("other", sa.String(32), nullable=False, server_default=""))
    with op.batch_alter_table("report") as table:
        table.alter_column("name", type_=sa.String(60))
    op.execute(
        sa.text(
            "update report set other = coalesce((select guest from seat where seat.game = report.game"
            " and seat.seat = report.seat), '')"
        )
    )
    op.create_table(
        "ruling",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("origin", sa.String(32), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("answer", sa.String(300), nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
    )
    op.create_index("ix_ruling_guest", "ruling", ["guest"])
