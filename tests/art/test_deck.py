"""The deck served to the table's pages is the one that `art` draws, and keeps what art/README.md promises."""

import gzip
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
SERVED = ROOT / "src" / "chouine" / "server" / "static" / "deck"
CARDS = [f"card-{rank}{suit}" for suit in "shdc" for rank in "atkqj987"]
SUITS = [f"suit-{suit}" for suit in "shdc"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def text() -> str:
    return (SERVED / "deck.svg").read_text()


@pytest.fixture(scope="module")
def root(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314  our own file


@pytest.fixture(scope="module")
def colours() -> dict[str, dict[str, str]]:
    """By class of the style sheet, the colour of each suit."""
    sheet = (SERVED / "deck.css").read_text()
    rules = re.findall(r"\.deck-(\w+)-colours \{(.*?)\}", sheet)
    return {name: dict(re.findall(r"--deck-(\w+): (#\w{6});", body)) for name, body in rules}


def test_drawing_again_gives_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "art", tmp_path], cwd=ROOT, check=True)
    drawn = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert drawn == {file.name: file.read_bytes() for file in SERVED.iterdir()}


def test_symbols_are_the_cards_the_back_and_the_suits(root: ET.Element) -> None:
    public = [symbol.get("id") for symbol in root.findall(f"{SVG}symbol")]
    assert public == [*CARDS, "back", *SUITS]
    boxes = {symbol.get("viewBox") for symbol in root.findall(f"{SVG}symbol")[:33]}
    assert boxes == {"0 0 240 336"}


def test_ids_are_unique_and_every_reference_has_its_drawing(root: ET.Element) -> None:
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(str(name).startswith("deck-") for name in set(ids) - {*CARDS, "back", *SUITS})
    used = {str(element.get("href")).removeprefix("#") for element in root.iter(f"{SVG}use")}
    assert used <= set(ids)
    assert {name for name in ids if str(name).startswith("deck-")} <= used, "a drawing nobody uses"


def test_weighs_no_more_than_60_kilobytes_packed() -> None:
    assert len(gzip.compress((SERVED / "deck.svg").read_bytes(), 9)) <= 60_000


def test_needs_no_font_no_inline_style_no_script_and_no_other_file(text: str, root: ET.Element) -> None:
    names = {element.tag.removeprefix(SVG) for element in root.iter() if element.tag.startswith(SVG)}
    assert names == {"svg", "metadata", "defs", "symbol", "g", "use", "path", "rect", "circle", "ellipse"}
    assert not any("style" in element.attrib for element in root.iter())
    assert "url(" not in text
    assert all(str(element.get("href")).startswith("#") for element in root.iter(f"{SVG}use"))


def test_is_given_to_the_public_domain(text: str) -> None:
    assert 'rdf:resource="http://creativecommons.org/publicdomain/zero/1.0/"' in text


def test_the_back_is_the_same_turned_half_round(root: ET.Element) -> None:
    """What is not turned with its half is a frame about the middle, or the river's odd waves."""
    back = root.find(f"{SVG}symbol[@id='back']")
    assert back is not None
    for rect in back.findall(f"{SVG}rect"):
        x, y, width, height = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
        assert (2 * x + width, 2 * y + height) == (240, 336)
    halves = [use.get("transform") for use in back.iter(f"{SVG}use")]
    assert halves == [None, "rotate(180)"] * 4


@pytest.mark.parametrize("pack", ["two", "four"])
def test_colours_can_be_told_from_the_card(pack: str, colours: dict[str, dict[str, str]]) -> None:
    """WCAG 2.2, level AA for text: 4.5 to 1 on white."""
    assert set(colours[pack]) == {"spades", "hearts", "diamonds", "clubs"}
    assert len(set(colours[pack].values())) == {"two": 2, "four": 4}[pack]
    for colour in colours[pack].values():
        assert 1.05 / (_luminance(colour) + 0.05) >= 4.5


def test_colours_without_a_class_are_those_of_two(text: str, colours: dict[str, dict[str, str]]) -> None:
    for name, colour in colours["two"].items():
        assert set(re.findall(rf"var\(--deck-{name},(.*?)\)", text)) == {colour}


def test_the_readme_names_every_class_and_every_property(text: str) -> None:
    sheet = (SERVED / "deck.css").read_text()
    named = set(re.findall(r"`(?:--)?(deck-[a-z-]+)`", (ROOT / "art" / "README.md").read_text())) - {"deck-"}
    classes = set(re.findall(r"\.(deck-[a-z-]+) \{", sheet))
    assert named == classes | set(re.findall(r"var\(--(deck-\w+),", text))


def test_orange_diamonds_of_the_readme_can_be_told_from_the_card() -> None:
    orange = re.search(r"--deck-diamonds: (#\w{6})", (ROOT / "art" / "README.md").read_text())
    assert orange is not None
    assert 1.05 / (_luminance(orange[1]) + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
