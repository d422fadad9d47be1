"""The documentation site: complete, small, self-contained, and searchable in both languages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect, sync_playwright
from sphinx.search.en import SearchEnglish

from tests.needs import browser_program, need
from tests.patience import PATIENCE
from tools.site import APART, CHAPTERS, FORGE, PYTHON, THEME_IN_FRENCH, PlainFrench, pages_of

ROOT = Path(__file__).parent.parent
MOST = 5_500_000
"""Maximum size in bytes."""
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "use": "href"}


class Page(HTMLParser):
    """The resources, links and anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.ids: set[str] = set()
        self.viewport = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.add(given.get("id", ""))
        self.viewport |= tag == "meta" and given.get("name") == "viewport"
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loads.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "tools.site", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_document_has_its_page() -> None:
    shown = {document for language in CHAPTERS for document in pages_of(language).values()}
    written = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")}
    assert written - shown == {FORGE}
    assert {"RULES.md", "REGLES.md", "CHANGELOG.md"} <= shown
    assert all(page not in APART["fr"] for page in pages_of("fr"))


def test_every_link_leads_somewhere(pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        for target in page.leads:
            if re.match(r"https?:|mailto:", target):
                continue
            name, _, anchor = unquote(target).partition("#")
            there = (path.parent / name).resolve() if name else path.resolve()
            assert there.is_file(), f"{path.name}: {target}"
            if anchor and there.suffix == ".html":
                assert anchor in pages[there].ids, f"{path.name}: {target}"


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        for target in page.loads:
            assert not re.match(r"(https?:)?//", target), f"{path.name}: {target}"
            assert (
                target.startswith(("data:", "#"))
                or (path.parent / unquote(target).partition("?")[0]).is_file()
            ), target
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", sheet.read_text(encoding="utf-8"))


def test_every_page_fits_a_phone(pages: dict[Path, Page]) -> None:
    assert all(page.viewport for page in pages.values())


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_the_site_is_small(site: Path) -> None:
    """Python for browsers, which only one page asks for, is as large as that page says."""
    assert size_of(site) - size_of(site / PYTHON) <= MOST
    need("pyodide")
    assert f"{size_of(site / PYTHON) / 1e6:.0f} MB" in (site / "en" / "try.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site on a host that knows nothing but files."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.serving
@pytest.mark.parametrize(("language", "page"), [("en", "try"), ("fr", "essayer")])
def test_every_program_runs_in_the_browser(address: str, language: str, page: str) -> None:
    """As it is and changed, with an error's traceback, stopped and started again; nothing else is asked for."""
    need("chromium", "pyodide")
    asked = list[str]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 360, "height": 740})
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(f"{address}/{language}/{page}.html")
        place, told = shown.locator("#try"), shown.locator("#try pre")
        run, field = place.locator("button"), place.locator("textarea")

        def told_by(program: str | None = None) -> str:
            if program is not None:
                field.fill(program)
            run.click()
            expect(place).not_to_have_attribute("aria-busy", "true", timeout=1000 * PATIENCE)
            return told.inner_text().strip()

        assert not told_by()
        shown.wait_for_function("() => document.querySelector('#try img')?.naturalWidth > 100")
        names = place.locator("option").all_inner_texts()
        for name in names[1:]:
            place.locator("select").select_option(name)
            assert "Traceback" not in told_by(), name
        assert len(names) >= 8
        assert told_by("print(6 * 7)\n'Qs'") == "42\n'Qs'"
        assert "ZeroDivisionError" in told_by("1 / 0")
        field.fill("while True: pass")
        run.click()
        expect(place).to_have_attribute("aria-busy", "true")
        run.click()
        assert told_by("print('again')") == "again"
        assert shown.evaluate("document.documentElement.scrollWidth") <= 360
        browser.close()
    assert all(url.startswith((address, "blob:", "data:")) for url in asked)


@pytest.mark.parametrize(
    ("language", "words", "page"),
    [
        ("fr", "tierce", "livre"),
        ("fr", "référence entraînée", "programmer"),
        ("fr", "reference entrainee", "programmer"),
        ("fr", "ECHANGE", "regles"),
        ("fr", "reseau", "livre"),
        ("fr", "coeur", "regles"),
        ("fr", "concours", "concours"),
        ("en", "tierce", "book"),
        ("en", "legal acts", "programmers"),
        ("en", "trained baseline", "research"),
        ("en", "contest", "contest"),
    ],
)
def test_search_finds_a_page_with_all_words(site: Path, language: str, words: str, page: str) -> None:
    text = (site / language / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    stem = {"fr": PlainFrench, "en": SearchEnglish}[language]({}).stem

    def pages_with(word: str) -> set[str]:
        each = [index[part].get(stem(word), []) for part in ("terms", "titleterms")]
        numbers = [nth for part in each for nth in (part if isinstance(part, list) else [part])]
        return {index["docnames"][nth] for nth in numbers}

    assert page in set.intersection(*map(pages_with, words.split()))


def test_each_half_speaks_its_language(site: Path) -> None:
    for language, word in (("fr", "Recherche"), ("en", "Search")):
        page = (site / language / "index.html").read_text(encoding="utf-8")
        assert f'lang="{language}"' in page
        assert f'placeholder="{word}"' in page
    for path in (site / "fr").rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert [said for said in THEME_IN_FRENCH if said in page] == [], path
