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

`origin` is a digest of the address it was announced from, or of the hall that plays it.
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

`origin` is a digest of the address they entered from, erased when play begins.
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
    sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""Guests waiting for a partner: the name and identifier others see; `seen`: when their page last asked.

`table_id` is the table at which somebody joined them; empty until then. `since` is 0 once they were led there.
`origin` is a digest of their address. `rated`: whether the guest agrees that the match counts for the ratings.
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

`place`: `table`, `contest`, `waiting` or `people`. `table_id` and `seat` are then a table and its seat, a contest and
its entry or 0 for its title, a wait and 0, a person's page and 0 for its name or 1 for its village.
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

A bar holds `until` a time for the guest, and for the address whose digest is `origin` (`NEXT`: that of
the next visit). `told`: whether the person has seen it, or nobody is to be told; `answer`: theirs.
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
    sa.Column("browser", sa.String(64), nullable=False, server_default=""),
)
"""A browser subscribed to turn notifications: its push service's address, a digest of it, and the keys.

`failures`: deliveries that failed since the last that did not; until `retry` none is tried. `browser`: of a member the
digest of the browser's cookie, so that its subscription ends with it.
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
    sa.Column("done", sa.Boolean, nullable=False, server_default=sa.true()),
)
"""Guests who were erased, so that they can be erased from older copies of the database too; `done`: nothing is left.

So is a forgotten browser, by half the digest of its cookie, so that a late page of it is not stored.
"""

spending = sa.Table(
    "spending",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("ends", sa.Float, nullable=False, index=True),
)
"""E-mails sent until a window of time ends, under a keyed digest of what they are limited by.

So are answers by passkeys, and cookies that have signed in, both of which do so once.
"""

access = sa.Table(
    "token",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("scopes", sa.String(60), nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
)
"""A token with which a program plays for `guest`: its digest, what it may do, when it was used last, to the day."""

bot = sa.Table(
    "bot",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False, unique=True),
    sa.Column("seen", sa.Float, nullable=False),
)
"""A guest that is a program for good, the name with its mark under which it plays, and when it last did, to the day."""
daily_play = sa.Table(
    "daily_play",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("nth", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), key="table_id", nullable=False, index=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("ended", sa.Float, nullable=False, server_default="0"),
    sa.Column("counts", sa.Boolean, nullable=False),
    sa.Column("mark", sa.Integer, nullable=False, server_default="0"),
    sa.Column("gain", sa.Integer, nullable=False, server_default="0"),
    sa.Column("chouine", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("acts", sa.String(400), nullable=False, server_default=""),
    sa.Index("ix_daily_play_day_ended", "day", "ended"),
)
"""A guest's partie of a deal of the day: where it is played and, once it has `ended`, what was made of it.

`counts`: played on its day; `mark`, `gain` and `chouine` are a `DailyScore`; `acts`: the guest's own, as tokens.
"""

daily_listing = sa.Table(
    "daily_listing",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""Guests who wish to be named in the tables of the deal of the day."""

daily_reference = sa.Table(
    "daily_reference",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("nth", sa.Integer, primary_key=True),
    sa.Column("mark", sa.Integer, nullable=False),
    sa.Column("gain", sa.Integer, nullable=False),
    sa.Column("chouine", sa.Boolean, nullable=False),
)
"""What level 8 made of a partie of a deal of the day: a `DailyScore`."""

member = sa.Table(
    "member",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
)
"""A guest with an account: their settings and progress, the same in all their browsers; `seen` to the day."""

browser = sa.Table(
    "browser",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
    sa.Column("device", sa.String(40), nullable=False),
)
"""A browser signed in to an account: the digest of its cookie, when it was seen last, to the day, its rough name.

Unlike those in `session` it is signed in because it is stored here, and no longer.
"""

credential = sa.Table(
    "credential",
    metadata,
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
"""What a member signs in by: `kind` is `passkey`, `card` or `mail`; when it was made, and last used.

`id` is a digest: of the passkey's identifier, of the card's words, of the address. `label`: the rough name of the
browser in which a passkey was made, the address; `raw`, `key`, `counter`: of a passkey its identifier, key and counter.
"""

passage = sa.Table(
    "passage",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("address", sa.String(200), nullable=False),
    sa.Column("at", sa.Float, nullable=False, index=True),
)
"""A link sent by e-mail that signs in once: the digest of its secret, the address, when it was sent."""

former = sa.Table(
    "former",
    metadata,
    sa.Column("former", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("at", sa.Float, nullable=False),
)
"""A guest who became another: older copies of the database know the same person by that number."""
person = sa.Table(
    "person",
    metadata,
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
"""What others may know of a guest: `id` names them in addresses. `at`: when the row was made or its owner last used it.

`shows_name` is `met` or `everybody`, the other `shows_…` are `nobody`, `friends` or `everybody` (who may see the page);
`challenged_by`: `nobody`, `friends` or `met`. `seen`: when a page of theirs last asked, 0 unless friends may know
(`present`). `link`: the secret of the link that makes friends, until a time.
"""

friendship = sa.Table(
    "friendship",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("other", sa.String(32), primary_key=True, index=True),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""What `guest` asked `other`: `asked`, `declined` (of which `guest` does not learn), or `ended` (declined, then
withdrawn); two who are friends have a row each, `friend`."""

challenge = sa.Table(
    "challenge",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("rules", sa.String(300), nullable=False),
    sa.Column("format", sa.String(16), nullable=False),
    sa.Column("move", sa.Integer, nullable=False),
    sa.Column("reserve", sa.Integer, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("game", sa.String(32), key="table_id", nullable=False, server_default=""),
    sa.Column("told", sa.Boolean, nullable=False, server_default=sa.false()),
)
"""A challenge by `guest`, open `until` a time: the terms of the match, `move` 0 without a clock.

`state`: `open`, `accepted` (then `table_id` is the table), `declined` or `dropped`; `told`: `guest` has put it away.
"""

invitee = sa.Table(
    "invitee",
    metadata,
    sa.Column("challenge", sa.String(16), sa.ForeignKey("challenge.id"), primary_key=True),
    sa.Column("guest", sa.String(32), primary_key=True, index=True),
    sa.Column("answer", sa.String(8), nullable=False, server_default=""),
)
"""Who is challenged, and the answer: empty, `yes` or `no`."""
rating = sa.Table(
    "rating",
    metadata,
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("game", sa.String(32), key="table_id", nullable=False),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("variant", sa.String(20), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("mean_before", sa.Float, nullable=False),
    sa.Column("spread_before", sa.Float, nullable=False),
    sa.Column("wander_before", sa.Float, nullable=False),
    sa.Column("mean", sa.Float, nullable=False),
    sa.Column("spread", sa.Float, nullable=False),
    sa.Column("wander", sa.Float, nullable=False),
    sa.UniqueConstraint("table_id", "seat"),
)
"""What the `n`-th rated match changed for the person at a seat: their rating in `variant`, a preset, before and after.

`place`: 1 for the winner. Of somebody erased the figures stay, of nobody: they explain the others'.
"""

tally = sa.Table(
    "tally",
    metadata,
    sa.Column("game", sa.String(32), key="table_id", primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("other", sa.String(32), nullable=False, index=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
"""What a finished match counts in the statistics of the person at a seat, by the program's `version` of counting.

`other`: the only other person at a table of two. It can be counted again as long as the match is kept.
"""

showing = sa.Table(
    "showing",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("rating", sa.Boolean, nullable=False),
    sa.Column("play", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""What a person lets others see, as chosen `at` a time: their rating, their measure of play. Without a row nothing."""
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
"""The review so far of each of these parties."""

reminder = sa.Table(
    "reminder",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("hour", sa.Integer, nullable=False),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("due", sa.Float, nullable=False, index=True),
    sa.Column("sent", sa.Float, nullable=False),
)
"""A guest's wish, since `at`, to be reminded at an hour of their time zone of the tables that wait for them.

`due`: when the next reminder is; `sent`: when the last one was, 0 before the first.
"""

holiday = sa.Table(
    "holiday",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("first", sa.String(10), nullable=False),
    sa.Column("last", sa.String(10), nullable=False),
    sa.Column("begins", sa.Float, nullable=False),
    sa.Column("ends", sa.Float, nullable=False, index=True),
)
"""A holiday of a guest: its first and last day as dates, and when these begin and end in their time zone."""

prepared = sa.Table(
    "prepared",
    metadata,
    sa.Column("game", sa.String(32), key="table_id", primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("card", sa.String(2), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("token", sa.String(20), nullable=False),
    sa.Column("partie", sa.Integer, nullable=False),
    sa.Column("events", sa.Integer, nullable=False),
    sa.Column("lapsed", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
"""What `guest` prepared to do at a table if another plays `card`, `*` for whatever they play; nobody else may see it.

`partie` and `events`: the parties finished by then, and the events of the one in progress. `lapsed`: it was not done.
"""

classroom = sa.Table(
    "classroom",
    metadata,
    sa.Column("secret", sa.String(32), primary_key=True),
    sa.Column("guest", sa.String(32), nullable=False, index=True),
    sa.Column("code", sa.String(8), nullable=False, unique=True),
    sa.Column("until", sa.Float, nullable=False),
)
"""A class of a teacher: its page's secret, the teacher, the code on the board, and the end of the school year."""

pupil = sa.Table(
    "pupil",
    metadata,
    sa.Column("guest", sa.String(32), primary_key=True),
    sa.Column("classroom", sa.String(32), sa.ForeignKey("classroom.secret"), nullable=False, index=True),
    sa.Column("name", sa.String(24), nullable=False),
)
"""A pupil of a class, by first name. Their progress is where a visitor's is."""
