"""Whether an erasure is done, so that one that was interrupted, or copied half done, is finished."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0020"
kind = "expand"


def upgrade() -> None:
    """Done, as far as is known; so are those of an older node."""
    op.add_column("erasure", sa.Column("done", sa.Boolean, nullable=False, server_default=sa.true()))
