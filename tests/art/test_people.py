"""The characters: one small drawing for each name, in the four moods."""

import re
from pathlib import Path

import pytest

from art.people import FAMILIES, MOODS
from chouine.phrases.personas import PERSONAS

SERVED = Path(__file__).parents[2] / "src" / "chouine" / "server" / "static" / "deck"


@pytest.fixture(scope="module")
def text() -> str:
    return (SERVED / "faces.svg").read_text()


def test_everybody_has_a_portrait(text: str) -> None:
    assert [len(family) for family in FAMILIES] == [len(family) for family in PERSONAS]
    assert re.findall(r'<symbol id="(.*?)"', text) == [
        f"face-{level}{nth}" for level in range(1, 9) for nth in "abcd"
    ]


def test_weighs_less_than_60_kilobytes(text: str) -> None:
    assert len(text.encode()) <= 60 * 1024
    assert "style=" not in text
    assert "url(" not in text


def test_each_class_shows_one_mood_and_calm_is_shown_without_one(text: str) -> None:
    sheet = (SERVED / "faces.css").read_text()
    for mood in MOODS:
        rule = re.search(rf"\.mood-{mood} \{{(.*?)\}}", sheet)
        assert rule is not None
        assert dict(re.findall(r"--mood-(\w+): (\w+);", rule[1])) == {
            each: "inline" if each == mood else "none" for each in MOODS
        }
        assert f'display="var(--mood-{mood},{"inline" if mood == "calm" else "none"})"' in text
