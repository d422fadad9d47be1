"""Files of records and lines are read lazily in one pass; an error affects one partie only."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chouine.errors import NotationError
from chouine.notation import Record, read_position, read_records, read_state, read_view
from tests.notation.test_records import DEAL, HEAD, LAVARDIN

LINE = f"classic {DEAL} : Qs 7x 7c"
SHORT = f"{HEAD}\n1. Qs 7c *\n"


def read_outcomes(text: str) -> list[str | int]:
    """For each entry, a partie's number of actions or its error code."""
    return [
        entry.code if isinstance(entry, NotationError) else len(entry.actions)
        for entry in read_records(text.splitlines(keepends=True))
    ]


def test_files_may_be_put_end_to_end() -> None:
    assert read_outcomes(LAVARDIN + LAVARDIN) == [33, 33]
    assert read_outcomes(LAVARDIN.rstrip("\n") + LAVARDIN) == [33, 33]
    assert read_outcomes(f"{LINE}\n{LAVARDIN}{LINE}\n{LINE}") == [3, 33, 3, 3]
    assert read_outcomes("") == read_outcomes("\n \n") == []


def test_any_line_end_will_do() -> None:
    assert [
        len(entry.actions)
        for entry in read_records(LAVARDIN.replace("\n", "\r\n").split("\n"))
        if isinstance(entry, Record)
    ] == [33]


def test_a_record_may_lack_the_result_of_its_moves() -> None:
    cut = SHORT.replace(" *", "")
    assert read_outcomes(cut) == [2]
    assert read_outcomes(cut + SHORT) == [2, 2]
    assert read_outcomes(cut + LINE) == [2, 3]
    assert read_outcomes(f"{HEAD}\n{LINE}") == [0, 3]


def test_reading_is_lazy() -> None:
    """The second partie is read only after the first was yielded."""
    asked = 0

    def lines() -> Iterator[str]:
        nonlocal asked
        for line in [LINE, LINE]:
            asked += 1
            yield line

    entries = read_records(lines())
    assert asked == 0
    next(entries)
    assert asked == 1


def peak(parties: int) -> int:
    """Peak memory in bytes while reading this many parties."""
    lines = [*LAVARDIN.splitlines(), "", "stray", LINE, "Qs"]
    entries = read_records(itertools.chain.from_iterable(itertools.repeat(lines, parties)))
    tracemalloc.start()
    for _ in entries:
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.long
def test_memory_does_not_grow_with_the_file() -> None:
    """Memory is bounded; storing these parties would take several megabytes."""
    assert peak(400) < 600_000


BAD_MOVE = SHORT.replace("7c", "Zz")
BAD_TAG = SHORT.replace('"classic"', '"clasic"')


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (BAD_MOVE, "syntax/action"),
        (BAD_TAG, "syntax/preset"),
        (SHORT.replace('"classic"]', '"classic"'), "syntax/tag"),
        (SHORT.replace("Qs", "Qs ("), "syntax/variation"),
        (SHORT.replace("Qs", "Qs (7s *"), "syntax/variation"),
        (SHORT.replace("Qs", "Qs (7s *)"), "syntax/variation"),
        (SHORT.replace("Qs", "Qs )"), "syntax/parenthesis"),
        (SHORT.replace("Qs", "Qs {"), "syntax/comment"),
        (SHORT.replace("Qs", "Qs }"), "syntax/brace"),
        (SHORT.replace("Qs", "Qs Qs"), "illegal/not-held"),
        (SHORT.replace("*", "1-0"), "checksum/result"),
        (SHORT.replace("[Deal", "[Dela"), "syntax/tag-missing"),
        (SHORT.replace("Qs", "Zz (((( $ } ] 1. Qs"), "syntax/action"),
        (SHORT.replace("Qs", "Zz {\n{\n} Qs"), "syntax/action"),
        (SHORT.replace("7c *", "[%clk"), "syntax/tag"),
    ],
)
def test_the_partie_after_a_fault_is_read(bad: str, code: str) -> None:
    assert read_outcomes(SHORT + bad + "\n" + SHORT + SHORT) == [2, code, 2, 2]
    if code != "syntax/comment":
        assert read_outcomes(SHORT + bad + "\n" + LINE) == [2, code, 3]
    assert read_outcomes(bad + bad + SHORT) == [code, code, 2]


def test_a_tag_that_comes_again_after_a_fault_starts_the_next() -> None:
    cut = '[Event "x"]\n[Event "y"]\n[Rules "classic"]\n'
    assert read_outcomes(cut + '[Event "z"]\n' + SHORT) == ["syntax/tag-twice", 2]


def test_a_bad_tag_after_the_moves_is_the_next_records() -> None:
    assert read_outcomes(SHORT.replace(" *", "") + "[Event\n" + SHORT) == [2, "syntax/tag"]
    assert read_outcomes(SHORT.rstrip("\n") + " [Event\n" + SHORT) == [2, "syntax/tag"]


def test_invalid_lines_are_errors_one_by_one() -> None:
    """In a file of lines each invalid line is an error; after a record the rest of its lines is one error."""
    assert read_outcomes(f"nonsense\nmore of it\n{LINE}") == ["syntax/preset", "syntax/preset", 3]
    assert read_outcomes(f"{SHORT}nonsense\nmore of it\n{LINE}\nnonsense") == [
        2,
        "syntax/stray",
        3,
        "syntax/preset",
    ]
    assert read_outcomes(f"{SHORT.rstrip()} Qs 7c\n 2. 8c 8d *\n{SHORT}") == [2, "syntax/stray", 2]
    assert read_outcomes(f"{SHORT}clasic {DEAL} : Qs\n{LINE}") == [2, "syntax/preset", 3]


def test_where_text_is_astray() -> None:
    [_, error] = read_records(f"{SHORT.rstrip()}  Qs\n".splitlines())
    assert isinstance(error, NotationError)
    assert (error.line, error.column, error.token) == (4, 13, "Qs")


def test_remarks_before_and_after_belong_to_the_partie() -> None:
    texts = {
        "{before} " + SHORT: "\n\n{before}  1. Qs 7c *",
        "; before\n" + SHORT: "\n\n; before\n 1. Qs 7c *",
        SHORT.replace("*", "* {after\nit}"): "\n\n 1. Qs 7c {after\nit} *",
        SHORT.replace("\n\n", "\n; between\n\n"): "\n\n; between\n 1. Qs 7c *",
        "{before}\n" + LINE: "\n\n{before}  1. Qs 7x 7c *",
    }
    for text, end in texts.items():
        [record] = read_records(text.splitlines())
        assert str(record).endswith(end)


def test_remarks_alone_are_no_partie() -> None:
    assert read_outcomes("{only this}\n; and this\n") == []
    assert read_outcomes(SHORT + "{the end}\n") == [2]
    assert read_outcomes("{never closed") == ["syntax/comment"]


def test_a_tag_within_quotes_may_hold_quotes() -> None:
    [record] = read_records(['[Event "\\"A\\" \\\\ B"]', *SHORT.splitlines()])
    assert isinstance(record, Record)
    assert record.tag("Event") == '"A" \\ B'


TEXTS = [LAVARDIN, LINE, SHORT, f"{HEAD}\n1. Qs! (1. 7s {{x}} (1... 7c) $3) 7c ; y\n*", BAD_MOVE]
PIECES = [
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    '"',
    "\\",
    "!",
    "$",
    "*",
    "1-0",
    "?",
    "\n",
    " ",
    ":",
    "7x",
    "+",
    "|",
    "classic ",
    "\r",
    "\x00",
    "♠",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid text with a few letters deleted, doubled or replaced."""
    text = "".join(draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3)))
    rng = Random(draw(st.integers(0, 2**32 - 1)))
    for _ in range(rng.randint(1, 4)):
        at, to = rng.randrange(len(text) + 1), rng.randrange(1, 4)
        text = text[:at] + rng.choice([*PIECES, "", text[at : at + 9] * 2]) + text[at + to :]
    return text


@example("Qs\x1c7c")
@example("\u2028classic")
@given(mutated() | st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")))
def test_nothing_but_our_own_errors_comes_out(text: str) -> None:
    for entry in read_records(text.splitlines(keepends=True)):
        if isinstance(entry, NotationError):
            assert entry.line >= 1
            assert entry.column >= 1
            assert str(entry)
        else:
            [again] = read_records(str(entry).replace("\r", " ").split("\n"))
            assert isinstance(again, Record)
    for read in (read_state, lambda line: read_view(line, 0), read_position):
        for line in text.splitlines():
            with suppress(NotationError):
                read(line)
