"""Mutation testing: plant faults one at a time and report the tests that detect them.

`python -m tools.mutants [--seed 1] [--faults 20]`: a fault is drawn from all comparisons, conditions, numbers and
conjunctions of a package's files, the conditions of its templates, or the operators of the pages' scripts. The tests
run in a copy of the committed files, the quickest first, those that start a server or a browser last.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PLAYTHROUGH = "tests/server/pages/test_playthrough.py"
"""Runs first for pages: it takes seconds and detects most faults."""
CORE = ("tests/rules", "tests/partie", "tests/match", "tests/laws", "tests/perft")
SERVERS = "tests/server/http", "tests/server/tables"
BUILT = (
    "node_modules",
    "src/chouine/server/offline/runtime",
    "src/chouine/ai/kernels.wasm.gz",
    "src/chouine/compiled",
)
"""What tests need that is built and not committed."""
PLACES = {
    "rules": (("src/chouine/rules/*.py",), CORE),
    "partie": (("src/chouine/partie/*.py",), (*CORE, "tests/notation")),
    "table": (
        ("src/chouine/table/*.py",),
        (PLAYTHROUGH, "tests/table", "tests/cli/terminal", "tests/server/pages", *SERVERS),
    ),
    "pages": (
        ("src/chouine/server/pages/*.py", "src/chouine/server/templates/table/*.html"),
        (
            PLAYTHROUGH,
            "tests/server/pages",
            "tests/server/offline",
            "tests/school",
            *SERVERS,
            "tests/browser",
        ),
    ),
    "server": (
        tuple(f"src/chouine/server/{folder}*.py" for folder in ("", "routes/", "contest/", "push/")),
        ("tests/server/http", "tests/server", "tests/attack", "tests/faults", "tests/cli", "tests/browser"),
    ),
    "scripts": (("src/chouine/server/static/js/**/*.js",), ("tests/browser/test_tap.py", "tests/browser")),
}
"""The files of each package, and their tests."""
OTHERWISE: dict[type, str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.And: "or",
    ast.Or: "and",
}
SCRIPTED = {"===": "!==", "!==": "===", "&&": "||", "||": "&&", "!": ""}
"""The same for the operators of scripts."""
EQUIVALENT = {
    "if p.turnup >= 1 and exchanger(rule_table, p) >= 0:": "nobody may exchange where card 0, a seven, lies there",
    "tuple(map(sum, zip(*rows, strict=False))) for rows in (worth, worth[: len(BRISQUES_OF)])": "rows are equally long",
    "for kind in parts[1]": "all parts have the same keys",
    "NEVER, FULL, DIFFERENCE = 0, 2, 2": "nothing is compared with FULL",
}
"""Lines whose mutations are equivalent to the original; drawn again."""


class Fault(NamedTuple):
    """A replacement of a part of a file."""

    file: str
    first: int
    last: int
    written: str

    def planted(self, text: str) -> str:
        return text[: self.first] + self.written + text[self.last :]


def faults_in(file: str, text: str) -> Iterator[Fault]:
    """All possible faults of a file."""
    if not file.endswith(".py"):
        yield from faults_by_pattern(file, text)
        return
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def place(line: int, column: int) -> int:
        return len(text.encode()[: lines[line - 1] + column].decode())

    def start(node: ast.expr) -> int:
        return place(node.lineno, node.col_offset)

    def end(node: ast.expr) -> int:
        return place(node.end_lineno or node.lineno, node.end_col_offset or 0)

    tree = ast.parse(text)
    decorating = {
        id(inner)
        for node in ast.walk(tree)
        for decorator in getattr(node, "decorator_list", ())
        for inner in ast.walk(decorator)
    }
    for node in ast.walk(tree):
        if id(node) in decorating:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            pair = (node.left, node.comparators[0])
            yield from between(file, text, end(pair[0]), start(pair[1]), node.ops[0])
        elif isinstance(node, ast.BoolOp):
            yield from between(file, text, end(node.values[0]), start(node.values[1]), node.op)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield Fault(file, start(node), start(node.operand), "")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield Fault(file, start(node), end(node), str(node.value + 1))
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            yield Fault(file, start(node), end(node), str(not node.value))
        elif isinstance(node, ast.If | ast.IfExp):
            yield Fault(
                file, start(node.test), end(node.test), f"(not ({text[start(node.test) : end(node.test)]}))"
            )


def faults_by_pattern(file: str, text: str) -> Iterator[Fault]:
    """The conditions of a template turned round, or the operators of a script, its comments left out."""
    if file.endswith(".html"):
        for found in re.finditer(r"\{% (?:el)?if (?!not )", text):
            yield Fault(file, found.end(), found.end(), "not ")
        return
    code = re.sub(r"//[^\n]*|/\*.*?\*/", lambda found: " " * len(found[0]), text, flags=re.DOTALL)
    for found in re.finditer(r"===|!==|&&|\|\||!(?=[\w(])", code):
        yield Fault(file, found.start(), found.end(), SCRIPTED[found[0]])


def between(file: str, text: str, first: int, last: int, operator: ast.AST) -> Iterator[Fault]:
    """The fault that replaces the operator between two operands."""
    word = re.search(r"not\s+in|is\s+not|\w+|[<>=!]+", text[first:last])
    if word:
        yield Fault(file, first + word.start(), first + word.end(), OTHERWISE[type(operator)])


def line_of(copy: Path, fault: Fault) -> tuple[int, str]:
    """The number of a fault's line, and the mutated line."""
    text = (copy / fault.file).read_text(encoding="utf-8")
    number = text.count("\n", 0, fault.first) + 1
    return number, fault.planted(text).splitlines()[number - 1].strip()


def caught(copy: Path, fault: Fault, tests: Sequence[str]) -> str:
    """The test that fails with the fault; empty if all pass."""
    path = copy / fault.file
    sound = path.read_text(encoding="utf-8")
    path.write_text(fault.planted(sound), encoding="utf-8")
    try:
        return next((failed for stage in ([tests[0]], tests[1:]) if (failed := failing(copy, stage))), "")
    finally:
        path.write_text(sound, encoding="utf-8")


def failing(copy: Path, tests: Sequence[str]) -> str:
    """The first test that fails, or pytest's error at startup; tests of missing packages are skipped."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-qx",
        "-n",
        "2",
        "-p",
        "no:cacheprovider",
        "--timeout",
        "900",
        *tests,
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "CI": ""}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # pytest
    if not done.returncode:
        return ""
    named = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return named[0] if named else (done.stdout + done.stderr).strip().splitlines()[-1]


def main() -> None:
    """Plant faults and print a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=20, help="how many, the packages in turn")
    parser.add_argument(
        "--package", action="append", choices=list(PLACES), help="again for each; default: all"
    )
    asked = parser.parse_args()
    total = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
            packed.extractall(copy, filter="data")
        for name in filter(lambda name: (ROOT / name).exists(), BUILT):
            (copy / name).symlink_to(ROOT / name)
        for package, many in Counter(islice(cycle(asked.package or PLACES), asked.faults)).items():
            patterns, tests = PLACES[package]
            files = sorted(path for pattern in patterns for path in copy.glob(pattern))
            every = [
                fault
                for path in files
                for fault in faults_in(str(path.relative_to(copy)), path.read_text(encoding="utf-8"))
            ]
            drawn = Random(f"{asked.seed} {package}").sample(every, len(every))
            for fault in islice((each for each in drawn if line_of(copy, each)[1] not in EQUIVALENT), many):
                number, line = line_of(copy, fault)
                test = caught(copy, fault, tests)
                total += bool(test)
                print(f"{fault.file}:{number}: {line}\n    {test or 'MISSED'}", flush=True)
        print(f"{total} of {asked.faults} caught")


if __name__ == "__main__":
    main()
