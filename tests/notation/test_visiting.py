"""Visiting: records begin where the reader has them begin, in constant memory, and their text stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.errors import NotationError
from chouine.notation import Record, read_record, read_records, visit_records, visiting
from chouine.notation.reader import LONGEST, Entry
from chouine.notation.records import REQUIRED
from tests.patience import takes_less_than

FILES = sorted(Path("tests/records").glob("*.cgn"))
LAVARDIN = Path("tests/records/lavardin.cgn").read_text(encoding="utf-8")
LINE = "classic a 9.J.T.AK|.T8.KJ.8 9h Qd7s9cKhQh7d8sQsKsAhJcJs8dTc9dAdAsQc7c7hTs : Jd Td\n"


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_file_has_the_records_that_the_reader_reads(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    read = [entry for entry in read_records(text.splitlines()) if isinstance(entry, Record)]
    visited = [each for each in visit_records(StringIO(text)) if isinstance(each.read(), Record)]
    for one, record in zip(visited, read, strict=True):
        again = one.read()
        assert isinstance(again, Record)
        assert (again.deal, again.tags, again.actions) == (record.deal, record.tags, record.actions)
    for one, record in zip(visited, read, strict=True):
        for name, value in record.tags if one.body else ():
            assert one.tag(name) == one.tags[name] == value


@given(st.lists(st.sampled_from([LAVARDIN, LINE, "\n", "; remark\n"]), max_size=6), st.integers(1, 900))
def test_however_it_is_cut_nothing_is_lost(parts: list[str], chunk: int) -> None:
    text = "".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visiting, "CHUNK", chunk)
        cut = list(visit_records(StringIO(text)))
    assert cut == list(visit_records(StringIO(text)))
    assert "".join(each.text for each in cut) == text[text.find(cut[0].text) :] if cut else True
    wanted = [part for part in parts if part in {LAVARDIN, LINE}]
    assert [each.tag("Rules") for each in cut] == ["classic"] * len(wanted)
    assert [each.tag("Site") for each in cut] == ["Lavardin" if part is LAVARDIN else None for part in wanted]


def test_a_comment_may_have_a_line_like_a_partie() -> None:
    told = LAVARDIN.replace("{talon épuisé}", "{talon\nclassic or not\népuisé}")
    assert [each.text for each in visit_records(StringIO(told + LINE))] == [told, LINE]


def test_a_tag_is_told_without_its_escapes() -> None:
    (one,) = visit_records(StringIO(LAVARDIN.replace("Lavardin", r"\"Le\\Loir\"")))
    assert one.tag("Site") == one.tags["Site"] == r'"Le\Loir"'
    assert one.tag("Sit") is None


def test_a_record_without_end_is_not_held() -> None:
    with pytest.raises(NotationError) as raised:
        list(visit_records(StringIO(LAVARDIN + 3 * LONGEST * "x")))
    assert (raised.value.code, raised.value.line) == ("syntax/too-long", 1), "the record has not ended"
    many = 3 * LONGEST // len(LINE)
    with pytest.raises(NotationError) as raised:
        list(visit_records(StringIO(many * LINE + LAVARDIN + 3 * LONGEST * "x")))
    assert (raised.value.code, raised.value.line) == ("syntax/too-long", many + 1)


def test_a_line_that_is_too_long_is_said_to_be() -> None:
    """Records on one line of more than a million characters were none; stray text of that length is left out."""
    line = " ".join(LAVARDIN.split("\n"))
    for end in ("\n", "\r\n", "\r"):
        before = f"{LINE.strip()}{end}" * 3
        with pytest.raises(NotationError, match="Too long") as raised:
            list(visit_records(before + line * (LONGEST // len(line) + 1)))
        assert raised.value.line == 4
    assert [each.text for each in visit_records(f"{'x' * (LONGEST + 1)}\n{LINE}")] == [LINE]


def test_a_byte_order_mark_hides_no_tag(tmp_path: Path) -> None:
    """As `open` leaves it with plain UTF-8, also where marked files were joined: the tag after it was lost."""
    path = tmp_path / "marked.cgn"
    path.write_text(f"{LAVARDIN}\n\ufeff{LAVARDIN}\n\ufeff  {LINE}", encoding="utf-8-sig")
    with path.open(encoding="utf-8") as file:
        one, other, line = visit_records(file)
    assert one.tags == other.tags == next(visit_records(LAVARDIN)).tags
    assert (other.text[0], line.text, line.tags) == ("[", f"  {LINE}", {"Rules": "classic"})
    assert all(isinstance(each.read(), Record) for each in (one, other, line))


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.cgn"
    path.write_text(LAVARDIN, encoding="utf-8")
    with path.open("rb") as file, pytest.raises(TypeError, match="open the file with encoding='utf-8'"):
        list(visit_records(file))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="an open file or its text, not 5"):
        visit_records(5)  # type: ignore[arg-type]
    for name in (path, str(path)):
        with pytest.raises(ValueError, match=r"visit_records\(open\("):
            visit_records(name)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"a file's name"):
        read_record(str(path))


@pytest.mark.parametrize(
    "note", ['[Site "{Lavardin"]', '[Site "La;{vardin"]', "; a { alone\n", "{ a ; in it }", "{ a { in it }"]
)
def test_a_brace_that_opens_no_comment_hides_no_record(note: str) -> None:
    """In a tag, or in a comment to the end of the line: the partie lines after it were taken for its text."""
    tags, _, moves = LAVARDIN.partition("\n\n")
    tags = tags.replace('[Site "Lavardin"]', note) if note.startswith("[") else f"{tags}\n\n{note}"
    text = f"{tags}\n\n{moves}\n{LINE}\n{LINE}"
    assert len([*read_records(text)]) == len([*visit_records(text)]) == 3


def test_a_long_comment_of_lines_like_parties_is_searched_once() -> None:
    """It was searched from its start for each of them: minutes for the longest record."""
    lines = "classic or not\n" * (LONGEST // 20)
    told = LAVARDIN.replace("{talon épuisé}", f"{{talon\n{lines}épuisé}}")

    def measure() -> float:
        begun = process_time()
        assert [each.text for each in visit_records(told + LINE)] == [told, LINE]
        return process_time() - begun

    assert takes_less_than(2.0, measure)


RULES, DEAL = '[Rules "classic"]', LAVARDIN[LAVARDIN.index("[Deal") : LAVARDIN.index("\n[Result")]
WHOLE = [LAVARDIN.rstrip(), LINE.strip(), f"{RULES}\n{DEAL}\n\n1. Qs 7x 7c *", f"{RULES} {DEAL} 1. Qs"]
PIECES = [
    *(RULES, DEAL, f"{RULES}\n{DEAL}", '[Site "a"]', '[Site "b"]', '[ Site  "c" ]', '[Note "d;{e"]'),
    *('[Event "x \\" [Rules \\"three\\"]"]', "[", "[half", '[Site "half', "[Site half]"),
    *('{ [Site "no"] }', '; [Site "no"]', "{\nclassic or not\n}", "{[%clk 0:01]}", "; a { b", "foo : bar"),
    *("{c}", "{", "}", ";", "$", "$3", "!", "(", ")", "]", "\\"),
    *("Qs", "7c", "1.", "*", "1-0", "classic", "three", "foo"),
    *("\ufeff", "\u2028", "\x85", "\f", "\r"),
]
GAPS = ["\n", "\n\n", "\r\n", " ", "\t", ""]
SOUP = st.lists(
    st.tuples(st.sampled_from(WHOLE) | st.sampled_from(PIECES), st.sampled_from(GAPS)), max_size=12
).map(lambda pieces: "\n" + "".join(piece + gap for piece, gap in pieces))


def records_of(entries: Iterable[Entry]) -> list[Record]:
    return [entry for entry in entries if isinstance(entry, Record)]


@given(SOUP)
def test_whatever_stands_in_a_file_is_visited_as_it_is_read(text: str) -> None:
    """Tags and results in the middle of a line, comments among tags or not closed, tags that are none."""
    read = records_of(read_records(StringIO(text)))
    visited = [each for each in visit_records(text) if isinstance(each.read(), Record)]
    found = records_of(each.read() for each in visited)
    assert [(one.deal, one.actions, one.result) for one in found] == [
        (one.deal, one.actions, one.result) for one in read
    ]
    for each, record in zip(visited, read, strict=True):
        if each.body:
            assert {name: each.tags[name] for name in each.tags if name not in REQUIRED} == dict(record.tags)
            assert {name: each.tag(name) for name in each.tags} == each.tags
            assert each.tag("Note") == record.tag("Note")


@given(SOUP, st.integers(1, 900))
def test_a_regular_record_ends_where_the_reader_ends_it(text: str, chunk: int) -> None:
    """The regular expression finds what the reader finds, however the file is cut."""
    visited = list(visit_records(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visiting, "CHUNK", chunk)
        assert list(visit_records(text)) == visited
        patch.setattr(visiting, "REGULAR", re.compile("(?!)"))
        assert list(visit_records(text)) == visited


def test_tags_may_stand_anywhere_in_a_line() -> None:
    """They were looked for at the beginning of lines, so that most of these were one record, or none."""
    short = LAVARDIN[LAVARDIN.index("[Rules") :]
    line = " ".join(short.split("\n"))
    for text in (line + line, f"{line}\n{line}", LAVARDIN.rstrip() + line, f"{line.rstrip()}{LAVARDIN}"):
        assert (
            len(records_of(read_records(text)))
            == len(records_of(each.read() for each in visit_records(text)))
            == 2
        )


def test_a_record_may_have_tags_of_its_own() -> None:
    """One that comes twice is an error, after which the record's other tags begin the next."""
    own = LAVARDIN.replace("\n\n", '\n[Note "a"]\n[Help "b"]\n\n')
    assert [each.tag("Help") for each in visit_records(own + LINE)] == ["b", None]
    twice = LAVARDIN.replace("\n\n", '\n[Note "a"]\n[Note "b"]\n[Event "x"]\n\n')
    assert [len(each.tags) for each in visit_records(twice + own)] == [13, 1, 14]


def test_a_tag_in_a_comment_is_none() -> None:
    text = LAVARDIN.replace("[Date", '{ [Date "no"] } [Date').replace("\n[Rules", ' ; [Note "no"]\n[Rules')
    (one,) = visit_records(text)
    assert (one.tag("Date"), one.tag("Note")) == ("2026.03.15", None)
    assert one.tags == next(visit_records(LAVARDIN)).tags


def test_tags_after_a_comment_that_a_line_like_a_tag_closes_begin_a_record() -> None:
    text = f"{LAVARDIN.rstrip()} {{ this\n[ ends }}\n{LAVARDIN}"
    assert len([*read_records(text)]) == 2
    assert [str(each) for each in visit_records(text)] == [text.removesuffix(LAVARDIN), LAVARDIN]
