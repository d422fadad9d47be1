"""The people of the valley: the computer players and their relatives, each drawn from a few attributes.

A portrait is centred on the origin and clipped by its symbol's viewport. A face has four moods; the page selects one.
"""

from typing import NamedTuple

from art.heads import FACE, GREY, HAIR, SHADE
from art.palette import CREAM, GOLD, GREEN, INK, LIP, SHADOW, SKIN
from art.svg import Attribute, circle, element, group, line, local, path, use

BLACK, RED, FAIR, BROWN = (HAIR[suit] for suit in "shdc")
WHITE = "#f4f1ea"
BLUE, WINE, TEAL, OLIVE, ROSE, SLATE, STRAW, BARK = (
    "#5f8fc4", "#a8324a", "#45a3a0", "#93b04c", "#e39a9a", "#56606e", "#e6c56f", "#8a6242",
)  # fmt: skip
GROUNDS = ("#cfe0d2", "#f3dfb4", "#d5dcec", "#e6e3c1", "#f0d3c4", "#dcd6e6", "#e9d9bd", "#f6e7b0")
"""Each family's background."""
MOODS = ("calm", "pleased", "vexed", "thinking")
VIEW_BOX = "-64 -76 128 128"


class Person(NamedTuple):
    """A person's look: colours as values, all else by the names of the drawings below."""

    hair: str
    style: str
    clothes: str
    cloth: str
    hat: str = ""
    felt: str = ""
    beard: str = ""
    glasses: str = ""
    cheeks: bool = False
    child: bool = False


FAMILIES = (
    (
        Person(RED, "plaits", "dress", BLUE, "bow", LIP, cheeks=True, child=True),
        Person(FAIR, "mop", "stripes", TEAL, cheeks=True, child=True),
        Person(BROWN, "bob", "dress", ROSE, "bow", GOLD, cheeks=True, child=True),
        Person(BLACK, "swept", "jersey", OLIVE, "cap", LIP, child=True),
    ),
    (
        Person(BLACK, "parted", "stripes", SLATE, "beret", INK, "curled", cheeks=True),
        Person(RED, "curls", "shawl", WINE, "scarf", TEAL, cheeks=True),
        Person(BROWN, "bald", "coat", BARK, "", "", "full", cheeks=True),
        Person(FAIR, "long", "dress", OLIVE, "straw", LIP, cheeks=True),
    ),
    (
        Person(GREY, "bun", "shawl", "#8a74a8", "", "", "", "round", cheeks=True),
        Person(GREY, "bald", "coat", SLATE, "cap", BARK, "moustache"),
        Person(WHITE, "bun", "shawl", TEAL, "scarf", CREAM, "", "round"),
        Person(WHITE, "bald", "jersey", WINE, "", "", "full", "round"),
    ),
    (
        Person(FAIR, "mop", "coat", GREEN, "", "", "", "", cheeks=True),
        Person(BROWN, "bob", "shawl", BLUE, "", ""),
        Person(FAIR, "swept", "jersey", BLUE, "straw", SLATE, "goatee"),
        Person(RED, "long", "dress", OLIVE, "bow", CREAM),
    ),
    (
        Person(BROWN, "parted", "dress", ROSE, "scarf", LIP, cheeks=True),
        Person(BLACK, "swept", "coat", WINE, "beret", SLATE, "goatee"),
        Person(BLACK, "bun", "shawl", GOLD, "", "", "", "round"),
        Person(RED, "parted", "stripes", BLUE, "cap", SLATE, "full"),
    ),
    (
        Person(GREY, "bald", "bow tie", SLATE, "", "", "thin", "round"),
        Person(GREY, "curls", "shawl", WINE, "", "", "", "round"),
        Person(BLACK, "parted", "bow tie", BLUE, "", "", "moustache", "round"),
        Person(FAIR, "bun", "dress", SLATE, "", ""),
    ),
    (
        Person(BLACK, "bob", "pearls", WINE, "cloche", TEAL),
        Person(BROWN, "swept", "bow tie", INK, "", "", "goatee"),
        Person(RED, "bun", "pearls", TEAL, "", ""),
        Person(GREY, "parted", "coat", INK, "", "", "thin"),
    ),
    (
        Person(WHITE, "parted", "medal", WINE, "broad", INK, "long"),
        Person(WHITE, "bun", "pearls", INK, "", ""),
        Person(GREY, "swept", "medal", GREEN, "broad", BARK, "full"),
        Person(BROWN, "long", "medal", WINE, "cloche", WINE),
    ),
)
"""By level from 1; each person at the index of its name in `chouine.phrases.personas`."""

BEHIND = {
    "plaits": "M-28-28Q-40 0-36 20L-42 44H-30L-26 16ZM28-28Q40 0 36 20L42 44H30L26 16Z",
    "long": "M-29-32Q-42 6-34 44H34Q42 6 29-32Q0-48-29-32Z",
    "bun": "M-28-30Q-34 0-26 14L-20-16H20L26 14Q34 0 28-30Q22-44 0-44Q-22-44-28-30Z",
    "bob": "M-29-34H29L36 16Q30 26 19 24L20-16H-20L-19 24Q-30 26-36 16Z",
    "curls": "M-34-18A11 11 0 0 1-20-40A14 14 0 0 1 20-40A11 11 0 0 1 34-18A12 12 0 0 1 33 10"
    "A9 9 0 0 1 24 24L20-16H-20L-24 24"
    "A9 9 0 0 1-33 10A12 12 0 0 1-34-18Z",
}
BEFORE = {
    "plaits": "M-27-12Q-29-44 0-44Q29-44 27-12Q22-30 0-36Q-22-30-27-12Z",
    "long": "M-27-4Q-32-44 2-44Q31-44 27-4Q24-24 8-36Q-14-32-27-4Z",
    "bun": "M-27-12Q-30-42 0-42Q30-42 27-12Q20-30 0-34Q-20-30-27-12Z",
    "bob": "M-27-8V-36Q0-48 27-36V-8L22-20Q12-24 0-22Q-12-24-22-20Z",
    "curls": "M-27-14A8 8 0 0 1-22-30A10 10 0 0 1-4-38A10 10 0 0 1 14-36A9 9 0 0 1 27-22L26-12"
    "Q18-26 2-26Q-16-26-27-14Z",
    "mop": "M-28-10L-31-26L-24-24L-28-40L-16-36L-12-50L0-40L10-50L14-37L27-42L24-26L31-26L27-10"
    "L20-24L10-18L2-26L-8-18L-18-24Z",
    "swept": "M-27-10Q-34-44 4-45Q31-44 27-12Q22-28 8-32Q-12-34-20-22Z",
    "parted": "M-27-10Q-29-43-6-43Q-10-34-22-26ZM27-10Q31-43-8-43Q6-28 22-26Z",
    "bald": "M-26-4Q-34-18-25-30Q-21-18-23-4ZM26-4Q34-18 25-30Q21-18 23-4Z",
}
BEARDS = {
    "moustache": "M0 11Q-9 8-19 17Q-10 21 0 16Q10 21 19 17Q9 8 0 11Z",
    "curled": "M0 11Q-12 7-24 15Q-30 12-29 6Q-24 12-20 9Q-24 24-6 18Q-3 17 0 15Q3 17 6 18"
    "Q24 24 20 9Q24 12 29 6Q30 12 24 15Q12 7 0 11Z",
    "thin": "M0 12Q-8 11-15 15Q-8 16 0 14Q8 16 15 15Q8 11 0 12Z",
    "full": "M-24-2Q-18 12-9 12H9Q18 12 24-2Q31 8 27 19Q31 30 20 34Q12 46 0 44Q-12 46-20 34"
    "Q-31 30-27 19Q-31 8-24-2ZM-10 15Q-12 28 0 28"
    "Q12 28 10 15Z",
    "long": "M-24-2Q-18 12-9 12H9Q18 12 24-2L26 24Q24 50 0 66Q-24 50-26 24ZM-10 15Q-12 28 0 28Q12 28 10 15Z",
    "goatee": "M-9 28Q0 22 9 28L5 44L0 48L-5 44Z",
}
BALD = FACE.removesuffix("Z").replace("M-24-36H24", "M-24-28Q-24-52 0-52Q24-52 24-28") + "Z"
"""A face without hair or hat."""
BODY = "M-66 64Q-62 40-32 36L-14 32H14L32 36Q62 40 66 64Z"
NECK = "M-11 22H11V38Q0 47-11 38Z"

CALM_EYES = "M-20-7Q-13-14-5-7Q-13-2-20-7ZM5-7Q13-14 20-7Q13-2 5-7Z"
NARROW_EYES = "M-20-6Q-13-11-5-7Q-13-2-20-6ZM5-7Q13-11 20-6Q13-2 5-7Z"
NOSE = "M2-6Q-5 6-6 9Q-5 12 3 11"


def definitions() -> list[str]:
    """The four moods shared by all faces, one visible at a time; brows have the colour of the hair."""
    return [group(*(_mood(name) for name in MOODS), line(NOSE, INK, 2.2), id=local("features"))]


def style_sheet() -> str:
    """A class for each mood, for a portrait or any element around it."""

    def rule(mood: str) -> str:
        body = " ".join(f"--mood-{name}: {'inline' if name == mood else 'none'};" for name in MOODS)
        return f".mood-{mood} {{ {body} }}\n"

    return "/* Drawn by `python -m art`; see art/README.md. CC0-1.0. */\n" + "".join(map(rule, MOODS))


def portraits() -> list[str]:
    """A symbol for each person: `face-1a` is the first of level 1."""
    return [
        element("symbol", portrait(person, level), id=f"face-{level + 1}{'abcd'[nth]}", viewBox=VIEW_BOX)
        for level, family in enumerate(FAMILIES)
        for nth, person in enumerate(family)
    ]


def portrait(person: Person, level: int) -> str:
    """A portrait, drawn from background to hat."""
    ground = element("rect", x=-64, y=-76, width=128, height=128, fill=GROUNDS[level], stroke="none")
    face = BALD if person.style == "bald" and not person.hat else FACE
    head = "".join(
        (
            path(BEHIND[person.style], person.hair) if person.style in BEHIND else "",
            circle(0, -48, 12, person.hair) if person.style == "bun" and not person.hat else "",
            path(face, SKIN),
            path(SHADE, SHADOW, stroke="none"),
            path(face, "none"),
            _cheeks() if person.cheeks else "",
            _beard(person, below=True),
            use("features", color=INK if person.hair in (GREY, WHITE) else person.hair),
            _beard(person, below=False),
            path(BEFORE[person.style], person.hair),
            HATS[person.hat](person.felt) if person.hat else "",
            _glasses() if person.glasses else "",
        )
    )
    size: dict[str, Attribute] = {"transform": "translate(0 5) scale(.92)"} if person.child else {}
    body = path(NECK, SHADOW) + path(BODY, person.cloth) + CLOTHES[person.clothes](person.cloth)
    return group(ground, body, group(head, **size), stroke=INK, stroke_width=2, stroke_linejoin="round")


def _mood(name: str) -> str:
    drawn = {"calm": _calm, "pleased": _pleased, "vexed": _vexed, "thinking": _thinking}[name]()
    return group(drawn, display=f"var(--mood-{name},{'inline' if name == 'calm' else 'none'})")


def _eyes(shape: str, x: float, y: float) -> str:
    pupils = "".join(circle(side + x, y, 3.2, INK, stroke="none") for side in (-12.5, 12.5))
    return path(shape, "#fff", stroke_width=1.6) + pupils


def _brows(d: str) -> str:
    return element("path", d=d, fill="none", stroke="currentColor", stroke_width=3.2, stroke_linecap="round")


def _calm() -> str:
    mouth = path("M-9 18Q-4 15 0 16.500Q4 15 9 18Q0 24-9 18Z", LIP, stroke_width=1)
    return _eyes(CALM_EYES, 0, -7) + _brows("M-21-15Q-13-20-5-16M21-15Q13-20 5-16") + mouth


def _pleased() -> str:
    eyes = line("M-20-5Q-13-15-5-5M5-5Q13-15 20-5", INK, 2.8)
    mouth = path("M-12 14Q0 18 12 14Q9 29 0 29Q-9 29-12 14Z", "#7a1f2b", stroke_width=1.6)
    teeth = path("M-10.500 15.500Q0 19 10.500 15.500L9.500 19Q0 22-9.500 19Z", "#fff", stroke="none")
    return eyes + _brows("M-22-18Q-13-26-5-20M22-18Q13-26 5-20") + mouth + teeth


def _vexed() -> str:
    mouth = line("M-10 22Q0 13 10 22", INK, 2.8)
    return _eyes(NARROW_EYES, 0, -6) + _brows("M-22-19L-4-12M22-19L4-12") + mouth


def _thinking() -> str:
    mouth = line("M-6 20Q3 16 10 17", INK, 2.8)
    return _eyes(CALM_EYES, 3, -9.5) + _brows("M-21-14Q-13-17-5-14M5-20Q13-27 21-19") + mouth


def _cheeks() -> str:
    return circle(-16, 8, 5, "#f2a08c", stroke="none") + circle(17, 8, 5, "#e58f78", stroke="none")


def _beard(person: Person, *, below: bool) -> str:
    """A beard, drawn below the mouth, or a moustache, drawn above it."""
    hidden = not person.beard or (person.beard in ("full", "long", "goatee")) != below
    return "" if hidden else path(BEARDS[person.beard], person.hair, fill_rule="evenodd")


def _glasses() -> str:
    rims = "".join(
        circle(x, -7, 10.5, "#fff", fill_opacity=0.25, stroke="#6d4d1c", stroke_width=2.4) for x in (-13, 13)
    )
    return rims + line("M-3-8Q0-11 3-8M-23-9L-28-13M23-9L28-13", "#6d4d1c", 2.4)


# Clothes


def _dress(_: str) -> str:
    return path("M-22 35Q-26 48-8 48L0 40L8 48Q26 48 22 35L14 32Q0 46-14 32Z", CREAM)


def _coat(_: str) -> str:
    return path("M-13 32L0 52L13 32L20 36L6 62H-6L-20 36Z", CREAM) + line("M-20 35L-8 62M20 35L8 62", INK, 2)


def _jersey(_: str) -> str:
    return path("M-16 31H16V41Q0 48-16 41Z", CREAM)


def _stripes(_: str) -> str:
    return line("M-44 44Q0 54 44 44M-54 52Q0 62 54 52M-34 38Q0 47 34 38", CREAM, 4)


def _shawl(_: str) -> str:
    return path("M-32 36L0 64L32 36L20 34L0 50L-20 34Z", CREAM) + circle(0, 50, 4, GOLD, stroke_width=1.4)


def _bow_tie(cloth: str) -> str:
    return _coat(cloth) + path("M0 42L-13 36V49ZM0 42L13 36V49Z", LIP) + circle(0, 42, 3, LIP)


def _pearls(_: str) -> str:
    places = ((-16, 36), (-11, 42), (-4, 45.5), (4, 45.5), (11, 42), (16, 36))
    return "".join(circle(x, y, 3.6, WHITE, stroke_width=1.2) for x, y in places)


def _medal(cloth: str) -> str:
    chain = line("M-28 36L0 50L28 36", INK, 6) + line("M-28 36L0 50L28 36", GOLD, 3.4)
    return _jersey(cloth) + chain + circle(0, 48, 6, GOLD)


CLOTHES = {
    "dress": _dress,
    "coat": _coat,
    "jersey": _jersey,
    "stripes": _stripes,
    "shawl": _shawl,
    "bow tie": _bow_tie,
    "pearls": _pearls,
    "medal": _medal,
}


# Hats


def _bow(felt: str) -> str:
    return path("M0-44L-17-53V-35ZM0-44L17-53V-35Z", felt) + circle(0, -44, 4.5, felt)


def _beret(felt: str) -> str:
    cap = path("M-38-32Q-46-52-14-56Q22-62 38-46Q44-38 32-28Q0-40-38-32Z", felt)
    return cap + line("M2-58V-65", felt if felt != INK else "#3a3038", 3.4)


def _cap(felt: str) -> str:
    return path("M-29-28Q-32-56 0-56Q32-56 29-28Q0-38-29-28Z", felt) + path(
        "M-30-29Q0-40 30-29L40-20Q0-31-31-22Z", felt
    )


def _straw(felt: str) -> str:
    brim = path("M-54-28Q0-48 54-28Q34-18 0-24Q-34-18-54-28Z", STRAW)
    return (
        path("M-24-32Q-24-60 0-60Q24-60 24-32Q0-40-24-32Z", STRAW)
        + brim
        + line("M-24-35Q0-43 24-35", felt, 5)
    )


def _scarf(felt: str) -> str:
    cloth = path("M-32 8Q-40-50 0-51Q40-50 32 8Q28-24 0-33Q-28-24-32 8Z", felt)
    spots = ((-22, -30), (-9, -41), (9, -41), (22, -30), (-30, -12), (30, -12))
    return cloth + "".join(
        circle(x, y, 2.2, GOLD if felt == CREAM else CREAM, stroke="none") for x, y in spots
    )


def _cloche(felt: str) -> str:
    crown = path("M-31-18Q-34-56 0-56Q34-56 31-18Q0-34-31-18Z", felt)
    band = line("M-31-24Q0-40 31-24", GOLD, 5)
    return crown + band + path("M20-30Q34-64 48-54Q44-36 20-30Z", CREAM) + line("M22-31L43-51", INK, 1.4)


def _broad(felt: str) -> str:
    crown = path("M-26-32Q-26-66 0-64Q26-66 26-32Q0-40-26-32Z", felt)
    brim = path("M-56-34Q-30-28 0-38Q30-28 56-34Q46-16 0-25Q-46-16-56-34Z", felt)
    return crown + line("M-26-37Q0-46 26-37", GOLD, 5) + brim


HATS = {
    "bow": _bow,
    "beret": _beret,
    "cap": _cap,
    "straw": _straw,
    "scarf": _scarf,
    "cloche": _cloche,
    "broad": _broad,
}
