"""Files of records and lines are read lazily in one pass; an error affects one partie only."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chouine.contest import FORMULAS, ContestOpened, add, commit
from chouine.contest.check import read_log
from chouine.errors import NotationError
from chouine.notation import Comment, read_position, read_record, read_state, read_view
from chouine.notation.reader import lines_of, read_records
from chouine.notation.records import Record
from chouine.plaintext import split_lines
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


@pytest.mark.parametrize("odd", ["}", "$", "]"])
def test_a_stray_sign_before_the_tags_is_an_error_by_itself(odd: str) -> None:
    """The record after it was lost with it."""
    assert [type(outcome) for outcome in read_outcomes(f"{SHORT}{{note}} {odd}\n{SHORT}")] == [int, str, int]


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
def mutations(draw: st.DrawFn) -> str:
    """A valid text with a few letters deleted, doubled or replaced."""
    text = "".join(draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3)))
    rng = Random(draw(st.integers(0, 2**32 - 1)))
    for _ in range(rng.randint(1, 4)):
        at, to = rng.randrange(len(text) + 1), rng.randrange(1, 4)
        text = text[:at] + rng.choice([*PIECES, "", text[at : at + 9] * 2]) + text[at + to :]
    return text


@example("Qs\x1c7c")
@example("\u2028classic")
@given(mutations() | st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")))
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
