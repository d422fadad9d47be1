"""Check an answer to a problem, and play the others' replies to it."""

from __future__ import annotations

from typing import NamedTuple

from chouine.notation.tokens import read_action
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.players.heuristic import HeuristicPlayer
from chouine.school.problems.ending import end, ends, hardest_reply
from chouine.school.problems.problem import Problem


class AnswerResult(NamedTuple):
    """The result of an answer."""

    accepted: bool
    reply: tuple[Action, ...]
    """The others' acts until the seat is on turn again; after a wrong answer they show why it is wrong."""
    state: State
    """The full state after them; show the solver its view only."""
    solved: bool
    """Whether the answer is right and completes the solution."""
    ends: tuple[tuple[Action, State], ...] = ()
    """For an ending, how the partie ends under best play: after the right act and the second best, or a wrong one."""


def at_step(problem: Problem, step: int) -> State:
    """The full state after this many acts of the solution."""
    state = problem.state
    for token in problem.solution[:step]:
        state = state.play(read_action(token))
    return state


def own_steps(problem: Problem) -> list[int]:
    """Indices of the solution's acts that are the solver's."""
    turns = (at_step(problem, step).position.turn for step in range(len(problem.solution)))
    return [step for step, turn in enumerate(turns) if turn == problem.seat]


def judge_answer(problem: Problem, act: Action, step: int = 0) -> AnswerResult:
    """The result of an act at a step of the solution. Raises `IllegalAction`."""
    before = at_step(problem, step)
    state = before.play(act, problem.seat)
    rest = problem.solution[step + 1 :]
    if str(act) != problem.solution[step]:
        replies = reply_acts(state, problem.seat)
        lost = ((act, end(before, act)),) if problem.kind == "ending" else ()
        shown = play_acts(state, replies)
        return AnswerResult(accepted=False, reply=replies, state=shown, solved=False, ends=lost)
    following = next((nth for nth in own_steps(problem) if nth > step), None)
    replies = () if following is None else tuple(map(read_action, rest[: following - step - 1]))
    solved = following is None
    leads = ends(before) if solved and problem.kind == "ending" else ()
    return AnswerResult(
        accepted=True, reply=replies, state=play_acts(state, replies), solved=solved, ends=leads
    )


def reply(state: State, seat: int) -> Action | None:
    """Another seat's act: with two seats and an empty talon the best reply that is hardest to answer, else level 6's.

    None where `seat` itself is asked, at "au sept". The others act with full knowledge.
    """
    if state.rules.seats == 2 and state.position.tricks >= state.rule_table.drawing:
        return hardest_reply(state)
    player = HeuristicPlayer()
    who, act = state.next_act(lambda asked: player.act(state.view(asked)))
    return None if who == seat else act


def reply_acts(state: State, seat: int) -> tuple[Action, ...]:
    """The others' acts until a seat is on turn again or the partie is over."""
    acts: list[Action] = []
    while state.result is None and state.position.turn != seat:
        act = reply(state, seat)
        if act is None:
            break
        acts.append(act)
        state = state.play(act)
    return tuple(acts)


def play_acts(state: State, acts: tuple[Action, ...]) -> State:
    for act in acts:
        state = state.play(act)
    return state
