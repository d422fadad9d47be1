"""Invalid UTF-8 is an error with its place, of one record; the next record is read."""

from __future__ import annotations

import pytest

from chouine.errors import NotationError
from chouine.notation.reader import read_records
from chouine.notation.records import Record
from tests.notation.test_records import DEAL, LAVARDIN

BYTE = "\udce9"
"""A Latin-1 é as `surrogateescape` decodes it."""


def spoilt(text: str, before: str) -> str:
    assert before in text
    return text.replace(before, BYTE + before, 1)


@pytest.mark.parametrize(
    "before",
    ["Charles", "Qs 7x", "talon", "\n 1. "],
    ids=["in a tag", "in the moves", "in a remark", "between"],
)
def test_a_byte_spoils_one_record_only(before: str) -> None:
    told = list(read_records((spoilt(LAVARDIN, before) + "\n\n" + LAVARDIN).splitlines(keepends=True)))
    faults = [entry for entry in told if isinstance(entry, NotationError)]
    assert [fault.code for fault in faults] == ["syntax/bytes"]
    assert "\\xe9" in str(faults[0].data) + str(faults[0])
    assert sum(isinstance(entry, Record) for entry in told) == 1


def test_a_byte_spoils_one_partie_line_only() -> None:
    line = f"classic {DEAL} : Qs 7x 7c"
    told = list(read_records([f"{line} {BYTE}\n", f"{line}\n"]))
    assert isinstance(told[0], NotationError)
    assert told[0].code == "syntax/bytes"
    assert isinstance(told[1], Record)
