"""Read files of records and partie lines in one pass, with one partie in memory at a time.

A line or record longer than `LONGEST` is an error, and no more of it is held in memory.

A partie line may stand wherever a record may, and is read as a record without tags. After an error reading continues
at the next partie: after the result, at the first tag after moves, or at the next line that starts with a rules name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from pathlib import PurePath
from typing import TextIO

from chouine.errors import NotationError, check_type
from chouine.notation.draft import Draft, Place
from chouine.notation.lines import Reading, read_line
from chouine.notation.records import TAG_LINE, Comment, Item, Record
from chouine.notation.replay import final
from chouine.notation.tokens import words
from chouine.partie.result import Result
from chouine.plaintext import repr_of, split_lines, unmark
from chouine.rules.options import PRESETS
from chouine.rules.rule_table import rule_table_of

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
TAG_KINDS = ("tag", "bad_tag")
REMARKS = ("comment", "unclosed", "rest")
ODD = {"}": "syntax/brace", "$": "syntax/glyph"}
UNDECODED = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as decoded by `surrogateescape`."""


def read_records(lines: Iterable[str]) -> Iterator[Entry]:
    """Read all records from a file's lines, or from a text; an invalid record yields its error instead.

    Raises `ValueError` for a text that is a file's name.
    """
    refuse_file_name(lines, "read_records")
    check_type("lines", lines, Iterable, "an open file, its lines or its text")
    return read_entries(lines)


def refuse_file_name(lines: object, reader: str) -> None:
    """Raise `ValueError` for a file's name, and say how the reader takes the file."""
    if isinstance(lines, PurePath) or (isinstance(lines, str) and is_file_name(lines)):
        raise ValueError(
            f"a file's name, not its lines: {reader}(open({repr_of(str(lines))}, encoding='utf-8'))"
        )


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
    refuse_file_name(text, "read_records")
    check_type("the record", text, str, "a text")
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
        self.length = 0
        """Characters of the line being read."""
        self.size = 0
        """Characters of the record being read, with what stands before it on its first line."""
        self.loose = False
        """Whether a record has just ended: stray text after it is reported once."""
        self.reported = False
        self.undecoded: NotationError | None = None
        """The decoding error of the line being read."""

    def new_draft(self, start: Place) -> Draft:
        """A record's beginning."""
        return Draft(start)

    def take(self) -> list[Entry]:
        """The parties read since the last call."""
        done, self.done = self.done, []
        return done

    def feed(self, text: str) -> None:
        """Read one more line."""
        self.line += 1
        self.length = len(text) + 1
        self.size = self.length + (self.size if self.draft else 0)
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
                if match.lastgroup not in TAG_KINDS:
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
        self.draft = self.draft or self.new_draft(Place("", self.line, 1))
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
            self.draft = self.new_draft(place._replace(text=""))
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
                self.draft.begin_moves()
            case _:
                self.draft.move(kind, place)

    def blame_letters(self) -> None:
        """Report a decoding error in a record, even if it is in a comment."""
        if self.draft and self.undecoded:
            self.draft.blame(self.undecoded)

    def starts_record(self, match: re.Match[str]) -> bool:
        """Whether a tag starts a new record: after moves, or, after an error among tags, if it occurs again."""
        draft = self.draft
        if draft is None or match.lastgroup not in TAG_KINDS:
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
        self.draft, self.size = None, self.length


def starts_with_rules(text: str) -> bool:
    """Whether a line starts like a partie line."""
    first = TOKEN.search(text)
    return first is not None and first.group() in PRESETS


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
