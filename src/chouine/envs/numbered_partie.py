"""A partie stepped by action numbers and its drawing, the base of the environments, players and renderers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

from chouine.envs.encode import LET_PASS, NUMBERS, Observation, actor, choices, row_of, say_pending
from chouine.errors import ChouineError, IllegalAction, check_type
from chouine.fast.driver import step_publicly
from chouine.fast.public_knowledge import PublicKnowledge
from chouine.fast.soa_layout import ZEROS
from chouine.notation.drawing import Pen, TrickLines
from chouine.partie import Action, Deal, Exchange, Play, State, View
from chouine.partie.actions import illegal_action
from chouine.partie.deal import SEATS, drawing_order
from chouine.partie.events import hide_cards
from chouine.plaintext import quote
from chouine.players.base import as_play
from chouine.rules import Rules
from chouine.rules.combinations import EXCHANGE
from chouine.rules.explain import explain
from chouine.rules.play import winner
from chouine.rules.position import NONE


class NoSuchAction(ChouineError, ValueError):
    """The number is not an action."""


class CopiedWhole:
    """`copy.copy` copies what the object holds too: a copy that shared it would change with the original."""

    def __copy__(self) -> Self:
        return deepcopy(self)


class NumberedPartie(CopiedWhole):
    """One partie in the rules' numbers. Objects such as `State` are made on demand.

    >>> from random import Random
    >>> partie = NumberedPartie(Rules(), Deal.random(Rules(), 0, Random(1)))
    >>> [number for number in range(NUMBERS) if partie.actions >> number & 1]
    [5, 7, 11, 26, 28]
    >>> partie.act(28)
    >>> partie.deciding, partie.observation(partie.deciding).shape
    (0, (257,))
    """

    def __init__(self, rules: Rules, deal: Deal) -> None:
        self._state = State.new(rules, deal)
        self.rules, self.rule_table = rules, self._state.rule_table
        self.talon = drawing_order(deal.talon)
        self.p = self.settled = self._state.position
        """The position, and the position before a declaration whose card is still to come."""
        self.seen = PublicKnowledge(ZEROS, ZEROS, ZEROS)
        self.let_pass = False
        self.acts: list[int] = []
        self.deciding = actor(self.rule_table, self.p, let_pass=0)
        """The seat whose decision it is, or NONE: at "au sept" first whoever holds the seven (§11)."""
        self.actions = choices(self.rule_table, self.p, self.deciding)
        """The set of actions open to the seat that decides; empty once the partie is over."""
        self._done = 0
        self._views: dict[int | None, View] = {}

    @property
    def winner(self) -> int | None:
        """The winner once the partie is over; None for a nulle."""
        won = winner(self.rule_table, self.p)
        return won if won >= 0 else None

    def act(self, action: int) -> None:
        """One step of the deciding seat; a declaration waits for its card (§9.1). Raises `IllegalAction`."""
        if not 0 <= action < NUMBERS:
            raise NoSuchAction("research/no-such-action", action=action)
        seat = self.deciding
        if not self.actions >> action & 1:
            raise refusal(self.view(seat), self.p.pending, action)
        self.acts.append(action)
        if action == LET_PASS:
            self.let_pass = True
        else:
            self.p, self.seen = step_publicly(self.rule_table, self.talon, self.p, self.seen, seat, action)
        if self.p.pending < 0:
            self.settled = self.p
        self.deciding = actor(self.rule_table, self.p, self.let_pass)
        self.actions = choices(self.rule_table, self.p, self.deciding) if self.deciding >= 0 else 0

    def catch_up(self, actions: Iterable[int]) -> None:
        """Carry out actions, each by the seat whose decision it is."""
        for action in actions:
            self.act(action)

    def observation(self, seat: int) -> Observation:
        """A seat's observation as numbers; a pending declaration shows only to its own seat."""
        return row_of(self.rule_table, self.p if seat == self.deciding else self.settled, self.seen, seat)

    @property
    def state(self) -> State:
        """The partie as a `State`, without a pending declaration."""
        whole = len(self.acts) - (self.p.pending >= 0)
        for action in acts_of_numbers(self.acts[self._done : whole]):
            self._state = self._state.play(action)
        self._done = whole
        return self._state

    def view(self, seat: int | None) -> View:
        """The view of a seat or a spectator; it extends the last one, so no event is read twice."""
        state, view = self.state, self._views.get(seat)
        if view is None:
            view = state.view(seat)
        elif len(view.events) < len(state.events):
            view = view.then([hide_cards(event, seat) for event in state.events[len(view.events) :]])
        self._views[seat] = view
        return view


def refusal(view: View, pending: int, action: int) -> IllegalAction:
    """The error for a seat that may not do this now, whether or not the decision is its own."""
    p = say_pending(view, pending)
    if action == LET_PASS:
        return IllegalAction(action, "research/no-au-sept")
    return illegal_action(
        p, action, explain(view.rule_table, p, view.observer or 0, action) or "illegal/not-your-turn"
    )


def numbers_of(action: Action | None) -> tuple[int, ...]:
    """An act as steps: a declaration comes before its card; None is the pass at "au sept"."""
    check_type("an act", action, (Play, Exchange, type(None)), "a Play, an Exchange or None")
    if action is None:
        return (LET_PASS,)
    if isinstance(action, Exchange):
        return (EXCHANGE,)
    if action.declaration is None:
        return (int(action.card),)
    return int(action.declaration), int(action.card)


def acts_of_numbers(numbers: Sequence[int]) -> Iterator[Action]:
    """The acts that these steps make up: a declaration joins its card, a pass at "au sept" is none."""
    said = NONE
    for number in numbers:
        if number == EXCHANGE:
            yield Exchange()
        elif number < EXCHANGE:
            yield as_play(number, said)
            said = NONE
        elif number != LET_PASS:
            said = number


def rules_of(rules: Rules | str) -> Rules:
    """The rules of an environment, which may be given as a text."""
    return rules if isinstance(rules, Rules) else Rules.parse(rules)


def check_reset(options: Mapping[str, Any] | None, known: str = "") -> None:
    """Raise unless the options of a `reset` are a mapping with at most this name."""
    check_type("options", options, (Mapping, type(None)), "a mapping or None")
    if unknown := set(options or ()) - {known}:
        raise ChouineError("research/options", options=", ".join(sorted(map(str, unknown))))


RENDER_MODES = ("ansi", "human")


class UnknownRenderMode(ChouineError, ValueError):
    """The render mode does not exist."""


def check_render_mode(mode: str | None) -> None:
    """Raise `UnknownRenderMode` unless the mode exists."""
    if mode is not None and mode not in RENDER_MODES:
        raise UnknownRenderMode("research/render", mode=quote(str(mode)), known=", ".join(RENDER_MODES))


def draw_view(view: View, mode: str) -> str | None:
    """The drawing as text ("ansi"), or None after printing it ("human")."""
    sheet = TrickLines(Pen("en", SEATS))
    sheet.write(list(view.events))
    text = "\n".join([str(view.rules), *map("  ".join, sheet.parts)])
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None
