"""One look at a table: who looks, what that seat may know, and for whom this browser may act."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup, escape

from chouine.cards import Card
from chouine.notation.french import arranged
from chouine.partie import View
from chouine.server.pages.env import command_id
from chouine.server.pages.opponents import away
from chouine.server.pages.rules import rules_address
from chouine.server.pages.scene import Scene
from chouine.server.pages.seen import Told
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.room import Phase, Room

HIDDEN = (
    '<input type="hidden" name="csrf" value="%s"><input type="hidden" name="id" value="%s">'
    '<input type="hidden" name="seat" value="%d">'
)


@dataclass(frozen=True)
class Look:
    """Everything a frame is made of. It takes from the room what is public, and the observer's view."""

    visit: Visit
    game: str
    room: Room
    observer: int | None
    told: Told | None
    """What the observer knows of the partie in progress, cut short while a full trick lies on the table."""
    held: bool = False
    """Whether a full trick, or a tirage, is being looked at: nobody may act."""
    notice: str = ""

    @property
    def here(self) -> str:
        """The address of this seat's table."""
        return f"/table/{self.game}" if self.observer is None else f"/table/{self.game}?as={self.observer}"

    def rules(self, section: int) -> str:
        """A chapter of the rules, and from there the way back."""
        return rules_address(str(section), self.here)

    @cached_property
    def words(self) -> Words:
        return words_of(self.visit)

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
    def mine(self) -> tuple[int, ...]:
        """The seats this browser holds."""
        return self.room.held_by(self.visit.guest)

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

    @property
    def covered(self) -> str:
        """Where a browser with several players finds the table with the curtain down; empty for any other."""
        return f"/table/{self.game}" if self.observer is not None and len(self.mine) > 1 else ""

    @property
    def bottom(self) -> int:
        """Who sits at the bottom of the screen."""
        return self.observer if self.observer is not None else (*self.mine, 0)[0]

    def name(self, seat: int) -> str:
        """A player's name."""
        return self.words.player(self.room.chairs[seat].name, seat)

    @cached_property
    def you(self) -> int | None:
        """The seat that is spoken to: the observer, where nobody else plays at this browser."""
        return self.observer if len(self.mine) == 1 else None

    def label(self, seat: int) -> str:
        """What stands beside what is a seat's: "you", or a name."""
        return self.labels[seat]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        you = self.words.gettext("You")
        return tuple(you if seat == self.you else self.name(seat) for seat in self.room.seats)

    def about(self, seat: int, own: str, others: str, **data: object) -> str:
        """A sentence to the seat that is spoken to, or about another by its `name`."""
        return (own if seat == self.you else others) % {"name": self.name(seat), **data}

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

    def place(self, seat: int) -> int:
        """Where a seat is, counted round the table from the bottom of the screen."""
        return (seat - self.bottom) % len(self.room.chairs)

    def action(self, verb: str) -> str:
        """Where a command is sent; several players of one device come back to the same seat."""
        keep = f"?as={self.observer}" if self.observer is not None and len(self.mine) > 1 else ""
        return f"/table/{self.game}/{verb}{keep}"

    def hidden_fields(self, seat: int) -> Markup:
        """What every form at the table carries."""
        return Markup(HIDDEN % (escape(self.visit.csrf), command_id(), seat))  # noqa: S704  # a number, and our own id
