"""Heads of the courts: face, hair, beard, and crown, veil or cap.

The face is about the origin, looking left.
"""

from art.palette import CREAM, GOLD, GREEN, INK, LIP, SHADOW, SKIN, Suit
from art.svg import circle, group, line, local, path, use

HAIR = {"s": "#3a3038", "h": "#b5532a", "d": "#e3c06a", "c": "#8a5a33"}
GREY = "#d9d5cf"

FACE = "M-24-36H24V2Q24 19 13 28Q6 33 0 33Q-6 33-13 28Q-24 19-24 2Z"
SHADE = "M4-36H24V2Q24 19 13 28Q7 32 2 33Q6 26 4 9Z"
EYES = "M-20-7Q-13-14-5-7Q-13-2-20-7ZM6-7Q13-14 20-7Q13-2 6-7Z"
BROWS = "M-21-14Q-13-20-5-15M20-15Q12-20 5-15Q4-6-4 6Q-5 10 2 10"
LIPS = "M-9 18Q-4 14 0 16Q4 14 9 18Q0 25-9 18Z"


def definitions() -> list[str]:
    face = (
        path(FACE, SKIN),
        path(SHADE, SHADOW, stroke="none"),
        path(FACE, "none"),
        path(EYES, "#fff", stroke_width=1.6),
        circle(-13.5, -7.5, 3, INK, stroke="none"),
        circle(12.5, -7.5, 3, INK, stroke="none"),
        line(BROWS, INK, 2.8),
        path(LIPS, LIP, stroke_width=1),
    )
    return [group(*face, id=local("face"))]


def head(rank: str, suit: Suit) -> str:
    return {"k": _king, "q": _dame, "j": _valet}[rank](suit)


# Kings

CURLS = ((-28, -18), (-32, -4), (-31, 11), (28, -18), (32, -4), (31, 11))
BEARDS = {
    "s": "M-24-2L-17 11Q0 5 17 11L24-2V24Q22 46 9 62L0 48L-9 62Q-22 46-24 24Z",
    "h": "M-24-2L-17 11Q0 5 17 11L24-2Q31 8 27 17Q31 28 22 33Q21 43 11 43Q6 50 0 47Q-6 50-11 43Q-21 43-22 33"
    "Q-31 28-27 17Q-31 8-24-2Z",
    "d": "M-12 24Q0 19 12 24L8 44L0 52L-8 44Z",
    "c": "M-24-2L-17 11Q0 5 17 11L24-2Q26 26 0 64Q-26 26-24-2Z",
}
BEARD_STRANDS = {
    "s": "M-9 28V46M9 28V46M-17 18V34M17 18V34",
    "h": "M-16 25Q-12 31-16 36M0 30Q4 36 0 42M16 25Q12 31 16 36",
    "d": "M-4 30L-2 42M4 30L2 42",
    "c": "M0 30V54M-9 27L-4 46M9 27L4 46",
}
MOUSTACHE = "M0 12Q-8 9-17 18Q-9 21 0 16Q9 21 17 18Q8 9 0 12Z"
CROWNS = {
    "s": "M-29-30L-32-60H-20V-52H-13V-60H-5V-52H5V-60H13V-52H20V-60H32L29-30Z",
    "h": "M-29-30L-34-54Q-24-60-17-46Q-14-62 0-62Q14-62 17-46Q24-60 34-54L29-30Z",
    "d": "M-29-30L-36-58L-18-46L0-64L18-46L36-58L29-30Z",
    "c": "M-29-30V-42A9 9 0 1 1-12-50A12 12 0 1 1 12-50A9 9 0 1 1 29-42V-30Z",
}


def _king(suit: Suit) -> str:
    hair = GREY if suit.letter == "s" else HAIR[suit.letter]
    beard = (
        path(BEARDS[suit.letter], hair),
        line(BEARD_STRANDS[suit.letter], INK, 1.6),
        path(LIPS, LIP, stroke_width=1),
        path(MOUSTACHE, hair),
    )
    crown = path(CROWNS[suit.letter], GOLD) + path("M-29-40H29V-29H-29Z", suit.livery)
    jewels = "".join(circle(x, -34.5, 3, CREAM, stroke_width=1.2) for x in (-18, 0, 18))
    curls = "".join(circle(x, y, 9, hair) for x, y in CURLS)
    return curls + use("face") + "".join(beard) + crown + jewels


# Dames

VEILS = {
    "s": "M0-66L34-30L50 46H-50L-34-30Z",
    "h": "M0-46Q-6-64-24-62Q-42-58-38-32L-46 46H46L38-32Q42-58 24-62Q6-64 0-46Z",
    "d": "M-34-60H34L40-30L52 46H-52L-40-30Z",
    "c": "M0-60Q40-60 40-20Q40 14 54 46H-54Q-40 14-40-20Q-40-60 0-60Z",
}
BANDS = "M-26-36Q-14-44 0-40Q14-44 26-36Q30-6 24 14L20-14Q10-18 0-32Q-10-18-20-14L-24 14Q-30-6-26-36Z"
HEADBANDS = {
    "s": "M-32-32Q0-50 32-32L31-24Q0-42-31-24Z",
    "h": "M-38-34Q-18-44 0-36Q18-44 38-34L36-26Q18-36 0-28Q-18-36-36-26Z",
    "d": "M-37-46H37L39-34H-39Z",
    "c": "M-38-30Q0-54 38-30L36-22Q0-44-36-22Z",
}


def _dame(suit: Suit) -> str:
    band = path(HEADBANDS[suit.letter], suit.livery)
    stones = "".join(circle(x, y, 2.6, GOLD, stroke_width=1.2) for x, y in _stones(suit))
    cheeks = circle(-15, 9, 4.5, "#f2a08c", stroke="none") + circle(16, 9, 4.5, "#e58f78", stroke="none")
    return (
        path(VEILS[suit.letter], CREAM)
        + use("face")
        + cheeks
        + path(BANDS, HAIR[suit.letter])
        + band
        + stones
    )


def _stones(suit: Suit) -> tuple[tuple[float, float], ...]:
    rise = {"s": -37, "h": -32, "d": -40, "c": -38}[suit.letter]
    drop = {"s": 5, "h": -4, "d": 0, "c": 6}[suit.letter]
    return ((-20, rise + drop), (0, rise), (20, rise + drop))


# Valets

BOB = "M-27-34H27L34 18Q28 26 18 24L20-16H-20L-18 24Q-28 26-34 18Z"
FRINGE = "M-25-34H25V-17Q18-22 12-17Q6-22 0-17Q-6-22-12-17Q-18-22-25-17Z"
CAPS = {
    "s": "M-40-30Q-46-46-24-52Q10-62 38-48Q46-38 36-28Q0-36-40-30Z",
    "h": "M-44-28L-10-56Q8-62 20-50L34-28Z",
    "d": "M-30-36Q-36-63 4-62Q36-62 30-36ZM-34-42Q-58-24-50 16L-38 14Q-40-14-28-30Z",
    "c": "M-22-34V-48Q-20-61 0-61Q20-61 22-48V-34L42-30Q40-23 0-23Q-40-23-42-30Z",
}
BRIMS = {
    "s": "M-33-26H33V-34H-33Z",
    "h": "M-46-26Q-8-38 37-26L36-34Q-4-46-44-34Z",
    "d": "M-30-40Q0-46 30-40A8 8 0 0 1 30-24Q0-30-30-24A8 8 0 0 1-30-40Z",
    "c": "M-22-34V-42H22V-34Q0-31-22-34Z",
}
PLUMES = {
    "s": "M-12-36Q-16-62-48-58Q-44-36-12-36ZM-12-36L-40-53",
    "h": "M12-38Q10-62 40-64Q40-44 12-38ZM12-38L34-58",
    "d": "M-18-43L-22-28M-2-44L-4-28M14-43L12-28M27-41L27-25",
    "c": "M-10-38Q-18-62-46-56Q-38-38-10-38ZM-10-38L-38-52",
}
PROFILE = "M-8-36H24V10Q24 26 8 33H-6Q-17 33-16 25L-19 19L-17 13L-19 9L-28 5L-17-13Q-18-26-16-36Z"
PROFILE_SHADE = "M6-36H24V10Q24 26 8 33H-2Q12 20 6-20Z"
PROFILE_HAIR = "M-18-36H30L37 20Q27 31 10 24Q14 2 6-15Q-4-12-18-21Z"


def _valet(suit: Suit) -> str:
    hair = HAIR[suit.letter]
    plume = GREEN if suit.letter == "c" else CREAM
    face = _profile(hair) if suit.letter in "sh" else path(BOB, hair) + use("face") + path(FRINGE, hair)
    return (
        face
        + path(CAPS[suit.letter], "currentColor")
        + path(BRIMS[suit.letter], GOLD)
        + path(PLUMES[suit.letter], plume)
    )


def _profile(hair: str) -> str:
    return (
        path(PROFILE, SKIN)
        + path(PROFILE_SHADE, SHADOW, stroke="none")
        + path(PROFILE, "none")
        + path("M-15-8Q-8-14-1-7Q-8-3-14-4Z", "#fff", stroke_width=1.6)
        + circle(-10, -7.5, 3, INK, stroke="none")
        + line("M-17-15Q-9-20 0-14", INK, 2.8)
        + path("M-19 19L-17 14Q-11 15-7 19Q-12 23-17 24Z", LIP, stroke_width=1)
        + path(PROFILE_HAIR, hair)
    )
