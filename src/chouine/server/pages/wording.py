"""The rules' presets, options and lengths in plain words, as msgids: templates translate them."""

from __future__ import annotations

from typing import NamedTuple

from chouine.phrases import N_
from chouine.rules.options import OPTIONS, Rules, text_name


class Wording(NamedTuple):
    """One option as a question, and an answer for each value."""

    section: int
    """The § of the rule book."""
    question: str
    answers: dict[str, str]
    played: str = "any"
    """Rules to which it applies: `two` seats, `many`, `turned` (with a turnup), `mondoubleau`, or `any`."""


PRESETS = {
    "classic": (N_("Chouine for two"), N_("Five cards each. The turned card makes trumps.")),
    "three": (N_("Chouine for three"), N_("Three cards each, everyone alone.")),
    "four": (N_("Chouine for four"), N_("Three cards each, everyone alone.")),
    "mondoubleau": (N_("Mondoubleau for two"), N_("No card is turned: a declaration makes trumps.")),
    "mondoubleau-three": (N_("Mondoubleau for three"), N_("No card is turned: a declaration makes trumps.")),
    "mondoubleau-four": (N_("Mondoubleau for four"), N_("No card is turned: a declaration makes trumps.")),
}
"""Name and description of each preset."""

FORMATS = {
    "1x1": N_("A single partie"),
    "3x1": N_("One manche: first to three parties"),
    "5x1": N_("One manche: first to five parties"),
    "3x2": N_("Two manches of three, and the belle, as in Lavardin"),
    "5x2": N_("Two manches of five, and the belle, as Proust has it"),
}
MOVES = {
    "": N_("All the time you like"),
    "30": N_("30 seconds a card"),
    "90": N_("90 seconds a card"),
    "86400": N_("One day a card"),
}
"""Labels of the seconds for each act."""
RESERVES = {"300": N_("5 minutes"), "900": N_("15 minutes"), "3600": N_("1 hour"), "172800": N_("2 days")}
"""Labels of the reserve in seconds for a whole match."""
OCCUPANTS = {
    "me": N_("Someone on this device"),
    "friend": N_("A friend, by a link"),
}

OPTION_WORDS = {
    "deal": Wording(
        3,
        N_("The cards are dealt"),
        {"one": N_("one by one"), "two-three": N_("two, then three"), "three-two": N_("three, then two")},
        "two",
    ),
    "head": Wording(
        8,
        N_("Once the talon is gone, you must beat the card led"),
        {"trumps": N_("in trumps only"), "always": N_("in every suit")},
    ),
    "overruff": Wording(
        8,
        N_("Ruffing after another has ruffed, you must beat that trump"),
        {"yes": N_("if you can"), "no": N_("only if you like")},
        "many",
    ),
    "declare": Wording(
        9,
        N_("You declare"),
        {
            "any": N_("whenever you play a card (in Mondoubleau: as Proust has it)"),
            "lead": N_("only when you lead"),
        },
    ),
    "figure": Wording(
        9,
        N_("The card you play when declaring"),
        {"played": N_("is one of the declaration"), "held": N_("may be any card")},
    ),
    "again": Wording(
        9,
        N_("A second declaration in the same suit"),
        {
            "never": N_("is not allowed"),
            "full": N_("counts in full"),
            "difference": N_("counts what it adds"),
        },
    ),
    "trump_chouine": Wording(
        10,
        N_("The chouine in trumps wins"),
        {"partie": N_("the partie"), "manche": N_("the whole manche")},
    ),
    "seven": Wording(
        11,
        N_("The seven of trumps is exchanged"),
        {"turn": N_("when it is your turn"), "lead": N_("only when you lead")},
        "turned",
    ),
    "au_sept": Wording(
        11,
        N_("Before the last trick with a draw, “au sept”"),
        {"yes": N_("is said"), "no": N_("is not said")},
        "turned",
    ),
    "seven_last": Wording(
        11,
        N_("At that trick, the seven"),
        {"yes": N_("may still be exchanged"), "no": N_("may no longer be exchanged")},
        "turned",
    ),
    "tie": Wording(
        12,
        N_("After a tied partie"),
        {"replay": N_("the same player deals again"), "nobody": N_("the next player deals")},
    ),
    "fixing": Wording(
        17,
        N_("The declaration that makes trumps"),
        {"double": N_("counts double"), "plain": N_("counts single")},
        "mondoubleau",
    ),
}


def differences(rules: Rules) -> list[tuple[int, str, str]]:
    """Options that differ from the preset: §, question, answer."""
    plain = Rules.of_preset(rules.preset)
    return [
        (OPTION_WORDS[option].section, OPTION_WORDS[option].question, OPTION_WORDS[option].answers[value])
        for option in OPTIONS
        if (value := getattr(rules, option)) != getattr(plain, option)
    ]


def field_name(option: str) -> str:
    """An option's field in the form."""
    return f"option-{text_name(option)}"
