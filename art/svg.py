"""The few SVG elements the deck is made of, as text.

Attributes are presentation attributes, never `style=`: a page whose policy forbids inline styles still shows
its cards. Nothing here writes `url(...)`: such references do not survive an external `<use>`; where a drawing
must be cut, it is cut by the viewport of a symbol.
"""

import re
from cmath import rect
from math import radians
from xml.sax.saxutils import quoteattr

Attribute = str | float


def number(value: float) -> str:
    """Two decimals at most, no trailing zeros, never `-0`: the same bytes on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *children: str, **attributes: Attribute) -> str:
    """`stroke_width=2` is written `stroke-width="2"`."""
    written = "".join(
        f" {key.strip('_').replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}"
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def group(*children: str, **attributes: Attribute) -> str:
    return element("g", *children, **attributes)


def path(d: str, fill: str, **attributes: Attribute) -> str:
    return element("path", d=d, fill=fill, **attributes)


def line(d: str, stroke: str, width: float) -> str:
    return element("path", d=d, fill="none", stroke=stroke, stroke_width=width)


def circle(x: float, y: float, radius: float, fill: str, **attributes: Attribute) -> str:
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **attributes)


def local(name: str) -> str:
    """The id of a drawing that the cards share: apart from the ids of a page the sprite is written into."""
    return f"deck-{name}"


def use(name: str, **attributes: Attribute) -> str:
    return element("use", href=f"#{local(name)}", **attributes)


def placed(name: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A shared drawing set down at (x, y), turned by `turn` degrees."""
    turned = f" rotate({number(turn)})" if turn else ""
    return use(name, transform=f"translate({number(x)} {number(y)}){turned} scale({number(scale)})")


def half_turn(name: str) -> str:
    """The drawing once upright and once turned about the origin: cards have no top."""
    return use(name) + use(name, transform="rotate(180)")


def moved(d: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A path's data scaled, turned by degrees and set down at (x, y), with no element of its own.

    Browsers style every element of every card that is shown, hidden ones too. M, L, C and Z are read, `a`, and H where
    nothing is turned.
    """
    way, to = rect(scale, radians(turn)), complex(x, y)

    def part(found: re.Match[str]) -> str:
        command, values = found[1], [float(value) for value in re.findall(r"-?\d*\.?\d+", found[2])]
        if command == "H":
            return command + number(values[0] * scale + x)
        arc = [values[0] * scale, values[1] * scale, *values[2:5]] if command == "a" else []
        ends = zip(values[len(arc) :: 2], values[len(arc) + 1 :: 2], strict=True)
        points = [complex(*end) * way + (0 if arc else to) for end in ends]
        return command + " ".join(
            map(number, [*arc, *(side for one in points for side in (one.real, one.imag))])
        )

    return re.sub(r"([MLCHaZz])([^A-Za-z]*)", part, d)
