"""A decision of a finished partie taken once more: judged by what was found then, or gone on with against computers."""

from __future__ import annotations

from chouine.notation.lines import actions_of
from chouine.notation.tokens import PASS
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.school.review import Judgement, state_before
from chouine.server.new_table import same_deal
from chouine.server.pages.review import SecondTry
from chouine.server.pages.visit import Visit
from chouine.table.entries import Opened
from chouine.table.state import TableState

ENOUGH = 0.02
"""An answer that costs less is as good as the best: it has no name among mistakes."""


def view_of_mistake(finished: State, judged: Judgement) -> View:
    """What the seat saw before this decision."""
    deal = State.new(finished.rules, finished.deal)
    return state_before(deal, list(actions_of(finished.events)), judged.number)[0].view(judged.seat)


def judge_try(judged: Judgement, view: View, text: str) -> SecondTry:
    """What an answer, as a token, is worth."""
    wins = dict(judged.options)
    known = text in wins and (text == PASS or text in map(str, view.legal))
    if not known:
        return SecondTry()
    advised = judged.second_thought and text == judged.done
    return SecondTry(text, advised or judged.before - wins[text] < ENOUGH, wins[text])


def resume_partie(
    visit: Visit, table: TableState, finished: State, judged: Judgement
) -> tuple[Opened, list[tuple[int, str]]]:
    """A table on the same deal with the visitor in the seat that decided, and the acts before, as (seat, token)."""
    deal = State.new(finished.rules, finished.deal)
    _, done = state_before(deal, list(actions_of(finished.events)), judged.number)
    return same_deal(visit, table, finished, judged.seat), done
