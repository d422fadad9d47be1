"""People: what each shows of themselves, friends, and challenges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
kind = "expand"


def upgrade() -> None:
    """Nobody has a page yet."""
    op.create_table(
        "person",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("village", sa.String(40), nullable=False, server_default=""),
        sa.Column("emblem", sa.String(2), nullable=False, server_default=""),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("shows_name", sa.String(12), nullable=False, server_default="met"),
        sa.Column("shows_village", sa.String(12), nullable=False, server_default="nobody"),
        sa.Column("shows_emblem", sa.String(12), nullable=False, server_default="nobody"),
        sa.Column("shows_since", sa.String(12), nullable=False, server_default="nobody"),
        sa.Column("challenged_by", sa.String(12), nullable=False, server_default="met"),
        sa.Column("present", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("seen", sa.Float, nullable=False, server_default="0"),
        sa.Column("link", sa.String(24), nullable=False, server_default="", index=True),
        sa.Column("link_until", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "friendship",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("other", sa.String(32), primary_key=True, index=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "challenge",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(32), nullable=False, index=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("rules", sa.String(300), nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("reserve", sa.Integer, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("game", sa.String(32), nullable=False, server_default=""),
        sa.Column("told", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "invitee",
        sa.Column("challenge", sa.String(16), sa.ForeignKey("challenge.id"), primary_key=True),
        sa.Column("guest", sa.String(32), primary_key=True, index=True),
        sa.Column("answer", sa.String(8), nullable=False, server_default=""),
    )
