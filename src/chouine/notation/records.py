"""The record, `.cgn`: a partie with its players, date and result.

Its movetext has actions, comments, glyphs and variations in order, in lines of at most 72 characters; comments may be
longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self, TypeGuard, cast

from chouine.errors import InvalidDeal, NotationError, check_each, check_type
from chouine.notation.deals import complete_deal
from chouine.notation.lines import actions_of
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.deal import SEATS, Deal, SeenDeal, SeenHand
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.plaintext import repr_of
from chouine.rules.options import Rules
from chouine.rules.position import Position
from chouine.rules.rule_table import rule_table_of

if TYPE_CHECKING:
    from chouine.phrases import Language


TAG_LINE = re.compile(r'\s*\[\s*\w+\s+"')
"""A line that looks like a tag. It starts the next record even inside a comment, which may lack its closing brace."""

WIDTH = 72


@dataclass(frozen=True, slots=True)
class Comment:
    """`{text}`, with commands such as `[%clk 0:01:20]`; or, if `to_end_of_line`, `;text`."""

    text: str
    to_end_of_line: bool = False

    def __post_init__(self) -> None:
        check_type("a comment", self.text, str, "a text")
        lines = self.text.split("\n")
        if self.to_end_of_line and len(lines) > 1:
            raise ValueError("a comment to the end of the line is one line")
        if "\r" in self.text:
            raise ValueError("a comment's lines end in \\n")
        if not self.to_end_of_line and ("}" in self.text or any(map(TAG_LINE.match, lines[1:]))):
            raise ValueError("a comment holds no } and no line that starts like a tag")

    def __str__(self) -> str:
        return f";{self.text}" if self.to_end_of_line else f"{{{self.text}}}"


@dataclass(frozen=True, slots=True)
class Glyph:
    """`!`, `?`, `!?` and so on, or `$n`."""

    text: str

    def __post_init__(self) -> None:
        check_type("a glyph", self.text, str, "a text, such as '!?'")
        if not re.fullmatch(r"[!?]{1,2}|\$[0-9]+", self.text):
            raise ValueError(f"not a glyph: {repr_of(self.text)}")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Variation:
    """An alternative to the action before. It is kept as text and not replayed."""

    items: tuple[Item, ...] = ()


Item = Action | Comment | Glyph | Variation


def is_action(item: Item) -> TypeGuard[Action]:
    """Whether an item is an action."""
    return isinstance(item, Play | Exchange)


def write_items(items: Sequence[Item], seats: int, end: str) -> str:
    """The movetext with the result last; lines break between tricks if a trick fits on one."""
    blocks = tricks(items, seats) or [[]]
    blocks[-1].append(end)
    text = ""
    for atoms in blocks:
        whole = " ".join(atoms)
        pieces = [whole] if "\n" not in whole and len(whole) < WIDTH else atoms
        for nth, piece in enumerate(pieces):
            text = join_pieces(text, "  " if nth == 0 else " ", piece)
    return text


def join_pieces(text: str, gap: str, piece: str) -> str:
    """A text with one more piece, on its last line if there is room; numbers below ten are right-aligned."""
    column = len(text) - text.rfind("\n") - 1
    room = WIDTH - column - len(gap) - len(piece.partition("\n")[0])
    if column and room >= 0:
        return text + gap + piece
    indent = " " if piece[1:2] == "." else ""
    return text + ("\n" if column else "") + indent + piece


def tricks(items: Sequence[Item], seats: int, laid: int = 0) -> list[list[str]]:
    """The pieces of each trick, its number first; `laid` cards have been laid before."""
    blocks: list[list[str]] = []
    before, numbered = laid, -1
    for last, item in zip([None, *items], items, strict=False):
        if is_action(item):
            trick, place = divmod(laid, seats)
            if trick != numbered:
                blocks.append([f"{trick + 1}..." if place else f"{trick + 1}."])
                numbered = trick
            blocks[-1].append(str(item))
            before, laid = laid, laid + isinstance(item, Play)
            continue
        if not blocks:
            blocks.append([])
        if isinstance(item, Variation):
            blocks[-1] += enclose(tricks(item.items, seats, before))
        elif (
            isinstance(item, Glyph) and not item.text.startswith("$") and last is not None and is_action(last)
        ):
            blocks[-1][-1] += item.text
        else:
            blocks[-1].append(f"{item}\n" if isinstance(item, Comment) and item.to_end_of_line else str(item))
    return blocks


def enclose(blocks: list[list[str]]) -> list[str]:
    """The pieces of a variation, in parentheses."""
    pieces = [piece for block in blocks for piece in block] or [""]
    if pieces[-1].endswith("\n"):
        pieces.append("")
    pieces[-1] += ")"
    pieces[0] = f"({pieces[0]}"
    return pieces


TAGS = (
    "Event",
    "Site",
    "Date",
    "Players",
    "Rules",
    "Format",
    "Manche",
    "Partie",
    "Score",
    "Deal",
    "Result",
    "Points",
    "Termination",
)
"""Known tags in writing order; others follow in their own order."""
REQUIRED = ("Rules", "Deal")

STOPPING = ("concede", "forfeit", "fault")
TAG_NAME = re.compile(r"\w+", re.ASCII)
TERMINATION = re.compile(r"(concede|forfeit|fault) ([a-d])|(misdeal)")


def check_tag(tag: tuple[str, ...]) -> None:
    """Raise `TypeError` or `ValueError` unless this is a tag that can be read back."""
    check_each("a tag", tag, str, "a pair of texts")
    if len(tag) != 2:
        raise ValueError(f"a tag is a name and its value, not {repr_of(tag)}")
    name, value = tag
    if name in REQUIRED:
        raise ValueError(f"a record has its {name} beside its tags, not among them")
    if not TAG_NAME.fullmatch(name):
        raise ValueError(f"a tag's name is of letters, digits and _, not {repr_of(name)}")
    if re.search(r"[\r\n]", value):
        raise ValueError(f"a tag's value is one line, not {repr_of(value)}")


@dataclass(frozen=True, slots=True)
class Record:
    """A partie's record. `str` gives its canonical text without a final newline."""

    rules: Rules
    deal: SeenDeal
    items: tuple[Item, ...]
    result: Result
    tags: tuple[tuple[str, str], ...] = ()
    """All tags but Rules and Deal, in writing order."""

    def __post_init__(self) -> None:
        check_type("rules", self.rules, Rules, "Rules, such as Rules.parse('classic')")
        check_type("deal", self.deal, SeenDeal, "a SeenDeal (of a partie, Record.of(state))")
        check_each("items", self.items, Item, "acts and comments")
        check_type("result", self.result, Result, "a Result")
        check_each("tags", self.tags, tuple, "pairs of texts, a name and its value")
        for tag in self.tags:
            check_tag(tag)
        names = [name for name, _ in self.tags]
        if len(names) > len(set(names)):
            raise ValueError(f"each tag is there once, not {repr_of(names)}")

    @classmethod
    def of(cls, state: State, tags: Mapping[str, str] | None = None) -> Self:
        """The record of a partie: adds its result and points to these tags, and with two seats its termination.

        With more seats the seat that conceded, forfeited or was at fault must be given: `{"Termination": "concede b"}`.
        """
        check_type("state", state, State, "a State")
        tags = {} if tags is None else tags
        check_type("tags", tags, Mapping, "texts by their names, such as {'Event': 'Lavardin'}")
        result = state.result or Result.of_position(state.rules, state.rule_table, state.position)
        tagged = {"Result": result.text, "Points": points_text(result), **tags}
        if result.by == "misdeal":
            tagged["Termination"] = "misdeal"
        elif result.by in STOPPING and result.winner is not None and state.rules.seats == 2:
            tagged["Termination"] = f"{result.by} {SEATS[1 - result.winner]}"
        return cls(
            state.rules, seen_deal(state.deal), tuple(actions_of(state.events)), result, order_tags(tagged)
        )

    @classmethod
    def of_result(
        cls, rules: Rules, deal: Deal, actions: Iterable[Action], result: Result, tags: Mapping[str, str]
    ) -> Self:
        """The record of a partie that was played out, from its acts and result, which must belong to the deal."""
        check_type("deal", deal, Deal, "a complete Deal")
        check_type("actions", actions, Iterable, "Plays and Exchanges")
        check_type("result", result, Result, "a Result")
        check_type("tags", tags, Mapping, "texts by their names, such as {'Event': 'Lavardin'}")
        tagged = {"Result": result.text, "Points": points_text(result), **tags}
        return cls(rules, seen_deal(deal), tuple(actions), result, order_tags(tagged))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions."""
        return tuple(filter(is_action, self.items))

    def states(self) -> Iterator[State]:
        """The state after the deal, then after each act; the last one has the record's result.

        Raises `InvalidDeal` if the deal is not known whole.
        """
        deal = complete_deal(self.deal)
        if deal is None:
            raise InvalidDeal("deal/unknown", token=str(self.deal))
        state = State.new(self.rules, deal)
        yield state
        for action in self.actions:
            state = state.play(action)
            yield state
        if state.result is None and self.result.by != "unfinished":
            yield state.end(self.result)

    def tag(self, name: str) -> str | None:
        """A tag's value."""
        check_type("name", name, str, "a tag's name, such as 'Result'")
        return dict(self.tags).get(name)

    def html(self, language: Language = "en") -> str:
        """An HTML table with a row a trick; notebooks show it."""
        from chouine.notation.drawing import record_table

        return record_table(self, language)

    def svg(self, language: Language = "en", observer: int | None = None, seconds: float = 1.5) -> str:
        """A film of the partie, one SVG: a picture after each act, so many seconds each, for ever.

        An observer's film shows what that seat knows. Whoever wants no motion sees the deal.
        """
        from chouine.notation.drawing import draw_film_of

        return draw_film_of(self, language, observer, seconds)

    def _repr_html_(self) -> str:
        return self.html()

    def __str__(self) -> str:
        tagged = order_tags({**dict(self.tags), "Rules": str(self.rules), "Deal": str(self.deal)})
        head = "\n".join(f'[{name} "{escape(value)}"]' for name, value in tagged)
        return f"{head}\n\n{write_items(self.items, self.rules.seats, self.result.text)}"


def order_tags(tags: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Tags in writing order."""
    names = [name for name in TAGS if name in tags] + [name for name in tags if name not in TAGS]
    return tuple((name, tags[name]) for name in names)


def escape(value: str) -> str:
    """A tag's value with quotes and backslashes escaped."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def points_text(result: Result) -> str:
    """`196-44`."""
    return "-".join(map(str, result.points))


def seen_deal(deal: Deal) -> SeenDeal:
    """Raise `NotationError` unless the deal is complete."""
    return SeenDeal(deal.dealer, tuple(SeenHand(hand, 0) for hand in deal.hands), deal.turnup, deal.talon)


def read_termination(text: str, rules: Rules) -> str:
    """`concede b`, `forfeit a`, `fault b`, `misdeal`."""
    match = TERMINATION.fullmatch(text)
    if not match or (match[2] and SEATS.index(match[2]) >= rules.seats):
        raise NotationError("syntax/termination", 1, 1, text)
    return text


def outcome(rules: Rules, p: Position, termination: str | None) -> Result:
    """How a partie ended: played out, stopped as its termination says, or not at all."""
    rule_table = rule_table_of(rules)
    if termination is None:
        return Result.of_position(rules, rule_table, p)
    by, _, seat = termination.partition(" ")
    if by == "misdeal":
        return Result.misdealt(rule_table, p)
    return Result.of_stop(
        rule_table, p, cast("Literal['concede', 'forfeit', 'fault']", by), SEATS.index(seat)
    )
