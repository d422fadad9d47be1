"""Check that deals were fixed before their cut: the digest, the cut and the deal are all computed again.

What to check is a table's JSON for a partie, or its .cgn file, or the pieces one by one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from chouine.cli.language import configure_language
from chouine.cli.texts import complain, opened, write_utf8
from chouine.errors import ChouineError, NotationError
from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.phrases import say
from chouine.server.verify import FIELDS, Proof, Unverifiable

PIECES = {
    "pack": "the shuffled pack, 64 characters",
    "nonce": "what hid it",
    "cut": "cards in the upper packet",
    "digest": "SHA-256 of pack and nonce, as shown before the cut",
    "deal": "the deal: dealer, hands, turnup, talon",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="JSON or .cgn; - is standard input (the default)"
    )
    for name, what in PIECES.items():
        parser.add_argument(f"--{name}", metavar=name.upper(), help=what)
    parser.add_argument("--rules", default="classic", help="where FILE does not tell them (default: classic)")
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Tell of each deal; 0 if all agree, 1 if one does not, 2 where there is nothing to check."""
    write_utf8()
    try:
        proofs = list(asked(args))
        if not proofs:
            raise Unverifiable("verify/nothing")
    except (ChouineError, OSError, UnicodeDecodeError) as error:
        return complain("verify", error, args.language, args.file)
    codes = [next(iter(proof.faults), "verify/good") for proof in proofs]
    for nth, (proof, code) in enumerate(zip(proofs, codes, strict=True), 1):
        print(f"{nth}. {proof.digest} {say(code, args.language)}")
    return int(any(code != "verify/good" for code in codes))


def asked(args: argparse.Namespace) -> Iterator[Proof]:
    """The deals to check."""
    pieces = {name: value for name in PIECES if (value := getattr(args, name)) is not None}
    if pieces:
        yield Proof.of_data({"rules": args.rules, **pieces})
        return
    with opened(args.file) as stream:
        text = stream.read()
    if (data := as_json(text)) is not None:
        yield Proof.of_data({"rules": args.rules, **data})
        return
    for entry in read_records(text.splitlines()):
        if isinstance(entry, NotationError):
            raise entry
        if entry.tag("Pack") is not None:
            yield Proof.of_data(told_by(entry))


def as_json(text: str) -> dict[str, Any] | None:
    """The pieces that a JSON object holds; None where the text is no such object."""
    try:
        data = json.loads(text)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    return {name: data[name] for name in FIELDS if data.get(name) is not None}


def told_by(record: Record) -> dict[str, str]:
    """The pieces that a record's tags hold."""
    tags = {name.lower(): value for name, value in record.tags}
    told = {name: tags[name] for name in PIECES if name in tags}
    return {**told, "rules": str(record.rules), "deal": str(record.deal)}
