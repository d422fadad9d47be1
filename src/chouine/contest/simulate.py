"""Simulate whole contests with random results, and print them for other programs."""

from __future__ import annotations

from typing import Any

from chouine.contest.acts import ContestOpened, Entered, ResultEntered, Revealed
from chouine.contest.chance import Chance
from chouine.contest.draw import commit, draw
from chouine.contest.fold import add
from chouine.contest.formula import STAGES, Formula
from chouine.contest.pairing import Solver
from chouine.contest.ranking import ranking
from chouine.contest.score import MatchResult, Score
from chouine.contest.state import Contest, Round, RoundTable
from chouine.errors import ActRefused

SUITS, RANKS = "shdc", "789JQKTA"


def simulate_contest(formula: Formula, entries: int, seed: str, solver: Solver | None = None) -> Contest:
    """A random contest from its opening to the revealed seed."""
    chance = Chance("chouine simulate 1", seed)
    contest = add(None, ContestOpened(formula, commit(seed)), "simulate", 0)
    for number in range(1, entries + 1):
        contest = add(contest, Entered(number), "simulate", 0)
    for stage in STAGES:
        while True:
            card = RANKS[chance.number_below(8)] + SUITS[chance.number_below(4)]
            try:
                act = draw(contest, stage, seed, card, solver=solver)
            except ActRefused as why:
                if why.code == "contest/no-solver":
                    raise
                break
            contest = add(contest, act, "simulate", 0)
            round_ = contest.round(stage, act.round)
            for table in round_.open:
                score = any_score(round_, table, formula.members, chance)
                contest = add(contest, ResultEntered(stage, act.round, table.number, score), "simulate", 0)
    return add(contest, Revealed(seed), "simulate", 0)


def any_score(round_: Round, table: RoundTable, members: int, chance: Chance) -> Score:
    """A random result on each board; equal teams are decided at random."""
    score = Score(tuple(any_board(round_, table, chance) for _ in range(members)))
    return score if score.best is not None else Score(score.boards, chance.number_below(len(table.players)))


def any_board(round_: Round, table: RoundTable, chance: Chance) -> MatchResult:
    """A random board: a uniform winner, the others with fewer manches, and parties that fit."""
    form = round_.match
    best = chance.number_below(len(table.players))
    manches = tuple(
        form.manches if place == best else chance.number_below(form.manches)
        for place in range(len(table.players))
    )
    parties = tuple(
        won * form.parties + sum(chance.number_below(form.parties) for _ in range(sum(manches) - won))
        for won in manches
    )
    return MatchResult(manches, parties)


def contest_figures(contest: Contest) -> dict[str, Any]:
    """A contest as `chouine concours simulate --json` prints it (docs/notation.md)."""
    return {
        "rounds": [shown_round(contest.formula, round_) for round_ in contest.main],
        "consolante": {"rounds": [shown_round(contest.formula, round_) for round_ in contest.consolante]},
        "ranking": [ranked.number for ranked in ranking(contest)],
    }


def shown_round(formula: Formula, round_: Round) -> dict[str, Any]:
    """A round's pairs, its exempt entry, and the winners in the pairs' order."""
    many = round_.stage == "main" and formula.kind in {"tree", "poules"}
    exempt = list(round_.exempt)
    return {
        "pairs": [list(table.players) for table in round_.played],
        "exempt": exempt if many else next(iter(exempt), None),
        "winners": [table.winner for table in round_.played],
    }
