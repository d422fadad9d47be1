"""Logging: one JSON line for each event on standard error, never with a card.

Ten lines a minute are written of each kind, or `most` where a line says so: nobody can fill the disk by provoking
messages. The text of an error might contain a card, so an error is logged by its type and place alone.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Hashable
from time import monotonic
from traceback import extract_tb
from types import TracebackType

import structlog
from structlog.typing import EventDict

from chouine.server.metrics import UNLOGGED

KIND = re.compile(r"^[A-Za-z_][\w.]*(?=:|$)", re.MULTILINE)
"""The type of the error in a traceback's text: it begins the first line that is not indented."""


MOST = 10
"""Most lines of one kind in a minute."""
MINUTE = 60.0
KINDS = 1000
"""Most kinds of lines counted at a time, all kinds beyond it as one."""
OTHERS = "others"
"""The kind of all lines for whose own kind there is no room."""


class Quota:
    """Counts the lines of each kind in the current minute."""

    def __init__(self) -> None:
        self.written: dict[Hashable, tuple[int, float]] = {}

    def allows(self, kind: Hashable, most: int = MOST) -> bool:
        """Whether another line of this kind may be written this minute; it is then counted."""
        now = monotonic()
        if kind not in self.written and len(self.written) >= KINDS - 1:
            self.written = {kind: (times, ends) for kind, (times, ends) in self.written.items() if now < ends}
            if len(self.written) >= KINDS - 1:
                kind = OTHERS
        times, ends = self.written.get(kind, (0, 0.0))
        times, ends = (times + 1, ends) if now < ends else (1, now + MINUTE)
        self.written[kind] = times, ends
        if times > most:
            UNLOGGED.inc()
        return times <= most


class LogQuota(logging.Filter):
    """Drops libraries' log lines beyond the quota.

    Their kind is the place of the call: a message may contain what a visitor sent, and would be new each time.
    """

    def __init__(self, quota: Quota) -> None:
        super().__init__()
        self.quota = quota

    def filter(self, record: logging.LogRecord) -> bool:
        return self.quota.allows((record.name, record.pathname, record.lineno))


def place_of(trace: TracebackType | None) -> str:
    """The last file and line of this package that an error passed through."""
    ours = [frame for frame in extract_tb(trace) if "chouine" in frame.filename]
    return f"{ours[-1].filename.rpartition('chouine/')[2]}:{ours[-1].lineno}" if ours else ""


class Terse(logging.Formatter):
    """Formats libraries' log lines, with errors by type and place only."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"level": record.levelname.lower(), "logger": record.name}
        if record.exc_info and record.exc_info[0]:
            fault = {"kind": record.exc_info[0].__name__, "place": place_of(record.exc_info[2])}
            return json.dumps({"event": "failure", **fault, **line})
        said = record.getMessage()
        if "Traceback (most recent call last)" in said:
            kind = KIND.search(said)
            return json.dumps({"event": "failure", "kind": kind[0] if kind else "", **line})
        return json.dumps({"event": said, **line})


def to_standard_error() -> None:
    """Configure logging, ours and the libraries', to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Terse())
    quota = Quota()
    handler.addFilter(LogQuota(quota))

    def drop_repeats(_logger: object, _method: str, said: EventDict) -> EventDict:
        kind = said.get("event"), said.get("kind"), said.get("place")
        if not quota.allows(kind, said.pop("most", MOST)):
            raise structlog.DropEvent
        return said

    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    structlog.configure(
        processors=[
            drop_repeats,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
