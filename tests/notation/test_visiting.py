"""Visiting: records begin where the reader has them begin, in constant memory, and their text stays as it is."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.errors import NotationError
from chouine.notation import Record, read_records, visit_records, visiting
from chouine.notation.reader import LONGEST

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
    assert raised.value.code == "syntax/too-long"
