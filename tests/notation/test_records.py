"""Records: content is verified, people's own tags and remarks are kept, and the output is canonical."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.errors import NotationError
from chouine.notation import Comment, Glyph, Record, Variation, partie_line, read_record, read_state
from chouine.notation.records import WIDTH, Item
from chouine.partie import Exchange, Play, Result, State
from tests.laws.strategies import moments
from tests.notation.test_tokens import ANY_ACTION

LAVARDIN = (Path(__file__).parent.parent / "records" / "lavardin.cgn").read_text(encoding="utf-8")
DEAL = "b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc"
HEAD = f'[Rules "classic"]\n[Deal "{DEAL}"]\n'


def test_the_example_comes_back_byte_for_byte() -> None:
    record = read_record(LAVARDIN)
    assert f"{record}\n" == LAVARDIN
    assert record.result == Result(0, (196, 44), "points")
    assert len(record.actions) == 33
    assert (record.tag("Site"), record.tag("Round")) == ("Lavardin", None)


def test_the_example_made_from_the_partie_itself() -> None:
    actions = " ".join(map(str, read_record(LAVARDIN).actions))
    record = Record.of(read_state(f"classic {DEAL} : {actions}"), {"Site": "Lavardin"})
    assert str(record) == LAVARDIN.replace(" {talon épuisé}", "").replace(
        LAVARDIN[: LAVARDIN.index("[Rules")], '[Site "Lavardin"]\n'
    ).replace('[Format "3x2"]\n[Manche "2"]\n[Partie "3"]\n[Score "0-1 2-0"]\n', "").replace(
        "Kd\n12. Td+50 7d  13. Th Jh  14. As Ks  15. Ah Kc  16. Ac Tc 1-0",
        "Kd  12. Td+50 7d\n13. Th Jh  14. As Ks  15. Ah Kc  16. Ac Tc 1-0",
    ).rstrip("\n")


@given(moments(), st.booleans())
def test_the_record_of_any_partie_comes_back(state: State, stop: bool) -> None:  # noqa: FBT001
    if stop and not state.result:
        state = state.concede(state.position.turn)
        if state.rules.seats > 2:
            record = Record.of(state, {"Termination": f"concede {'abcd'[state.position.turn]}"})
        else:
            record = Record.of(state)
    else:
        record = Record.of(state)
    text = str(record)
    assert read_record(text) == record
    assert all(len(line) <= WIDTH for line in text.partition("\n\n")[2].splitlines())
    assert record.result.points == (state.result or record.result).points


def test_the_record_of_a_partie_played_by_a_kernel() -> None:
    """A record made from actions and result alone equals the record of the state."""
    actions = read_record(LAVARDIN).actions
    state = read_state(f"classic {DEAL} : {' '.join(map(str, actions))}")
    assert state.result
    tags = {"Site": "Lavardin"}
    assert Record.of_result(state.rules, state.deal, actions, state.result, tags) == Record.of(state, tags)


LETTERS = st.characters(codec="utf-8", exclude_characters="\r\n", exclude_categories=["Cs"])
BRACED = st.text(LETTERS | st.just("\n"), max_size=30).map(
    lambda text: text.replace("}", "").replace("[", "(")
)
COMMENTS = st.builds(Comment, BRACED) | st.builds(Comment, st.text(LETTERS, max_size=30), st.just(True))  # noqa: FBT003
GLYPHS = st.sampled_from(["!", "?", "!!", "??", "!?", "?!", "$1", "$146"]).map(Glyph)
REMARKS = COMMENTS | GLYPHS


@st.composite
def variations(draw: st.DrawFn, depth: int = 2) -> Variation:
    items: list[Item] = list(draw(st.lists(REMARKS, max_size=2)))
    if draw(st.booleans()):
        items.append(draw(ANY_ACTION))
        items += draw(st.lists(ANY_ACTION | REMARKS, max_size=4))
        if depth:
            items += draw(st.lists(variations(depth - 1), max_size=1))
    return Variation(tuple(items))


@given(moments(), st.data())
def test_what_people_wrote_is_kept(state: State, data: st.DataObject) -> None:
    plain = Record.of(state)
    items: list[Item] = list(data.draw(st.lists(REMARKS, max_size=2)))
    for action in plain.items:
        items.append(action)
        items += data.draw(st.just([]) | st.lists(REMARKS | variations(), max_size=2))
    record = Record(plain.rules, plain.deal, tuple(items), plain.result, plain.tags)
    again = read_record(str(record))
    assert again == record
    assert str(again) == str(record)
    assert again.actions == plain.actions


NAMES = st.from_regex(r"[A-Za-z0-9_]{1,12}", fullmatch=True).filter(
    lambda name: name not in ("Rules", "Deal", "Result", "Points", "Termination")
)


@given(st.dictionaries(NAMES, st.text(LETTERS, max_size=30), max_size=4))
def test_tags_nobody_knows_are_kept_after_the_others(tags: dict[str, str]) -> None:
    record = Record.of(read_state(f"classic {DEAL} : Qs 7c"), tags)
    assert read_record(str(record)) == record
    assert dict(record.tags) == tags | {"Result": "*", "Points": "3-0"}


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ([("Event", "a\nb")], r"a tag's value is one line, not 'a\\nb'"),
        ([("", "x")], "a tag's name is of letters, digits and _, not ''"),
        ([("Two words", "x")], "a tag's name is of letters"),
        ([("Rules", "three")], "a record has its Rules beside its tags"),
        ([("Event", "a"), ("Event", "b")], "each tag is there once"),
        ([("Event",)], "a tag is a name and its value"),
        ([("Event", "a", "b")], "a tag is a name and its value"),
    ],
)
def test_a_tag_is_one_line_and_has_a_name_of_its_own(tags: list[tuple[str, str]], why: str) -> None:
    record = Record.of(read_state(f"classic {DEAL} :"))
    with pytest.raises(ValueError, match=why):
        replace(record, tags=tuple(tags))


@pytest.mark.parametrize(
    ("text", "to_end_of_line"), [("a } b", False), ('a\n[Event "x"]', False), ("a\nb", True)]
)
def test_a_comment_that_could_not_be_read_back_is_none(text: str, to_end_of_line: bool) -> None:  # noqa: FBT001
    with pytest.raises(ValueError, match="comment"):
        Comment(text, to_end_of_line)


@pytest.mark.parametrize("text", ["", "!!!", "$", "$x", "+"])
def test_a_glyph_has_its_forms(text: str) -> None:
    with pytest.raises(ValueError, match="glyph"):
        Glyph(text)


def test_how_remarks_are_laid_out() -> None:
    text = (
        f"{HEAD}\n{{Un début}}  1. Qs! (1. 7s $2 (1. 9h ; prudent\n) 7c {{ou rien}}) 7x? $6 "
        "(1... Kh) 7c  2. 8c {[%clk 0:01:20]} 8d *"
    )
    assert str(read_record(text)) == text


def test_a_trick_with_a_long_remark_flows() -> None:
    long = "mot " * 30
    record = read_record(f"{HEAD}\n1. Qs 7c 2. 8c {{{long}}} 8d! 3. 9d {{x}} 9s *")
    assert str(record).partition("\n\n")[2] == f" 1. Qs 7c  2. 8c\n{{{long}}}\n8d!  3. 9d {{x}} 9s *"


def test_numbers_may_be_wrong_or_missing() -> None:
    for moves in ("Qs 7c 8c 8d *", "7. Qs 7c 7. 8c 8d *", "1 Qs 1... 7c 2.8c 3.8d*", "1. Qs 7c\n\n2. 8c 8d"):
        text = f"{HEAD}\n{moves.replace('8d*', '8d *')}"
        assert str(read_record(text)).endswith("\n\n 1. Qs 7c  2. 8c 8d *")


@pytest.mark.parametrize(
    ("termination", "by", "result"),
    [
        ("concede b", "concede", "1-0"),
        ("concede a", "concede", "0-1"),
        ("forfeit a", "forfeit", "0-1"),
        ("fault b", "fault", "1-0"),
        ("misdeal", "misdeal", "*"),
    ],
)
def test_a_partie_that_was_stopped(termination: str, by: str, result: str) -> None:
    """§4, §15, §16: Stopped parties read back with their termination and result."""
    text = f'{HEAD}[Result "{result}"]\n[Points "3-0"]\n[Termination "{termination}"]\n\n 1. Qs 7c {result}'
    record = read_record(text)
    assert (record.result.by, record.result.text, record.result.points) == (by, result, (3, 0))
    assert str(record) == text


def test_a_stopped_partie_says_who_stopped_it() -> None:
    """A stopped partie names the seat; with two seats it follows from the winner."""
    state = read_state(f"classic {DEAL} : Qs 7c")
    assert Record.of(state.concede(0)).tag("Termination") == "concede a"
    misdealt = state.end(Result.misdealt(state.rule_table, state.position))
    assert Record.of(misdealt).tag("Termination") == "misdeal"
    assert read_record(str(Record.of(misdealt))).result.by == "misdeal"


def test_points_of_three_seats() -> None:
    text = (
        '[Rules "three"]\n[Deal "c KQ7...|T.A.T.|..KQJ. As 8sJhAd9s7cTc8hJc9h7d7hAcQh9c8c8d9dQcKcThKhJs"]\n'
        '[Result "0-0-0"]\n[Points "0-0-0"]\n[Termination "concede a"]\n\n*'
    )
    with pytest.raises(NotationError) as caught:
        read_record(text)
    assert (caught.value.code, caught.value.line) == ("checksum/result", 7)
    record = read_record(text.replace("\n\n*", "\n\n0-0-0"))
    assert record.result.winner is None


def test_the_order_of_items_says_what_was_played() -> None:
    record = read_record(f"{HEAD}\n1. Qs (1. 7s) 7x {{tiens}} 7c *")
    assert [type(item) for item in record.items] == [Play, Variation, Exchange, Comment, Play]
    assert partie_line(read_state(f"classic {DEAL} : Qs 7x 7c")).endswith(": Qs 7x 7c")


def test_one_record_is_asked_for() -> None:
    for text, count in (("", 0), (f"{LAVARDIN}\n{LAVARDIN}", 2)):
        with pytest.raises(NotationError) as caught:
            read_record(text)
        assert (caught.value.code, caught.value.data["count"]) == ("syntax/one-record", count)
