"""The suit signs, and their positions on the cards from the seven to the ace."""

from art.palette import FACE, Suit
from art.svg import group, half_turn, local, path, placed, use

# each sign fits the square from -50 to 50
SIGNS = {
    "s": "M0-49C7-29 44-8 44 17C44 31 34 39 23 39C14 39 8 35 4 28C5 38 10 45 19 49H-19C-10 45-5 38-4 28"
    "C-8 35-14 39-23 39C-34 39-44 31-44 17C-44-8-7-29 0-49Z",
    "h": "M0 47C-8 29-46 8-46-20C-46-37-35-46-23-46C-11-46-3-38 0-27C3-38 11-46 23-46C35-46 46-37 46-20"
    "C46 8 8 29 0 47Z",
    "d": "M0-50C9-29 22-13 38 0C22 13 9 29 0 50C-9 29-22 13-38 0C-22-13-9-29 0-50Z",
    "c": "M0-49a22 22 0 0 1 0 44a22 22 0 0 1 0-44zM-25-12a22 22 0 0 1 0 44a22 22 0 0 1 0-44z"
    "M25-12a22 22 0 0 1 0 44a22 22 0 0 1 0-44zM-9-9H9L5 10C4 32 9 45 19 49H-19C-9 45-4 32-5 10Z",
}

# columns and rows are counted from the middle of the card; signs below it are upside down
COLUMN, ROW, PIP = 40, 107, 0.51
SIDES = {
    "7": (-ROW, 0, ROW),
    "8": (-ROW, 0, ROW),
    "9": (-ROW, -ROW / 3, ROW / 3, ROW),
    "t": (-ROW, -ROW / 3, ROW / 3, ROW),
}
MIDDLE = {"7": (-ROW / 2,), "8": (-ROW / 2, ROW / 2), "9": (0,), "t": (-ROW * 2 / 3, ROW * 2 / 3)}

# the keep of Lavardin, its top in ruins, with window, door and stair tower, in the same square
KEEP = (
    "M-26 50V-28L-20-36L-15-30V-44L-6-48L-2-38H6V-46L14-50L20-40V-20H30V50"
    "H8V26A8 9 0 0 0-8 26V50ZM-3-22V-6H4V-22Z"
)


def definitions() -> list[str]:
    """The signs and the keep, in the current colour."""
    signs = [path(d, "currentColor", id=local(f"pip-{letter}")) for letter, d in SIGNS.items()]
    return [*signs, path(KEEP, "currentColor", id=local("keep"), fill_rule="evenodd")]


def spots(rank: str, suit: Suit) -> str:
    """The signs of a seven, eight, nine or ten, relative to the middle of the card."""
    places = [(x, y) for y in SIDES[rank] for x in (-COLUMN, COLUMN)] + [(0, y) for y in MIDDLE[rank]]
    return "".join(placed(f"pip-{suit.letter}", x, y, PIP, turn=180 if y > 0 else 0) for x, y in places)


def ace(suit: Suit) -> str:
    """One large sign with the keep inside, within its suit's ring and between two sprays."""
    d = SIGNS[suit.letter]
    keep_y = {"s": 8, "h": -8, "d": 0, "c": 4}[suit.letter]
    sign = group(
        path(d, "none", stroke="currentColor", stroke_width=15),
        path(d, "none", stroke=FACE, stroke_width=9),
        path(d, "currentColor"),
        group(placed("keep", 0, keep_y, 0.42), color=FACE),
        stroke_linejoin="round",
        transform="scale(1.06)",
    )
    return half_turn("spray") + use(f"ring-{suit.letter}") + sign
