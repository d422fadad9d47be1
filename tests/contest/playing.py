"""Contests for tests: opened, entered, drawn and played at random."""

from __future__ import annotations

import re
from random import Random

import pytest

from chouine.contest import (
    ActRefused,
    Contest,
    ContestAct,
    ContestOpened,
    Entered,
    Formula,
    ResultEntered,
    Round,
    RoundTable,
    Score,
    Stage,
    add,
    commit,
    draw,
)
from chouine.contest.score import MatchResult
from chouine.phrases import say
from chouine.server.contest.solver import cheapest_matching

SEED = "lavardin"


def contest_with_entries(formula: Formula, entries: int, seed: str = SEED) -> Contest:
    """A contest with this number of entries, all present."""
    contest = add(None, ContestOpened(formula, commit(seed)), "desk", 0)
    for number in range(1, entries + 1):
        contest = add(contest, Entered(number), "desk", 0)
    return contest


def code_of(contest: Contest | None, act: object) -> str:
    """The code for which an act is refused; it has a sentence in both languages, and scores as they are read."""
    with pytest.raises(ActRefused) as refused:
        add(contest, act, "desk", 9)  # type: ignore[arg-type]
    fault = refused.value
    assert say(fault.code, "fr", **fault.data) != say(fault.code, "en", **fault.data)
    scores = [str(fault.data.get(name, "")) for name in ("score", "parties")]
    assert not any(re.search(r"\d-\d", score) for score in scores), scores
    return fault.code


def draw_round(contest: Contest, stage: Stage = "main", seed: str = SEED, card: str = "Qh") -> Contest:
    return add(contest, draw(contest, stage, seed, card, solver=cheapest_matching), "desk", contest.head.at)


def result(round_: Round, table: RoundTable, winner: int, members: int = 1) -> ContestAct:
    """The result of a table won without losing a partie."""
    place = table.players.index(winner)
    manches = tuple(round_.match.manches * (nth == place) for nth in range(len(table.players)))
    return ResultEntered(round_.stage, round_.number, table.number, Score((MatchResult(manches),) * members))


def play_stage(contest: Contest, stage: Stage, rng: Random, at: int = 1) -> Contest:
    """The contest after all open tables of a stage have random results."""
    for round_ in contest.rounds(stage):
        for table in round_.open:
            act = result(round_, table, rng.choice(table.left), contest.formula.members)
            contest = add(contest, act, "desk", at)
    return contest


def play_to_end(contest: Contest, rng: Random, seed: str = SEED) -> Contest:
    """The contest after all rounds of all stages are drawn and played."""
    stages: tuple[Stage, ...] = ("main", "consolante")
    for stage in stages:
        contest = play_stage(contest, stage, rng)
        while True:
            try:
                contest = draw_round(contest, stage, seed)
            except ActRefused:
                break
            contest = play_stage(contest, stage, rng)
    return contest


def winner_first(contest: Contest, stage: Stage = "main") -> Contest:
    """The contest after all open tables of a stage are won by their first entry."""
    for round_ in contest.rounds(stage):
        for table in round_.open:
            contest = add(
                contest, result(round_, table, table.players[0], contest.formula.members), "desk", 1
            )
    return contest
