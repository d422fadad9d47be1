"""The database's current schema, as the migrations leave it."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

VERSION = max(path.name for path in (Path(__file__).parent / "migrations" / "versions").glob("[0-9]*.py"))[:4]
"""The newest migration, by its number: the schema that this program writes."""
STORED_VERSION: sa.ColumnElement[str] = sa.literal_column(
    "(SELECT version_num FROM alembic_version)", sa.String
)
"""The schema of the database, for use in a statement."""
STORED_OLDEST: sa.ColumnElement[str] = sa.literal_column("(SELECT oldest FROM alembic_version)", sa.String)
"""The oldest program, by its `VERSION`, that may write: what it knows is all still there."""
metadata = sa.MetaData()

playing_table = sa.Table(
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
"""A table. `wake`: when it next acts by itself; `brief`: its line in lists once it is over.

`owner` is the guest who set it, `origin` a keyed digest of the address it was set from, erased once it is over: 16
characters for the widest network that counts (an IPv6 /48), 16 for the narrowest.
"""

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), key="table_id", primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("command", sa.String(64)),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("table_id", "command"),
)
"""A log entry. `command`: the id of the command that wrote it, on the first entry it wrote."""

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), key="table_id", primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
)
"""Which guest holds a seat, to list a guest's matches."""

session = sa.Table(
    "session",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
    sa.Column("seen", sa.Float, nullable=False, server_default="0"),
)
"""A browser: the digest of its cookie, its guest, and when it was seen last, to the day."""

setting = sa.Table(
    "setting",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)
"""The server's own values: its secret key and its last heartbeat."""

review = sa.Table(
    "review",
    metadata,
    sa.Column("game", sa.String(32), sa.ForeignKey("game.id"), key="table_id", primary_key=True),
    sa.Column("partie", sa.Integer, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""A finished partie's review so far."""

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
    sa.Column("origin", sa.String(32), nullable=False, server_default="", index=True),
    sa.Column("title", sa.String(60), nullable=False, server_default=""),
)
"""An online contest: its announcer, its seed, the clock of its tables; `state` is `open`, `live` or `over`.

`origin` is a digest as in `playing_table`: of the address it was announced from, or of the hall that plays it.
`title`: the keeper's, shown in place of the one in the log; empty for most.
"""

act = sa.Table(
    "act",
    metadata,
    sa.Column("contest", sa.String(32), sa.ForeignKey("contest.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("line", sa.Text, nullable=False),
)
"""An entry of a contest's log."""

entrant = sa.Table(
    "entrant",
    metadata,
    sa.Column("contest", sa.String(32), sa.ForeignKey("contest.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("origin", sa.String(32), nullable=False, server_default=""),
    sa.UniqueConstraint("contest", "guest"),
)
"""The names behind the numbers of a contest's log; kept apart, so that they can be erased.

`origin` as in `playing_table`, erased when play begins.
"""

difficulty = sa.Table(
    "difficulty",
    metadata,
    sa.Column("problem", sa.String(32), primary_key=True),
    sa.Column("mean", sa.Float, nullable=False),
    sa.Column("spread", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
)
"""A shipped problem's difficulty for people, from first tries; nothing tells who tried."""

waiting = sa.Table(
    "waiting",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("id", sa.String(16), nullable=False, unique=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
    sa.Column("game", sa.String(32), key="table_id", nullable=False),
    sa.Column("origin", sa.String(32), nullable=False, server_default=""),
)
"""Guests waiting for a partner: the name and identifier others see; `seen`: when their page last asked.

`table_id` is the table at which somebody joined them; empty until then. `origin` as in `playing_table`.
"""

block = sa.Table(
    "block",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("other", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""A block: `guest` is never matched with `other`, whom they knew by this name. `other` is not told."""

report = sa.Table(
    "report",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("game", sa.String(32), key="table_id", nullable=False),
    sa.Column("guest", sa.String(32), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("reason", sa.String(16), nullable=False),
    sa.Column("words", sa.String(300), nullable=False),
    sa.Column("place", sa.String(8), nullable=False, server_default="table"),
    sa.Column("other", sa.String(32), nullable=False, server_default=""),
    sa.UniqueConstraint("table_id", "guest", "seat"),
)
"""A report to the server's keeper by `guest` about the words of `other` and what they were; deleted once handled.

`place`: `table`, `contest` or `waiting`. `table_id` and `seat` are then a table and its seat, a contest and its entry
or 0 for its title, a wait and 0.
"""

NEXT = "?"
"""In place of the digest of an address: that of the guest's next attempt, which is not known yet."""
ruling = sa.Table(
    "ruling",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("what", sa.String(16), nullable=False),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("origin", sa.String(32), nullable=False),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("reason", sa.String(300), nullable=False),
    sa.Column("answer", sa.String(300), nullable=False),
    sa.Column("told", sa.Boolean, nullable=False),
)
"""An act of the server's keeper, with its reason: about `guest`, if about a person, and the words `name`.

A bar holds `until` a time for the guest, and for the address whose digest is `origin` (as in `playing_table`, or
`NEXT`). `told`: whether the person has seen it, or nobody is to be told; `answer`: theirs.
"""

subscription = sa.Table(
    "subscription",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("endpoint", sa.String(500), nullable=False),
    sa.Column("key", sa.String(100), nullable=False),
    sa.Column("auth", sa.String(40), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column("retry", sa.Float, nullable=False, server_default="0"),
)
"""A browser subscribed to turn notifications: its push service's address, a digest of it, and the keys.

`failures`: deliveries that failed since the last that did not; until `retry` none is tried.
"""

mailbox = sa.Table(
    "mailbox",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, unique=True),
    sa.Column("address", sa.String(200), nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("confirmed", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("owner", sa.String(32), nullable=False, server_default="", index=True),
)
"""An e-mail address for turn notifications. Until it is `confirmed`, only the question to confirm is sent.

`owner`: a keyed digest, equal for all ways to write the address of a mailbox.
"""

unwanted = sa.Table(
    "unwanted",
    metadata,
    sa.Column("owner", sa.String(32), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)
"""The mailboxes to which no e-mail is ever sent, as their owners asked: keyed digests, no addresses."""

erasure = sa.Table(
    "erasure",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)
"""Guests who were erased, so that they can be erased from older copies of the database too."""

spending = sa.Table(
    "spending",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("ends", sa.Float, nullable=False, index=True),
)
"""E-mails sent until a window of time ends, under a keyed digest of what they are limited by."""

imported = sa.Table(
    "imported",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("title", sa.String(200), nullable=False),
    sa.Column("parties", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
"""Parties that a guest brought as a file: the names of the players, how many parties, and their records."""

imported_review = sa.Table(
    "imported_review",
    metadata,
    sa.Column("imported", sa.String(32), sa.ForeignKey("imported.id"), key="table_id", primary_key=True),
    sa.Column("partie", sa.Integer, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""As `review`, of these parties."""
