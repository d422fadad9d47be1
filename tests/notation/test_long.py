"""Texts of any length are read in bounded memory and linear time."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from io import StringIO
from time import process_time

import pytest

from chouine.errors import NotationError
from chouine.notation import reader
from chouine.notation.drawing import draw_record
from chouine.notation.reader import LONGEST, Entry, lines_of, read_records
from chouine.notation.records import Record

pytestmark = pytest.mark.long
LINE = "classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc : Qs"
RECORD = """[Rules "classic"]
[Deal "b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc"]

1. Qs *
"""
MEMORY = 40 * 2**20
LIMIT = 20_000
"""A small limit for the tests; the product's would only take longer."""


def read(text: str) -> list[Entry]:
    return list(read_records(lines_of(StringIO(text))))


def outcomes_of(entries: list[Entry]) -> list[str]:
    return [entry.code if isinstance(entry, NotationError) else "read" for entry in entries]


@pytest.mark.parametrize("value", ["x" * (LONGEST - 30), r"\\" * (LONGEST // 2 - 30), '"' * (LONGEST - 30)])
def test_a_long_tag_takes_no_more_memory_than_its_length(value: str) -> None:
    text = f'[Event "{value}"]\n{RECORD}'
    tracemalloc.start()
    try:
        read(text)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[Event "' + "x" * LIMIT + '"]\n' + RECORD, id="tag"),
        pytest.param("{" + "x" * LIMIT + "}\n" + RECORD, id="comment"),
        pytest.param("{\n" + "x\n" * (LIMIT // 2) + "}\n" + RECORD, id="comment of many lines"),
        pytest.param(LINE + " Qs" * (LIMIT // 3) + "\n", id="line"),
        pytest.param(RECORD.replace("*", "{x} " * (LIMIT // 4) + "*"), id="moves"),
        pytest.param("\n".join(f'[A{n} "x"]' for n in range(LIMIT // 9)) + "\n" + RECORD, id="tags"),
    ],
)
def test_too_long_a_text_is_an_error_and_reading_continues(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "LONGEST", LIMIT)
    for after in (RECORD, LINE):
        assert outcomes_of(read(f"{text}\n{after}")) == ["syntax/too-long", "read"]


def test_an_endless_line_is_not_kept() -> None:
    """An endless line is read only up to the limit."""

    stream = StringIO("x" * (5 * LONGEST) + "\nlast\n")
    assert [len(line) for line in lines_of(stream)] == [LONGEST + 1, 5]


def test_as_much_as_a_record_may_have_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LONGEST", len(RECORD))
    assert [type(entry) for entry in read(RECORD * 3)] == [Record] * 3


def test_records_without_a_result_are_each_as_long_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were counted as one, of which every millionth character was an error."""
    monkeypatch.setattr(reader, "LONGEST", 2 * len(RECORD))
    assert [type(entry) for entry in read(RECORD.replace(" *", "") * 9)] == [Record] * 9


def test_remarks_before_variations_cost_what_they_are_long() -> None:
    """The cost per remark is independent of their number."""

    def cost(many: int) -> float:
        text = RECORD.replace("Qs *", "{x} " * many + "Qs " + "(Kd) " * many + "*")
        return seconds(lambda: read(text)) / many

    assert cost(10_000) < 3 * cost(1_000)


def test_a_drawing_costs_what_its_remarks_are_long() -> None:
    def cost(many: int) -> float:
        (record,) = read(RECORD.replace("*", "{x} $1 " * many + "*"))
        assert isinstance(record, Record)
        return seconds(lambda: draw_record(record, "en")) / many

    assert cost(50_000) < 3 * cost(2_000)


def seconds(act: Callable[[], object]) -> float:
    """Processor seconds of the fastest of three runs."""

    def time_once() -> float:
        begun = process_time()
        act()
        return process_time() - begun

    return min(time_once() for _ in range(3))
