"""The program's own deck for drawings outside its pages: SVG with the cards it needs inside, and no other file.

The drawings are read from the file that the pages show; `art/` makes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from chouine.cards import Card, Suit
from chouine.phrases import Language, check_language

DECK = files("chouine").joinpath("server", "static", "deck", "deck.svg")
WIDTH, HEIGHT = 64.0, 89.6
"""A card's size in a drawing."""
FELT, LINEN, GOLD = "#1f5140", "#fdf6e6", "#f2b632"
"""The cloth and what is written on it: a ground of its own, so that a drawing is legible on light and dark pages."""
NIGHT = "#143529"
"""The cloth of a film on a dark screen: what moves there should not glare."""
CHOICE = re.compile(r"var\(--deck-([a-z]+),([^()]*)\)")
HIDDEN = re.compile(
    r'<use [^>]*display="none"/>|<g display="none">(?:<use [^>]*/>|<g [^>]*>(?:<use [^>]*/>)*</g>)*</g>'
)
BODY = re.compile(r'<use href="#deck-body-[^>]*/>')


FILM = "\ue000"
"""Stands for the class of a film's frames until its digest is known; no text holds it, since it is not printable."""


class Canvas:
    """A cloth with cards, signs and words on it; `svg` gives the drawing."""

    def __init__(self, language: Language = "en") -> None:
        check_language(language)
        self.language = language
        self.parts: list[str] = []

    def lay(self, card: Card | None, x: float, y: float, *, covered: bool = False) -> None:
        """A card with its upper left corner at x and y, or a back for None; the index alone of one half covered."""
        face = f"{'index' if covered else 'card'}-{str(card).lower()}"
        self.place("back" if card is None else face, x, y, WIDTH, HEIGHT)

    def lay_row(self, cards: Iterable[Card | None], x: float, y: float, room: float) -> None:
        """Cards from x on, side by side or as close as fits into this width."""
        row = list(cards)
        step = min(WIDTH + 6, (room - WIDTH) / max(1, len(row) - 1))
        for nth, card in enumerate(row):
            covered = step < WIDTH * 0.75 and nth < len(row) - 1
            self.lay(card, round(x + nth * step, 1), y, covered=covered)

    def mark(self, suit: Suit, x: float, y: float) -> None:
        """A suit's sign on a white disc 26 wide."""
        self.parts.append(f'<circle cx="{x + 13:g}" cy="{y + 13:g}" r="13" fill="#fff"/>')
        self.place(f"suit-{suit.letter}", x + 4, y + 4, 18, 18)

    def place(self, symbol: str, x: float, y: float, width: float, height: float) -> None:
        """A drawing of the deck by its id."""
        self.parts.append(
            f'<use href="#{symbol}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        )

    def write(self, text: str, x: float, y: float, *, colour: str = LINEN, anchor: str = "start") -> None:
        """Words on the cloth, their base line at y; control characters are left out."""
        shown = escape("".join(filter(str.isprintable, text)), quote=False)
        self.parts.append(f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}">{shown}</text>')

    def svg(self, width: int, height: int, text: str) -> str:
        """The drawing, with its text alternative."""
        return draw_whole("".join(self.parts), "", width, height, text, self.language)


def draw_film(frames: Sequence[Canvas], seconds: float, width: int, height: int, text: str) -> str:
    """One SVG that shows drawings in turn, so many seconds each, the last one three times as long, for ever.

    Where motion is unwelcome, or a program knows no animations, it shows the first one.
    """
    last = len(frames) - 1
    whole = (last + 3) * seconds
    body = "".join(
        f'<g class="{FILM} {FILM}-{"last" if nth == last else "next" if nth else "first"}" '
        f'style="animation-delay:{nth * seconds - whole:g}s">{"".join(frame.parts)}</g>'
        for nth, frame in enumerate(frames)
    )
    shown = "0%{{visibility:visible}}{:.4f}%{{visibility:hidden}}"
    style = (
        f".{FILM}-next,.{FILM}-last{{visibility:hidden}}"
        f"@media (prefers-reduced-motion:no-preference){{.{FILM}{{animation:{FILM} {whole:g}s step-end infinite}}"
        f".{FILM}-last{{animation-name:{FILM}-last}}}}"
        f"@keyframes {FILM}{{{shown.format(100 * seconds / whole)}}}"
        f"@keyframes {FILM}-last{{{shown.format(300 * seconds / whole)}}}"
        f"@media (prefers-color-scheme:dark){{.{FILM}-ground{{fill:{NIGHT}}}}}"
    )
    return draw_whole(body, style, width, height, text, frames[0].language)


def draw_whole(body: str, style: str, width: int, height: int, text: str, language: Language) -> str:
    """A drawing with its text alternative on its cloth.

    Ids are of this content alone: drawings on one page do not clash, and equal ones have equal bytes.
    """
    told = escape("".join(letter for letter in text if letter.isprintable() or letter == "\n"))
    named = f' class="{FILM}-ground"' if style else ""
    ground = (
        f'<rect{named} x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="12" '
        f'fill="{FELT}" stroke="{LINEN}" stroke-opacity=".35"/>'
    )
    styled = f"<style>{style}</style>" if style else ""
    drawn = (
        f"<title>{told}</title>{styled}<defs>{''.join(definitions_for(body, language))}</defs>{ground}"
        f'<g font-family="system-ui,sans-serif" font-size="17">{body}</g></svg>'
    )
    prefix = f"c{sha256(drawn.encode()).hexdigest()[:12]}-"
    drawn = re.sub(r'(?<= )(id="|href="#)', rf"\g<1>{prefix}", drawn).replace(FILM, f"{prefix}film")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" style="max-width:100%;height:auto">{drawn}'
    )


def definitions_for(body: str, language: Language) -> list[str]:
    """The drawings that a body uses, directly or through others, in the order of the deck's file."""
    known = drawings(language)
    wanted, found = re.findall(r'href="#([^"]+)"', body), set[str]()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += re.findall(r'href="#([^"]+)"', known[name])
    return [drawing for name, drawing in known.items() if name in found]


@cache
def drawings(language: Language) -> dict[str, str]:
    """Every drawing of the deck by id: large indices, the language's letters, plain colours, one back.

    `index-…` is a card without its middle. Custom properties are replaced by their values, since many programs that
    show SVG do not know them.
    """
    versions = {"large": "inline", "standard": "none", "fr": "none", "en": "none", language: "inline"}
    text = CHOICE.sub(lambda found: versions.get(found[1], found[2]), DECK.read_text("utf-8"))
    text = HIDDEN.sub("", text).replace(' display="inline"', "")
    found = {}
    for line in text.splitlines():
        if name := re.search(r'^<[^>]* id="([^"]+)"', line):
            found[name[1]] = line
            if name[1].startswith("card-"):
                index = name[1].replace("card-", "index-")
                found[index] = BODY.sub("", line).replace(name[1], index, 1)
    return found
