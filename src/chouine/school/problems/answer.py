"""What comes of an answer to a problem: whether it is right, and what the others do about it."""

from __future__ import annotations

from typing import NamedTuple

from chouine.notation.tokens import read_action
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.school.problems.problem import Problem
from chouine.school.problems.replies import reply


class Answer(NamedTuple):
    """An answer, played."""

    accepted: bool
    reply: tuple[Action, ...]
    """What the others do then, until the seat is to act again: after a wrong answer, what punishes it."""
    state: State
    """The truth after that; the seat may see its view of it."""
    solved: bool
    """Whether the answer is right and was the last that was asked for."""
    ends: tuple[tuple[Action, State], ...] = ()
    """Of an ending that is solved: how the partie ends after this act, and after the next best."""


def at_step(problem: Problem, step: int) -> State:
    """The truth once so many acts of the solution have been done."""
    state = problem.state
    for token in problem.solution[:step]:
        state = state.play(read_action(token))
    return state


def own_steps(problem: Problem) -> list[int]:
    """At which steps of the solution the seat is to act."""
    turns = (at_step(problem, step).position.turn for step in range(len(problem.solution)))
    return [step for step, turn in enumerate(turns) if turn == problem.seat]


def answered(problem: Problem, act: Action, step: int = 0) -> Answer:
    """What comes of an act at a step of the solution, the first unless told; `IllegalAction` if it may not be done."""
    before = at_step(problem, step)
    state = before.play(act, problem.seat)
    rest = problem.solution[step + 1 :]
    if str(act) != problem.solution[step]:
        replies = replied(state, problem.seat)
        return Answer(accepted=False, reply=replies, state=played(state, replies), solved=False)
    following = next((nth for nth in own_steps(problem) if nth > step), None)
    replies = () if following is None else tuple(map(read_action, rest[: following - step - 1]))
    solved = following is None
    ends = ends_after(before) if solved and problem.kind == "ending" else ()
    return Answer(accepted=True, reply=replies, state=played(state, replies), solved=solved, ends=ends)


def ends_after(state: State) -> tuple[tuple[Action, State], ...]:
    """`ending.ends`, which loads the compiler, where there is one."""
    from chouine.school.problems.ending import ends

    return ends(state)


def replied(state: State, seat: int) -> tuple[Action, ...]:
    """What the others do until a seat is to act again, or the partie is over."""
    acts: list[Action] = []
    while state.result is None and state.position.turn != seat:
        act = reply(state, seat)
        if act is None:
            break
        acts.append(act)
        state = state.play(act)
    return tuple(acts)


def played(state: State, acts: tuple[Action, ...]) -> State:
    for act in acts:
        state = state.play(act)
    return state
