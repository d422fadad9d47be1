"""Read files of records and partie lines in one pass, with one partie in memory at a time.

A line or record longer than `LONGEST` is an error, and no more of it is held in memory.

A partie line may stand wherever a record may, and is read as a record without tags. After an error reading continues
at the next partie: after the result, at the first tag after moves, or at the next line that starts with a rules name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from pathlib import PurePath
from typing import NamedTuple, TextIO

from chouine.errors import NotationError, check_type
from chouine.notation.deals import read_deal
from chouine.notation.lines import Reading, parse_rules, read_line
from chouine.notation.records import (
    REQUIRED,
    TAG_LINE,
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
from chouine.notation.tokens import Value, Word, Written, read_word, read_written, words
from chouine.partie.deal import SeenDeal
from chouine.partie.result import Result
from chouine.plaintext import split_lines, unmark
from chouine.rules.options import PRESETS, Rules
from chouine.rules.position import Position
from chouine.rules.rule_table import rule_table_of

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
        self.played: list[Written] = []
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


Entry = Record | NotationError

TOKEN = re.compile(
    r"""\{(?P<comment>[^}]*)\}
    | \{(?P<unclosed>.*)
    | ;(?P<rest>.*)
    | (?P<glyph>[!?]{1,2}|\$[0-9]+)
    | (?P<open>\()
    | (?P<close>\))
    | \[\s*(?P<name>[A-Za-z0-9_]+)\s+"(?P<value>(?:[^"\\\r\n]++|\\[^\r\n])*+)"\s*(?P<tag>\])
    | (?P<bad_tag>\[.*)
    | (?P<number>[0-9]+(?:\.+|(?=\s|$)))
    | (?P<word>[^\s{}()\[\];!?$]+)
    | (?P<odd>\S)""",
    re.VERBOSE | re.DOTALL,
)
LONGEST = 2**20
"""Most characters of a line and of a record: a thousand times the usual length."""
SHOWN = 20
"""Characters of a too long line that are quoted in its error."""
TAGS = ("tag", "bad_tag")
REMARKS = ("comment", "unclosed", "rest")
ODD = {"}": "syntax/brace", "$": "syntax/glyph"}
UNDECODED = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as decoded by `surrogateescape`."""


def read_records(lines: Iterable[str]) -> Iterator[Entry]:
    """Read all records from a file's lines, or from a text; an invalid record yields its error instead.

    Raises `ValueError` for a text that is a file's name.
    """
    if isinstance(lines, PurePath) or (isinstance(lines, str) and is_file_name(lines)):
        raise ValueError(
            f"a file's name, not its lines: read_records(open({str(lines)!r}, encoding='utf-8'))"
        )
    check_type("lines", lines, Iterable, "an open file, its lines or its text")
    return read_entries(lines)


def is_file_name(text: str) -> bool:
    """Whether a text cannot be a record or a partie line, which have several words, and looks like a file's name."""
    return "\n" not in text and (text.endswith(".cgn") or len(text.split()) == 1)


def read_entries(lines: Iterable[str]) -> Iterator[Entry]:
    """Read all records, one after the other."""
    reader = Reader()
    for text in [lines] if isinstance(lines, str) else lines:
        check_type("a line", text, str, "text")
        for line in split_lines(text) or [""]:
            reader.feed(line)
            yield from reader.take()
    reader.finish()
    yield from reader.take()


def lines_of(stream: TextIO, longest: int = LONGEST) -> Iterator[str]:
    """A file's lines; a too long one is cut just above the limit, for its reader to refuse."""
    while line := stream.readline(longest + 1):
        yield line
        while len(line) > longest and not line.endswith("\n"):
            line = stream.readline(longest + 1)


def read_record(text: str) -> Record:
    """Read the single record of a text. Raises `NotationError` if it is invalid or not the only one."""
    entries = list(read_records(StringIO(text, newline=None)))
    for entry in entries:
        if isinstance(entry, NotationError):
            raise entry
        if len(entries) == 1:
            return entry
    raise NotationError("syntax/one-record", 1, 1, count=len(entries))


class Reader:
    """The state of reading between two lines."""

    def __init__(self) -> None:
        self.done: list[Entry] = []
        self.line = 0
        self.draft: Draft | None = None
        self.size = 0
        """Characters of the record being read."""
        self.loose = False
        """Whether a record has just ended: stray text after it is reported once."""
        self.reported = False
        self.undecoded: NotationError | None = None
        """The decoding error of the line being read."""

    def take(self) -> list[Entry]:
        """The parties read since the last call."""
        done, self.done = self.done, []
        return done

    def feed(self, text: str) -> None:
        """Read one more line."""
        self.line += 1
        self.size = len(text) + 1 + (self.size if self.draft else 0)
        if self.size > LONGEST:
            self.too_long(text)
            return
        self.undecoded = decoding_error(text, self.line)
        at = 0
        if self.draft and self.draft.remark:
            if TAG_LINE.match(text):
                self.finish()
            else:
                self.blame_letters()
                at = self.draft.go_on_with_comment(text)
        else:
            text = unmark(text)
            if self.is_partie_line(text):
                self.partie_line(text)
                return
        for match in TOKEN.finditer(text, at):
            if self.draft and self.draft.end and match.lastgroup not in REMARKS:
                self.finish()
                if match.lastgroup not in TAGS:
                    self.report_stray_text(text, match.start())
                    return
            self.piece(match)
        if self.draft and self.draft.end and not self.draft.remark:
            self.finish()

    def too_long(self, text: str) -> None:
        """Report a too long line, as an error of its record, or as one by itself."""
        fault = Place(text[:SHOWN], self.line, 1).fault("syntax/too-long", most=LONGEST)
        self.size = 0
        if self.draft is None and self.is_partie_line(text):
            self.done.append(fault)
            return
        self.draft = self.draft or Draft(Place("", self.line, 1))
        self.draft.give_up(fault)

    def is_partie_line(self, text: str) -> bool:
        """Whether a line is a partie line: between records any other text, within one a line with a rules name."""
        first = text.lstrip()[:1]
        if self.draft is None:
            return first not in ("", "[", "{", ";")
        return first.isalpha() and starts_with_rules(text)

    def partie_line(self, text: str) -> None:
        """Read a partie line; just after a record it may be stray text."""
        before: list[Item] = []
        if self.draft and not self.draft.begun:
            before, self.draft = self.draft.items[0], None
        self.finish()
        if self.loose and ":" not in text.split() and not starts_with_rules(text):
            self.report_stray_text(text, 0)
            return
        self.loose = False
        try:
            if self.undecoded:
                raise self.undecoded
            self.done.append(told_by_line(read_line(text, self.line), before))
        except NotationError as error:
            self.done.append(error)

    def report_stray_text(self, text: str, at: int) -> None:
        """Report stray text after a record, once."""
        if not self.reported:
            word = words(text[at:])[0]
            stray = Place(word.text, self.line, at + word.column).fault("syntax/stray")
            self.done.append(self.undecoded or stray)
        self.reported = True

    def piece(self, match: re.Match[str]) -> None:
        """Add a token to the record."""
        kind = match.lastgroup or ""
        place = Place(match.group(), self.line, match.start() + 1)
        if self.starts_record(match):
            self.finish()
        if self.draft is None:
            self.draft = Draft(place._replace(text=""))
        if self.undecoded and match.start() < self.undecoded.column <= match.end():
            self.blame_letters()
        match kind:
            case "tag":
                value = re.sub(r"\\(.)", r"\1", match["value"])
                self.draft.tag(self.place(match, "name"), self.place(match, "value")._replace(text=value))
            case "comment":
                self.draft.note(Comment(match[kind]))
            case "rest":
                self.draft.note(Comment(match[kind], to_end_of_line=True))
            case "unclosed":
                self.draft.open_comment(place, match[kind])
            case "bad_tag":
                self.draft.blame(place.fault("syntax/tag"))
            case "odd":
                self.draft.blame(place.fault(ODD.get(place.text, "syntax/action")))
            case _:
                self.draft.move(kind, place)

    def blame_letters(self) -> None:
        """Report a decoding error in a record, even if it is in a comment."""
        if self.draft and self.undecoded:
            self.draft.blame(self.undecoded)

    def starts_record(self, match: re.Match[str]) -> bool:
        """Whether a tag starts a new record: after moves, or, after an error among tags, if it occurs again."""
        draft = self.draft
        if draft is None or match.lastgroup not in TAGS:
            return False
        if match.lastgroup == "bad_tag":
            return draft.moving and not match.string[: match.start()].strip()
        return draft.moving or (draft.wrong is not None and match["name"] in draft.tags)

    def place(self, match: re.Match[str], group: str) -> Place:
        """The place of a part of a token."""
        return Place(match[group], self.line, match.start(group) + 1)

    def finish(self) -> None:
        """End the record; comments alone are no record."""
        if self.draft and self.draft.begun:
            self.done.append(self.draft.record())
            self.loose, self.reported = True, False
        self.draft = None


def starts_with_rules(text: str) -> bool:
    """Whether a line starts like a partie line."""
    return text.split(None, 1)[0].partition(";")[0] in PRESETS


def decoding_error(text: str, line: int) -> NotationError | None:
    """The error for a line's first byte that is not UTF-8, if any."""
    found = UNDECODED.search(text)
    if not found:
        return None
    return NotationError("syntax/bytes", line, found.start() + 1, f"\\x{ord(found.group()) - 0xDC00:02x}")


def told_by_line(reading: Reading, before: Sequence[Item]) -> Record:
    """A partie line as a record, with the comments before it."""
    rules, deal, actions = reading.rules, reading.deal, reading.actions
    result = Result.of_position(rules, rule_table_of(rules), final(rules, deal, actions))
    return Record(rules, deal, (*before, *[written.action for written in actions]), result)
