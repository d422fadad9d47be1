"""The options of the rules and their presets, as words."""

SEATS_OF_PRESET = {
    "classic": 2,
    "three": 3,
    "four": 4,
    "mondoubleau": 2,
    "mondoubleau-three": 3,
    "mondoubleau-four": 4,
}

CHOICES = {
    "deal": ["one", "two-three", "three-two"],  # §3
    "head": ["trumps", "always"],  # §8
    "overruff": ["yes", "no"],  # §8
    "declare": ["any", "lead"],  # §9.1
    "figure": ["played", "held"],  # §9.3
    "again": ["never", "full", "difference"],  # §9.4
    "trump-chouine": ["partie", "manche"],  # §10
    "seven": ["turn", "lead"],  # §11
    "au-sept": ["yes", "no"],  # §11
    "seven-last": ["yes", "no"],  # §11
    "tie": ["replay", "nobody"],  # §12
    "fixing": ["double", "plain"],  # §17
}


def default(preset: str, option: str) -> str:
    """The default of an option: its first value, except that Mondoubleau declares on lead (§17)."""
    if option == "declare" and preset.startswith("mondoubleau"):
        return "lead"
    return CHOICES[option][0]


def parse_rules(text: str) -> dict[str, str]:
    """The value of every option, and the preset under the key "preset"."""
    preset, *differing = text.split(";")
    if preset not in SEATS_OF_PRESET:
        raise ValueError(f"no preset {preset!r}")
    options = {"preset": preset}
    for option in CHOICES:
        options[option] = default(preset, option)
    for item in differing:
        option, _, value = item.partition("=")
        if value not in CHOICES.get(option, []):
            raise ValueError(f"no option {item!r}")
        options[option] = value
    if options["deal"] != "one" and SEATS_OF_PRESET[preset] != 2:
        raise ValueError("§3: packets are dealt with two seats only")
    return options
