"""A corpus of texts with one error each: its code, and its place marked `¦like this¦`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from chouine.errors import NotationError
from chouine.notation import read_position, read_records

CORPUS = Path(__file__).parent.parent / "records" / "malformed"
MARK = "¦"


class Case(NamedTuple):
    """A text without its marks, and the expected error at their place."""

    reason: str
    code: str
    text: str
    line: int
    column: int
    token: str


def case(reason: str, code: str, marked: str) -> Case:
    before, token, after = marked.split(MARK)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return Case(reason, code, before + token + after, line, column, token)


def rows(name: str) -> list[Case]:
    """Cases of one line: a reason, then code, tab and text."""
    lines = (CORPUS / name).read_text(encoding="utf-8").splitlines()
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [case(reason.removeprefix("# "), *row.split("\t")) for reason, row in pairs]


def blocks(name: str) -> list[Case]:
    """Cases of several lines: code and reason, then the record."""
    texts = (CORPUS / name).read_text(encoding="utf-8").split("\n=== ")
    heads = [text.removeprefix("=== ").split("\n", 1) for text in texts]
    return [
        case(reason, code, body)
        for (code, reason), body in ((head.split(" === "), body) for head, body in heads)
    ]


def faults_of_file(text: str) -> list[NotationError]:
    return [entry for entry in read_records(text.splitlines()) if isinstance(entry, NotationError)]


def fault_of_position(text: str) -> list[NotationError]:
    try:
        read_position(text)
    except NotationError as error:
        return [error]
    return []


READERS: dict[str, Callable[[str], list[NotationError]]] = {
    "lines.txt": faults_of_file,
    "records.txt": faults_of_file,
    "positions.txt": fault_of_position,
}
CASES = [(name, each) for name in READERS for each in (blocks(name) if name == "records.txt" else rows(name))]


@pytest.mark.parametrize(
    ("name", "wrong"), CASES, ids=[f"{name}-{nth}-{wrong.reason}" for nth, (name, wrong) in enumerate(CASES)]
)
def test_each_fault_is_reported_once_with_its_place(name: str, wrong: Case) -> None:
    told = [(error.code, error.line, error.column, error.token) for error in READERS[name](wrong.text)]
    assert told == [(wrong.code, wrong.line, wrong.column, wrong.token)]


def test_there_are_two_hundred_and_more_and_no_two_alike() -> None:
    assert len(CASES) >= 200
    assert len({each.text for _, each in CASES}) == len(CASES)
