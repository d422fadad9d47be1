"""The whole deck as one file: shared parts, thirty-two cards, their back, and the four suits."""

from art import back, courts, heads, indices, ornaments, people, pips
from art.palette import CREAM, FACE, SUITS, Suit
from art.svg import element, group, local, placed

RANKS = "atkqj987"
WIDTH, HEIGHT = 240, 336
VIEW_BOX = f"0 0 {WIDTH} {HEIGHT}"
LARGE_X, LARGE_SCALE = 167, 0.86
LICENCE = "http://creativecommons.org/publicdomain/zero/1.0/"


def sprite() -> str:
    """The file, with one drawing on each line."""
    shared = [d for part in (pips, ornaments, indices, heads, courts, back) for d in part.definitions()]
    bodies = [
        group(_body(rank, suit), id=local(f"body-{rank}{suit.letter}")) for suit in SUITS for rank in RANKS
    ]
    cards = [_card(rank, suit) for suit in SUITS for rank in RANKS]
    suits = [_suit(suit) for suit in SUITS]
    lines = [_metadata(), element("defs", "\n".join(["", *shared, *bodies, ""])), *cards, _back(), *suits]
    return element("svg", "\n".join(["", *lines, ""]), xmlns="http://www.w3.org/2000/svg") + "\n"


def faces() -> str:
    """The people of the valley, as a separate file, loaded only where they are shown."""
    lines = [_metadata(), element("defs", *people.definitions()), *people.portraits()]
    return element("svg", "\n".join(["", *lines, ""]), xmlns="http://www.w3.org/2000/svg") + "\n"


def cloth() -> str:
    """The embroidery of the cloth on which tricks are laid: the four suits around the keep, in two rings."""
    rings = [
        element("circle", r=reach, fill="none", stroke="currentColor", stroke_width=width)
        for reach, width in ((117, 2.5), (110, 1), (62, 1))
    ]
    signs = [
        group(placed(f"pip-{suit.letter}", 0, -86, 0.36), transform=f"rotate({90 * nth})")
        for nth, suit in enumerate(SUITS)
    ]
    drawn = group(*rings, *signs, placed("keep", 0, 0, 0.78), color=CREAM, opacity=0.16)
    lines = [_metadata(), element("defs", *pips.definitions()), drawn]
    return (
        element(
            "svg",
            "\n".join(["", *lines, ""]),
            xmlns="http://www.w3.org/2000/svg",
            viewBox="-120 -120 240 240",
        )
        + "\n"
    )


def _metadata() -> str:
    """The licence, in the format of drawing programs."""
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    licence = f'<cc:license rdf:resource="{LICENCE}"/>'
    return (
        f'<metadata><rdf:RDF xmlns:rdf="{rdf}" xmlns:cc="http://creativecommons.org/ns#" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<cc:Work rdf:about=""><dc:title>Chouine deck</dc:title>{licence}</cc:Work></rdf:RDF></metadata>'
    )


def _body(rank: str, suit: Suit) -> str:
    """The middle of the card, centred on the origin."""
    if rank == "a":
        return pips.ace(suit)
    return courts.panel(rank, suit) if rank in courts.RANKS else pips.spots(rank, suit)


def _card(rank: str, suit: Suit) -> str:
    body = f"body-{rank}{suit.letter}"
    standard = placed(body, WIDTH / 2, HEIGHT / 2) + indices.standard(rank, suit)
    large = placed(body, LARGE_X, HEIGHT / 2, LARGE_SCALE) + indices.large(rank, suit)
    drawn = group(
        group(standard, display="var(--deck-standard,inline)"),
        group(large, display="var(--deck-large,none)"),
        color=suit.colour,
    )
    return element("symbol", _edge(), drawn, id=f"card-{rank}{suit.letter}", viewBox=VIEW_BOX)


def _back() -> str:
    return element("symbol", _edge(), back.back(), id="back", viewBox=VIEW_BOX)


def _suit(suit: Suit) -> str:
    """A single sign, for showing trump."""
    sign = group(placed(f"pip-{suit.letter}", 50, 50), color=suit.colour)
    return element("symbol", sign, id=f"suit-{suit.letter}", viewBox="0 0 100 100")


def _edge() -> str:
    """The card's face and edge."""
    return element(
        "rect",
        x=1,
        y=1,
        width=WIDTH - 2,
        height=HEIGHT - 2,
        rx=15,
        fill=FACE,
        stroke="#b9b3a6",
        stroke_width=2,
    )
