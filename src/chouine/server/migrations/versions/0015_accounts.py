"""Accounts: several browsers of one person, and what they sign in by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
kind = "expand"


def upgrade() -> None:
    """Nobody has an account yet; of subscriptions so far it is not known in which browser they were made."""
    op.create_table(
        "member",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "browser",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("device", sa.String(40), nullable=False),
    )
    op.create_table(
        "credential",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.Column("label", sa.String(200), nullable=False),
        sa.Column("raw", sa.LargeBinary),
        sa.Column("key", sa.LargeBinary),
        sa.Column("counter", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "passage",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(200), nullable=False),
        sa.Column("at", sa.Float, nullable=False, index=True),
    )
    op.create_table(
        "former",
        sa.Column("former", sa.String(32), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.add_column("subscription", sa.Column("browser", sa.String(64), nullable=False, server_default=""))
