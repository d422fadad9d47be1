"""Frames as they are sent: a line of the page that the frame before had is sent as its number there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import msgspec

from chouine.server.pages import Frame


@dataclass(frozen=True, slots=True)
class News:
    """One entry of the log as an observer is told of it."""

    n: int
    frames: list[Frame]


class FrameEncoder:
    """Frames for one reader, on one stream or in one answer: the first is sent whole."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}

    def encode(self, news: News) -> bytes:
        """An entry's frames as JSON."""
        return msgspec.json.encode({"n": news.n, "frames": [self.delta(frame) for frame in news.frames]})

    def delta(self, frame: Frame) -> dict[str, object]:
        """The next frame: each line in full, or its place in the frame before."""
        known, lines = self.lines, frame.html.splitlines(keepends=True)
        self.lines = dict(zip(lines, count()))
        parts = list(map(known.get, lines, lines))
        return {"parts": parts, "hold": frame.hold, "say": frame.say, "sound": frame.sound}
