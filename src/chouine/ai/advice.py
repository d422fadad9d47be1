"""What to do, for people and programs: how likely each act wins, what is likely to follow, and why the best is better.

advice = advised(strongest(rules, seed=1), view, seconds=0.3)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from chouine.ai.acts import SAID, SWAP, act_of
from chouine.ai.endgame import line_after
from chouine.ai.foresight import followed
from chouine.ai.judging import Judge, Judged
from chouine.ai.reasons import Reason, reasons
from chouine.ai.worlds import Sharing, Worlds, hidden
from chouine.cards import PACK
from chouine.errors import ChouineError
from chouine.notation.tokens import token
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.view import View

NORMAL = 1.96
"""Standard errors either side of what is told; 95 %."""
LINE, LIKELY = 6, 0.1
"""So many acts are foretold at most, while what is told comes so often."""
WORLDS = 512
"""In so many worlds what follows, and why, is looked at."""
SURE, NOTABLE = 2.0, 0.01
"""Standard errors, and how much of a partie, from which a difference is explained."""


class Option(NamedTuple):
    """An act, how likely it wins, and the bounds of 95 % of that, all one where it is exact."""

    action: Action | None
    """None: let "au sept" pass (§11)."""
    win: float
    low: float
    high: float

    @classmethod
    def of(cls, told: Judged) -> Option:
        error = NORMAL * told.unsure
        return cls(told.action, told.win, max(0.0, told.win - error), min(1.0, told.win + error))


class Advice(NamedTuple):
    """What a seat may do, best first."""

    options: list[Option]
    worlds: int
    """In how many worlds the best was tried; 0 where the answer is exact."""
    line: tuple[Action | None, ...]
    """The best act, and what is likeliest to follow."""
    reasons: list[Reason]
    """What speaks for it…"""
    beside: Action | None = None
    """… beside the best of those that are surely worse."""
    solved: bool = False
    """Whether all cards are known to the seat: what each act brings is certain."""


class Impossible(ChouineError):
    """A course of play that no deal allows."""


def advised(player: Judge, view: View, seconds: float | None = None, worlds: int | None = None) -> Advice:
    """What a player would do within so much time, or in so many worlds, and why; the view's seat may act."""
    if not possible(view):
        raise Impossible("advice/impossible")
    told = player.judge(view, seconds, worlds)
    best, others = told[0], sorted(told[1:], key=lambda each: -each.win)
    options = [Option.of(each) for each in (best, *others)]
    if not best.worlds:
        after = line_after(view, best.action) if best.action else None
        return Advice(options, 0, (best.action, *(after or ())), [], solved=after is not None)
    act = act_of(best.action)
    among = player.likely(view, WORLDS)
    line = (best.action, *likeliest(view, act, among, player))
    for other in others:
        ahead = best.win - other.win
        if ahead >= NOTABLE and ahead > SURE * other.error:
            speaks = reasons(view, best.action, other.action, among, player.network)
            return Advice(options, best.worlds, line, speaks, other.action)
    return Advice(options, best.worlds, line, [])


def possible(view: View) -> bool:
    """Whether what is not seen can lie in any way, all having answered as they did (§8) and holding what they said."""
    return bool(Sharing.of(hidden(view)).ways[0, -1])


def likeliest(view: View, act: int, among: Worlds, player: Judge) -> Iterator[Action]:
    """What is done after an act, as long as it comes often enough."""
    found = followed(view, act, among, player.network, LINE)
    for nth in range(LINE):
        acts, times = np.unique(found[:, nth], return_counts=True)
        common = int(times.argmax())
        done = int(acts[common])
        if done < 0 or times[common] < LIKELY * len(among.hands):
            return
        found = found[found[:, nth] == done]
        if done & SWAP:
            yield Exchange()
        declaration = done >> SAID & 63
        yield Play(PACK[done & 63], Declaration(declaration) if declaration else None)


def in_lines(advice: Advice) -> list[str]:
    """The same for programs, as the engine protocol's `info` goes on."""
    options = [
        f"worlds {advice.worlds} act {token(each.action)} win {each.win:.4f} low {each.low:.4f} high {each.high:.4f}"
        for each in reversed(advice.options)
    ]
    why = [
        f"reason {token(advice.beside)} {reason.trait} {reason.difference:.2f}" for reason in advice.reasons
    ]
    line = f"line {' '.join(map(token, advice.line))}"
    best = advice.options[0]
    return [*options, line, *why, f"worlds {advice.worlds} win {best.win:.2f} best {token(best.action)}"]
