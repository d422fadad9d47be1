"""Advice for a player against computers, computed in a process that gets one seat's view and knows no table."""

from __future__ import annotations

from random import Random

from chouine.ai.levels import highest_level, level, looks_ahead, strongest
from chouine.compilations import advice_ready
from chouine.notation.tokens import token
from chouine.partie import Deal, State
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.server.thinking import ThoughtRequest, decode, encode
from chouine.table.entries import GivenAdvice, RatedAct

WORLDS = 256
"""Sampled worlds per act: a number and not a time, so that equal views get equal advice."""
SEED = 1


def get_ready() -> None:
    """Compute a piece of advice, so that the process has loaded everything before the first request."""
    in_worlds(State.new(Rules(), Deal.random(Rules(), 0, Random(SEED))).view(1), SEED)


def asked_by(view: View) -> bytes:
    """The encoded request: the seat's view, and one fixed random seed for all seats and tables."""
    return encode(ThoughtRequest.of("", view, SEED))


def advice_on(asked: bytes) -> GivenAdvice:
    """Advice for the seat on turn.

    While kernels are being compiled the network's choice; without numba that of the highest level that runs.
    """
    thought = decode(asked)
    view = thought.view
    if not view.legal:
        return GivenAdvice(token(None))
    if not looks_ahead():
        return GivenAdvice(token(level(highest_level(), view.rules, thought.seed).act(view)))
    if advice_ready().exists():
        return in_worlds(view, thought.seed)
    from chouine.ai.strongest import uncompiled_act

    return GivenAdvice(token(uncompiled_act(view)))


def in_worlds(view: View, seed: int) -> GivenAdvice:
    """Advice by the strongest player that runs these rules here."""
    from chouine.ai.advice import advise
    from chouine.ai.racing import Limit

    found = advise(strongest(view.rules, seed), view, Limit(worlds=WORLDS))
    return GivenAdvice(
        best=token(found.options[0].action),
        acts=tuple(
            RatedAct(token(each.action), *(round(chance, 4) for chance in (each.win, each.low, each.high)))
            for each in found.options
        ),
        reasons=tuple((reason.trait, round(reason.difference, 3)) for reason in found.reasons),
        beside=token(found.beside) if found.reasons else "",
        worlds=found.worlds,
        solved=found.solved,
    )
