"""The colours, and the custom properties with which a page chooses a version of the deck."""

from typing import NamedTuple

INK = "#1a1820"
SKIN = "#fde6cc"
SHADOW = "#efc39c"
CREAM = "#fdf6e6"
GOLD = "#f2b632"
LIP = "#c3343b"
GREEN = "#4e7d3c"
BACK_PALE = "#f3ead2"

BACKS = {"keep": "#1f3f73", "vines": "#6d1f35", "river": "#14595f", "woods": "#5c3a1e"}
"""Each back's scene, and its background colour."""

FACE = "var(--deck-face,#fff)"
BACK = f"var(--deck-back,{BACKS['keep']})"


class Suit(NamedTuple):
    """One suit: its notation letter, the colours of the two packs, and the second colour of its courts."""

    letter: str
    name: str
    two_colours: str
    four_colours: str
    livery: str

    @property
    def colour(self) -> str:
        """A CSS value: the page's colour for the suit, by default that of the two-colour pack."""
        return f"var(--deck-{self.name},{self.two_colours})"


BLACK, RED = "#1b1b26", "#c2182b"
SUITS = (
    Suit("s", "spades", BLACK, BLACK, "#5f8fc4"),
    Suit("h", "hearts", RED, "#a30a14", "#e8952e"),
    Suit("d", "diamonds", RED, "#1b43e2", "#45a3a0"),
    Suit("c", "clubs", BLACK, "#0c8661", "#93b04c"),
)
"""The four colours differ for whoever sees no red, no green or no blue: see `tests/art/test_colours.py`."""


def style_sheet() -> str:
    """The classes of the README. Each sets both properties of its choice, so that a page may nest them."""

    def rule(selector: str, **properties: str) -> str:
        body = " ".join(f"--deck-{name}: {value};" for name, value in properties.items())
        return f".deck-{selector} {{ {body} }}\n"

    return (
        "/* Drawn by `python -m art`; see art/README.md. CC0-1.0. */\n"
        + rule("fr", fr="inline", en="none")
        + rule("en", fr="none", en="inline")
        + rule("standard", standard="inline", large="none")
        + rule("large", standard="none", large="inline")
        + rule("two-colours", **{suit.name: suit.two_colours for suit in SUITS})
        + rule("four-colours", **{suit.name: suit.four_colours for suit in SUITS})
        + "".join(
            rule(
                f"back-{name}",
                **{other: "inline" if other == name else "none" for other in BACKS},
                back=ground,
            )
            for name, ground in BACKS.items()
        )
    )
