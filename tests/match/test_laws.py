"""Properties of every match (§13), and of its saved form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK
from chouine.match import Format, InvalidEntry, Match, Tirage
from chouine.partie.result import By, Result
from chouine.rules import PRESETS, Rules


@st.composite
def results(draw: st.DrawFn, rules: Rules) -> Result:
    """Any result that is possible under the rules."""
    points = tuple(draw(st.lists(st.integers(0, 300), min_size=rules.seats, max_size=rules.seats)))
    by: By = draw(st.sampled_from(["points", "chouine", "nulle", "concede", "forfeit", "misdeal", "fault"]))
    shared = by in ("nulle", "misdeal")
    if rules.seats > 2 and by in ("concede", "forfeit", "fault"):
        shared = draw(st.booleans())
    winner = None if shared else draw(st.integers(0, rules.seats - 1))
    manche = by == "chouine" and rules.trump_chouine == "manche" and draw(st.booleans())
    return Result(winner, points, by, manche)


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """A match after some valid entries."""
    preset, tie, chouine = draw(
        st.tuples(
            st.sampled_from(sorted(PRESETS)),
            st.sampled_from(["replay", "nobody"]),
            st.sampled_from(["partie", "manche"]),
        )
    )
    rules = Rules.parse(f"{preset};tie={tie};trump-chouine={chouine}")
    manches = draw(st.integers(1, 2)) if rules.seats == 2 else 1
    match = Match.new(rules, Format(draw(st.integers(1, 4)), manches))
    for _ in range(draw(st.integers(0, 25))):
        if match.over:
            break
        if match.needs_draw:
            cards = draw(
                st.lists(st.sampled_from(PACK), min_size=rules.seats, max_size=rules.seats, unique=True)
            )
            match = match.draw_dealer(Tirage(tuple(cards)))
        elif draw(st.integers(0, 60)):
            match = match.record(draw(results(rules)))
        else:
            match = match.forfeit(draw(st.integers(0, rules.seats - 1)))
    return match


@given(matches())
def test_a_match_is_resumed_as_it_was_saved(match: Match) -> None:
    saved = json.dumps(match.to_data())
    assert Match.from_data(json.loads(saved)) == match
    assert Match.from_data(json.loads(saved)).standing == match.standing


@given(matches())
def test_every_partie_won_is_counted_once(match: Match) -> None:
    """§13: Every partie won counts once, in a finished manche or the current one; a chouine may fill its manche."""
    winners = [entry for entry in match.entries if isinstance(entry, Result) and entry.winner is not None]
    ended_by_play = max(match.score) == match.format.parties
    scores = match.history if ended_by_play else (*match.history, match.score)
    counted = sum(map(sum, scores))
    if any(result.manche for result in winners):
        assert counted >= len(winners)
    else:
        assert counted == len(winners)


@given(matches())
def test_a_finished_manche_has_one_winner(match: Match) -> None:
    """§13"""
    parties = match.format.parties
    assert all(score.count(parties) == 1 and max(score) == parties for score in match.history)
    assert sum(match.manches) == len(match.history)
    assert max(match.manches) <= match.format.manches


@given(matches())
def test_the_match_is_over_when_and_only_when_won_or_forfeited(match: Match) -> None:
    """§13, §16"""
    forfeited = bool(match.entries) and not isinstance(match.entries[-1], Result | Tirage)
    assert match.over == (forfeited or max(match.manches) == match.format.manches)
    assert match.over + match.needs_draw + (match.dealer is not None) == 1


@given(matches())
def test_the_deal_passes_on_after_every_decided_partie(match: Match) -> None:
    """§13: Within a manche the deal passes to the next seat; after a misdeal it stays (§4)."""
    for length in range(1, len(match.entries)):
        before = Match(match.rules, match.format, match.entries[:length])
        after = Match(match.rules, match.format, match.entries[: length + 1])
        entry = match.entries[length]
        if not isinstance(entry, Result) or after.over or after.manche != before.manche:
            continue
        assert before.dealer is not None
        stays = entry.by == "misdeal" or (entry.winner is None and match.rules.tie == "replay")
        assert after.dealer == (before.dealer + (not stays)) % match.rules.seats


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(JUNK)
def test_data_that_is_no_match_is_refused(data: Any) -> None:
    with pytest.raises(InvalidEntry):
        Match.from_data(data)


@given(matches(), st.data())
def test_damaged_data_is_refused_or_reads_as_some_match(match: Match, data: st.DataObject) -> None:
    saved = match.to_data()
    target = data.draw(st.sampled_from([saved, *saved["entries"]]))
    key = data.draw(st.sampled_from(sorted(target)))
    target[key] = data.draw(JUNK)
    try:
        read = Match.from_data(saved)
    except InvalidEntry:
        return
    assert Match.from_data(read.to_data()) == read


SHEET: dict[str, Any] = Match.new(Rules(), Format(5, 2)).to_data()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"version": 2}, "match/version"),
        ({"version": "1"}, "match/data"),
        ({"rules": "belote"}, "match/data"),
        ({"format": "5x9"}, "match/data"),
        ({"rules": "three"}, "match/one-manche"),
        ({"more": 1}, "match/data"),
        ({"entries": {}}, "match/data"),
        ({"entries": [{"tirage": ["7s", "8s"], "more": 1}]}, "match/data"),
        ({"entries": [{"tirage": ["7s", 8]}]}, "match/data"),
        ({"entries": [{"tirage": ["7s", "11s"]}]}, "match/data"),
        ({"entries": [{"tirage": ["7s"]}]}, "match/entry"),
        ({"entries": [{"forfeit": ""}]}, "match/data"),
        ({"entries": [{"forfeit": "c"}]}, "match/entry"),
        ({"entries": [{"by": "points", "winner": "a", "points": [1, 0]}]}, "match/draw-first"),
        ({"entries": [{"by": "luck", "winner": "a", "points": [1, 0]}]}, "match/data"),
        ({"entries": [{"by": "points", "winner": "ab", "points": [1, 0]}]}, "match/data"),
        ({"entries": [{"by": "points", "winner": "a", "points": [1, 0.5]}]}, "match/data"),
        ({"entries": [{"by": "points", "winner": "a", "points": [1, 0], "manche": False}]}, "match/data"),
        ({"entries": [None]}, "match/data"),
    ],
)
def test_errors_have_sentences(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidEntry) as caught:
        Match.from_data(SHEET | changes)
    assert caught.value.code == code
    assert str(caught.value)
