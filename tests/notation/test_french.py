"""Names and spoken forms of declarations."""

from __future__ import annotations

import pytest

from chouine.notation.display import declaration_announcement, declaration_name, declaration_spoken
from chouine.partie import Declaration
from chouine.phrases import Language


@pytest.mark.parametrize(
    ("language", "name", "with_article", "said"),
    [
        ("fr", "vingt de carreau", "un vingt de carreau", "J’ai un vingt de carreau"),
        ("en", "twenty of diamonds", "a twenty of diamonds", "I have a twenty of diamonds"),
    ],
)
def test_a_declaration_is_named_and_said(language: Language, name: str, with_article: str, said: str) -> None:
    """§9.5"""
    declaration = Declaration("20d")
    assert declaration_name(declaration, language) == name
    assert declaration_announcement(declaration, language) == with_article
    assert declaration_spoken(declaration, language) == said
