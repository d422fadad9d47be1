"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
kind = "expand"


def upgrade() -> None:
    """One step forward."""
    ${upgrades if upgrades else "pass"}
