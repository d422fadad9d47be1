"""Advice for people and programs: win probability of each act, the likely continuation, and reasons for the best act.

advice = advise(strongest(rules, seed=1), view, Limit(seconds=0.3))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from chouine.ai.deduced import hidden_cards
from chouine.ai.determinization import DealTable, Worlds
from chouine.ai.endgame import line_after
from chouine.ai.facts import Reason, certain_reasons
from chouine.ai.macro_actions import DECLARATION_SHIFT, EXCHANGE_BIT, act_of
from chouine.ai.racing import Estimate, Evaluator, Limit, Z
from chouine.ai.reasons import reasons
from chouine.ai.review import LEAST
from chouine.ai.rollout import continuations
from chouine.errors import ChouineError
from chouine.notation.tokens import token
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.phrases import Language, check_language, say
from chouine.players.base import as_play
from chouine.rules.position import NONE

LINE_LENGTH, LINE_SHARE = 6, 0.1
"""The longest predicted line, and the share of worlds that must agree on its next act."""
WORLDS = 512
"""Worlds sampled to predict the line and find reasons."""
SIGNIFICANT, NOTABLE = 2.0, 0.01
"""A difference too small for a mistake is explained from this many standard errors, and from this win probability."""


class ActEstimate(NamedTuple):
    """An act, its win probability and 95 % confidence bounds; all equal if exact."""

    action: Action | None
    """None: decline to exchange at "au sept" (§11)."""
    win: float
    low: float
    high: float
    behind: float
    """How far behind the best act …"""
    behind_error: float
    """… with the half-width of its 95 % interval: both tried in the same worlds; 0 if exact, and for the best."""
    worlds: int
    """Worlds in which it was tried; 0 if exact."""

    def __str__(self) -> str:
        from chouine.ai.explanations import option

        return option(self, "en")

    @classmethod
    def of(cls, estimate: Estimate, best: Estimate) -> ActEstimate:
        error = Z * estimate.win_error
        behind_error = Z * estimate.gap_error if best.worlds else error  # an exact best is no sampled one
        return cls(
            estimate.action,
            estimate.win,
            max(0.0, estimate.win - error),
            min(1.0, estimate.win + error),
            best.win - estimate.win,
            min(1.0, behind_error) if estimate is not best else 0.0,
            estimate.worlds,
        )


class Advice(NamedTuple):
    """A seat's options, best first."""

    options: list[ActEstimate]
    worlds: int
    """Worlds in which the best act was tried; 0 if the answer is exact. Clearly worse acts are tried in fewer."""
    line: tuple[Action | None, ...]
    """The best act and its likely continuation."""
    reasons: list[Reason]
    """Why it is better …"""
    beside: Action | None = None
    """… than this act: the best one that is clearly worse (`is_worse`)."""
    solved: bool = False
    """Whether the seat knows all cards, so that results are certain."""

    def text(self, language: Language = "en") -> str:
        """A line an act, best first, then what is likely to follow and why, as `chouine advise` prints them."""
        from chouine.ai.explanations import advice_lines

        check_language(language)
        return "\n".join(advice_lines(self, language))

    def __str__(self) -> str:
        return self.text()

    def html(self, language: Language = "en") -> str:
        """An HTML table with a row an act, best first; notebooks show it."""
        from chouine.ai.explanations import act, chance, percent
        from chouine.notation.drawing import html_table

        check_language(language)
        columns = ("act", "win", "between", "behind")
        heads = [say(f"advice/column-{name}", language) for name in columns]
        rows = [
            [
                act(each.action, language),
                chance(each.win, language) if each.worlds else percent(each.win, language),
                f"{chance(each.low, language)} – {chance(each.high, language)}" if each.worlds else "",
                f"{percent(each.behind, language)} ± {percent(each.behind_error, language)}" if nth else "",
            ]
            for nth, each in enumerate(self.options)
        ]
        return html_table("", heads, rows)

    def _repr_html_(self) -> str:
        return self.html()


class Impossible(ChouineError):
    """A course of play that no deal allows."""


def advise(player: Evaluator, view: View, limit: Limit | None = None) -> Advice:
    """Advice for the view's seat, which may act now, within a limit.

    Raises `Impossible` if no deal is consistent with the view.
    """
    if not is_possible(view):
        raise Impossible("advice/impossible")
    estimate = player.evaluate(view, limit)
    best, others = estimate[0], sorted(estimate[1:], key=lambda each: -each.win)
    options = [ActEstimate.of(each, best) for each in (best, *others)]
    other = next((each for each in others if is_worse(best, each)), None)
    if not best.worlds:
        solved_line = line_after(view, best.action) if best.action else None
        line = (best.action, *(solved_line or ()))
        why = certain_reasons(view, best.action, other.action) if other else []
        return Advice(options, 0, line, why, other.action if other else None, solved=solved_line is not None)
    worlds_drawn = player.sample_worlds(view, WORLDS)
    line = (best.action, *likely_continuation(view, act_of(best.action), worlds_drawn, player))
    if other is None:
        return Advice(options, best.worlds, line, [])
    why = reasons(view, best.action, other.action, worlds_drawn, player.network)
    return Advice(options, best.worlds, line, why, other.action)


def is_worse(best: Estimate, other: Estimate) -> bool:
    """Whether an act is not about as good as the best one."""
    ahead = best.win - other.win
    return ahead >= LEAST or (ahead >= NOTABLE and ahead > SIGNIFICANT * other.gap_error)


def is_possible(view: View) -> bool:
    """Whether some deal is consistent with the view: §8 answers obeyed, announced figures held."""
    return bool(DealTable.of(hidden_cards(view)).ways[0, -1])


def likely_continuation(view: View, act: int, worlds_drawn: Worlds, player: Evaluator) -> Iterator[Action]:
    """The most frequent continuation after an act, as long as enough worlds agree."""
    found = continuations(view, act, worlds_drawn, player.network, LINE_LENGTH)
    for nth in range(LINE_LENGTH):
        acts, times = np.unique(found[:, nth], return_counts=True)
        common = int(times.argmax())
        done = int(acts[common])
        if done < 0 or times[common] < LINE_SHARE * len(worlds_drawn.hands):
            return
        found = found[found[:, nth] == done]
        if done & EXCHANGE_BIT:
            yield Exchange()
        yield as_play(done & 63, (done >> DECLARATION_SHIFT & 63) or NONE)


def info_lines(advice: Advice) -> list[str]:
    """The advice as `info` lines of the engine protocol."""
    options = [
        f"worlds {each.worlds} act {token(each.action)} win {each.win:.4f} low {each.low:.4f} high {each.high:.4f}"
        for each in reversed(advice.options)
    ]
    why = [
        f"reason {token(advice.beside)} {reason.trait} {reason.difference:.2f}" for reason in advice.reasons
    ]
    line = f"line {' '.join(map(token, advice.line))}"
    best = advice.options[0]
    return [*options, line, *why, f"worlds {advice.worlds} win {best.win:.2f} best {token(best.action)}"]
