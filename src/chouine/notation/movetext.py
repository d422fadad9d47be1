"""A record's movetext: actions, comments, glyphs and variations, in order.

Lines are at most 72 characters wide, apart from comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from chouine.partie.actions import Action, Exchange, Play

TAG_LINE = re.compile(r'\s*\[\s*\w+\s+"')
"""A line that looks like a tag. It starts the next record even inside a comment, which may lack its closing brace."""

WIDTH = 72


@dataclass(frozen=True, slots=True)
class Comment:
    """`{text}`, with commands such as `[%clk 0:01:20]`; or, if `to_end_of_line`, `;text`."""

    text: str
    to_end_of_line: bool = False

    def __post_init__(self) -> None:
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
        if not re.fullmatch(r"[!?]{1,2}|\$[0-9]+", self.text):
            raise ValueError(f"not a glyph: {self.text!r}")

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
