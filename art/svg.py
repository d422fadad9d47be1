"""The SVG elements of the deck, as text.

Attributes are presentation attributes, never `style=`, so that cards also show on pages whose policy forbids inline
styles. Nothing uses `url(...)`: such references do not survive an external `<use>`; drawings are clipped by the
viewport of a symbol instead.
"""

import re
from cmath import rect
from math import radians
from xml.sax.saxutils import quoteattr

Attribute = str | float


def number(value: float) -> str:
    """At most two decimals, no trailing zeros, never `-0`: the same bytes on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *children: str, **attributes: Attribute) -> str:
    """An element; `stroke_width=2` becomes `stroke-width="2"`."""
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
    """The id of a shared drawing, with a prefix against clashes with a page's ids."""
    return f"deck-{name}"


def use(name: str, **attributes: Attribute) -> str:
    return element("use", href=f"#{local(name)}", **attributes)


def placed(name: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A shared drawing placed at (x, y), rotated by `turn` degrees."""
    turned = f" rotate({number(turn)})" if turn else ""
    return use(name, transform=f"translate({number(x)} {number(y)}){turned} scale({number(scale)})")


def half_turn(name: str) -> str:
    """The drawing and its copy rotated by 180° about the origin."""
    return use(name) + use(name, transform="rotate(180)")


def moved(d: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A path's data scaled, rotated by degrees and translated to (x, y), without an element around it.

    Browsers style every element of every card on a page, hidden ones too. Supports M, L, C and Z, `a`, and H without
    rotation.
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
