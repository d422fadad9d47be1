"""A line ends with `\\n`, `\\r\\n` or `\\r`, and with nothing else; a byte order mark before a line is no text."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chouine.contest import FORMULAS, ContestOpened, add, commit
from chouine.contest.check import read_log
from chouine.notation import Comment, Record, read_record, read_records
from chouine.notation.reader import lines_of
from chouine.plaintext import split_lines
from tests.notation.test_records import LAVARDIN

SPLITS = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e"
"""What `str.splitlines` splits at besides the ends of lines."""
NAMES = st.text(
    st.one_of(st.sampled_from(SPLITS + "\ufeff é'\"\\"), st.characters(exclude_categories=["Cs"]))
)


def test_only_ends_of_lines_end_a_line() -> None:
    assert split_lines("a\nb\r\nc\rd") == ["a", "b", "c", "d"]
    assert split_lines("a\n\r\n") == ["a", ""]
    assert split_lines("") == []
    assert split_lines(f"a{SPLITS}b\n") == [f"a{SPLITS}b"]


@given(NAMES.filter(lambda text: not {"\r", "\n"} & set(text)), NAMES)
@example("Léa\u2028Bordier", "\u2028 x\x85\n\ufeffy")
def test_a_record_comes_back_through_every_reader(name: str, remark: str) -> None:
    """Signs that other programs take for ends of lines may stand in tags and comments."""
    comment = Comment("".join(sign for sign in remark if sign not in "}[\r"))
    made = read_record(LAVARDIN)
    record = Record(made.rules, made.deal, (*made.items, comment), made.result, (("Site", name),))
    text = str(record)
    assert read_record(text) == record
    assert list(read_records(text)) == [record]
    assert list(read_records(StringIO(text))) == [record]
    assert list(read_records(text.replace("\n", "\r\n"))) == [record]
    assert list(read_records(StringIO(text.replace("\n", "\r"), newline=None))) == [record]


def test_a_comment_cannot_hold_half_an_end_of_line() -> None:
    with pytest.raises(ValueError, match="lines end"):
        Comment("a\rb")


def test_files_that_begin_with_a_mark_may_be_joined() -> None:
    """`cat a.cgn b.cgn`, both written by a program that marks its files."""
    record, line = (
        read_record(LAVARDIN),
        "classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc :",
    )
    joined = f"\ufeff{LAVARDIN}\ufeff{LAVARDIN}\ufeff{line}\n\ufeff{line}"
    assert [entry == record for entry in read_records(joined)] == [True, True, False, False]
    assert all(isinstance(entry, Record) for entry in read_records(lines_of(StringIO(joined))))


def test_a_log_may_come_from_any_computer() -> None:
    contest = add(None, ContestOpened(FORMULAS["lavardin"], commit("x"), f"Nuit{SPLITS}été"), "desk", 1)
    for end in ("\n", "\r\n", "\r"):
        assert read_log(f"\ufeff{contest.head}{end}{end}\ufeff{contest.head}{end}") == (
            [contest.head] * 2,
            [],
        )
