"""Print, skip or count the records of a file by their tags, as they stand, without reading their moves."""

from __future__ import annotations

import argparse
import re
import sys
from gettext import gettext as _
from itertools import islice

from chouine.cli.arguments import natural_number, positive_number
from chouine.cli.texts import open_text, some_of, write_utf8
from chouine.notation.visiting import Visited, visit_records


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Print the records of a file whose tags are as wanted, unchanged. Moves are not read, so a file "
        "may have millions of parties."
    )
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=_("records (default: standard input)"))
    parser.add_argument(
        "--where",
        metavar=_("TAG=TEXT"),
        type=wanted_tag,
        action="append",
        default=[],
        help=_("only records with such a tag; * stands for any text; given several times, all must be so"),
    )
    parser.add_argument(
        "--skip", metavar="N", type=natural_number, default=0, help=_("leave out the first N of those")
    )
    parser.add_argument("--limit", metavar="N", type=positive_number, help=_("stop after N of those"))
    parser.add_argument("--count", action="store_true", help=_("print their number only"))


def wanted_tag(text: str) -> tuple[str, re.Pattern[str]]:
    """A tag's name and the pattern of its value, for argparse."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(_("a tag such as Result=1-0, not “%(text)s”") % {"text": text})
    return name, re.compile(".*".join(map(re.escape, re.split(r"\*+", value))), re.DOTALL)


def run(args: argparse.Namespace) -> int:
    """Print the records or their number. Exit code 2 for a file that cannot be read."""
    write_utf8()
    with open_text(args.file) as stream:
        records = some_of(visit_records(stream), args.file, "file/no-partie")
        found = (each for each in records if is_wanted(each, args.where))
        end = None if args.limit is None else args.skip + args.limit
        kept = islice(found, args.skip, end)
        if args.count:
            print(sum(1 for _each in kept))
        else:
            for each in kept:
                sys.stdout.write(f"{each.text.rstrip()}\n\n")
    return 0


def is_wanted(record: Visited, wanted: list[tuple[str, re.Pattern[str]]]) -> bool:
    """Whether a record has all these tags."""
    return all(
        (value := record.tag(name)) is not None and pattern.fullmatch(value) for name, pattern in wanted
    )
