"""Every error code of notation has a sentence, and every sentence a code."""

from __future__ import annotations

import re
from pathlib import Path

import chouine.notation
import chouine.partie.deal
import chouine.rules.options
from chouine.phrases import PHRASES, reading
from tests.notation.test_reader import CASES

SOURCES = [
    *Path(chouine.notation.__file__).parent.glob("*.py"),
    Path(chouine.partie.deal.__file__),
    Path(chouine.rules.options.__file__),
]
CODE = re.compile(r'"((?:syntax|deal|checksum)/[a-z-]+)"')
BY_COMMANDS = {"syntax/encoding"}
COMPOSED = {"syntax/result", "syntax/points"}
"""Codes composed from tags."""


def test_every_code_raised_has_a_sentence_and_every_sentence_a_code() -> None:
    raised = {
        code for source in SOURCES for code in CODE.findall(source.read_text(encoding="utf-8"))
    } | COMPOSED
    told = {code for code in reading.PHRASES if CODE.fullmatch(f'"{code}"')}
    assert raised <= set(PHRASES)
    assert told - raised == BY_COMMANDS


def test_the_corpus_has_nearly_every_code() -> None:
    """The corpus covers all codes except those that need more than a short text: a view, one record, a bad file."""
    told = {code for code in reading.PHRASES if CODE.fullmatch(f'"{code}"')}
    assert told - {case.code for _, case in CASES} == {
        "deal/own-cards",
        "deal/unknown",
        "syntax/bytes",
        "syntax/encoding",
        "syntax/one-record",
        "syntax/stray",
        "syntax/too-long",
    }
