"""Mutation testing: plant faults one at a time and report the tests that detect them.

`python -m tools.mutants [--seed 1] [--each 5]`: a fault is drawn from all comparisons, conditions, numbers and
conjunctions of a package's files, or the conditions of its templates. The tests run in a copy of the committed files,
without those that start a server or a browser.
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
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PLAYTHROUGH = "tests/server/pages/test_playthrough.py"
"""Runs first for pages: it takes seconds and detects most faults."""
CORE = ("tests/rules", "tests/partie", "tests/match", "tests/laws", "tests/perft")
PLACES = {
    "rules": (("src/chouine/rules/*.py",), CORE),
    "partie": (("src/chouine/partie/*.py",), (*CORE, "tests/notation")),
    "table": (
        ("src/chouine/table/*.py",),
        (PLAYTHROUGH, "tests/table", "tests/cli/terminal", "tests/server/pages"),
    ),
    "pages": (
        ("src/chouine/server/pages/*.py", "src/chouine/server/templates/table/*.html"),
        (PLAYTHROUGH, "tests/server/pages", "tests/server/offline", "tests/school"),
    ),
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


EQUIVALENT = {
    "if p.turnup >= 1 and exchanger(book, p) >= 0:": "nobody may exchange where card 0, a seven, lies there",
    "tuple(map(sum, zip(*rows, strict=False))) for rows in (worth, worth[: len(BRISQUES_OF)])": "rows are equally long",
    "for kind in parts[1]": "all parts have the same keys",
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
    if file.endswith(".html"):
        for found in re.finditer(r"\{% (?:el)?if (?!not )", text):
            yield Fault(file, found.end(), found.end(), "not ")
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
    command = [sys.executable, "-m", "pytest", "-qx", "-n", "0", "-p", "no:cacheprovider", "--timeout", "900"]
    command += ["-m", "not nightly and not serving", *tests]
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
    parser.add_argument("--each", type=int, default=5, help="faults in each package")
    parser.add_argument("packages", nargs="*", default=list(PLACES), choices=list(PLACES))
    asked = parser.parse_args()
    total = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
            packed.extractall(copy, filter="data")
        for package in asked.packages:
            patterns, tests = PLACES[package]
            files = sorted(path for pattern in patterns for path in copy.glob(pattern))
            every = [
                fault
                for path in files
                for fault in faults_in(str(path.relative_to(copy)), path.read_text(encoding="utf-8"))
            ]
            drawn = Random(f"{asked.seed} {package}").sample(every, len(every))
            for fault in islice(
                (each for each in drawn if line_of(copy, each)[1] not in EQUIVALENT), asked.each
            ):
                number, line = line_of(copy, fault)
                test = caught(copy, fault, tests)
                total += bool(test)
                print(f"{fault.file}:{number}: {line}\n    {test or 'MISSED'}", flush=True)
        print(f"{total} of {asked.each * len(asked.packages)} caught")


if __name__ == "__main__":
    main()
