"""The context of the table's pages: a snapshot, the browser to which it is shown, and what that may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from chouine.cards import Card
from chouine.notation.display import Narrator, arrange
from chouine.partie import Action, Declaration, Exchange, Figure, Play, View
from chouine.rules.combinations import CHOUINE_MARGIN
from chouine.rules.play import declare
from chouine.server.pages.cards import Pictures, pictures_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.table_ids import contest_in
from chouine.table import Phase, Snapshot
from chouine.table.entries import SeatHolder
from chouine.table.snapshot import SeatBoard


@dataclass(frozen=True, slots=True)
class CarryingCard:
    """A card that may be laid with a declaration: one tap declares and plays it."""

    token: str
    card: Card
    label: str
    """ "Declare a twenty of diamonds (+40 points) and play the queen of diamonds"."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A declaration that may be made now, and the cards it may be made with."""

    name: str
    announced: str
    """In a sentence: "a twenty of diamonds"."""
    counts: str
    """ "+40", or what a chouine wins."""
    verb: str
    """What its cards do: "Declare a twenty of diamonds (+40 points) and play:"."""
    carried: tuple[CarryingCard, ...]


def offers(view: View, legal: Iterable[Action], words: Words) -> tuple[Offer, ...]:
    """The legal declarations (§9), most points first."""
    carried: dict[Declaration, list[Play]] = {}
    for action in legal:
        if isinstance(action, Play) and action.declaration is not None:
            carried.setdefault(action.declaration, []).append(action)
    dearest = sorted(carried, key=lambda declaration: (-gain(view, declaration), declaration))
    return tuple(offer(view, words, declaration, carried[declaration]) for declaration in dearest)


def offer(view: View, words: Words, declaration: Declaration, plays: list[Play]) -> Offer:
    """One declaration."""
    counts = offer_count(view, words, declaration)
    strongest = sorted(plays, key=lambda play: (-play.card.rank, play.card.suit))
    return Offer(
        name=words.declaration(declaration),
        announced=words.a(declaration),
        counts=counts,
        verb=words.gettext("Declare %(declaration)s (%(counts)s) and play:")
        % {"declaration": words.a(declaration), "counts": counts},
        carried=tuple(
            CarryingCard(
                str(play),
                play.card,
                words.gettext("Declare %(declaration)s (%(counts)s) and play %(card)s")
                % {"declaration": words.a(declaration), "counts": counts, "card": words.the(play.card)},
            )
            for play in strongest
        ),
    )


def offer_count(view: View, words: Words, declaration: Declaration) -> str:
    """What the declaration would count, in words."""
    points = gain(view, declaration)
    if points == CHOUINE_MARGIN:
        return words.gettext("wins the partie")
    return words.ngettext("+%(num)s point", "+%(num)s points", points) % {"num": points}


def gain(view: View, declaration: Declaration) -> int:
    """The points the rules would count for it now (§9); `CHOUINE_MARGIN` for a chouine that would win (§10)."""
    p = view.position
    after = declare(view.rule_table, p, declaration)
    if declaration.figure is Figure.CHOUINE and after.chouine == p.turn:
        return CHOUINE_MARGIN
    return after.declared[p.turn] - p.declared[p.turn]


EXCHANGE = Exchange()


class CommandForm(NamedTuple):
    """The fields of every form at the table. `n` is None where a script numbers the commands."""

    path: str
    """The address to which a command's verb is appended."""
    query: str
    csrf: str
    n: int | None


class Seating(NamedTuple):
    """Names and seats as one browser shows them; unchanged until somebody takes another seat."""

    holders: tuple[SeatHolder, ...]
    words: Words
    pictures: Pictures
    mine: tuple[int, ...]
    you: int | None
    bottom: int
    names: tuple[str, ...]
    labels: tuple[str, ...]
    narrator: Narrator
    """Tells events as this browser hears them."""

    @classmethod
    def of(cls, visit: Visit, snapshot: Snapshot) -> Seating:
        """The seats of a snapshot, as `RenderContext` has them."""
        words, mine, observer = words_of(visit), snapshot.held_by(visit.guest), snapshot.observer
        names = tuple(words.player(holder.name, seat) for seat, holder in enumerate(snapshot.holders))
        own, you = observer if len(mine) == 1 else None, words.gettext("You")
        return cls(
            holders=snapshot.holders,
            words=words,
            pictures=pictures_of(words),
            mine=mine,
            you=own,
            bottom=observer if observer is not None else (*mine, 0)[0],
            names=names,
            labels=tuple(you if seat == own else name for seat, name in enumerate(names)),
            narrator=Narrator(names, own, words.language),
        )


@dataclass(eq=False)
class RenderContext:
    """A snapshot with the words, names and rights of one browser."""

    snapshot: Snapshot
    visit: Visit
    table_id: str
    seating: Seating
    notice: str = ""
    alone: bool = False
    """Whether this is a whole page, which must work without a script."""
    taker: int | None = None
    """The seat that takes the complete trick on the table."""
    observer: int | None = field(init=False)
    board: SeatBoard = field(init=False)
    """The partie in progress; there must be one."""
    words: Words = field(init=False)
    pictures: Pictures = field(init=False)
    mine: tuple[int, ...] = field(init=False)
    """The seats this browser holds."""
    you: int | None = field(init=False)
    """The seat addressed as "you": the observer's, if nobody else plays at this browser."""
    names: tuple[str, ...] = field(init=False)
    """Every player's name."""
    labels: tuple[str, ...] = field(init=False)
    """The label of each seat: "you", or a name."""
    narrator: Narrator = field(init=False)
    awaited: int | None = field(init=False)
    """The seat of this browser that the table waits for, now or after a pause: the observer, else another."""
    curtain: bool = field(init=False)
    """Whether, with several players on one device, all hands are hidden until the next one takes it."""
    across: bool = field(init=False)
    """Whether the table is turned towards the second of two players across one device."""
    bottom: int = field(init=False)
    """The seat at the bottom of the screen, or before it where the table is turned."""

    def __post_init__(self) -> None:
        self.observer = self.snapshot.observer
        if self.snapshot.board is not None:
            self.board = self.snapshot.board
        _, self.words, self.pictures, self.mine, self.you, _ = self.seating[:6]
        self.names, self.labels, self.narrator = self.seating[6:]
        waiting = self.snapshot.awaited.intersection(self.mine)
        self.awaited = self.observer if self.observer in waiting else min(waiting, default=None)
        self.curtain = self.covers()
        self.across = self.visit.settings.across and self.turnup_shown()
        self.bottom = 1 if self.across else self.seating.bottom

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """The observer's legal acts; none while nobody may act."""
        return self.board.view.legal if self.your_turn else ()

    @cached_property
    def offered(self) -> dict[str, Any] | None:
        """Template variables of the declarations and the exchange, where legal."""
        if not self.legal:
            return None
        declared = () if self.snapshot.window else offers(self.board.view, self.legal, self.words)
        return {"offers": declared, "exchange": self.gained} if declared or self.gained else None

    @property
    def gained(self) -> str:
        """The card to be had for the seven, where the exchange is legal outside the window (§11)."""
        turnup = self.board.turnup
        if EXCHANGE not in self.legal or self.acting in self.snapshot.window or turnup is None:
            return ""
        return self.words.the(turnup)

    @cached_property
    def hand(self) -> list[Card]:
        """The observer's cards, sorted."""
        return arrange(self.board.hand)

    # Who is who

    def place(self, seat: int) -> int:
        """A seat's place, counted round the table from the bottom of the screen."""
        return (seat - self.bottom) % len(self.snapshot.holders)

    def about(self, seat: int, own: str, others: str, **data: object) -> str:
        """A sentence addressed to seat `you`, or about another seat by its `name`."""
        return (own if seat == self.you else others) % {"name": self.names[seat], **data}

    @property
    def with_others(self) -> bool:
        """Whether this browser plays with people of other browsers."""
        guests = {holder.guest for holder in self.snapshot.holders if holder.guest}
        return bool(self.mine) and bool(guests - {self.visit.guest})

    # Who may do what

    @property
    def acting(self) -> int | None:
        """The seat this browser acts for; none while nobody may act."""
        return None if self.snapshot.held or self.snapshot.paused else self.awaited

    @property
    def your_turn(self) -> bool:
        """Whether the observer may act."""
        return self.acting is not None and self.acting == self.observer

    def covers(self) -> bool:
        """Whether the curtain is down."""
        if not self.mine or self.snapshot.phase is not Phase.PLAY or self.snapshot.held:
            return False
        return self.observer is None or self.awaited not in (None, self.observer)

    def turnup_shown(self) -> bool:
        """Whether the second of two players across one device is to look at it."""
        facing = self.awaited if self.observer is None or self.curtain else self.observer
        return self.mine == (0, 1) and len(self.snapshot.holders) == 2 and facing == 1

    @property
    def others_awaited(self) -> str:
        """The name of the first other player the table waits for; empty if there is none."""
        awaited = self.snapshot.awaited - {self.you}
        return self.names[min(awaited)] if awaited else ""

    @property
    def explains(self) -> bool:
        """Whether the partie in progress is explained to the observer."""
        return (
            self.snapshot.board is not None
            and self.snapshot.help is not None
            and self.snapshot.help.explained
        )

    @property
    def unaided(self) -> bool:
        """Whether a screen shows what §14 allows and counts for nobody: in a contest, or as the table was opened."""
        return self.snapshot.unaided or bool(contest_in(self.table_id))

    @property
    def recalls(self) -> bool:
        """Whether everything is shown that a perfect memory would know."""
        return self.visit.settings.recall and not self.unaided

    @property
    def tally(self) -> Literal["ask", "always", "off"]:
        """When points of this partie are shown to this browser."""
        return "off" if self.unaided else self.visit.settings.tally

    # Where it is

    @property
    def here(self) -> str:
        """The address of this seat's table."""
        return f"/table/{self.table_id}" + ("" if self.observer is None else f"?as={self.observer}")

    @property
    def several(self) -> bool:
        """Whether this browser holds several seats."""
        return self.observer is not None and len(self.mine) > 1

    @property
    def covered(self) -> str:
        """The address of the table with the curtain down, for a browser with several players; else empty."""
        return f"/table/{self.table_id}" if self.several else ""

    @property
    def form(self) -> CommandForm:
        """The form fields of commands; with several players on a device they return to the same seat."""
        query = f"?as={self.observer}" if self.several else ""
        n = self.snapshot.n if self.alone else None
        return CommandForm(f"/table/{self.table_id}", query, self.visit.csrf, n)
