"""What an observer has been told of a partie, carried on from act to act: nobody is told the whole partie each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.partie import Event, State, View, redact
from chouine.server.pages.reader import Reader
from chouine.server.pages.scene import Scene, gone_on, scene_of
from chouine.server.pages.visit import Visit
from chouine.server.room import Room


@dataclass(frozen=True, slots=True)
class Told:
    """What an observer knows at one moment, and how the table lies before it."""

    view: View
    scene: Scene

    @classmethod
    def of(cls, view: View) -> Told:
        """Everything told at once."""
        return cls(view, scene_of(view))

    def then(self, news: Sequence[Event]) -> Told:
        """The same once an act's events were told too."""
        view = self.view.then(news)
        return Told(view, gone_on(self.scene, view, news))


class Seen:
    """One observer's memory of the partie it follows. Only what is told of a State goes into it."""

    __slots__ = ("_reader", "_state", "_told", "observer")

    def __init__(self, observer: int | None) -> None:
        self.observer = observer
        self._state: State | None = None
        self._told: Told | None = None
        self._reader: Reader | None = None

    def reader(self, visit: Visit, game: str, room: Room) -> Reader:
        """Who looks on: the same as before, unless somebody sat down since."""
        known = self._reader
        if known is None or known.chairs is not room.chairs or known.visit is not visit:
            known = self._reader = Reader(visit, game, self.observer, room.chairs)
        return known

    def at(self, state: State) -> Told:
        """What is known at a state of a partie: a little more than before, or of another partie everything."""
        if self._told is None or self._state is None or not leads_to(self._state, state):
            told = Told.of(state.view(self.observer))
        elif state is self._state:
            return self._told
        else:
            past = len(self._state.events)
            told = self._told.then([redact(event, self.observer) for event in state.events[past:]])
        self._state, self._told = state, told
        return told


def leads_to(past: State, state: State) -> bool:
    """Whether one state came of the other: then they share its deal and its events, not only such as are equal."""
    known = len(past.events)
    return (
        state.deal is past.deal
        and len(state.events) >= known
        and state.events[known - 1] is past.events[known - 1]
    )
