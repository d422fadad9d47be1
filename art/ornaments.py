"""Each suit's emblem of the Loir valley, as a ring for its ace and a sash for its courts.

Spades are the walls of Lavardin, hearts the vines, diamonds the river, clubs the woods.
"""

from collections.abc import Iterator
from math import cos, radians, sin

from art.palette import CREAM, INK, SUITS, Suit
from art.svg import circle, element, group, line, local, number, path, placed

RADIUS = 71
SASH_REACH, SASH_HALF = 92, 10
LEAF = "M0 0C2-8 10-11 18-9C16-1 10 5 0 0Z"


def definitions() -> list[str]:
    rings = [group(RINGS[suit.letter](suit), id=local(f"ring-{suit.letter}")) for suit in SUITS]
    sashes = [group(_band(suit), FRIEZES[suit.letter](), id=local(f"sash-{suit.letter}")) for suit in SUITS]
    return [path(LEAF, "currentColor", id=local("leaf")), _spray(), *rings, *sashes]


def _spray() -> str:
    """Two tendrils and three leaves, above the middle of an ace."""
    tendrils = line(
        "M0-102Q-26-96-36-108Q-42-118-34-122Q-27-124-27-117M0-102Q26-96 36-108Q42-118 34-122Q27-124 27-117",
        "currentColor",
        2.5,
    )
    leaves = (
        placed("leaf", 0, -104, 1.2, turn=-63)
        + placed("leaf", -5, -102, turn=-120)
        + placed("leaf", 5, -102, turn=-5)
    )
    return group(tendrils, leaves, id=local("spray"))


def _point(radius: float, degrees: float) -> str:
    return f"{number(radius * cos(radians(degrees)))} {number(radius * sin(radians(degrees)))}"


def _turned(count: int, x: float, *drawn: str, start: float = 0) -> str:
    """`count` copies of the drawing around the origin, at distance `x`."""
    return "".join(
        group(*drawn, transform=f"rotate({number(start + 360 * step / count)}) translate({number(x)} 0)")
        for step in range(count)
    )


def _wavy_circle(radius: float, waves: int) -> str:
    step = 180 / waves
    arcs = (f"A9 9 0 0 {n % 2} {_point(radius, (n + 1) * step)}" for n in range(2 * waves))
    return f"M{_point(radius, 0)}{''.join(arcs)}Z"


def _ring_of_walls(suit: Suit) -> str:
    wall = circle(0, 0, RADIUS - 5, "none", stroke=suit.livery, stroke_width=6)
    merlons = _turned(40, RADIUS, path("M0-2.5H5V2.5H0Z", "currentColor"))
    tower = circle(0, 0, 8, suit.livery, stroke="currentColor", stroke_width=3)
    return (
        wall
        + circle(0, 0, RADIUS - 1, "none", stroke="currentColor", stroke_width=2)
        + merlons
        + _turned(4, RADIUS - 4, tower, start=45)
    )


def _ring_of_vines(suit: Suit) -> str:
    leaves = placed("leaf", 0, 0, 0.8, turn=35) + placed("leaf", 0, 0, 0.8, turn=-125)
    grapes = "".join(circle(x, y, 2.8, suit.livery) for x, y in ((0, -3), (0, 3), (4.5, 0)))
    return (
        circle(0, 0, RADIUS - 4, "none", stroke="currentColor", stroke_width=2)
        + _turned(14, RADIUS - 4, leaves)
        + _turned(14, RADIUS - 3, grapes, start=180 / 14)
    )


def _ring_of_waves(suit: Suit) -> str:
    strokes = ((RADIUS - 11, suit.livery, 3), (RADIUS - 4, "currentColor", 3), (RADIUS + 1, suit.livery, 2))
    return "".join(line(_wavy_circle(radius, 14), stroke, width) for radius, stroke, width in strokes)


def _ring_of_leaves(suit: Suit) -> str:
    outer, inner = placed("leaf", 0, 0, 0.9, turn=60), placed("leaf", 0, 0, 0.9, turn=130)
    pair = outer + group(inner, color=suit.livery)
    return circle(0, 0, RADIUS - 4, "none", stroke="currentColor", stroke_width=2) + _turned(
        20, RADIUS - 4, pair
    )


RINGS = {"s": _ring_of_walls, "h": _ring_of_vines, "d": _ring_of_waves, "c": _ring_of_leaves}


def _band(suit: Suit) -> str:
    return element(
        "rect",
        x=-SASH_REACH,
        y=-SASH_HALF,
        width=2 * SASH_REACH,
        height=2 * SASH_HALF,
        fill=suit.livery,
        stroke=INK,
        stroke_width=2,
    )


def _along(step: float) -> Iterator[float]:
    """Positions along the sash, symmetric about its middle."""
    count = int(SASH_REACH // step)
    return (step * n for n in range(-count, count + 1))


def _frieze_of_walls() -> str:
    merlons = "".join(f"M{number(x - 4)}-9h8v5h-8zM{number(x - 4)} 9h8v-5h-8z" for x in _along(16))
    return path(merlons, CREAM) + path(f"M-{SASH_REACH}-3H{SASH_REACH}V3H-{SASH_REACH}Z", INK)


def _frieze_of_vines() -> str:
    return "".join(circle(x, 0, 5.5, CREAM) + circle(x, 0, 2.5, "currentColor") for x in _along(15))


def _frieze_of_waves() -> str:
    waves = "".join(f"M{number(x - 8)} 0q4-9 8 0t8 0" for x in _along(16))
    return line(waves, INK, 7) + line(waves, CREAM, 4)


def _frieze_of_leaves() -> str:
    spray = "".join(f"M{14 * n} 0q6-9 14-6q-5 7-14 6zq6 9 14 6q-5-7-14-6z" for n in range(7))
    return "".join(path(spray, CREAM, transform=f"rotate({turn})") for turn in (0, 180))


FRIEZES = {"s": _frieze_of_walls, "h": _frieze_of_vines, "d": _frieze_of_waves, "c": _frieze_of_leaves}
