"""Limits of e-mails that all nodes share, mailboxes that want none, and failures of push subscriptions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from chouine.server.push.mail import normal_form
from chouine.server.visitors import Secrets

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Known addresses get their owner's digest."""
    with op.batch_alter_table("subscription") as table:
        table.add_column(sa.Column("failures", sa.Integer, nullable=False, server_default="0"))
        table.add_column(sa.Column("retry", sa.Float, nullable=False, server_default="0"))
    with op.batch_alter_table("mailbox") as table:
        table.add_column(sa.Column("owner", sa.String(32), nullable=False, server_default=""))
        table.create_index("ix_mailbox_owner", ["owner"])
    known = op.get_bind()
    key = known.execute(sa.text("select value from setting where name = 'key'")).scalar() or ""
    for row in known.execute(sa.text("select id, address from mailbox")).all():
        owner = Secrets(key).owner(normal_form(row.address))
        known.execute(
            sa.text("update mailbox set owner = :owner where id = :id"), {"owner": owner, "id": row.id}
        )
    op.create_table(
        "unwanted",
        sa.Column("owner", sa.String(32), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "spending",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.create_index("ix_spending_ends", "spending", ["ends"])
