"""A record while it is read: tags, then moves, token by token; and at its end the record, or what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from chouine.errors import NotationError
from chouine.notation.deals import read_deal
from chouine.notation.lines import parse_rules
from chouine.notation.records import (
    REQUIRED,
    Comment,
    Glyph,
    Item,
    Record,
    Variation,
    order_tags,
    outcome,
    points_text,
    read_termination,
)
from chouine.notation.replay import final
from chouine.notation.tokens import Value, Word, WrittenAction, read_word, read_written
from chouine.partie.deal import SeenDeal
from chouine.partie.result import Result
from chouine.rules.options import Rules
from chouine.rules.position import Position

RESULT = re.compile(r"[01](-[01]){1,3}|\*")
POINTS = re.compile(r"[0-9]+(-[0-9]+){1,3}")
NESTED = 32
"""Greatest depth of nested variations."""


class Place(NamedTuple):
    """A token of a file, with its line and column."""

    text: str
    line: int
    column: int

    def fault(self, code: str, **data: object) -> NotationError:
        """An error at this place."""
        return NotationError(code, self.line, self.column, self.text, **data)


class Draft:
    """A record, filled token by token. After an error it is only skipped to its end."""

    def __init__(self, start: Place) -> None:
        self.start = start
        self.tags: dict[str, Place] = {}
        self.moving = False
        """Whether the moves have begun."""
        self.rules: Rules
        self.deal: SeenDeal
        self.items: list[list[Item]] = [[]]
        """The moves, then those of each open variation, innermost last."""
        self.acted = [False]
        """For each of them, whether it has an action yet."""
        self.open: list[Place] = []
        self.played: list[WrittenAction] = []
        self.remark: Place | None = None
        """The place of an open comment."""
        self.remark_lines: list[str] = []
        self.end: Place | None = None
        self.wrong: NotationError | None = None

    def blame(self, error: NotationError) -> None:
        """Store an error unless there is one already."""
        self.wrong = self.wrong or error

    def give_up(self, error: NotationError) -> None:
        """Keep of a record that is too long its error, and its tags, by which the next record is recognised.

        After an earlier error the tags go too.
        """
        if self.wrong is not None:
            self.tags = {}
        self.blame(error)
        self.items, self.acted, self.open, self.remark_lines = [[]], [False], [], []

    def tag(self, name: Place, value: Place) -> None:
        """Add a tag; its value is parsed when the moves begin."""
        if name.text in self.tags:
            self.blame(name.fault("syntax/tag-twice"))
        self.tags[name.text] = value

    @property
    def begun(self) -> bool:
        """Whether it has more than comments."""
        return bool(self.tags) or self.moving or self.wrong is not None or self.remark is not None

    def begin_moves(self) -> None:
        """End the tags and parse their values."""
        if self.moving:
            return
        self.moving = True
        if self.wrong is None:
            try:
                self.read_head()
            except NotationError as error:
                self.blame(error)

    def read_head(self) -> None:
        """Parse the rules and the deal, and check the form of other known tags."""
        for name in REQUIRED:
            if name not in self.tags:
                raise self.start.fault("syntax/tag-missing", tag=name)
        self.rules = self.value("Rules", parse_rules)
        self.deal = self.value("Deal", lambda text: read_deal(text, self.rules))
        for name, form in (("Result", RESULT), ("Points", POINTS)):
            if name in self.tags and not form.fullmatch(self.tags[name].text):
                raise self.tags[name].fault(f"syntax/{name.lower()}")
        if "Termination" in self.tags:
            self.value("Termination", lambda text: read_termination(text, self.rules))

    def value(self, name: str, read: Callable[[str], Value]) -> Value:
        """A tag's value."""
        text, line, column = self.tags[name]
        return read_word(read, Word(text, column), line)

    def note(self, item: Item) -> None:
        """Add a comment or a glyph."""
        if self.wrong is None:
            self.items[-1].append(item)

    def open_comment(self, place: Place, text: str) -> None:
        """Begin a comment that continues on the next line."""
        self.remark, self.remark_lines = place, [text]

    def go_on_with_comment(self, text: str) -> int:
        """Continue an open comment with a line; returns the index after its end."""
        close = text.find("}")
        if close < 0:
            if self.wrong is None:
                self.remark_lines.append(text)
            return len(text)
        self.note(Comment("\n".join([*self.remark_lines, text[:close]])))
        self.remark = None
        return close + 1

    def move(self, kind: str, place: Place) -> None:
        """Add a token of the moves; trick numbers are ignored."""
        self.begin_moves()
        match kind:
            case "open":
                self.open_variation(place)
            case "close":
                self.close_variation(place)
            case "glyph":
                self.note(Glyph(place.text))
            case "word" if RESULT.fullmatch(place.text):
                self.result(place)
            case "word" if self.wrong is None:
                self.action(place)

    def action(self, place: Place) -> None:
        """Something played, or that might have been."""
        try:
            written = read_written(Word(place.text, place.column), place.line)
        except NotationError as error:
            self.blame(error)
            return
        self.items[-1].append(written.action)
        self.acted[-1] = True
        if not self.open:
            self.played.append(written)

    def open_variation(self, place: Place) -> None:
        """`(`: it stands for the action before."""
        if self.wrong is None and not self.acted[-1]:
            self.blame(place.fault("syntax/variation-first"))
        if len(self.open) == NESTED:
            self.blame(place.fault("syntax/nested"))
        self.open.append(place)
        self.items.append([])
        self.acted.append(False)

    def close_variation(self, place: Place) -> None:
        """`)`."""
        if not self.open:
            self.blame(place.fault("syntax/parenthesis"))
            return
        self.open.pop()
        self.acted.pop()
        variation = Variation(tuple(self.items.pop()))
        self.note(variation)

    def result(self, place: Place) -> None:
        """What ends the moves."""
        self.check_closed()
        if not self.open:
            self.end = place

    def check_closed(self) -> None:
        """A variation must be closed before the moves end."""
        if self.open:
            self.blame(self.open[-1].fault("syntax/variation"))

    def record(self) -> Record | NotationError:
        """The record, played and found to be as it claims, or what is wrong with it."""
        if self.remark:
            self.blame(self.remark.fault("syntax/comment"))
        self.begin_moves()
        self.check_closed()
        if self.wrong:
            return self.wrong
        try:
            result = self.played_out(final(self.rules, self.deal, self.played))
        except NotationError as error:
            return error
        tags = {name: value.text for name, value in self.tags.items() if name not in REQUIRED}
        return Record(self.rules, self.deal, tuple(self.items[0]), result, order_tags(tags))

    def played_out(self, p: Position) -> Result:
        """The result, held against what the record claims."""
        termination = self.tags.get("Termination")
        if termination and p.turn < 0:
            raise termination.fault("checksum/termination")
        result = outcome(self.rules, p, termination.text if termination else None)
        claims = (
            ("checksum/result", self.tags.get("Result"), result.text),
            ("checksum/points", self.tags.get("Points"), points_text(result)),
            ("checksum/result", self.end, result.text),
        )
        for code, claim, found in claims:
            if claim and claim.text != found:
                raise claim.fault(code, found=found)
        return result
