"""The objects that courts hold: kings a sceptre with the suit, dames a flower, valets a trade's weapon.

Each stands upright at x = 0, its foot far below the sash, its top near -140.
"""

from art.palette import CREAM, GOLD, GREEN, INK, LIP, Suit
from art.svg import circle, element, group, line, path, placed

STEEL = "#c9d3da"
WOOD = "#9a6a3c"

# The soldier's halberd, the hunter's spear, the boatman's hook, the woodman's billhook.
BLADES = {
    "s": "M-3-92Q-10-96-22-90Q-26-104-22-120Q-10-112-3-114V-122L0-142L3-122V-110L16-116L14-100L3-98V-92Z",
    "h": "M-4-96L-14-94V-100L-5-104Q-14-118 0-142Q14-118 5-104L14-100V-94L4-96Z",
    "d": "M-4-94V-108Q-24-106-26-130Q-16-118-4-122L0-144L4-122V-94Z",
    "c": "M-4-92L-8-130Q-6-144 6-143Q19-140 18-122Q12-131 6-128Q2-118 5-92Z",
}


def sceptre(suit: Suit) -> str:
    sign = group(
        placed(f"pip-{suit.letter}", 0, 0) + group(placed(f"pip-{suit.letter}", 0, 0), stroke="none"),
        color=GOLD,
        stroke_width=12,
        transform="translate(0 -119) scale(.36)",
    )
    return path("M-2.5-102H2.5V40H-2.5Z", GOLD) + sign + circle(0, -97, 5, suit.livery)


def flower(suit: Suit) -> str:
    stem = line("M0-104V40", INK, 6) + line("M0-104V40", GREEN, 3)
    leaves = path("M0-66Q4-84 18-86Q18-70 0-66ZM0-54Q-4-72-18-74Q-18-58 0-54Z", GREEN)
    return stem + leaves + {"s": _iris, "h": _rose, "d": _tulip, "c": _daisy}[suit.letter](suit)


def _iris(suit: Suit) -> str:
    falls = path(
        "M0-104Q-8-120-20-112Q-18-96-12-94Q-8-102 0-104Q8-102 12-94Q18-96 20-112Q8-120 0-104Z", suit.livery
    )
    return path("M0-104Q-14-118 0-138Q14-118 0-104Z", suit.livery) + falls + circle(0, -105, 3.5, GOLD)


def _rose(suit: Suit) -> str:
    petals = "".join(
        element(
            "ellipse", cx=0, cy=-10, rx=9, ry=9, fill=LIP, transform=f"translate(0 -118) rotate({72 * n})"
        )
        for n in range(5)
    )
    return petals + circle(0, -118, 7, suit.livery) + circle(0, -118, 2.5, GOLD)


def _tulip(suit: Suit) -> str:
    cup = path("M-15-136L-7-124L0-138L7-124L15-136Q20-104 0-102Q-20-104-15-136Z", GOLD)
    return cup + path("M0-138Q9-116 0-102Q-9-116 0-138Z", suit.livery)


def _daisy(suit: Suit) -> str:
    petals = "".join(
        element(
            "ellipse", cx=0, cy=-13, rx=5, ry=8, fill=CREAM, transform=f"translate(0 -118) rotate({45 * n})"
        )
        for n in range(8)
    )
    return petals + circle(0, -118, 7, GOLD) + circle(0, -118, 2.5, suit.livery)


def staff(suit: Suit) -> str:
    return path("M-2.5-110H2.5V40H-2.5Z", WOOD) + path(BLADES[suit.letter], STEEL)
