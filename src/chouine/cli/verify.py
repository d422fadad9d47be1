"""Verify that deals were fixed before their cut: the digest, the cut and the deal are computed again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from gettext import gettext as _
from io import StringIO
from itertools import chain
from typing import Any

from chouine.cli.texts import open_text, write_utf8
from chouine.errors import NotationError
from chouine.notation.reader import LONGEST, lines_of, read_records
from chouine.notation.records import Record
from chouine.phrases import N_, say
from chouine.server.verify import FIELDS, Proof, Unverifiable

PIECES = {
    "pack": N_("the shuffled pack, 64 characters"),
    "nonce": N_("the random text that hid the pack"),
    "cut": N_("number of cards lifted at the cut"),
    "digest": N_("SHA-256 of pack and nonce, as shown before the cut"),
    "deal": N_("the deal: dealer, hands, turnup, talon"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Check that deals were fixed before the cut: the digest, the cut and the deal are computed "
        "again. What is checked is a partie's JSON from a table, its .cgn file, or the pieces one by "
        "one; a pack spread for the drawing has neither cut nor deal."
    )
    parser.add_argument(
        "file", nargs="?", metavar=_("FILE"), help=_("JSON or .cgn file (default: -, standard input)")
    )
    for name, what in PIECES.items():
        parser.add_argument(f"--{name}", metavar=name.upper(), help=_(what))
    parser.add_argument(
        "--rules", default="classic", help=_("rules, if the file does not say (default: classic)")
    )


def run(args: argparse.Namespace) -> int:
    """Print each deal's result. Exit code: 0 all agree, 1 one does not, 2 nothing to check."""
    write_utf8()
    proofs = list(read_proofs(args))
    if not proofs:
        raise Unverifiable("verify/nothing")
    good = {True: "verify/good-drawing", False: "verify/good"}
    codes = [next(iter(proof.faults), good[proof.cut is None]) for proof in proofs]
    for nth, (proof, code) in enumerate(zip(proofs, codes, strict=True), 1):
        print(f"{nth}. {proof.digest} {say(code, args.language)}")
    return int(any(code not in good.values() for code in codes))


def read_proofs(args: argparse.Namespace) -> Iterator[Proof]:
    """The proofs to check."""
    pieces = {name: value for name in PIECES if (value := getattr(args, name)) is not None}
    if pieces:
        yield Proof.of_data({"rules": args.rules, **pieces})
        return
    with open_text(args.file) as stream:
        text = stream.read(LONGEST)
        if (data := as_json(text)) is not None:
            yield Proof.of_data({"rules": args.rules, **data})
            return
        for entry in read_records(
            chain(lines_of(StringIO(text + stream.readline(LONGEST))), lines_of(stream))
        ):
            if isinstance(entry, NotationError):
                raise entry
            if entry.tag("Pack") is not None:
                yield Proof.of_data(pieces_of(entry))


def as_json(text: str) -> dict[str, Any] | None:
    """The pieces that a JSON object holds; None where the text is no such object."""
    try:
        data = json.loads(text)
    except ValueError:
        return None
    except RecursionError:
        raise Unverifiable("verify/nested") from None
    if not isinstance(data, dict):
        return None
    return {name: data[name] for name in FIELDS if data.get(name) is not None}


def pieces_of(record: Record) -> dict[str, str]:
    """The pieces that a record's tags hold."""
    tags = {name.lower(): value for name, value in record.tags}
    pieces = {name: tags[name] for name in PIECES if name in tags}
    return {**pieces, "rules": str(record.rules), "deal": str(record.deal)}
