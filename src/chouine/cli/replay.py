"""Replay records and partie lines under the rules: prints a JSON line for each partie, in order."""

from __future__ import annotations

import argparse
import json
from gettext import gettext as _

from chouine.cli.texts import in_a_text, open_text, some_of, write_utf8
from chouine.errors import NotationError
from chouine.notation.reader import Entry, lines_of, read_records
from chouine.notation.records import Record
from chouine.notation.replay import certain_actions, positions
from chouine.partie.actions import spell_actions
from chouine.phrases import Language
from chouine.rules.rule_table import rule_table_of


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Play records and partie lines through the rules and print one JSON line for each partie. The "
        "exit status is 1 if a partie could not be read or played. Of a line as one seat knows it, "
        "`legal` lists what is certain: the actions of fully known hands, and the exchange if the "
        "holder of the seven is known."
    )
    parser.add_argument(
        "file", nargs="?", metavar=_("FILE"), help=_("a .cgn file, or partie lines (default: standard input)")
    )
    parser.add_argument(
        "--legal", action="store_true", help=_("also list the legal actions before each action")
    )


def run(args: argparse.Namespace) -> int:
    """Print each partie as it is read. Exit code: 0 ok, 1 a partie had an error, 2 the file is unreadable."""
    write_utf8()
    status = 0
    with open_text(args.file, "surrogateescape") as stream:
        for entry in some_of(read_records(lines_of(stream)), args.file, "file/no-partie"):
            if isinstance(entry, NotationError):
                status = 1
            data = data_of(entry, args.language, legal=args.legal)
            print(json.dumps(data, ensure_ascii=False, separators=(",", ":")), flush=True)
    return status


def data_of(entry: Entry, language: Language, *, legal: bool) -> dict[str, object]:
    """A partie's replay, or its error, as JSON data."""
    if isinstance(entry, NotationError):
        return {"error": fault(entry, language)}
    result = entry.result
    data: dict[str, object] = {
        "result": result.text,
        "points": result.points,
        "by": result.by,
        "actions": len(entry.actions),
    }
    return data | {"legal": legal_before(entry)} if legal else data


def legal_before(record: Record) -> list[list[str]]:
    """The legal actions before each action, sorted as text."""
    rule_table = rule_table_of(record.rules)
    before = zip(positions(record.rules, record.deal, record.actions), record.actions, strict=False)
    return [
        [str(action) for action in spell_actions(rule_table, certain_actions(rule_table, p))]
        for p, _ in before
    ]


def fault(error: NotationError, language: Language) -> dict[str, object]:
    """An error as JSON data."""
    return {
        "code": error.code,
        "line": error.line,
        "column": error.column,
        "token": error.token,
        "message": in_a_text(error, language),
    }
