"""Logs that somebody has changed: without new seals, with new seals against the rules, and within the rules.

A forger who keeps the rules and seals the whole log again leaves a valid log, of another contest: that one shows only
beside a seal that somebody has noted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from benchmarks.wild import wild
from chouine.contest import (
    FORMULAS,
    ContestAct,
    ContestOpened,
    Corrected,
    Details,
    Entered,
    LogLine,
    MatchResult,
    Paid,
    ResultEntered,
    Revealed,
    RoundDrawn,
    Score,
    Withdrew,
    commit,
)
from chouine.contest.formula import Kind
from chouine.contest.simulate import simulate_contest
from chouine.server.contest.solver import cheapest_matching

Lines = list[LogLine]
KNOCK_OUT: tuple[Kind, ...] = ("lavardin", "tree")


def reseal(lines: Sequence[LogLine]) -> Lines:
    """The log as a forger would leave it, all numbers and seals made again."""
    after: Lines = []
    for line in lines:
        after.append(LogLine.after(after[-1] if after else None, line.act, line.by, line.at))
    return after


def simulate(rng: Random, kinds: Sequence[Kind]) -> Lines:
    """The log of a contest of 8 to 20 entries in one of these formats."""
    seed, many = str(rng.random()), rng.randrange(8, 21)
    return list(simulate_contest(FORMULAS[rng.choice(kinds)], many, seed, cheapest_matching).lines)


def any_log(rng: Random) -> Lines:
    """The log of a contest in which everything happens."""
    contest, _ = wild(rng.randrange(10**6), most=20)
    return list(contest.lines)


def places_of(lines: Lines, kind: type) -> list[int]:
    """Where the acts of a kind stand."""
    return [nth for nth, line in enumerate(lines) if isinstance(line.act, kind)]


def with_act(lines: Lines, nth: int, act: ContestAct) -> Lines:
    return [*lines[:nth], line_of(act, lines[nth]), *lines[nth + 1 :]]


def line_of(act: ContestAct, like: LogLine) -> LogLine:
    """A line with this act, by the desk and at the time of another."""
    return LogLine(like.n, like.at, like.by, act, like.seal)


def beaten(score: Score) -> Score:
    """The score with the places of the players exchanged."""
    return Score(tuple(MatchResult(one.manches[::-1], one.parties[::-1]) for one in score.boards))


# Without new seals


def letter_changed(lines: Lines, rng: Random) -> str:
    texts = [str(line) for line in lines]
    nth = rng.randrange(len(texts))
    at = rng.randrange(len(texts[nth]))
    other = rng.choice([letter for letter in "0123456789abcdef" if letter != texts[nth][at]])
    texts[nth] = texts[nth][:at] + other + texts[nth][at + 1 :]
    return "\n".join(texts)


def line_dropped(lines: Lines, rng: Random) -> Lines:
    del lines[rng.randrange(len(lines) - 1)]
    return lines


def line_doubled(lines: Lines, rng: Random) -> Lines:
    nth = rng.randrange(len(lines))
    return [*lines[:nth], lines[nth], *lines[nth:]]


def lines_swapped(lines: Lines, rng: Random) -> Lines:
    one, other = rng.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def line_of_another_contest(lines: Lines, rng: Random) -> Lines:
    others = any_log(rng)
    nth = rng.randrange(1, min(len(lines), len(others)))
    return [*lines[:nth], others[nth], *lines[nth + 1 :]]


def another_ending(lines: Lines, rng: Random) -> Lines:
    """The beginning of one contest and the rest of another."""
    others = any_log(rng)
    nth = rng.randrange(1, min(len(lines), len(others)))
    return [*lines[:nth], *others[nth:]]


def time_changed(lines: Lines, rng: Random) -> Lines:
    nth = rng.randrange(len(lines))
    lines[nth] = replace(lines[nth], at=lines[nth].at + rng.choice((-1, 1)) * rng.randrange(1, 99))
    return lines


# Sealed again, against the rules


def two_entries_of_a_draw_swapped(lines: Lines, rng: Random) -> Lines:
    draws = [(nth, drawn_at(lines, nth)) for nth in places_of(lines, RoundDrawn)]
    nth = rng.choice([nth for nth, act in draws if act.round == 1 and len(act.places) > 1])
    act = drawn_at(lines, nth)
    one, other = (rng.choice(place) for place in rng.sample(act.places, 2))
    names = {one: other, other: one}
    places = tuple(tuple(names.get(player, player) for player in place) for place in act.places)
    return reseal(with_act(lines, nth, replace(act, places=places)))


def drawn_at(lines: Lines, nth: int) -> RoundDrawn:
    act = lines[nth].act
    assert isinstance(act, RoundDrawn)
    return act


def another_card(lines: Lines, rng: Random) -> Lines:
    nth = places_of(lines, RoundDrawn)[0]
    act = drawn_at(lines, nth)
    card = rng.choice([suit for suit in ("Qh", "Qd", "Qc", "Qs") if suit != act.card])
    return reseal(with_act(lines, nth, replace(act, card=card)))


def another_seed(lines: Lines, rng: Random) -> Lines:
    return reseal(with_act(lines, len(lines) - 1, Revealed(str(rng.random()))))


def another_seed_and_its_digest(lines: Lines, rng: Random) -> Lines:
    opened, seed = lines[0].act, str(rng.random())
    assert isinstance(opened, ContestOpened)
    lines = with_act(lines, 0, replace(opened, commit=commit(seed)))
    return reseal(with_act(lines, len(lines) - 1, Revealed(seed)))


def another_format(lines: Lines, rng: Random) -> Lines:
    opened = lines[0].act
    assert isinstance(opened, ContestOpened)
    (kind,) = {*KNOCK_OUT} - {opened.formula.kind}
    return reseal(with_act(lines, 0, replace(opened, formula=FORMULAS[kind])))


def result_at(lines: Lines, rng: Random, *, last: bool = False) -> tuple[int, ResultEntered]:
    """A result of the main draw: of its last round, or of an earlier one."""
    acts = [(nth, line.act) for nth, line in enumerate(lines) if isinstance(line.act, ResultEntered)]
    main = [(nth, act) for nth, act in acts if act.stage == "main"]
    most = max(act.round for _, act in main)
    return rng.choice([(nth, act) for nth, act in main if (act.round == most) == last])


def loser_goes_on(lines: Lines, rng: Random) -> Lines:
    nth, act = result_at(lines, rng)
    return reseal(with_act(lines, nth, replace(act, score=beaten(act.score))))


def sums_that_no_match_has(lines: Lines, rng: Random) -> Lines:
    nth, act = result_at(lines, rng, last=rng.random() < 0.5)
    return reseal(with_act(lines, nth, replace(act, score=Score.of(rng.choice(((2, 2), (3, 0), (1, 1)))))))


def result_without_a_table(lines: Lines, rng: Random) -> Lines:
    nth, act = result_at(lines, rng, last=rng.random() < 0.5)
    return reseal(with_act(lines, nth, replace(act, table=act.table + rng.randrange(50, 99))))


def entry_left_out(lines: Lines, rng: Random) -> Lines:
    del lines[rng.choice(places_of(lines, Entered))]
    return reseal(lines)


def entry_twice(lines: Lines, rng: Random) -> Lines:
    nth = rng.choice(places_of(lines, Entered))
    return reseal([*lines[:nth], lines[nth], *lines[nth:]])


def result_left_out(lines: Lines, rng: Random) -> Lines:
    nth, _ = result_at(lines, rng)
    del lines[nth]
    return reseal(lines)


def result_twice(lines: Lines, rng: Random) -> Lines:
    nth, _ = result_at(lines, rng, last=rng.random() < 0.5)
    return reseal([*lines[:nth], lines[nth], *lines[nth:]])


def draw_left_out(lines: Lines, rng: Random) -> Lines:
    del lines[rng.choice(places_of(lines, RoundDrawn))]
    return reseal(lines)


def somebody_gone_before_a_draw(lines: Lines, rng: Random) -> Lines:
    """An entry that the next draw has is made to leave before it."""
    nth = rng.choice(places_of(lines, RoundDrawn))
    player = rng.choice(list(chain(*drawn_at(lines, nth).places)))
    gone = line_of(Withdrew(player), lines[nth])
    return reseal([*lines[:nth], gone, *lines[nth:]])


def something_after_the_closing(lines: Lines, rng: Random) -> Lines:
    _, act = result_at(lines, rng, last=True)
    more = Corrected(act.stage, act.round, act.table, beaten(act.score), "slip")
    return reseal([*lines, line_of(more, lines[-1])])


# Sealed again, within the rules


def payment_made_up(lines: Lines, rng: Random) -> Lines:
    nth = rng.choice(places_of(lines, Entered)) + 1
    return reseal([*lines[:nth], line_of(Paid(1, 500), lines[nth]), *lines[nth:]])


def loser_wins_the_last_round(lines: Lines, rng: Random) -> Lines:
    nth, act = result_at(lines, rng, last=True)
    return reseal(with_act(lines, nth, replace(act, score=beaten(act.score))))


def lady_made(lines: Lines, rng: Random) -> Lines:
    nth = rng.choice(places_of(lines, Entered))
    act = lines[nth].act
    assert isinstance(act, Entered)
    return reseal(with_act(lines, nth, replace(act, details=Details(lady=True))))


def end_cut_off(lines: Lines, rng: Random) -> Lines:
    return lines[: rng.randrange(1, len(lines))]


def another_desk(lines: Lines, rng: Random) -> Lines:
    nth = rng.randrange(len(lines))
    return reseal([*lines[:nth], replace(lines[nth], by="results"), *lines[nth + 1 :]])


def other_whole_contest(lines: Lines, rng: Random) -> Lines:
    return any_log(rng)


Tampering = Callable[[Lines, Random], Lines | str]
BY_SEALS: tuple[Tampering, ...] = (
    letter_changed,
    line_dropped,
    line_doubled,
    lines_swapped,
    line_of_another_contest,
    another_ending,
    time_changed,
)
ANY: tuple[Kind, ...] = tuple(FORMULAS)
BY_RULES: dict[Tampering, tuple[Kind, ...]] = {
    two_entries_of_a_draw_swapped: ANY,
    another_card: ANY,
    another_seed: ANY,
    another_seed_and_its_digest: ANY,
    another_format: KNOCK_OUT,
    loser_goes_on: KNOCK_OUT,
    sums_that_no_match_has: ANY,
    result_without_a_table: ANY,
    entry_left_out: ANY,
    entry_twice: ANY,
    result_left_out: ANY,
    result_twice: ANY,
    draw_left_out: ANY,
    somebody_gone_before_a_draw: ("lavardin", "rounds", "swiss"),
    something_after_the_closing: ANY,
}
"""With the formats in which nobody can take it for an honest contest."""
BY_A_NOTED_SEAL: tuple[Tampering, ...] = (
    payment_made_up,
    loser_wins_the_last_round,
    lady_made,
    end_cut_off,
    another_desk,
    other_whole_contest,
)


def tamper(nth: int) -> tuple[Lines, Lines | str, Tampering]:
    """A log, and the n-th way of changing it."""
    rng = Random(nth)
    ways = (*BY_SEALS, *BY_RULES, *BY_A_NOTED_SEAL)
    way = ways[nth % len(ways)]
    lines = any_log(rng) if way in BY_SEALS else simulate(rng, BY_RULES.get(way, ANY))
    return lines, way([*lines], rng), way
