"""Settings keep what was chosen; faults are told in words."""

from __future__ import annotations

import pytest

from chouine.phrases import translations
from chouine.server.pages.errors import SENTENCES, STATUSES, error_page
from chouine.server.pages.settings import settings_page
from chouine.server.pages.visit import Language, Settings, Visit
from tests.server.pages.reading import Page


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(four_colours=True, large=True, hold=0.5, sorted=True, sound=True, indices="en", recall=True),
        Settings(hold=7.25, indices="fr"),
        Settings(window=17.5),
        Settings(pace="lively"),
    ],
)
def test_the_form_sends_back_what_it_shows(settings: Settings) -> None:
    page = Page(settings_page(Visit("fr", "a-token", "g", settings=settings), "/table/g?as=1"))
    sent = page.form("/settings").sent
    assert {name for name in ("four_colours", "large", "sorted", "sound", "recall") if name in sent} == {
        name for name in ("four_colours", "large", "sorted", "sound", "recall") if getattr(settings, name)
    }
    assert (float(sent["hold"]), float(sent["window"])) == (settings.hold, settings.window)
    assert sent["pace"] == settings.pace
    assert sent["indices"] == settings.indices
    assert (sent["csrf"], sent["back"]) == ("a-token", "/table/g?as=1")
    assert page.form("/language").sent["back"] == "/settings?back=/table/g%3Fas%3D1"


@pytest.mark.parametrize(("language", "half"), [("fr", "0,5 seconde"), ("en", "0.5 second")])
def test_numbers_are_written_as_the_language_writes_them(language: Language, half: str) -> None:
    assert half in Page(settings_page(Visit(language, "a-token", "g"), "/")).text


@pytest.mark.parametrize("code", SENTENCES)
def test_faults_have_sentences(code: str) -> None:
    french = translations("fr").gettext(SENTENCES[code])
    assert french != SENTENCES[code]
    assert " ".join(french.split()) in Page(error_page(Visit("fr", "t", "g"), 404, code)).text


@pytest.mark.parametrize("status", STATUSES)
def test_statuses_have_sentences(status: int) -> None:
    assert STATUSES[status] in Page(error_page(Visit("en", "t", "g"), status, "Not Found")).text


def test_any_other_fault_is_ours() -> None:
    page = Page(error_page(Visit("en", "t", "g"), 500, "<b>"))
    assert SENTENCES["failure"] in page.text
    assert "<b>" not in page.html
