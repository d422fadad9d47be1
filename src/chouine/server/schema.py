"""The database's tables, as its migrations leave them."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

game = sa.Table(
    "game",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False, default=False),
    sa.Column("wake", sa.Float, index=True),
    sa.Column("brief", sa.LargeBinary),
    sa.Column("owner", sa.String(32), nullable=False, server_default="", index=True),
    sa.Column("origin", sa.String(32), nullable=False, server_default=""),
)
"""A table; `wake` is when it next has something to do by itself, `brief` what a list says of it once it is over.

`owner` is the guest who set it, `origin` a keyed digest of the address it was set from, forgotten once it is over.
"""

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("command", sa.String(64)),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("game", "command"),
)
"""A log line; `command` on the first line that a command wrote."""

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
)
"""Which guest holds a seat: to list one's matches."""

session = sa.Table(
    "session",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
)
"""A browser: the digest of its cookie, the guest it is."""

setting = sa.Table(
    "setting",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
"""The server's own secret key, and when it was last alive."""

review = sa.Table(
    "review",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("partie", sa.Integer, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""What was found when a finished partie was looked back on, as far as it has come."""

contest = sa.Table(
    "contest",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("opened", sa.Float, nullable=False),
    sa.Column("owner", sa.String(32), nullable=False, index=True),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("move", sa.Integer, nullable=False),
    sa.Column("reserve", sa.Integer, nullable=False),
    sa.Column("state", sa.String(8), nullable=False, index=True),
)
"""A contest of the server's players: who announced it, its seed, its tables' clock; `open`, `live` or `over`."""

act = sa.Table(
    "act",
    metadata,
    sa.Column("contest", sa.String(32), sa.ForeignKey("contest.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("line", sa.Text, nullable=False),
)
"""A line of a contest's log."""

entrant = sa.Table(
    "entrant",
    metadata,
    sa.Column("contest", sa.String(32), sa.ForeignKey("contest.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.UniqueConstraint("contest", "guest"),
)
"""The register beside a contest's log: who stands behind a number."""

difficulty = sa.Table(
    "difficulty",
    metadata,
    sa.Column("problem", sa.String(32), primary_key=True),
    sa.Column("mean", sa.Float, nullable=False),
    sa.Column("spread", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
)
"""How difficult a shipped problem is for people, by their first tries; of who tried, nothing."""

waiting = sa.Table(
    "waiting",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("id", sa.String(16), nullable=False, unique=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
    sa.Column("game", sa.String(32), nullable=False),
)
"""Who waits for a partner: under which name and identifier others see them, `seen` when their page last asked.

`game` is the table where somebody sat down with them; empty until then.
"""

block = sa.Table(
    "block",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("other", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""`guest` never plays with `other` again, whom they knew by that name; `other` is not told."""

report = sa.Table(
    "report",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("reason", sa.String(16), nullable=False),
    sa.Column("words", sa.String(300), nullable=False),
    sa.UniqueConstraint("game", "guest", "seat"),
)
"""`guest` tells the keeper of the server about the seat of a match, whose name it was; gone once it is dealt with."""

subscription = sa.Table(
    "subscription",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("endpoint", sa.String(500), nullable=False),
    sa.Column("key", sa.String(100), nullable=False),
    sa.Column("auth", sa.String(40), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""A browser of a guest that is told of turns: the digest and address of its push service, its public key and secret."""

mailbox = sa.Table(
    "mailbox",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, unique=True),
    sa.Column("address", sa.String(200), nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("confirmed", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""An e-mail address that a guest gave, to be told of turns; nothing but a question is sent before it is `confirmed`."""
