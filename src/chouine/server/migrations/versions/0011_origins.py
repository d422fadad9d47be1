"""When a browser was seen last, and from which address contests, entries and waits come."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Every browser was seen today; where the others come from is unknown."""
    op.add_column("session", sa.Column("seen", sa.Float, nullable=False, server_default="0"))
    op.execute(sa.text("update session set seen = :now").bindparams(now=time.time()))
    for table in ("contest", "entrant", "waiting"):
        op.add_column(table, sa.Column("origin", sa.String(32), nullable=False, server_default=""))
    op.create_index("ix_contest_origin", "contest", ["origin"])
