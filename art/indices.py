"""The letters and figures in the corners, drawn as paths: no font is needed.

Each fills a box 60 wide and 90 high.
"""

from art.palette import Suit
from art.svg import group, local, path, placed, use

GLYPHS = {
    "A": "M0 90L22 0H38L60 90H45L40 69H20L15 90ZM23 56H37L30 24Z",
    "R": "M3 0H31A27 26 0 0 1 43 50L60 90H44L29 53H18V90H3ZM18 13V41H30A13 14 0 0 0 30 13Z",
    "D": "M2 0H27A32 45 0 0 1 27 90H2ZM17 13V77H26A17 32 0 0 0 26 13Z",
    "V": "M0 0H15L30 66L45 0H60L38 90H22Z",
    "K": "M2 0H17V36L42 0H59L36 34L60 90H44L26 49L17 62V90H2Z",
    "Q": "M30-1A29 46 0 0 1 53 73L60 83L50 92L43 84A29 46 0 1 1 30-1Z"
    "M30 12A15 33 0 1 0 34 77L27 67L36 60L43 69A15 33 0 0 0 30 12Z",
    "J": "M22 0H59V61A29 30 0 0 1 1 61H16A14 17 0 0 0 44 61V13H22Z",
    "10": "M-1 14L11 0H19V90H5V19L-1 24ZM43-1A18 46 0 0 1 43 91A18 46 0 0 1 43-1ZM43 12A5 33 0 0 0 43 78"
    "A5 33 0 0 0 43 12Z",
    "9": "M30-1A28 34 0 0 1 58 36A30 55 0 0 1 26 91Q17 91 10 87L13 75Q18 78 26 78A17 26 0 0 0 42 57"
    "A28 32 0 1 1 30-1ZM30 12A14 19 0 0 0 30 50A14 19 0 0 0 30 12Z",
    "8": "M30-1A25 24 0 0 1 45 42A29 27 0 1 1 15 42A25 24 0 0 1 30-1Z"
    "M30 11A11 13 0 0 0 30 37A11 13 0 0 0 30 11ZM30 49A14 15 0 0 0 30 79A14 15 0 0 0 30 49Z",
    "7": "M1 0H59V13Q39 45 35 90H19Q24 48 42 14H1Z",
}
FRENCH = {"k": "R", "q": "D", "j": "V"}
ENGLISH = {"k": "K", "q": "Q", "j": "J"}
FIGURES = {"a": "A", "t": "10", "9": "9", "8": "8", "7": "7"}

# left, top and scale of the rank; then middle and scale of the suit sign below it
STANDARD = (8, 13, 0.57, 25, 90, 0.34)
LARGE = (10, 16, 1.42, 52.5, 198, 0.84)


def definitions() -> list[str]:
    """The glyphs, and for each court the letter of the page's language."""
    glyphs = [
        path(d, "currentColor", id=local(f"glyph-{name}"), fill_rule="evenodd") for name, d in GLYPHS.items()
    ]
    same = [group(use(f"glyph-{figure}"), id=local(f"rank-{rank}")) for rank, figure in FIGURES.items()]
    courts = [
        group(
            use(f"glyph-{FRENCH[rank]}", display="var(--deck-fr,inline)"),
            use(f"glyph-{ENGLISH[rank]}", display="var(--deck-en,none)"),
            id=local(f"rank-{rank}"),
        )
        for rank in FRENCH
    ]
    return [*glyphs, *same, *courts]


def standard(rank: str, suit: Suit) -> str:
    """An index in two opposite corners, as hands are fanned either way."""
    left, top, scale, x, y, sign = STANDARD
    corner = placed(f"rank-{rank}", left, top, scale) + placed(f"pip-{suit.letter}", x, y, sign)
    return corner + group(corner, transform="rotate(180 120 168)")


def large(rank: str, suit: Suit) -> str:
    """One index, more than a third of the card wide, at the edge that is visible in a hand."""
    left, top, scale, x, y, sign = LARGE
    return placed(f"rank-{rank}", left, top, scale) + placed(f"pip-{suit.letter}", x, y, sign)
