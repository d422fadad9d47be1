"""Test a program against the engine protocol: each check's result, with the question that failed."""

from __future__ import annotations

import argparse
from gettext import gettext as _

from chouine.arena.conformance import Check, Phrase, conformance
from chouine.cli.arguments import seconds
from chouine.phrases import Language, say


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Test a program against the engine protocol (docs/notation.md): its greeting, its options, parties of every "
        "preset it plays, limits, errors and its end. Each line says what was tested; a fault is followed by the "
        "question."
    )
    parser.add_argument(
        "command", metavar="COMMAND", help=_("command line of the program, in quotation marks")
    )
    parser.add_argument(
        "--seconds", metavar="S", type=seconds, default=1.0, help=_("seconds for a decision (default: 1)")
    )


def run(args: argparse.Namespace) -> int:
    """Print a line for each check. Exit code: 1 if any failed, 2 for a command that cannot be read."""
    faults = 0
    for check in conformance(args.command, args.seconds):
        print(text_of(check, args.language), flush=True)
        faults += check.fault is not None
    print(say("conform/faults" if faults else "conform/all", args.language, faults=faults))
    return int(faults > 0)


def text_of(check: Check, language: Language) -> str:
    """A check's line, followed by the question if it failed."""
    data = {
        name: say(value.code, language) if isinstance(value, Phrase) else value
        for name, value in check.data.items()
    }
    what = say(f"conform/{check.name}", language, **data)
    if check.skipped:
        return say("conform/skipped", language, what=what)
    if check.fault is None:
        return say("conform/ok", language, what=what)
    why = say(check.fault.code, language, **check.fault.data)
    lines = [say("conform/fault", language, what=what, why=why)]
    return "\n".join([*lines, *([f"    > {check.line}"] if check.line else [])])
