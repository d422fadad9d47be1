"""Settings are kept; invalid ones are reported in words."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from chouine.phrases import Language, translations
from chouine.server.pages.env import STATIC, TEMPLATES
from chouine.server.pages.errors import SENTENCES, STATUSES, Refusal, error_page
from chouine.server.pages.settings import BACKS, settings_page
from chouine.server.pages.visit import FELTS, Settings, Visit
from tests.server.pages.reading import Page


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(
            four_colours=True,
            large=True,
            hold=0.5,
            sorted=True,
            across=True,
            sound=True,
            indices="en",
            recall=True,
        ),
        Settings(hold=7.25, indices="fr"),
        Settings(window=17.5),
        Settings(pace="lively", tally="off"),
        Settings(theme="dark", motion="less", tally="always"),
        Settings(felt="wine", backs="vines"),
        Settings(emblem="qs", volume=0.3),
    ],
)
def test_the_form_sends_back_what_it_shows(settings: Settings) -> None:
    page = Page(settings_page(Visit("fr", "a-token", "g", settings=settings), "/table/g?as=1"))
    sent = page.form("/settings").sent
    assert {
        name for name in ("four_colours", "large", "sorted", "across", "sound", "recall") if name in sent
    } == {
        name
        for name in ("four_colours", "large", "sorted", "across", "sound", "recall")
        if getattr(settings, name)
    }
    assert (float(sent["hold"]), float(sent["window"])) == (settings.hold, settings.window)
    assert (sent["pace"], sent["felt"], sent["backs"]) == (settings.pace, settings.felt, settings.backs)
    assert (sent["indices"], sent["emblem"]) == (settings.indices, settings.emblem)
    assert float(sent["volume"]) == settings.volume
    assert (sent["theme"], sent["motion"], sent["tally"]) == (settings.theme, settings.motion, settings.tally)
    assert (sent["csrf"], sent["back"]) == ("a-token", "/table/g?as=1")
    assert page.form("/language").sent["back"] == "/settings?back=/table/g%3Fas%3D1"


def test_every_cloth_and_every_back_is_offered_as_it_looks() -> None:
    """Each cloth and card back is shown beside its name, and the page uses the chosen ones."""
    html = settings_page(Visit("en", "a-token", "g", settings=Settings(felt="slate", backs="river")), "/")
    chosen, rest = html.split("<body", 1)
    assert {"felt-slate", "deck-back-river"} <= set(re.findall(r"[\w-]+", chosen))
    assert set(re.findall(r'class="swatch felt-(\w+)"', rest)) == set(FELTS)
    assert set(re.findall(r'class="swatch deck-back-(\w+)"', rest)) == set(BACKS)
    assert FELTS["slate"] in chosen


def test_every_field_to_write_in_has_the_same_border() -> None:
    """Of whatever kind it is; only ticks, slides and files look otherwise."""
    sheet = (STATIC / "css" / "base.css").read_text("utf-8")
    rule = re.search(r"\ninput:is\((.*?)\), select \{[^}]* border: 2px", sheet)
    assert rule is not None
    pages = "".join(path.read_text("utf-8") for path in TEMPLATES.rglob("*.html"))
    kinds = {
        *re.findall(r'<input\b[^>]*? type="([\w-]+)"', pages),
        *re.findall(r"\bfield\(.*\bkind='([a-z-]+)'", pages),
    }
    others = {"hidden", "file", "checkbox", "radio", "range"}
    assert kinds > others
    assert set(re.findall(r'type="([\w-]+)"', rule[1])) == kinds - others


@pytest.mark.parametrize("felt", FELTS)
def test_what_lies_on_a_cloth_can_be_read(felt: str) -> None:
    """WCAG 2.2, level AA: text and gold have enough contrast to every colour of the cloth."""
    sheet = (STATIC / "css" / "base.css").read_text("utf-8")
    rule = re.search(rf"\.felt-{felt} \{{(.*?)\}}", sheet)
    assert rule is not None
    cloth = dict(re.findall(r"--felt(-\w+)?: (#\w{6});", rule[1]))
    assert cloth["-dark"] == FELTS[felt]
    for writing in re.findall(r"--(?:on-felt|gold): (#\w{6});", sheet):
        assert all(contrast(writing, ground) >= 4.5 for ground in cloth.values())


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("language", "half"), [("fr", "0,5 seconde"), ("en", "0.5 seconds")])
def test_numbers_are_written_as_the_language_writes_them(language: Language, half: str) -> None:
    assert half in Page(settings_page(Visit(language, "a-token", "g"), "/")).text


@pytest.mark.parametrize("code", SENTENCES)
def test_faults_have_sentences(code: str) -> None:
    french = translations("fr").gettext(SENTENCES[code])
    assert french != SENTENCES[code]
    assert " ".join(french.split()) in Page(error_page(Visit("fr", "t", "g"), Refusal(404, code))).text


@pytest.mark.parametrize("status", STATUSES)
def test_statuses_have_sentences(status: int) -> None:
    assert STATUSES[status] in Page(error_page(Visit("en", "t", "g"), Refusal(status, "Not Found"))).text


def test_any_other_fault_is_ours() -> None:
    page = Page(error_page(Visit("en", "t", "g"), Refusal(500, "<b>")))
    assert SENTENCES["failure"] in page.text
    assert "<b>" not in page.html


@pytest.mark.parametrize(
    ("theme", "dark", "bars"),
    [
        ("auto", ['media="screen and (prefers-color-scheme: dark)"'], 2),
        ("light", [], 1),
        ("dark", ['media="screen"'], 1),
    ],
)
def test_the_theme_is_the_device_s_or_the_one_chosen(
    theme: Literal["auto", "light", "dark"], dark: list[str], bars: int
) -> None:
    """The dark style sheet is linked for those who see it; the colour around the page follows."""
    html = settings_page(Visit("en", "a-token", "g", settings=Settings(theme=theme)), "/")
    assert re.findall(r'css/dark\.css[^"]*" (media="[^"]*")', html) == dark
    assert html.count('name="theme-color"') == bars


@pytest.mark.parametrize("motion", ["auto", "less"])
def test_less_motion_is_by_the_device_or_by_choice(motion: Literal["auto", "less"]) -> None:
    html = settings_page(Visit("en", "a-token", "g", settings=Settings(motion=motion)), "/")
    asked = re.search(r'css/still\.css[^"]*"([^>]*)>', html)
    assert asked is not None
    assert ("prefers-reduced-motion" in asked[1]) == (motion == "auto")
    assert (" still" in html.split("<head", 1)[0]) == (motion == "less")
