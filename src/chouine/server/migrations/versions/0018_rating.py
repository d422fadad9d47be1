"""What rated matches changed, what a person's matches count, and what of it others may see."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
kind = "expand"


def upgrade() -> None:
    """Empty: nobody has agreed to a rated match yet, and older matches are counted when somebody looks."""
    op.create_table(
        "rating",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("variant", sa.String(20), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        *(
            sa.Column(name, sa.Float, nullable=False)
            for name in ("mean_before", "spread_before", "wander_before", "mean", "spread", "wander")
        ),
        sa.UniqueConstraint("game", "seat"),
    )
    op.create_table(
        "tally",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("other", sa.String(32), nullable=False, index=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.add_column("waiting", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "showing",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("rating", sa.Boolean, nullable=False),
        sa.Column("play", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
