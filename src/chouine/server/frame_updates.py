"""What streams send: a greeting, and frames delta-encoded: a line that the frame before had is its index there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import msgspec

from chouine.server.pages.frames import Frame

HELLO = b"event: hello\ndata:.\n\n"
"""The greeting of a stream. A browser that does not hear it knows that something on the way holds the stream back."""


@dataclass(frozen=True, slots=True)
class FrameUpdate:
    """A log entry's number and the frames that it makes for one observer."""

    n: int
    frames: list[Frame]


class FrameEncoder:
    """Encodes frames for one reader of one stream or response. The first frame is sent in full."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def encode(self, news: FrameUpdate) -> bytes:
        """The frames of a log entry as JSON."""
        return msgspec.json.encode({"n": news.n, "frames": [self.delta(frame) for frame in news.frames]})

    def delta(self, frame: Frame) -> dict[str, object]:
        """A frame as a delta: for each line its text, or its index in the frame before."""
        known, lines = self.lines, frame.html.splitlines(keepends=True)
        self.lines = dict(zip(lines, count()))
        parts = list(map(known.get, lines, lines))
        return {"parts": parts, "hold": frame.hold, "say": frame.say, "sound": frame.sound}
