"""Compile the kernels of levels 7 and 8, advice and reviews in advance; the compiled code is stored on disk."""

from __future__ import annotations

from random import Random

from chouine.ai.levels import LEVELS, UNAIDED, level, strongest
from chouine.arena.partie import play_partie
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.rules.options import Rules
from chouine.school.review import decisions, judge


def compile_levels(rules: Rules) -> None:
    """Play a partie with levels 7 and 8, which compiles their kernels."""
    strong = [level(each, rules, seed=1) for each in LEVELS[UNAIDED:]]
    players = [strong[seat % len(strong)] for seat in range(rules.seats)]
    play_partie(rules, Deal.random(rules, 0, Random(1)), players)


def compile_advice(rules: Rules) -> None:
    """Advise at each act of a partie and judge one, which compiles those kernels."""
    from chouine.ai.advice import advise
    from chouine.ai.racing import Limit
    from chouine.ai.reasons import reasons

    state = State.new(rules, Deal.random(rules, 0, Random(1)))
    view, player = state.view(1), strongest(rules, seed=1)
    judge(decisions(state, view.legal[:1])[0], worlds=8)
    better, worse = view.legal[:2]
    reasons(view, better, worse, player.sample_worlds(view, 8), player.network)
    while state.turn is not None:
        best = advise(player, state.view(state.turn), Limit(worlds=1)).options[0].action
        state = state.play(best or state.legal(state.turn)[0], state.turn)
