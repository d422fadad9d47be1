"""A changed log is detected, an honest one passes, and arbitrary input does not crash the check."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chouine.contest import FORMULAS, Contest, LogLine, ResultEntered, RoundDrawn, formula_for
from chouine.contest.check import check_log, read_log
from chouine.contest.simulate import simulate_contest
from chouine.phrases import say
from chouine.server.contest.solver import cheapest_matching
from tests.contest.tampering import BY_A_NOTED_SEAL, reseal, tamper

CONTEST = simulate_contest(FORMULAS["lavardin"], 11, "x", cheapest_matching)
TEXT = "".join(f"{line}\n" for line in CONTEST.lines)


def codes(lines: list[LogLine]) -> list[str]:
    return [breach.code for breach in check_log(lines, None, cheapest_matching).breaches]


@pytest.mark.parametrize("kind", FORMULAS)
def test_honest_contests(kind: str) -> None:
    contest = simulate_contest(formula_for(kind), 13, "y", cheapest_matching)  # type: ignore[arg-type]
    report = check_log(contest.lines, None, cheapest_matching)
    assert not report.breaches
    assert report.draws
    assert not report.unproven


def test_without_its_seed_draws_are_unproven() -> None:
    report = check_log(CONTEST.lines[:-1])
    assert (report.breaches, report.draws, report.unproven) == ((), 0, 7)
    assert check_log(CONTEST.lines[:-1], "x").draws == 7


def test_a_line_changed_or_lost() -> None:
    lines = list(CONTEST.lines)
    nth = next(nth for nth, line in enumerate(lines) if isinstance(line.act, ResultEntered))
    act = lines[nth].act
    assert isinstance(act, ResultEntered)
    score = type(act.score).of((2, 0) if act.score.winner else (0, 2))
    forged = ResultEntered(act.stage, act.round, act.table, score)
    changed = [*lines[:nth], LogLine(nth + 1, 0, "simulate", forged, lines[nth].seal), *lines[nth + 1 :]]
    assert "contest/broken" in codes(changed)
    assert "contest/wrong-field" in codes(reseal(changed))
    assert "check/order" in codes([*lines[:nth], *lines[nth + 1 :]])


def other_draw(swap: tuple[int, int]) -> list[LogLine]:
    """A forged first draw: two entries swapped, seals recomputed."""
    lines = list(CONTEST.lines)
    nth = next(nth for nth, line in enumerate(lines) if isinstance(line.act, RoundDrawn))
    act = lines[nth].act
    assert isinstance(act, RoundDrawn)
    one, other = swap
    names = {act.places[one][0]: act.places[other][0], act.places[other][0]: act.places[one][0]}
    places = tuple(tuple(names.get(player, player) for player in place) for place in act.places)
    forged = RoundDrawn(act.stage, act.round, act.card, act.match, act.first, places)
    return reseal([*lines[:nth], LogLine(nth + 1, 0, "simulate", forged, ""), *lines[nth + 1 :]])


@pytest.mark.parametrize("swap", [(0, 1), (2, 5)])
def test_a_draw_that_the_seed_does_not_make(swap: tuple[int, int]) -> None:
    assert "check/draw" in codes(other_draw(swap))


def test_two_exemptions_are_found_without_the_seed() -> None:
    """Without the seed: an entry exempt in rounds 1 and 2 breaks the format's rules."""
    contest = simulate_contest(formula_for("rounds", rounds=2), 5, "z", cheapest_matching)
    first, second = [nth for nth, line in enumerate(contest.lines) if isinstance(line.act, RoundDrawn)]
    lines = list(contest.lines[: second + 1])
    one, two = lines[first].act, lines[second].act
    assert isinstance(one, RoundDrawn)
    assert isinstance(two, RoundDrawn)
    again = one.places[-1][0]
    names = {again: two.places[-1][0], two.places[-1][0]: again}
    places = tuple(tuple(names.get(player, player) for player in place) for place in two.places)
    forged = RoundDrawn("main", 2, two.card, two.match, two.first, places)
    lines[second] = LogLine(second + 1, 0, "simulate", forged, "")
    assert "check/exempt" in codes(reseal(lines))
    met = RoundDrawn("main", 2, two.card, two.match, two.first, one.places)
    lines[second] = LogLine(second + 1, 0, "simulate", met, "")
    assert {"check/exempt", "check/avoidable"} <= set(codes(reseal(lines)))


def breach_sentences(text: str, seal: str = "") -> list[str]:
    """The sentences of all breaches, in both languages."""
    lines, breaches = read_log(text)
    breaches += check_log(lines, None, cheapest_matching, seal).breaches
    return [say(breach.code, language, **breach.data) for breach in breaches for language in ("fr", "en")]


@pytest.mark.parametrize(
    "nth", [*range(28), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(28, 500))]
)
def test_tampering_is_found(nth: int) -> None:
    """By the log alone, or where all of it was made again within the rules, by a seal noted at the closing."""
    honest, changed, way = tamper(nth)
    seal = honest[-1].seal[:16]
    assert not check_log(honest, None, cheapest_matching, seal).breaches
    text = changed if isinstance(changed, str) else "\n".join(map(str, changed))
    assert text != "\n".join(map(str, honest))
    assert breach_sentences(text, seal)
    assert breach_sentences(text) or way in BY_A_NOTED_SEAL


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_garbage(text: str) -> None:
    assert breach_sentences(text)


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_letters_changed(rng: Random) -> None:
    """A changed letter in an honest log is detected, and never crashes the check."""
    at = rng.randrange(len(TEXT))
    letter = rng.choice('0123456789"{}[],:-x \n\0é\ud800')
    if TEXT[at] != letter:
        changed = TEXT[:at] + letter + TEXT[at + 1 :]
        assert breach_sentences(changed) or "".join(changed.split()) == "".join(TEXT.split())


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(CONTEST.lines) - 1), st.randoms(use_true_random=False), ANY_JSON)
def test_pieces_of_any_kind(nth: int, rng: Random, value: object) -> None:
    """Any part of a line replaced by any JSON, with valid seals if it parses, does not crash the check."""
    data = json.loads(str(CONTEST.lines[nth]))
    spot: dict[str, object] = data
    while True:
        key = rng.choice(sorted(spot))
        inner = spot[key]
        if not isinstance(inner, dict) or not inner or rng.random() < 0.3:
            break
        spot = inner
    spot[key] = value
    texts = TEXT.split("\n")
    texts[nth] = json.dumps(data)
    lines, breaches = read_log("\n".join(texts))
    if not breaches:
        report = check_log(reseal(lines), None, cheapest_matching)
        [say(breach.code, "fr", **breach.data) for breach in report.breaches]
    breach_sentences("\n".join(texts))


def test_a_contest_is_a_value() -> None:
    assert isinstance(CONTEST, Contest)
    assert simulate_contest(FORMULAS["lavardin"], 11, "x", cheapest_matching) == CONTEST
