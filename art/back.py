"""The backs, one for each suit's place in the valley: Lavardin, the vines, the river, the woods.

Each is drawn as one half, and again turned half round, so that it has no top.
"""

from collections.abc import Callable

from art.ornaments import LEAF
from art.palette import BACK, BACK_PALE, BACKS, GOLD
from art.pips import SIGNS
from art.svg import circle, element, group, half_turn, line, local, moved, number, path, placed

HILLS = "M-100 0V-30Q-84-38-70-26L-50-24L-34-40H34L46-30L64-30Q84-50 100-40V0Z"
WALL = "M-72-20V-44h8v6h8v-6h8v6h8v-6h8v24ZM32-36V-56h8v6h8v-6h8v6h8v26L46-28Z"
SAIL = "M-3-22V-100L-46-34ZM5-26V-110L52-34ZM-58-14Q0 2 58-14L46 6H-46Z"
ROWS = (-128, -96, -64, -32)
GRAPES = ((-10, -8), (0, -8), (10, -8), (-5, 0), (5, 0), (0, 8))
BUNCH = "M-1-12L1-12L1-20L-1-20Z" + "".join(
    f"M{x - 4.6} {y}a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0Z" for x, y in GRAPES
)
EVEN, ODD = (-75, -25, 25, 75), (-50, 0, 50)


def definitions() -> list[str]:
    halves = {"keep": _castle(), "vines": _trellis(), "river": _boat(), "woods": _wood()}
    return [group(halves[name], id=local(f"back-{name}")) for name in BACKS]


def back() -> str:
    """The back's contents, inside the card's edge."""
    frame = element("rect", x=12, y=12, width=216, height=312, rx=8, fill=BACK, stroke=GOLD, stroke_width=2)
    inner = element(
        "rect", x=19, y=19, width=202, height=298, rx=4, fill="none", stroke=BACK_PALE, stroke_width=1.5
    )
    scenes = "".join(
        group(half_turn(f"back-{name}"), display=f"var(--deck-{name},{'none' if nth else 'inline'})")
        for nth, name in enumerate(BACKS)
    )
    return frame + inner + group(scenes, _river(), transform="translate(120 168)")


def _castle() -> str:
    sun = circle(-52, -112, 14, GOLD)
    keep = placed("keep", 0, -88, 1.12)
    hills = path(HILLS, BACK) + path(HILLS, BACK_PALE, fill_opacity=0.45)
    land = group(path(WALL, "currentColor"), keep, hills, color=BACK_PALE)
    return sun + _birds() + land


def _trellis() -> str:
    return _scattered(
        lambda x, y: moved(BUNCH, x, y),
        lambda x, y: "".join(moved(LEAF, x, y + 6, 0.75, turn) for turn in (-150, -90, -30)),
    )


def _boat() -> str:
    sun = circle(58, -116, 14, GOLD)
    boat = path(SAIL, BACK_PALE, transform="translate(-6 -38)")
    return sun + _birds(-96) + boat + _waves((-24, BACK_PALE, 3), (-16, BACK_PALE, 2))


def _wood() -> str:
    return _scattered(
        lambda x, y: moved(SIGNS["c"], x, y, 0.34),
        lambda x, y: "".join(moved(LEAF, x, y + 8, 0.8, turn) for turn in (-60, -120)),
    )


def _scattered(often: Callable[[float, float], str], between: Callable[[float, float], str]) -> str:
    """Two motifs in alternation, row by row, each kind one path: elements are few, since many backs are shown."""
    rows = list(enumerate(ROWS))
    pale = "".join(often(x, y) for nth, y in rows for x in (EVEN if nth % 2 else ODD))
    gold = "".join(between(x, y) for nth, y in rows for x in (ODD if nth % 2 else EVEN))
    return path(pale, BACK_PALE) + path(gold, GOLD)


def _birds(x: float = 34) -> str:
    return line(f"M{number(x)}-122q5-5 9 0q4-5 9 0M{number(x + 22)}-108q4-4 7 0q3-4 7 0", BACK_PALE, 2)


def _river() -> str:
    """The Loir, across the middle of every back."""
    band = element("rect", x=-100, y=-14, width=200, height=28, fill=BACK)
    return band + _waves((-8, BACK_PALE, 3), (0, GOLD, 4), (8, BACK_PALE, 3))


def _waves(*rows: tuple[float, str, float]) -> str:
    return "".join(
        line("".join(f"M{number(x)} {number(y)}q8-7 16 0t16 0" for x in range(-96, 96, 32)), colour, width)
        for y, colour, width in rows
    )
