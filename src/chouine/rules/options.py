"""What the sources leave open or tables play in several ways, each a named option: a field, never a fork.

Sources: P Proust · G Glover · A adpoker · W English Wikipedia · J jouerchezmoi.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self, get_args, get_type_hints

from chouine.errors import NotationError, check_type
from chouine.plaintext import repr_of


@dataclass(frozen=True, slots=True)
class Rules:
    """A set of rules. `Rules.parse("classic;head=always")` reads one, `str` gives its canonical text."""

    seats: Literal[2, 3, 4] = 2
    """Players at the table (§3). Source: P."""
    mondoubleau: bool = False
    """No turnup, no trump until one is declared (§17). Source: P, W."""
    deal: Literal["one", "two-three", "three-two"] = "one"
    """How the cards are handed out (§3); packets with two seats only. Source: P G A J; `two-three` W."""
    head: Literal["trumps", "always"] = "trumps"
    """Which led suits must be headed once the talon is empty (§8). Source: P G J; `always` A."""
    overruff: Literal["yes", "no"] = "yes"
    """Whether who must ruff must beat a trump already there (§8, three and four seats). Source: none."""
    declare: Literal["any", "lead"] = "any"
    """Who may declare: any seat, or only the leader (§9). Source: P G W; in Mondoubleau `lead` W, `any` P G (§17)."""
    figure: Literal["played", "held"] = "played"
    """Whether the card played is one of the combination (§9.3). Source: W; `held` P G A."""
    again: Literal["never", "full", "difference"] = "never"
    """What a second mariage, tierce or quarteron of a suit counts (§9.4). Source: none."""
    trump_chouine: Literal["partie", "manche"] = "partie"
    """What a chouine in trumps wins (§10). Source: P G A W J."""
    seven: Literal["turn", "lead"] = "turn"
    """When the seven may be exchanged: in one's turn, or only on lead (§11). Source: none; W, at any time."""
    au_sept: Literal["yes", "no"] = "yes"
    """Whether the leader says "au sept" before the last trick with a draw (§11). Source: P G W."""
    seven_last: Literal["yes", "no"] = "yes"
    """Whether the seven may still be exchanged once that trick has come (§11). Source: P G W; `no` J."""
    tie: Literal["replay", "nobody"] = "replay"
    """Who deals after a nulle: the same dealer, or the next (§12). Source: P G W; `nobody` J."""
    fixing: Literal["double", "plain"] = "double"
    """Whether the figure that fixes trump counts as a trump figure (§17). Source: none."""

    def __post_init__(self) -> None:
        kind = self.seats, self.mondoubleau
        if float in map(type, kind) or kind not in list(_NAMES):
            raise ValueError(
                f"seats is 2, 3 or 4, and mondoubleau True or False, not {repr_of(self.seats)} and"
                f" {repr_of(self.mondoubleau)}; Rules.parse reads a text"
            )
        for option in OPTIONS:
            if getattr(self, option) not in VALUES[option]:
                raise ValueError(f"{text_name(option)} is one of {', '.join(VALUES[option])}")
        if self.deal != "one" and self.seats != 2:
            raise ValueError("packets are dealt with two seats only (§3)")

    @property
    def preset(self) -> str:
        """The preset these rules start from."""
        return _NAMES[self.seats, self.mondoubleau]

    @classmethod
    def of_preset(cls, name: str) -> Self:
        """The rules of a preset. Raises `NotationError` if there is none of that name."""
        check_type("the preset", name, str, f"a text, one of {', '.join(PRESETS)}")
        if name not in PRESETS:
            raise NotationError("syntax/preset", 1, 1, name, known=", ".join(PRESETS))
        seats, mondoubleau = PRESETS[name]
        rules = cls(seats=seats, mondoubleau=mondoubleau)
        return replace(rules, declare="lead") if mondoubleau else rules

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `preset;option=value;…`; `NotationError` with the column of what is wrong."""
        check_type("rules", text, str, "a text, such as 'classic;head=always'")
        preset, *settings = text.split(";")
        rules = cls.of_preset(preset)
        chosen: dict[str, Any] = {}
        column = len(preset) + 2
        for setting in settings:
            name, _, value = setting.partition("=")
            option = name.replace("-", "_")
            if option not in OPTIONS or name != text_name(option):
                raise NotationError(
                    "syntax/option", 1, column, setting, known=", ".join(map(text_name, OPTIONS))
                )
            if value not in VALUES[option]:
                raise NotationError(
                    "syntax/option-value", 1, column, setting, known=", ".join(VALUES[option])
                )
            if option in chosen:
                raise NotationError("syntax/option-twice", 1, column, setting)
            if option == "deal" and value != "one" and PRESETS[preset][0] != 2:
                raise NotationError("syntax/packets", 1, column, setting)
            chosen[option] = value
            column += len(setting) + 1
        return replace(rules, **chosen)

    def __str__(self) -> str:
        plain = Rules.of_preset(self.preset)
        return ";".join(
            [self.preset]
            + [
                f"{text_name(option)}={getattr(self, option)}"
                for option in OPTIONS
                if getattr(self, option) != getattr(plain, option)
            ]
        )

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"


PRESETS: dict[str, tuple[Literal[2, 3, 4], bool]] = {
    "classic": (2, False),
    "three": (3, False),
    "four": (4, False),
    "mondoubleau": (2, True),
    "mondoubleau-three": (3, True),
    "mondoubleau-four": (4, True),
}
_NAMES = {key: name for name, key in PRESETS.items()}
OPTIONS = tuple(field.name for field in fields(Rules) if field.name not in ("seats", "mondoubleau"))
"""The options' field names in canonical order."""
VALUES: dict[str, tuple[str, ...]] = {
    option: get_args(hint) for option, hint in get_type_hints(Rules).items() if option in OPTIONS
}
"""What each option may be, the general default first."""


def text_name(option: str) -> str:
    """An option's name in text: `trump_chouine` is `trump-chouine`."""
    return option.replace("_", "-")
