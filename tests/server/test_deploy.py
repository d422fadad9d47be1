"""The deployment recipes use commands, settings, messages and metrics that the program has."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from prometheus_client import REGISTRY

from chouine.cli import parser_for
from chouine.server import metrics as _metrics  # noqa: F401  # registers them
from chouine.server.engines import POOL
from chouine.server.keeping import DAYS
from chouine.server.personal import PARTS
from chouine.server.schema import metadata

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "deploy.md"
RECIPES = [PAGE, *sorted(path for path in (ROOT / "deploy").rglob("*") if path.is_file())]
OTHERS = {"CHOUINE_SITE", "CHOUINE_NODES", "CHOUINE_AWAY"}
"""Settings of the proxy only."""
PLAYING = {"CHOUINE_SERVER", "CHOUINE_TOKEN"}
"""Settings of programs that play on a server, wherever they run."""


def test_every_setting_named_is_read_by_the_program_and_told_of() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "src" / "chouine" / "cli").glob("*.py"))
    read = set(re.findall(r'(?:environ\.get|from_environment)\("(CHOUINE_\w+)"', sources))
    read |= {f"CHOUINE_KEEP_{name.upper()}" for name in DAYS}
    named = {name for path in RECIPES for name in re.findall(r"CHOUINE_[A-Z_]+", path.read_text())}
    assert named - OTHERS == read - PLAYING
    guide = (ROOT / "docs" / "server-api.md").read_text()
    assert all(name in guide for name in PLAYING)
    proxy = (ROOT / "deploy" / "Caddyfile").read_text()
    assert all(f"{{${name}:" in proxy for name in OTHERS)


def commands() -> list[str]:
    """All calls of the program in the recipes."""
    found = []
    for path in RECIPES:
        if path.suffix != ".service":  # those are run by test_operator.py
            found += re.findall(
                r"(?:^|/bin/|`)(chouine (?:serve|worker|backup|restore|move)[^\n`#&]*)",
                path.read_text(),
                re.MULTILINE,
            )
    return sorted(set(found))


@pytest.mark.parametrize("command", commands())
def test_every_command_is_understood(command: str) -> None:
    _, name, *arguments = shlex.split(command)
    parser, _ = parser_for(name)
    if arguments or name in ("serve", "worker"):
        parser.parse_args(arguments)


def test_commands_are_found() -> None:
    assert {"serve", "backup", "restore", "move"} <= {command.split()[1] for command in commands()}


def test_what_is_taken_along_is_installed_from_the_sources(tmp_path: Path) -> None:
    """Python for browsers, which `make offline` has made: in an image too. The archive of the sources is without it."""
    made = ["src/chouine/ai/kernels.wasm.gz", "src/chouine/server/offline/runtime/pyodide.asm.wasm.gz"]
    for name in (*made, "src/chouine/__init__.py", "src/chouine/server/offline/junk.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in ("pyproject.toml", ".gitignore"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    wheel, archive = (
        {file.relative_path for file in builder(str(tmp_path)).recurse_selected_project_files()}
        for builder in (WheelBuilder, SdistBuilder)
    )
    assert wheel == {*made, "src/chouine/__init__.py"}
    assert made[1] not in archive


def test_what_is_for_inside_is_closed_outside() -> None:
    proxy = (ROOT / "deploy" / "Caddyfile").read_text()
    closed = re.search(r"@inside path (.*)", proxy)
    assert closed is not None
    assert set(closed[1].split()) == {"/metrics", "/health", "/ready"}
    assert "respond @inside 404" in proxy


def texts_of_sources() -> str:
    """All texts in the sources, one a line."""
    texts = []
    for path in (ROOT / "src" / "chouine").rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        texts += [
            node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
    return "\n".join(text.replace("\n", " ") for text in texts)


def section(heading: str) -> str:
    """The text below a heading of the page."""
    return PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]


def symptoms() -> list[str]:
    """The messages in the first column of the table of troubles."""
    rows = re.findall(r"^\| ([^|]*) \|", section("Troubleshooting"), re.MULTILINE)
    return sorted({message for row in rows for message in re.findall(r"`([^`]+)`", row)})


def test_every_message_explained_is_one_of_the_program() -> None:
    """`…` in the page stands for a placeholder."""
    sources = texts_of_sources()
    messages = symptoms()
    assert len(messages) > 40
    patterns = {message: ".*?".join(map(re.escape, message.split("…"))) for message in messages}
    assert not [message for message, pattern in patterns.items() if not re.search(pattern, sources)]


def test_every_event_of_the_log_is_explained() -> None:
    said = re.compile(r'\blog\.(?:warning|error)\(\s*"([^"]+)"')
    sources = [path.read_text() for path in (ROOT / "src" / "chouine" / "server").rglob("*.py")]
    events = {event for text in sources for event in said.findall(text)}
    assert len(events) > 20
    assert not [event for event in events if f"`{event}`" not in section("Troubleshooting")]


def test_every_metric_and_its_labels_are_there() -> None:
    there = {
        f"{metric.name}{ending}"
        for metric in REGISTRY.collect()
        for ending in ("", "_total", "_count", "_bucket")
    }
    named = re.findall(r"`?\b((?:chouine|process)_\w+)", PAGE.read_text())
    assert len(set(named)) >= 8
    assert not set(named) - there


def table_of_data() -> list[list[str]]:
    """The rows of the table of what is stored: data, columns, whose, how long, and what removes it."""
    rows = re.findall(r"^\| (.*) \|$", section("Data and how long it is kept"), re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in rows[2:]]


def test_every_column_of_the_database_has_an_owner_and_a_retention() -> None:
    """Each once: a new column fails until the table says whose it is and how long it is kept."""
    found = [
        f"{table}.{column}"
        for _, columns, whose, kept, *_ in table_of_data()
        for table, names in re.findall(r"`(\w+)` \(([^)]*)\)", columns)
        for column in names.split(", ")
        if whose and kept
    ]
    assert sorted(found) == sorted(
        f"{table.name}.{column.name}" for table in metadata.tables.values() for column in table.columns
    )


def test_the_table_has_the_days_of_every_kind_of_record() -> None:
    for kind, days in DAYS.items():
        (kept,) = (row[3] for row in table_of_data() if f"`--{kind}`" in row[-1])
        assert ("for ever" if days is None else f" {days} day") in f" {kept}", kind


def test_every_part_of_an_archive_is_described() -> None:
    assert not [part for part in PARTS if f"`{part}`" not in section("Letters from people")]


def test_connections_are_counted_as_the_pool_is() -> None:
    assert f"`max_connections` to {POOL} for each node" in PAGE.read_text()


def test_figures_of_the_capacity_were_measured() -> None:
    """Each number in the table stands in the benchmarks, as it is there."""
    rows = [row.split("|")[2:-1] for row in section("Capacity").splitlines() if row.startswith("| ")][2:]
    measured = (ROOT / "benchmarks" / "server.md").read_text()
    numbers = {number for cells in rows for cell in cells for number in re.findall(r"[\d,.]*\d", cell)}
    assert len(numbers) > 10
    assert not [
        number
        for number in numbers
        if not re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d.,]\d)", measured)
    ]


def test_no_recipe_trusts_everybody() -> None:
    lines = [line for path in RECIPES for line in path.read_text().splitlines()]
    set_to = [
        line
        for line in lines
        if re.search(r"CHOUINE_TRUSTED_PROXIES\W{1,3}[\"']?(\*|0\.0\.0\.0/0|::/0)", line)
    ]
    assert not set_to
