"""The back: the keep of Lavardin on its hill, and again in the Loir. Turned half round it is the same."""

from art.palette import BACK, BACK_PALE, GOLD
from art.svg import circle, element, group, half_turn, line, local, number, path, placed

HILLS = "M-100 0V-30Q-84-38-70-26L-50-24L-34-40H34L46-30L64-30Q84-50 100-40V0Z"
WALL = "M-72-20V-44h8v6h8v-6h8v6h8v-6h8v24ZM32-36V-56h8v6h8v-6h8v6h8v26L46-28Z"


def definitions() -> list[str]:
    return [group(_castle(), id=local("back-half"))]


def back() -> str:
    """Everything inside the card's edge."""
    frame = element("rect", x=12, y=12, width=216, height=312, rx=8, fill=BACK, stroke=GOLD, stroke_width=2)
    inner = element(
        "rect", x=19, y=19, width=202, height=298, rx=4, fill="none", stroke=BACK_PALE, stroke_width=1.5
    )
    scene = group(half_turn("back-half"), _river(), transform="translate(120 168)")
    return frame + inner + scene


def _castle() -> str:
    sun = circle(-52, -112, 14, GOLD)
    keep = placed("keep", 0, -88, 1.12)
    hills = path(HILLS, BACK) + path(HILLS, BACK_PALE, fill_opacity=0.45)
    land = group(path(WALL, "currentColor"), keep, hills, color=BACK_PALE)
    birds = line("M34-122q5-5 9 0q4-5 9 0M56-108q4-4 7 0q3-4 7 0", BACK_PALE, 2)
    return sun + birds + land


def _river() -> str:
    rows = ((-8, 3), (0, 4), (8, 3))
    return element("rect", x=-100, y=-14, width=200, height=28, fill=BACK) + "".join(
        line(
            "".join(f"M{number(x)} {y}q8-7 16 0t16 0" for x in range(-96, 96, 32)),
            GOLD if y == 0 else BACK_PALE,
            width,
        )
        for y, width in rows
    )
