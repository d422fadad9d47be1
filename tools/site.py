"""Build the documentation site in French and English from the documents: `python -m tools.site [FOLDER]`.

Each document becomes a page with its own name, and links between documents become links between pages, across
languages where necessary. Sphinx runs once for each language, so that each has its own search.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from os.path import normpath
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import combining, normalize
from zipfile import ZIP_DEFLATED, ZipFile

from sphinx.search.fr import SearchFrench

from art.sprite import HEIGHT, WIDTH, sprite
from chouine.phrases.typography import french_print

ROOT = Path(__file__).parent.parent
SITE = ROOT / "docs" / "site"
Chapters = Mapping[str, Mapping[str, str]]
"""Headings; under each, pages and their source documents."""
CHAPTERS: dict[str, Chapters] = {
    "fr": {
        "Jouer": {"apprendre": "docs/site/apprendre.md", "regles": "REGLES.md", "livre": "docs/book/fr.md"},
        "Les clubs": {"concours": "docs/concours.md"},
        "Aller plus loin": {"programmer": "docs/site/programmer.md", "essayer": "docs/site/essayer.md"},
    },
    "en": {
        "Play": {"learn": "docs/site/learn.md", "rules": "RULES.md", "book": "docs/book/en.md"},
        "Program": {
            "try": "docs/site/try.md",
            "programmers": "docs/programmers.md",
            "api": "docs/site/api.md",
            "notation": "docs/notation.md",
            "server-api": "docs/server-api.md",
            "engines": "docs/site/engines.md",
            "stability": "docs/stability.md",
            "architecture": "docs/architecture.md",
            "decisions": "docs/adr/README.md",
            "contributing": "CONTRIBUTING.md",
            "changelog": "CHANGELOG.md",
        },
        "Research": {"research": "docs/research.md", "strength": "docs/strength.md"},
        "Run a server, run a contest": {
            "deploy": "docs/deploy.md",
            "security": "docs/security.md",
            "contest": "docs/contest.md",
        },
    },
}
LISTED = {
    document for chapters in CHAPTERS.values() for pages in chapters.values() for document in pages.values()
}
DOCUMENTS = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md") if path.parent != SITE}
FORGE = "docs/index.md"
"""The first page on a forge; the site has its own."""
APART: dict[str, dict[str, str]] = {
    "en": {
        "weights": "src/chouine/ai/weights/README.md",
        **{
            document.removeprefix("docs/").removesuffix(".md"): document
            for document in sorted(DOCUMENTS - LISTED - {FORGE})
        },
    },
    "fr": {},
}
"""Pages that are linked to, but in no table of contents."""
LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```.*?^```)", re.DOTALL | re.MULTILINE)
CARDS = re.compile(r"^:cards: (.+)$", re.MULTILINE)
TRY = re.compile(r"^:try: (.+)$", re.MULTILINE)
PROGRAM = re.compile(r"^### ([^\n]+)\n(?:(?!^#).)*?^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
NEEDS_MORE = re.compile(r"deals\(|advise\(|asyncio")
"""Programs that need packages which the page "try it now" does not have."""
PICTURE = """from random import Random
import chouine

deal = chouine.Deal.random(chouine.Rules(), dealer=0, rng=Random(3))
players = [chouine.player_of("heuristic"), chouine.player_of("level:3")]
record = chouine.Record.of(chouine.play_partie(chouine.Rules(), deal, players).state)
list(record.states())[21].view(1)
"""
PYTHON = "python"
"""The site's folder with Python for browsers."""
RUNTIME = ROOT / "src/chouine/server/offline/runtime"
CORE = (
    "ai",
    "arena",
    "jobs",
    "match",
    "notation",
    "partie",
    "phrases",
    "players",
    "rules",
    "school/problems",
)
"""Packages of the core, beside the modules that are in none."""
ARTICLE = re.compile(r"^## §(\d+) .+$", re.MULTILINE)
NAMED_ARTICLE = re.compile(r"(?<![\[\w])§(\d+)(?![\]\d])")
HISTORY = ("docs/adr/0", "CHANGELOG")
"""Excluded from search: old decisions would rank above the pages on the current state."""
SUIT_IN_ORDER = "ad td kd qd jd 9d 8d 7d"
FIGURES = "ks qs | kh qh jh | ad kd qd jd | as ah td tc ac | ac tc kc qc jc"
PICTURED = {page: {"§1": SUIT_IN_ORDER, "§9": FIGURES} for page in ("regles", "rules")}
"""Cards shown under headings of the rule book: the order of a suit; the figures."""
SAID = {
    SUIT_IN_ORDER: {
        "fr": "As, Dix, Roi, Dame, Valet, Neuf, Huit, Sept",
        "en": "Ace, ten, king, queen, jack, nine, eight, seven",
    },
    "ks qs": {"fr": "Un mariage, vingt", "en": "A mariage, a twenty"},
    "kh qh jh": {"fr": "Une tierce, trente", "en": "A tierce, a thirty"},
    "ad kd qd jd": {"fr": "Un quarteron, quarante", "en": "A quarteron, a forty"},
    "as ah td tc ac": {"fr": "Une quinte, cinquante", "en": "A quinte, a fifty"},
    "ac tc kc qc jc": {"fr": "Une chouine", "en": "A chouine"},
}

THEME_IN_FRENCH = {
    ">Next<": ">Page suivante<",
    ">Previous<": ">Page précédente<",
    ">Home<": ">Accueil<",
    ">Contents<": ">Sommaire<",
    ">Expand<": ">Déplier<",
    ">Light mode<": ">Page claire<",
    ">Dark mode<": ">Page sombre<",
    ">Auto light/dark, in light mode<": ">Comme l’appareil (claire)<",
    ">Auto light/dark, in dark mode<": ">Comme l’appareil (sombre)<",
    "Skip to content": "Aller au texte",
    "Back to top": "Haut de la page",
    "On this page": "Sur cette page",
    "Made with": "Fait avec",
    "Copyright &#169; ": "© ",
    "The Chouine authors, MIT; cards and figures CC0": "Les auteurs de Chouine, licence MIT ; cartes et chiffres CC0",
    "Toggle site navigation sidebar": "Sommaire du site",
    "Toggle table of contents sidebar": "Sommaire de la page",
    "Toggle Light / Dark / Auto color theme": "Page claire, sombre, ou comme l’appareil",
}
"""The theme's English texts, which it does not translate."""


def pages_of(language: str) -> dict[str, str]:
    """Every page of a language, with its document."""
    found = {"index": f"docs/site/{language}.md"}
    for pages in CHAPTERS[language].values():
        found |= pages
    return found | APART[language]


def row_of_cards(cards: Sequence[str], language: str) -> str:
    """Several cards as one SVG, with only the necessary parts of the deck."""
    letters = {"fr": "--deck-fr:inline;--deck-en:none", "en": "--deck-fr:none;--deck-en:inline"}[language]
    drawings = {
        found[1]: line
        for line in sprite().splitlines()
        if (found := re.match(r'<\w+[^>]*? id="([^"]+)"', line))
    }
    wanted, needed = [f"card-{card}" for card in cards], dict[str, str]()
    while wanted:
        name = wanted.pop()
        if name not in needed and name in drawings:
            needed[name] = drawings[name]
            wanted += re.findall(r'href="#([^"]+)"', drawings[name])
    step = WIDTH + 16
    uses = "".join(
        f'<use href="#card-{card}" x="{step * nth}" width="{WIDTH}" height="{HEIGHT}"/>'
        for nth, card in enumerate(cards)
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {step * len(cards) - 16} {HEIGHT}">'
    return f"{head}<style>:root{{{letters}}}</style><defs>{''.join(needed.values())}</defs>{uses}</svg>"


def with_article_links(text: str) -> str:
    """The text with each § of the rule book linked to its section."""
    marked = ARTICLE.sub(r"(article-\1)=\n\g<0>", text)
    return "\n".join(
        line if line.startswith("#") else NAMED_ARTICLE.sub(r"[§\1](#article-\1)", line)
        for line in marked.split("\n")
    )


class PlainFrench(SearchFrench):
    """French whose words are found with and without their accents."""

    js_splitter_code = r"""
var splitQuery = (query) => query.normalize("NFD").replace(/\p{M}/gu, "").replace(/œ/gi, "oe")
  .split(/[^\p{L}\p{N}_]+/u).filter((word) => word);
"""

    def stem(self, word: str) -> str:
        plain = "".join(sign for sign in normalize("NFD", word.lower()) if not combining(sign))
        return super().stem(plain.replace("œ", "oe"))


class Half:
    """Writes the Sphinx sources of one language."""

    def __init__(self, language: str, folder: Path) -> None:
        self.language, self.folder = language, folder
        self.other = "en" if language == "fr" else "fr"
        self.pages = {document: page for page, document in pages_of(language).items()}
        self.others = {document: page for page, document in pages_of(self.other).items()}

    def write(self) -> None:
        """Write every page, with its pictures."""
        for document, page in self.pages.items():
            path = self.folder / f"{page}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.page(document, page), encoding="utf-8")
        shutil.copy(SITE / "conf.py", self.folder)
        shutil.copy(ROOT / "src/chouine/server/static/icon.svg", self.folder)
        (self.folder / "_static").mkdir()
        for name in ("chouine.css", "try.js", "try-worker.js"):
            shutil.copy(SITE / name, self.folder / "_static")

    def page(self, document: str, page: str) -> str:
        """The text of a page, from its document."""
        text = (ROOT / document).read_text(encoding="utf-8")
        for heading, cards in PICTURED.get(page, {}).items():
            text = re.sub(
                rf"^(## {heading}\b.*)$", rf"\1\n\n:cards: {cards}", text, count=1, flags=re.MULTILINE
            )
        if page in PICTURED:
            text = with_article_links(text)
        text = CARDS.sub(lambda found: self.cards(found[1]), text)
        text = TRY.sub(lambda found: try_it_now(found[1].split(" | ")), text)
        parts = FENCE.split(text)
        parts[::2] = [LINK.sub(lambda found: self.link(found, document, page), part) for part in parts[::2]]
        if self.language == "fr":
            parts[::2] = [french_print(part) for part in parts[::2]]
        text = "".join(parts)
        if page == "engines":
            text += "".join(self.engines())
        if page == "index":
            text += "".join(self.contents())
        settings = ["orphan: true"] * (page in APART[self.language])
        settings += ["nosearch: true"] * document.startswith(HISTORY)
        if settings:
            text = "\n".join(("---", *settings, "---", text))
        return text

    def contents(self) -> Iterator[str]:
        """The tables of contents, which the theme shows on every page."""
        for heading, pages in CHAPTERS[self.language].items():
            yield (
                f"\n\n```{{toctree}}\n:hidden:\n:caption: {heading}\n:maxdepth: 1\n\n"
                + "\n".join(pages)
                + "\n```\n"
            )

    @staticmethod
    def engines() -> Iterator[str]:
        """The full source of both example engines."""
        for name, language in (("engine.py", "python"), ("engine.mjs", "js")):
            code = (ROOT / "examples" / name).read_text(encoding="utf-8")
            yield f"\n## `examples/{name}`\n\n```{language}\n{code}```\n"

    def cards(self, groups: str) -> str:
        """Groups of cards as pictures."""
        return "\n\n".join(self.picture_of(group.strip()) for group in groups.split("|"))

    def picture_of(self, group: str) -> str:
        name = f"cards-{group.replace(' ', '-')}.svg"
        (self.folder / name).write_text(row_of_cards(group.split(), self.language), encoding="utf-8")
        height = 88 if len(group.split()) < 6 else 80
        said = SAID[group][self.language]
        return f"```{{figure}} /{name}\n:alt: {said}\n:align: left\n:height: {height}px\n\n{said}\n```"

    def link(self, found: re.Match[str], document: str, page: str) -> str:
        """A document's link, converted to a link of its page."""
        picture, text, target = found[1], found[2], found[3]
        if target.startswith(("http:", "https:", "mailto:", "#")):
            return found[0]
        name, _, anchor = target.partition("#")
        place = normpath(Path(document).parent / name)
        place = "docs/adr/README.md" if place == "docs/adr" else place
        after = f"#{anchor}" if anchor else ""
        up = "../" * page.count("/")
        if picture:
            shutil.copy(ROOT / place, self.folder)
            return f"![{text}](/{Path(place).name})"
        if place.endswith(".csv"):
            return f'<a href="{up}../data/{Path(place).name}">{text}</a>'
        if place in self.pages:
            return f"[{text}]({up}{self.pages[place]}.md{after})"
        if place in self.others:
            return f'<a href="{up}../{self.other}/{self.others[place]}.html{after}">{text}</a>'
        return text.strip("`") and f"`{place}`" if text == place else text


def try_it_now(words: Sequence[str]) -> str:
    """The field with the programs of ten minutes; `words` are the page's own, in order of their attributes below."""
    text = (ROOT / "docs/programmers.md").read_text(encoding="utf-8")
    programs = [("A hand, drawn", PICTURE)]
    programs += [(name, program) for name, program in PROGRAM.findall(text) if not NEEDS_MORE.search(program)]
    run, stop, getting, running, missing, label = map(escape, words)
    options = "".join(f"<option>{escape(name)}</option>" for name, _ in programs)
    return (
        f'```{{raw}} html\n<div id="try" data-run="{run}" data-stop="{stop}" data-getting="{getting}" '
        f'data-running="{running}" data-missing="{missing}" data-programs="{escape(json.dumps(programs))}">\n'
        f"<label>{label} <select>{options}</select></label>\n"
        f'<textarea aria-label="{label}" rows="14" spellcheck="false" autocapitalize="off"></textarea>\n'
        f'<button type="button">{run}</button>\n<pre role="status"></pre>\n<div></div>\n</div>\n'
        f'<script type="module" src="_static/try.js"></script>\n```'
    )


def write_python(folder: Path) -> None:
    """Write Python for browsers, if `make offline` has fetched it, and the core's sources beside it."""
    if not (RUNTIME / ".complete").exists():
        return
    folder.mkdir(exist_ok=True)
    for path in RUNTIME.glob("*.gz"):
        if path.name == "pyodide.asm.wasm.gz":  # not called .gz, which some servers label as an encoding
            shutil.copy(path, folder / "pyodide.asm.wasm.packed")
        else:
            (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    package = ROOT / "src" / "chouine"
    modules = [path for path in package.glob("*.py") if path.name != "daily.py"]
    modules += [
        path for name in CORE for path in (package / name).rglob("*.py") if "training" not in path.parts
    ]
    modules += [*(package / "fast").glob("*.py"), *package.glob("phrases/locale/**/*.mo")]
    modules += [package / "server/static/deck/deck.svg", *package.glob("[ap]*/*.json")]
    with ZipFile(folder / "core.zip", "w", ZIP_DEFLATED, compresslevel=9) as core:
        for path in sorted(modules):
            core.write(path, path.relative_to(package.parent))
        core.write(ROOT / "tests/records/lavardin.cgn", "tests/records/lavardin.cgn")


def build(folder: Path) -> None:
    """Build both languages, and a first page that redirects to the reader's."""
    for language in CHAPTERS:
        with TemporaryDirectory() as sources:
            Half(language, Path(sources)).write()
            options = ["-q", "-W", "--keep-going", "-b", "html", "-D", f"language={language}"]
            command = [sys.executable, "-m", "sphinx", *options, sources, str((folder / language).resolve())]
            subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603  # a process each: Sphinx keeps its first language
        shutil.rmtree(folder / language / ".doctrees")
        (folder / language / ".buildinfo").unlink()
    shutil.copytree(
        ROOT / "docs/book/data", folder / "data", ignore=shutil.ignore_patterns("*.md"), dirs_exist_ok=True
    )
    for path in (folder / "fr").rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        for english, french in THEME_IN_FRENCH.items():
            page = page.replace(english, french)
        path.write_text(page, encoding="utf-8")
    shutil.copy(SITE / "first.html", folder / "index.html")
    write_python(folder / PYTHON)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site")
