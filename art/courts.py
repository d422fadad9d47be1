"""The twelve courts: kings, dames and valets, each a half figure and its copy rotated by 180°.

A half figure is drawn upwards from the middle of its panel, and clipped along the sash by its symbol's viewport.
"""

from art.heads import head
from art.palette import CREAM, GOLD, INK, SKIN, SUITS, Suit
from art.regalia import flower, sceptre, staff
from art.svg import circle, element, group, line, local, number, path, use

RANKS = "kqj"
WIDTH, HEIGHT = 142, 292
SLANT = -14
FACING_RIGHT = ("kh", "kc", "qs", "qd", "jh", "jc")


def definitions() -> list[str]:
    return [drawn for suit in SUITS for rank in RANKS for drawn in (_half(rank, suit), _court(rank, suit))]


def panel(rank: str, suit: Suit) -> str:
    """The framed picture, centred on the card."""
    x, y = -WIDTH / 2, -HEIGHT / 2
    return use(f"court-{rank}{suit.letter}", x=x, y=y, width=WIDTH, height=HEIGHT) + element(
        "rect",
        x=x,
        y=y,
        width=WIDTH,
        height=HEIGHT,
        rx=6,
        fill="none",
        stroke="currentColor",
        stroke_width=2.5,
    )


def _court(rank: str, suit: Suit) -> str:
    """A court, clipped at the frame by its viewport."""
    half = use(f"half-{rank}{suit.letter}", x=-120, y=-180, width=240, height=180)
    return element(
        "symbol",
        element("rect", x=-WIDTH / 2, y=-HEIGHT / 2, width=WIDTH, height=HEIGHT, fill="#fbeecb"),
        group(half, transform=f"rotate({SLANT})"),
        group(half, transform=f"rotate({180 + SLANT})"),
        group(use(f"sash-{suit.letter}"), transform=f"rotate({SLANT})"),
        id=local(f"court-{rank}{suit.letter}"),
        viewBox=f"{number(-WIDTH / 2)} {number(-HEIGHT / 2)} {WIDTH} {HEIGHT}",
    )


def _half(rank: str, suit: Suit) -> str:
    """A half figure, clipped along the sash by its viewport, in which it is rotated upright."""
    body = {"k": _king, "q": _dame, "j": _valet}[rank](suit)
    figure = group(body, group(head(rank, suit), transform="translate(0 -78)"))
    if rank + suit.letter in FACING_RIGHT:
        figure = group(figure, transform="scale(-1 1)")
    upright = group(
        figure, stroke=INK, stroke_width=2, stroke_linejoin="round", transform=f"rotate({-SLANT})"
    )
    return element("symbol", upright, id=local(f"half-{rank}{suit.letter}"), viewBox="-120 -180 240 180")


SHOULDERS = "M-78 40V0Q-74-36-30-44H30Q74-36 78 0V40Z"


def _hand(x: float, y: float) -> str:
    """A fist around an upright object."""
    return path(f"M{number(x - 10)} {number(y - 9)}h17q5 1 5 9t-5 9h-17q-4-9 0-18z", SKIN) + line(
        f"M{number(x - 3)} {number(y - 4)}h12m-12 5h12m-12 5h12", INK, 1.4
    )


def _king(suit: Suit) -> str:
    tails = "".join(
        line(f"M{x} {y}v7", INK, 3) for x, y in ((-44, -32), (-34, -18), (-20, -8), (20, -8), (34, -18))
    )
    ermine = path("M-54-42Q0 6 54-42L62-30Q40 12 0 12Q-40 12-62-30Z", CREAM) + tails
    return path(SHOULDERS, "currentColor") + ermine + _arm(suit, sceptre(suit))


def _dame(suit: Suit) -> str:
    neck = path("M-11-60H11V-46Q24-42 32-44Q20-4 0-4Q-20-4-32-44Q-24-42-11-46Z", SKIN)
    places = ((-18, -36), (-10, -28), (0, -25), (10, -28), (18, -36))
    beads = "".join(circle(x, y, 3.2, GOLD, stroke_width=1.2) for x, y in places)
    trim = line("M-34-45Q-21-2 0-2Q21-2 34-45", INK, 9) + line("M-34-45Q-21-2 0-2Q21-2 34-45", suit.livery, 5)
    return path(SHOULDERS, "currentColor") + neck + beads + trim + _arm(suit, flower(suit))


def _valet(suit: Suit) -> str:
    coat = path(SHOULDERS, "currentColor") + path("M0-44H30Q74-36 78 0V40H0Z", suit.livery)
    buttons = "".join(circle(0, y, 3.4, GOLD, stroke_width=1.2) for y in (-26, -14, -2, 10))
    collar = path("M-22-50L0-30L22-50L30-40L0-18L-30-40Z", CREAM)
    return coat + buttons + collar + _arm(suit, staff(suit))


def _arm(suit: Suit, held: str) -> str:
    """Sleeve, cuff, the held object, and the hand around it."""
    sleeve = path("M24 40L40-12L68-10L78 40Z", suit.livery) + path("M37-18H69L70-7H36Z", GOLD)
    return sleeve + group(held, transform="translate(51 0)") + _hand(51, -26)
