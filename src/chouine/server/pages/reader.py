"""Who reads a table's pages, and from which seat: the same for as long as nobody takes another chair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from markupsafe import escape

from chouine.server.pages.cards import Pictures, pictures_of
from chouine.server.pages.parts import Parts, parts_of
from chouine.server.pages.rules import rules_address
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.room.entries import Chair

HIDDEN = '<input type="hidden" name="csrf" value="%s"><input type="hidden" name="seat" value="%d">'


@dataclass(frozen=True, eq=False)
class Reader:
    """All that the table's pages have in common for one browser at one seat."""

    visit: Visit
    game: str
    observer: int | None
    chairs: tuple[Chair, ...]
    _made: dict[str, tuple[object, str]] = field(default_factory=dict)

    @cached_property
    def words(self) -> Words:
        return words_of(self.visit)

    @cached_property
    def parts(self) -> Parts:
        return parts_of(self.visit.language)

    @cached_property
    def pictures(self) -> Pictures:
        return pictures_of(self.words)

    @property
    def here(self) -> str:
        """The address of this seat's table."""
        return f"/table/{self.game}" if self.observer is None else f"/table/{self.game}?as={self.observer}"

    def rules(self, section: int) -> str:
        """A chapter of the rules, and from there the way back."""
        return rules_address(str(section), self.here)

    @cached_property
    def mine(self) -> tuple[int, ...]:
        """The seats this browser holds."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.guest == self.visit.guest)

    @cached_property
    def you(self) -> int | None:
        """The seat that is spoken to: the observer, where nobody else plays at this browser."""
        return self.observer if len(self.mine) == 1 else None

    @cached_property
    def bottom(self) -> int:
        """Who sits at the bottom of the screen."""
        return self.observer if self.observer is not None else (*self.mine, 0)[0]

    @cached_property
    def several(self) -> bool:
        """Whether this is one seat of a browser that has more."""
        return self.observer is not None and len(self.mine) > 1

    @property
    def covered(self) -> str:
        """Where a browser with several players finds the table with the curtain down; empty for any other."""
        return f"/table/{self.game}" if self.several else ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every player's name."""
        return tuple(self.words.player(chair.name, seat) for seat, chair in enumerate(self.chairs))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What stands beside what is a seat's: "you", or a name."""
        you = self.words.gettext("You")
        return tuple(you if seat == self.you else name for seat, name in enumerate(self.names))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The labels as markup has them."""
        return tuple(str(escape(label)) for label in self.labels)

    def place(self, seat: int) -> int:
        """Where a seat is, counted round the table from the bottom of the screen."""
        return (seat - self.bottom) % len(self.chairs)

    def action(self, verb: str) -> str:
        """Where a command is sent; several players of one device come back to the same seat."""
        return f"/table/{self.game}/{verb}" + (f"?as={self.observer}" if self.several else "")

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """What forms carry, by the seat they are sent for."""
        return tuple(HIDDEN % (escape(self.visit.csrf), seat) for seat in range(len(self.chairs)))

    def once(self, what: str, of: object, make: Callable[[], str]) -> str:
        """A part of the table, made anew only when what it is made of is another."""
        known = self._made.get(what)
        if known is None or known[0] is not of:
            known = self._made[what] = of, make()
        return known[1]
