"""Prometheus metrics: sums over all tables, never of one table, visitor or card.

How long a computer thought is not measured: it would reveal something of its hand.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0)

COMMANDS = Counter("chouine_commands", "Commands by their outcome", ["outcome"])
DONE, REFUSED = COMMANDS.labels("done"), COMMANDS.labels("refused")
ENTRIES = Counter("chouine_entries", "Log entries written")
REQUESTS = Histogram(
    "chouine_request_seconds", "From a request to its answer", ["method", "status"], buckets=QUICK
)
COMMIT = Histogram(
    "chouine_commit_seconds", "From a change being asked of the database to its commit", buckets=QUICK
)
GROUP = Histogram(
    "chouine_commit_group",
    "Changes committed together (SQLite)",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
)
STREAMS = Gauge("chouine_streams", "Open streams")
TABLES = Gauge("chouine_tables_watched", "Tables somebody watches")
ROOMS = Gauge("chouine_rooms", "Tables kept in memory")
THOUGHTS = Gauge(
    "chouine_thoughts", "Computers' turns being attended to, the wait that hides their length included"
)
LIMITED = Counter("chouine_limited", "Requests refused by a limit", ["limit"])
MALFORMED = Counter("chouine_malformed", "Requests that were no HTTP")
UNLOGGED = Counter("chouine_log_lines_left_out", "Lines of the log left out, as so many said the same")
HINTS = Counter("chouine_hints", "Hints between nodes", ["way"])
DELIVERIES = Counter(
    "chouine_deliveries", "Notifications of a turn by what became of them", ["way", "outcome"]
)
for way in ("push", "mail"):
    for outcome in ("sent", "failed", "dropped", "gone"):
        DELIVERIES.labels(way, outcome)
DELIVERIES_WAITING = Gauge("chouine_deliveries_waiting", "Notifications of a turn that wait to be sent")
LOOP_DELAY = Histogram(
    "chouine_loop_delay_seconds", "By how much a timer is late: everybody waits as long", buckets=QUICK
)
ROWS = Gauge("chouine_rows", "Browsers, push subscriptions and e-mail addresses in the database", ["what"])
DATABASE_SIZE = Gauge("chouine_database_bytes", "Size of the database")
QUEUED = Gauge("chouine_moves_queued", "Moves of computers that wait for a process or a worker")
WORKERS = Gauge(
    "chouine_workers", "Workers that take moves; this node's own processes where there is no Redis"
)
