"""The options: a field with a default for each custom that can be chosen, and six presets."""

from __future__ import annotations

from typing import Any

import pytest

from chouine import rules
from chouine.errors import NotationError
from chouine.rules import OPTIONS, PRESETS, VALUES, Rules, RuleTable, rule_table_of
from chouine.rules.options import text_name

DEFAULTS = {
    "deal": "one",
    "head": "trumps",
    "overruff": "yes",
    "declare": "any",
    "figure": "played",
    "again": "never",
    "trump-chouine": "partie",
    "seven": "turn",
    "au-sept": "yes",
    "seven-last": "yes",
    "tie": "replay",
    "fixing": "double",
}


def test_defaults_are_the_first_value_named() -> None:
    """§3, §8-§12, §17: Each option's default is its first value."""
    assert {text_name(option): VALUES[option][0] for option in OPTIONS} == DEFAULTS
    assert {text_name(option): getattr(Rules(), option) for option in OPTIONS} == DEFAULTS


def test_presets() -> None:
    """Presets: two, three and four seats, with or without a turnup (§17)."""
    assert PRESETS == {
        "classic": (2, False),
        "three": (3, False),
        "four": (4, False),
        "mondoubleau": (2, True),
        "mondoubleau-three": (3, True),
        "mondoubleau-four": (4, True),
    }
    for name, (seats, mondoubleau) in PRESETS.items():
        rules = Rules.of_preset(name)
        assert (rules.preset, rules.seats, rules.mondoubleau, str(rules)) == (name, seats, mondoubleau, name)
        assert rules.declare == ("lead" if mondoubleau else "any")
        assert Rules.parse(name) == rules
    with pytest.raises(NotationError, match="belote"):
        Rules.of_preset("belote")


def test_text_form() -> None:
    """Text form: the preset, then changed options in fixed order, whatever the order in the input."""
    rules = Rules.parse("classic;figure=held;head=always")
    assert rules == Rules(head="always", figure="held")
    assert str(rules) == "classic;head=always;figure=held"
    assert repr(rules) == "Rules.parse('classic;head=always;figure=held')"
    assert str(Rules.parse("classic;head=trumps")) == "classic"
    assert str(Rules.parse("mondoubleau;declare=any")) == "mondoubleau;declare=any"
    assert str(Rules.parse("mondoubleau;declare=lead")) == "mondoubleau"
    assert str(Rules(trump_chouine="manche", au_sept="no")) == "classic;trump-chouine=manche;au-sept=no"


@pytest.mark.parametrize(
    ("text", "code", "column", "token"),
    [
        ("", "syntax/preset", 1, ""),
        ("belote", "syntax/preset", 1, "belote"),
        ("classic;", "syntax/option", 9, ""),
        ("classic;heads=always", "syntax/option", 9, "heads=always"),
        ("classic;au_sept=no", "syntax/option", 9, "au_sept=no"),
        ("classic;seats=3", "syntax/option", 9, "seats=3"),
        ("classic;head=never", "syntax/option-value", 9, "head=never"),
        ("classic;head", "syntax/option-value", 9, "head"),
        ("classic;head=always;head=always", "syntax/option-twice", 21, "head=always"),
        ("classic;figure=held;again=twice", "syntax/option-value", 21, "again=twice"),
        ("three;deal=two-three", "syntax/packets", 7, "deal=two-three"),
    ],
)
def test_a_parse_error_has_its_column(text: str, code: str, column: int, token: str) -> None:
    """A parse error has its code, column and token."""
    with pytest.raises(NotationError) as refused:
        Rules.parse(text)
    assert (refused.value.code, refused.value.line, refused.value.column) == (code, 1, column)
    assert refused.value.token == token
    assert token in str(refused.value)


def test_packets_are_read_for_two_seats_and_as_one_for_more() -> None:
    """§3: Packets are read for two seats; with more, `deal=one` is read as the default."""
    assert Rules.parse("classic;deal=two-three").deal == "two-three"
    assert Rules.parse("three;deal=one") == Rules.of_preset("three")


@pytest.mark.parametrize("option", OPTIONS)
def test_a_value_that_is_none_is_refused(option: str) -> None:
    """The constructor rejects a value that is not one of the option's."""
    wrong: dict[str, Any] = {option: "perhaps"}
    with pytest.raises(ValueError, match="is one of"):
        Rules(**wrong)


def test_a_book_is_made_once() -> None:
    """Equal rules share one table."""
    assert rule_table_of(Rules()) is rule_table_of(Rules.parse("classic"))
    assert rule_table_of(Rules(again="full")).again == 1


def test_former_names_warn() -> None:
    """Names of before stay for one minor version."""
    with pytest.warns(DeprecationWarning, match=r"chouine\.rules\.Book is now chouine\.rules\.RuleTable"):
        assert rules.Book is RuleTable
    with pytest.warns(DeprecationWarning, match=r"book_of is now chouine\.rules\.rule_table_of"):
        assert rules.book_of is rule_table_of
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rules.nothing  # type: ignore[attr-defined]
