"""Who answers for the site: pages that every foot leads to, and `security.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.server import visitors
from chouine.server.keeping import DAYS
from chouine.server.pages.env import STATIC
from chouine.server.site import LegalNotice
from tests.server.serving import RunningServer, serving

FILE = """\
host = "Hébergeur SAS, 1 rue de la Gare, 41000 Blois"
contact = "chouine@chouine.example"
"""
WHOLE = f"""{FILE}
publisher = "Les Chouineurs"
director = "Jeanne Martin"
security = "faille@chouine.example"
"""
LEGAL = "/legal", "/privacy", "/privacy/contest", "/licences", "/mine"
LED_TO = "/mine", "/privacy", "/legal"
OPTIONS = "--trusted-proxies", "127.0.0.1", "--public-url", "https://chouine.example"


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A public server that names who answers for it."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "legal.toml").write_text(WHOLE)
    options = (*OPTIONS, "--allowed-hosts", "127.0.0.1,chouine.example", "--legal", f"{folder}/legal.toml")
    with serving(f"sqlite:///{folder}/chouine.db", folder / "errors", options=options) as served:
        yield served


def test_every_foot_and_the_tables_menu_lead_to_the_pages(served: RunningServer) -> None:
    browser = served.visit("fr")
    for path in (
        "/",
        "/rules",
        "/settings",
        "/learn",
        "/contests",
        "/partners",
        "/marqueur",
        "/nowhere",
        *LEGAL,
    ):
        foot = browser.get(path).text.partition("<footer")[2]
        assert all(f'href="{each}"' in foot for each in LED_TO), path
    menu = browser.get(f"/table/{browser.open(**{'chair-1': 'heuristic'})}").text.partition('class="menu"')[2]
    assert all(f'href="{each}"' in menu for each in LED_TO), (
        "at the table the menu has what the foot has elsewhere"
    )


@pytest.mark.parametrize("language", ["fr", "en"])
def test_each_says_what_it_must(public: RunningServer, language: str) -> None:
    browser = public.visit(language)
    notice = browser.get("/legal").text
    assert all(each in notice for each in ("Les Chouineurs", "Jeanne Martin", "Hébergeur SAS"))
    for path in ("/legal", "/privacy", "/privacy/contest"):
        assert "chouine@chouine.example" in browser.get(path).text
    assert "msgspec" in browser.get("/licences").text
    assert "SIL Open Font License" in browser.get("/licences").text


def test_the_privacy_page_has_the_days_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that the command takes: the defaults, or others."""
    monkeypatch.setenv("CHOUINE_KEEP_SESSIONS", "33")
    with serving(f"sqlite:///{tmp_path}/chouine.db", tmp_path / "errors") as served:
        page = re.sub(r"\s+", " ", served.visit("en").get("/privacy").text)
    assert "33 days after your last visit" in page
    for kind in ("names", "waits", "blocks", "reports", "pushes", "letters", "unanswered"):
        assert f"{DAYS[kind]} " in page, kind
    assert "until you erase it" in page


def test_security_txt(public: RunningServer, served: RunningServer) -> None:
    answer = public.visit().get("/.well-known/security.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:faille@chouine.example"
    assert fields["Canonical"] == "https://chouine.example/.well-known/security.txt"
    expires = datetime.fromisoformat(fields["Expires"])
    assert timedelta(0) < expires - datetime.now(UTC) < timedelta(days=366)
    assert served.visit().get("/.well-known/security.txt").status_code == 404
    assert "does not say who answers" in served.visit("en").get("/legal").text


def test_a_public_server_without_it_is_warned_of(public: RunningServer, tmp_path: Path) -> None:
    warning = "must name who answers for it: --legal"
    assert warning not in public.errors.read_text()
    with serving(f"sqlite:///{tmp_path}/chouine.db", tmp_path / "errors", options=OPTIONS) as bare:
        assert warning in bare.errors.read_text()


def test_a_private_person_names_the_host_alone(tmp_path: Path) -> None:
    (tmp_path / "legal.toml").write_text(FILE)
    legal = LegalNotice.of(str(tmp_path / "legal.toml"))
    assert legal is not None
    assert (legal.publisher, legal.security) == ("", "")
    assert LegalNotice.of("") is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('host = "x"', "lacks contact"),
        (f'{FILE}telephone = "02"', "no setting telephone"),
        (FILE.replace("@", " at "), "is no e-mail address"),
        ("host = ", "line 1: not TOML"),
        ('host = "Loir"\ncontact =\n', "line 2: not TOML"),
        ('host = "Loir"\n\n# \udce9', "line 3: not TOML"),
        (None, "there is no such file"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(
    text: str | None, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "legal.toml"
    if text is not None:
        file.write_text(text, "utf-8", "surrogateescape")
    assert main(["serve", "--legal", str(file), "--no-browser", "--port", "0", "--language", "en"]) == 2
    said = capsys.readouterr().err
    assert str(file) in said
    assert why in said
    assert "Traceback" not in said


COOKIES = {
    "visitors.py": ("at your seat", "signs this browser in", "in a cookie of its own"),
    "routes/operator.py": (),  # for whoever keeps the server
    "static/js/zone.js": ("time zone",),
    "static/js/old.js": ("In an old browser",),
}
"""What the privacy page says of the cookies that each file sets. A contest's desk is no part of the site."""
STORED = {
    "hand.js": "the order of your hand",
    "keys.js": "play by keys",
    "push.js": "questions and notices",
    "sound-button.js": "questions and notices",
    "contest-ending.js": "questions and notices",
    "offline/take.js": "what you play and learn there",
    "device.js": "",  # tries whether anything is stored
}
"""What it says of each script that stores something in the browser."""


def files_with(pattern: str, folder: Path) -> set[str]:
    """The Python files and scripts in a folder that have a pattern."""
    return {
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*.*")
        if file.suffix in {".py", ".js"} and re.search(pattern, file.read_text("utf-8"))
    }


def test_the_privacy_page_names_all_that_a_browser_keeps(served: RunningServer) -> None:
    page = re.sub(r"\s+", " ", served.visit("en").get("/privacy").text).partition('id="cookies"')[2]
    setting = files_with(r"\.set_cookie\(|document\.cookie = ", STATIC.parent)
    assert {file for file in setting if not file.startswith("contest/")} == set(COOKIES)
    assert [name for name in vars(visitors) if name.startswith("OF_")] == ["OF_MEMBER", "OF_NEXT"]
    assert files_with(r"\bkeep\b.* from .*storage\.js", STATIC / "js") == set(STORED)
    assert all(words in page for words in (*chain(*COOKIES.values()), *STORED.values()))
