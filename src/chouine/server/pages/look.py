"""One look at a table: who looks, what that seat may know, and for whom this browser may act."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from chouine.cards import Card
from chouine.notation.french import arranged
from chouine.partie import View
from chouine.server.pages.env import command_id
from chouine.server.pages.opponents import away
from chouine.server.pages.reader import Reader
from chouine.server.pages.scene import Scene
from chouine.server.pages.seen import Told
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words
from chouine.server.room import Phase, Room

NUMBERED = '<input type="hidden" name="id" value="%s"><input type="hidden" name="n" value="%d">'


@dataclass(frozen=True)
class Look:
    """Everything a frame is made of. It takes from the room what is public, and the observer's view."""

    reader: Reader
    room: Room
    told: Told | None
    """What the observer knows of the partie in progress, cut short while a full trick lies on the table."""
    held: bool = False
    """Whether a full trick, or a tirage, is being looked at: nobody may act."""
    notice: str = ""
    alone: bool = False
    """Whether this is a whole page, which may be used without a script: its forms number their commands themselves."""

    @property
    def visit(self) -> Visit:
        return self.reader.visit

    @property
    def game(self) -> str:
        return self.reader.game

    @property
    def observer(self) -> int | None:
        return self.reader.observer

    @property
    def words(self) -> Words:
        return self.reader.words

    @property
    def mine(self) -> tuple[int, ...]:
        """The seats this browser holds."""
        return self.reader.mine

    @property
    def you(self) -> int | None:
        """The seat that is spoken to."""
        return self.reader.you

    def rules(self, section: int) -> str:
        """A chapter of the rules, and from there the way back."""
        return self.reader.rules(section)

    @property
    def scene(self) -> Scene:
        return self.of_partie.scene

    @cached_property
    def hand(self) -> list[Card]:
        """The observer's cards at this moment, sorted."""
        return arranged(self.scene.hand)

    @property
    def of_partie(self) -> Told:
        """What is known of the partie in progress; there must be one."""
        if self.told is None:
            raise LookupError("no partie is in progress")
        return self.told

    @property
    def partie(self) -> View:
        return self.of_partie.view

    @cached_property
    def waiting(self) -> frozenset[int]:
        """The seats that the table waits for."""
        return self.room.awaited

    @cached_property
    def awaited(self) -> int | None:
        """The seat of this browser that the table waits for, now or after a pause: the observer, else another."""
        return next(
            (seat for seat in (self.observer, *self.mine) if seat in self.waiting and seat in self.mine), None
        )

    @property
    def acting(self) -> int | None:
        """The seat this browser acts for; none while nobody may act."""
        return None if self.held or self.room.paused is not None else self.awaited

    @cached_property
    def curtain(self) -> bool:
        """Several players, one device: whether all hands are hidden until the next one has it."""
        if not self.mine or self.room.phase is not Phase.PLAY or self.held:
            return False
        return self.observer is None or self.awaited not in (None, self.observer)

    def name(self, seat: int) -> str:
        """A player's name."""
        return self.reader.names[seat]

    def label(self, seat: int) -> str:
        """What stands beside what is a seat's: "you", or a name."""
        return self.reader.labels[seat]

    def about(self, seat: int, own: str, others: str, **data: object) -> str:
        """A sentence to the seat that is spoken to, or about another by its `name`."""
        return (own if seat == self.you else others) % {"name": self.reader.names[seat], **data}

    @property
    def away(self) -> str:
        """Why a computer does not answer; some must be missing."""
        return away(self.words, self.room.chairs[min(self.room.missing)])

    @property
    def aside(self) -> bool:
        """Whether play waits for something that the table tells of above all else."""
        return self.room.paused is not None or bool(self.room.missing or self.room.pausing)

    @property
    def asked_revanche(self) -> bool:
        """Whether somebody at this browser wants a revanche (§13)."""
        return self.room.phase is Phase.OVER and not self.room.ready.isdisjoint(self.mine)

    @property
    def others_awaited(self) -> str:
        """Whom else the table waits for, the first of them; empty when for none."""
        awaited = sorted(self.waiting - {self.you})
        return self.name(awaited[0]) if awaited else ""

    def action(self, verb: str) -> str:
        """Where a command is sent."""
        return self.reader.action(verb)

    def hidden_fields(self, seat: int) -> Markup:
        """What every form at the table carries; a script numbers its commands itself."""
        numbered = NUMBERED % (command_id(), self.room.n) if self.alone else ""
        return Markup(self.reader.hidden[seat] + numbered)  # noqa: S704  # a token, a seat, our own id and number
