"""The decisions of a partie, and the judgement on each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from chouine.ai.levels import looks_ahead
from chouine.ai.review import label_of
from chouine.notation.lines import actions_of
from chouine.notation.tokens import token
from chouine.partie.actions import Action, Exchange
from chouine.partie.deal import SEATS
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.rules.play import au_sept, exchanger

if TYPE_CHECKING:
    from chouine.ai.review import Verdict

WORLDS, WORLDS_BESIDE = 2_000, 768
"""Most worlds in which an act is tried; in a browser, between two requests of its page."""
SEED = 1
LIKELY = 2.0
"""Standard errors from which the first look calls a mistake likely."""
DOUBTFUL, LONGER = 8, 8
"""If no mistake is likely: the number of decisions to look at again, and in how many batches of worlds."""
MOMENTS = 3
"""Number of a seat's mistakes offered to be tried again."""


class Decision(NamedTuple):
    """A seat's act, and its view at the time."""

    number: int
    """The act's number from 1; a pass at "au sept" has the number of the lead after it."""
    trick: int
    """From 1."""
    seat: int
    view: View
    action: Action | None
    """None for a pass at "au sept" (§11)."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement on a decision in plain values: probabilities, and acts as tokens, `-` for a pass (§11)."""

    number: int
    trick: int
    seat: int
    done: str
    best: str
    cost: float
    """0 if no other act was significantly better."""
    label: str | None
    """`blunder`, `mistake`, `inaccuracy`, or None."""
    before: float
    """The seat's win probability with the best act …"""
    after: float
    """… and with the act it chose."""
    exact: bool
    """Whether the probabilities are exact or from an equilibrium, not sampled."""
    reasons: tuple[tuple[str, float], ...] = ()
    """Why the best act is better: traits (`ai.reasons`) and by how much."""
    options: tuple[tuple[str, float], ...] = ()
    """Every act and its chance, best first."""
    second_thought: bool = False
    """Whether the act was advised at the table and `best` found by thinking longer: no mistake of the seat's."""

    def __str__(self) -> str:
        best = f" · best {self.best} · {-self.cost:.1%} {self.label or ''}" if self.cost else ""
        return f"trick {self.trick} · {SEATS[self.seat]} {self.done}{best}".rstrip()


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a partie as far as it has been computed."""

    choices: int = 0
    """Number of decisions in the partie; 0 until they have been counted."""
    judged: dict[int, Judgement] = field(default_factory=dict)
    """Judgements by the decision's number, from 0."""

    @property
    def complete(self) -> bool:
        """Whether every decision has been judged."""
        return 0 < self.choices == len(self.judged)

    def __str__(self) -> str:
        """What was judged, a line each."""
        return "\n".join([f"{len(self.judged)} of {self.choices} decisions", *map(str, self.found)])

    @property
    def found(self) -> list[Judgement]:
        """The judgements in order of play."""
        return [self.judged[nth] for nth in sorted(self.judged)]


def decisions(state: State, actions: Iterable[Action]) -> list[Decision]:
    """The acts of a partie where there was a choice, in order; `state` is the deal."""
    found = []
    for number, action in enumerate(actions, 1):
        turn, trick = state.position.turn, state.position.tricks + 1
        seat, asked = turn, holder_asked(state)
        if asked is not None:
            passed = None if action != Exchange() else action
            found.append(Decision(number, trick, asked, state.view(asked), passed))
        if asked is not None and action == Exchange():
            seat = asked
        elif len((view := state.view(turn)).legal) > 1:
            found.append(Decision(number, trick, turn, view, action))
        state = state.play(action, seat)
    return found


def all_decisions(finished: State) -> tuple[Decision, ...]:
    """Every act of a finished partie where there was a choice."""
    return tuple(decisions(State.new(finished.rules, finished.deal), actions_of(finished.events)))


def state_before(state: State, actions: Sequence[Action], number: int) -> tuple[State, list[tuple[int, str]]]:
    """The state before act `number`, and the acts until then as tokens; `state` is the deal."""
    done = []
    for action in actions[: number - 1]:
        p = state.position
        seat = exchanger(state.rule_table, p) if isinstance(action, Exchange) else p.turn
        done.append((seat, token(action)))
        state = state.play(action, seat)
    return state, done


def holder_asked(state: State) -> int | None:
    """The seat, other than the leader's, that holds the seven and is asked at "au sept" (§11)."""
    if not au_sept(state.rule_table, state.position):
        return None
    others = (seat for seat in range(state.rules.seats) if seat != state.position.turn)
    return next((seat for seat in others if state.view(seat).legal), None)


def judge(decision: Decision, worlds: int | None = None, seed: int = SEED) -> Judgement:
    """What a decision cost. The same, whatever else was judged before, on any machine with the same packages."""
    from chouine.ai.review import judge_act

    most = worlds or (WORLDS if looks_ahead() else WORLDS_BESIDE)
    return judgement(decision, judge_act(decision.view, decision.action, most, seed))


def first_looks(found: Sequence[Decision]) -> list[Judgement | float]:
    """At a first look, how likely each decision is a mistake, to know the order; its judgement where certain."""
    if not found:
        return []
    if not looks_ahead():
        return [0.0 for _ in found]
    from chouine.ai.review import Verdict, glance

    looked = [glance(each.view, each.action, SEED) for each in found]
    certain = any(isinstance(each, Verdict) and each.label for each in looked)
    doubtful = sorted(((one, nth) for nth, one in enumerate(looked) if isinstance(one, float)), reverse=True)
    if doubtful and doubtful[0][0] < LIKELY and not certain:
        for nth in sorted(nth for _, nth in doubtful[:DOUBTFUL]):
            looked[nth] = glance(found[nth].view, found[nth].action, SEED, LONGER)
    return [
        judgement(decision, each) if isinstance(each, Verdict) else each
        for decision, each in zip(found, looked, strict=True)
    ]


def judgement(decision: Decision, found: Verdict) -> Judgement:
    """What was found of a decision, as it is stored."""
    return Judgement(
        decision.number,
        decision.trick,
        decision.seat,
        token(found.done.action),
        token(found.best.action),
        found.cost,
        label_of(found.cost),
        found.best.win,
        found.done.win,
        found.exact,
        tuple((reason.trait, reason.difference) for reason in found.reasons),
        tuple((token(each.action), each.win) for each in found.options),
    )


def after_advice(review: Review, followed: Collection[tuple[int, str]]) -> Review:
    """The review where acts that were done as advised, as (number, token), cost nothing.

    What it prefers to one of them is its own second thought.
    """
    judged = {
        nth: replace(each, cost=0.0, label=None, second_thought=bool(each.label))
        if each.cost and (each.number, each.done) in followed
        else each
        for nth, each in review.judged.items()
    }
    return replace(review, judged=judged)


def mistakes_of(found: Iterable[Judgement], seat: int | None = None) -> list[Judgement]:
    """The mistakes of a seat, or of all seats, in order."""
    chosen = (each for each in found if each.label and seat in (None, each.seat))
    return sorted(chosen, key=lambda each: each.number)


def second_thoughts_of(found: Iterable[Judgement]) -> list[Judgement]:
    """The judgements that prefer another act to one advised at the table."""
    return [each for each in found if each.second_thought]


def moments(found: Sequence[Judgement], seat: int) -> list[Judgement]:
    """A seat's costliest mistakes, worst first."""
    return sorted(mistakes_of(found, seat), key=lambda each: -each.cost)[:MOMENTS]
