"""Visit a file's records without reading their moves: a hundred times as fast as `read_records`.

    with open("parties.cgn", encoding="utf-8") as file:
        won = sum(each.tag("Result") == "1-0" for each in visit_records(file))

Records begin where `read_records` has them begin: at the first tag after something else, and at a partie line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TextIO

from chouine.errors import NotationError
from chouine.notation.reader import LONGEST, Entry, read_records
from chouine.rules.options import PRESETS

CHUNK = 2**20
"""Characters read at a time."""
TAG_LINES = r'(?:[ \t]*\[\s*\w+\s+".*\n?(?:[ \t]*\n)*)+'
HEAD = re.compile(
    rf"^(?:(?P<tags>{TAG_LINES})|(?:{'|'.join(sorted(PRESETS, reverse=True))})[ ;].*)", re.MULTILINE
)
"""A record's tags, or a partie line."""
TAG = r'\[\s*({name})\s+"((?:[^"\\\n]|\\.)*)"\s*\]'

ESCAPED = re.compile(r"\\(.)")


@cache
def tag_pattern(name: str) -> re.Pattern[str]:
    """Finds the tag of a name, or of any: its name and value."""
    return re.compile(TAG.replace("{name}", name))


class Visited(NamedTuple):
    """A record's text as it stands in the file, and where its moves begin."""

    text: str
    body: int
    """Length of the tags; 0 for a partie line."""

    @property
    def tags(self) -> dict[str, str]:
        """Its tags, as written; of a partie line its rules alone."""
        if not self.body:
            return {"Rules": self.text.split(None, 1)[0]}
        found = tag_pattern(r"\w+").findall(self.text, 0, self.body)
        return {name: ESCAPED.sub(r"\1", value) for name, value in found}

    def tag(self, name: str) -> str | None:
        """A tag's value, as written."""
        if not self.body:
            return self.tags.get(name)
        found = tag_pattern(re.escape(name)).search(self.text, 0, self.body)
        return found and ESCAPED.sub(r"\1", found[2])

    def read(self) -> Entry:
        """The whole record, or the error of the first thing in it that cannot be read."""
        return next(read_records(self.text.splitlines()))


def visit_records(stream: TextIO) -> Iterator[Visited]:
    """Visit a file's records in order, in constant memory.

    Text before a record is the end of the one before it; before the first it is left out. Raises `NotationError` for a
    record longer than `LONGEST` characters. Line ends are those of `open`.
    """
    text, ended = "", False
    while not ended:
        chunk = stream.read(CHUNK)
        ended = not chunk
        text += chunk
        whole = len(text) if ended else text.rfind("\n") + 1
        start, body = -1, 0
        for head in HEAD.finditer(text, 0, whole):
            if head["tags"] is None and start >= 0 and is_in_comment(text, start, head.start()):
                continue
            if start >= 0:
                yield Visited(text[start : head.start()], body)
            start, body = head.start(), 0 if head["tags"] is None else head.end() - head.start()
        if ended and start >= 0:
            yield Visited(text[start:], body)
        text = text[max(start, 0) :]
        if len(text) > LONGEST + CHUNK:
            raise NotationError("syntax/too-long", 1, 1, text[:20], most=LONGEST)


def is_in_comment(text: str, start: int, end: int) -> bool:
    """Whether a place in the record that starts at `start` is between braces."""
    return text.count("{", start, end) > text.count("}", start, end)
