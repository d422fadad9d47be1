"""News as it is sent: of each frame what the one before it did not have, and where in that one the rest is found."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from chouine.server.pages import Frame


@dataclass(frozen=True, slots=True)
class News:
    """One entry of the log as an observer is told of it."""

    n: int
    frames: list[Frame]


class Sent(msgspec.Struct, frozen=True):
    """A frame less what its reader has already: each part in full, or its place in the frame before."""

    parts: list[str | int]
    hold: bool
    say: tuple[str, ...]
    sound: str


class Entry(msgspec.Struct, frozen=True):
    """One entry of the log as it is sent."""

    n: int
    frames: list[Sent]


class Last:
    """The frame that a reader was sent last, on one stream or in one answer: the first is sent whole."""

    __slots__ = ("places",)

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def told(self, news: News) -> bytes:
        """An entry for this reader, as JSON."""
        return msgspec.json.encode(Entry(news.n, [self.sent(frame) for frame in news.frames]))

    def sent(self, frame: Frame) -> Sent:
        """The next frame."""
        known = self.places
        self.places = {part: place for place, part in enumerate(frame.parts)}
        return Sent([known.get(part, part) for part in frame.parts], frame.hold, frame.say, frame.sound)
