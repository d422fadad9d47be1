"""Every code block of every document is run by a test or listed here with a reason; every command parses."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from importlib.util import find_spec

import pytest

import chouine
from chouine.cli import COMMANDS, parser_for
from chouine.season.acts import Points, SeasonRules
from chouine.season.simulate import season_figures, simulate_season
from tests.test_links import DOCUMENTS, ROOT

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = defaultdict[tuple[str, str], list[str]](list)
for _path in [*DOCUMENTS, *(ROOT / "packaging").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]:
    for _language, _text in BLOCK.findall(_path.read_text(encoding="utf-8")):
        BLOCKS[str(_path.relative_to(ROOT)), _language].append(_text)
HERE = "tests/test_code_blocks.py"
RUN_BY = {
    ("README.md", "sh"): "tests/test_readme.py",
    ("docs/index.md", "sh"): "tests/test_readme.py",
    ("docs/programmers.md", "python"): "tests/test_readme.py",
    ("docs/programmers.md", "sh"): "tests/test_readme.py",
    ("docs/deploy.md", "sh"): "tests/server/test_operator.py",
    ("docs/deploy.md", "text"): "tests/server/test_operator.py",
    ("docs/package.md", "python"): "tests/tools/test_package.py",
    ("docs/research.md", "python"): "tests/envs/test_docs.py",
    ("docs/strength.md", "sh"): "tests/arena/test_docs.py",
    ("docs/site/api.md", "{eval-rst}"): "tests/test_site.py",
    ("docs/notation.md", "text"): HERE,
    ("docs/server-api.md", "python"): "tests/server/http/test_api_examples.py",
    ("docs/server-api.md", "sh"): "tests/server/http/test_api_examples.py",
    **{
        (f"docs/howto/{page}.md", language): "tests/howto/test_howtos.py"
        for page, languages in {
            "language": ("diff", "po", "python", "sh"),
            "lesson": ("toml", "sh"),
            "migration": ("python", "diff", "sh"),
            "page": ("html", "python", "diff", "po", "sh"),
            "player": ("python", "diff", "sh"),
            "rule-option": ("diff", "po", "sh"),
        }.items()
        for language in languages
    },
}
NOT_RUN = {
    ("CONTRIBUTING.md", ""): "`make test` runs the tests",
    ("docs/book/en.md", "sh"): "an hour; tests/book makes a smaller book",
    ("docs/book/fr.md", "sh"): "as in English",
    ("docs/notation.md", ""): "part of an answer",
    ("docs/research.md", "sh"): "ten thousand parties; tests/envs/test_dataset.py makes a smaller set",
    ("docs/research.md", "text"): "minutes of training; tests/test_examples.py and tests/ai train for less",
    ("docs/upstream/README.md", "text"): "for clones of other projects; tests/tools/test_upstream.py applies the same",
    ("src/chouine/school/problems/data/README.md", "sh"): "hours; tests/school makes and verifies fewer",
    ("art/README.md", "html"): "for pages elsewhere; tests/art reads the deck",
    ("packaging/chouine-table/README.md", "sh"): "needs the package published; tests/tools reads its project file",
}  # fmt: skip
LINES = sorted(
    {
        line.split("#")[0].strip().removesuffix(" &")
        for (_, language), texts in BLOCKS.items()
        if language in ("sh", "text", "")
        for text in texts
        for line in text.splitlines()
    }
)
OURS = [line for line in LINES if re.match(r"(?:\S*/bin/)?chouine (?!--|.*--help)", line)]
SCRIPTS = [line for line in LINES if re.match(r"python3? \S", line)]


def test_every_block_is_run_or_listed_with_a_reason() -> None:
    assert RUN_BY.keys() | NOT_RUN.keys() == BLOCKS.keys()
    assert not RUN_BY.keys() & NOT_RUN.keys()


def test_every_test_that_is_named_is_there() -> None:
    named = {
        *RUN_BY.values(),
        *(name for why in NOT_RUN.values() for name in re.findall(r"tests/[\w/.]+\w", why)),
    }
    assert not [name for name in named if not (ROOT / name).exists()]


@pytest.mark.parametrize("line", OURS)
def test_a_command_is_one_of_ours_and_its_arguments_are_taken(line: str) -> None:
    _, name, *arguments = shlex.split(re.sub(r"\$\(.*?\)", "LINE", line))
    assert name in COMMANDS
    parser_for(name)[0].parse_args(arguments)


@pytest.mark.parametrize("line", SCRIPTS)
def test_a_script_is_there(line: str) -> None:
    _, first, *rest = shlex.split(line)
    if first == "-c":
        compile(rest[0], line, "exec")
    elif first == "-m":
        assert rest[0] == "venv" or find_spec(rest[0])
    else:
        assert (ROOT / first).is_file()


def test_there_are_commands() -> None:
    assert len(OURS) > 20
    assert len(SCRIPTS) > 2


def test_the_notation_s_record_is_one_and_canonical() -> None:
    (text,) = (text for text in BLOCKS["docs/notation.md", "text"] if text.startswith("[Rules"))
    (record,) = chouine.read_records(text)
    assert str(record) == text.rstrip("\n")


def test_the_notation_s_results_are_json() -> None:
    contest, season = (text for text in BLOCKS["docs/notation.md", "text"] if text.startswith("{"))
    assert json.loads(contest).keys() == {"rounds", "consolante", "ranking"}
    shown = simulate_season(3, 3, SeasonRules(Points((25, 20)), best=2), "1")
    assert json.loads(season) == season_figures(shown)


def test_the_notation_s_conversation_begins_as_the_engine_does() -> None:
    (text,) = (text for text in BLOCKS["docs/notation.md", "text"] if text.startswith("> hello"))
    greeting = text[: text.index("< ready")].splitlines()[1:]
    told = subprocess.run(
        [sys.executable, "-m", "chouine", "engine"],
        input="hello\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answered = told.stdout.splitlines()
    assert [f"< {line}" for line in answered[: answered.index("ready")]] == greeting
