"""Classes of teachers, and their pupils' first names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0024"
kind = "expand"


def upgrade() -> None:
    """None yet."""
    op.create_table(
        "classroom",
        sa.Column("secret", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("code", sa.String(8), nullable=False, unique=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "pupil",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("classroom", sa.String(32), sa.ForeignKey("classroom.secret"), nullable=False, index=True),
        sa.Column("name", sa.String(24), nullable=False),
    )
