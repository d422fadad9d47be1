"""Mutation testing: plant faults one at a time and report the tests that detect them.

`python -m tools.mutants [--seed 1] [--faults 20]`: a fault is drawn from all comparisons, conditions, numbers and
conjunctions of the package's Python, the conditions and printed values of its templates, or the operators of the pages'
scripts. The tests run in a copy of the committed files, those first whose words are nearest to the faulty function's,
until one fails that passes without the fault.
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
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice, pairwise
from math import log, sqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
BUILT = (
    "node_modules",
    "src/chouine/server/offline/runtime",
    "src/chouine/ai/kernels.wasm.gz",
    "src/chouine/compiled",
)
"""What tests need that is built and not committed."""
GAME = (
    "rules",
    "partie",
    "match",
    "laws",
    "perft",
    "notation",
    "table",
    "phrases",
    "referee",
    "records",
    "players",
)
PAGES = "server", "attack", "faults", "browser", "school", "stable"
PLACES = {
    "game": (
        (
            "*.py",
            *(f"{folder}/*.py" for folder in ("rules", "partie", "match", "notation", "table", "phrases")),
        ),
        (*GAME, "cli", "contest", "server"),
    ),
    "computers": (
        tuple(f"{folder}/**/*.py" for folder in ("ai", "arena", "book", "envs", "fast", "players")),
        ("ai", "arena", "book", "envs", "fast", "players", "referee", "benchmarks", "cli"),
    ),
    "programs": (
        tuple(f"{folder}/**/*.py" for folder in ("cli", "contest", "jobs", "school", "season", "tournament")),
        ("cli", "contest", "school", "season", "stable", "server"),
    ),
    "server": (("server/**/*.py",), (*PAGES, "contest", "season", "cli", "howto")),
    "templates": (("server/templates/**/*.html",), PAGES),
    "scripts": (("server/static/js/**/*.js",), ("browser", "server/offline")),
}
"""The parts that faults are drawn from in turn: patterns in `src/chouine`, and the folders of their tests."""
GENERAL = {"templates": "tests/server/pages/test_playthrough.py", "scripts": "tests/browser/test_tap.py"}
"""Runs first: takes seconds and detects many faults, whatever its words."""
STAGES = 0, 8, 24, 60
"""How many of the nearest test files have run after each stage; the last number bounds a search in vain."""
COSTS = {"browser/": 3.0, "server/": 1.5, "howto/": 3.0}
"""How many times as long tests of these folders take as others: they must be as many times nearer."""
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
SCRIPTED = {
    "===": "!==",
    "!==": "===",
    "&&": "||",
    "||": "&&",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "!": "",
}
"""The same for the operators of scripts."""
EQUIVALENT = {
    "if p.turnup >= 1 and exchanger(rule_table, p) >= 0:": "nobody may exchange where card 0, a seven, lies there",
    "tuple(map(sum, zip(*rows, strict=False))) for rows in (worth, worth[: len(BRISQUES_OF)])": "rows are equally long",
    "for kind in parts[1]": "all parts have the same keys",
    "NEVER, FULL, DIFFERENCE = 0, 2, 2": "nothing is compared with FULL",
    "case Phase.PLAY if self.state is not None or self.state.turn is not None:": "both always hold in play",
    "p = start(rule_table, (0, 0, 0, 1), turnup, rule_table.seats - 1)": "exercises have two seats",
    "for (let place = 0; place <= wave.length; place += 1) wave[place] = Math.random() * 2 - 1;": "nothing lies there",
}
"""Lines whose mutations are equivalent to the original; drawn again."""


class Fault(NamedTuple):
    """A replacement of a part of a file."""

    file: str
    first: int
    last: int
    written: str

    def plant(self, text: str) -> str:
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
            yield from replace_operator(file, text, end(pair[0]), start(pair[1]), node.ops[0])
        elif isinstance(node, ast.BoolOp):
            yield from replace_operator(file, text, end(node.values[0]), start(node.values[1]), node.op)
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
    """A template's conditions turned round and values left out, or the operators of a script, its comments left out."""
    if file.endswith(".html"):
        for found in re.finditer(r"\{% (?:el)?if (?!not )", text):
            yield Fault(file, found.end(), found.end(), "not ")
        for found in re.finditer(r"\{\{.*?\}\}", text, flags=re.DOTALL):
            yield Fault(file, found.start(), found.end(), "")
        return
    code = re.sub(r"//[^\n]*|/\*.*?\*/", lambda found: " " * len(found[0]), text, flags=re.DOTALL)
    for found in re.finditer(r"===|!==|&&|\|\||(?<= )[<>]=?(?= )|!(?=[\w(])", code):
        yield Fault(file, found.start(), found.end(), SCRIPTED[found[0]])


def replace_operator(file: str, text: str, first: int, last: int, operator: ast.AST) -> Iterator[Fault]:
    """The fault that replaces the operator between two operands."""
    word = re.search(r"not\s+in|is\s+not|\w+|[<>=!]+", text[first:last])
    if word:
        yield Fault(file, first + word.start(), first + word.end(), OTHERWISE[type(operator)])


def line_of(copy: Path, fault: Fault) -> tuple[int, str]:
    """The number of a fault's line, and the mutated line."""
    text = (copy / fault.file).read_text(encoding="utf-8")
    number = text.count("\n", 0, fault.first) + 1
    return number, fault.plant(text).splitlines()[number - 1].strip()


def words_of(text: str) -> set[str]:
    """The words of a text, compounds whole and in parts."""
    whole = set(re.findall(r"[^\W\d][\w-]{2,}", text))
    return whole | {part for word in whole for part in re.split(r"[_-]", word) if len(part) > 2}


def around(copy: Path, fault: Fault) -> str:
    """The text of the innermost function with the fault; outside functions or Python, of twenty lines."""
    text = (copy / fault.file).read_text(encoding="utf-8")
    lines = text.splitlines()
    number = text.count("\n", 0, fault.first) + 1
    first, last = max(number - 10, 1), number + 10
    if fault.file.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                start = min(each.lineno for each in (node, *node.decorator_list))
                if start <= number <= (node.end_lineno or 0):
                    first, last = start, node.end_lineno or 0
    return "\n".join(lines[first - 1 : last])


def nearest(copy: Path, fault: Fault, tests: Mapping[str, set[str]]) -> list[str]:
    """The test files, those first that share the most and the rarest words with the fault's function, file and path.

    tests: the words of each file, its path included.
    """
    weights = {
        **dict.fromkeys(words_of((copy / fault.file).read_text(encoding="utf-8")), 0.3),
        **dict.fromkeys(words_of(around(copy, fault)), 1.0),
        **dict.fromkeys(words_of(fault.file), 3.0),
    }
    spread = Counter(word for words in tests.values() for word in words)

    def nearness(test: str) -> float:
        found = (weights[word] * log(len(tests) / spread[word]) for word in tests[test] & weights.keys())
        cost = next((cost for folder, cost in COSTS.items() if test.startswith(f"tests/{folder}")), 1.0)
        return sum(found) / (cost * sqrt(len(tests[test])))

    return sorted(tests, key=nearness, reverse=True)


def catching_test(copy: Path, fault: Fault, tests: Sequence[str]) -> str:
    """The test that fails with the fault and passes without it; empty if there is none."""
    path = copy / fault.file
    sound = path.read_text(encoding="utf-8")
    failing_anyway: list[str] = []
    for first, last in pairwise(STAGES):
        while True:
            path.write_text(fault.plant(sound), encoding="utf-8")
            os.utime(
                path, (fault.first, fault.first)
            )  # its own: else Python takes the compiled sound file, if as long
            try:
                failed = failing(copy, tests[first:last], failing_anyway)
            finally:
                path.write_text(sound, encoding="utf-8")
            if not failed:
                break
            if "::" not in failed or not failing(copy, [failed], []):
                return failed
            failing_anyway.append(failed)
    return ""


def failing(copy: Path, tests: Sequence[str], but: Sequence[str]) -> str:
    """The first test function that fails, or pytest's error at startup; tests of missing packages are skipped."""
    command = [
        *(sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", "--timeout", "180"),
        *(f"--deselect={test}" for test in but),
        *tests,
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "CI": ""}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # pytest
    if done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    named = re.findall(r"^(?:FAILED|ERROR) ([^\s\[]+)", done.stdout, re.MULTILINE)
    return named[0] if named else (done.stdout + done.stderr).strip().splitlines()[-1]


def main() -> None:
    """Plant faults and print a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=20, help="how many, the parts in turn")
    parser.add_argument("--part", action="append", choices=list(PLACES), help="again for each; default: all")
    asked = parser.parse_args()
    total = 0
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
            packed.extractall(copy, filter="data")
        for name in filter(lambda name: (ROOT / name).exists(), BUILT):
            (copy / name).symlink_to(ROOT / name)
        for part, many in Counter(islice(cycle(asked.part or PLACES), asked.faults)).items():
            every = [
                fault
                for path in files_of(copy, part)
                for fault in faults_in(str(path.relative_to(copy)), path.read_text(encoding="utf-8"))
            ]
            tests = tests_of(copy, part)
            drawn = Random(f"{asked.seed} {part}").sample(every, len(every))
            for fault in islice((each for each in drawn if line_of(copy, each)[1] not in EQUIVALENT), many):
                number, line = line_of(copy, fault)
                print(f"{fault.file}:{number}: {line}", flush=True)
                began = time.monotonic()
                test = catching_test(
                    copy, fault, [*filter(None, [GENERAL.get(part)]), *nearest(copy, fault, tests)]
                )
                total += bool(test)
                print(f"    {test or 'MISSED'} ({time.monotonic() - began:.0f} s)", flush=True)
        print(f"{total} of {asked.faults} caught")


def files_of(root: Path, part: str) -> list[Path]:
    """The files of a part."""
    return sorted({path for pattern in PLACES[part][0] for path in root.glob(f"src/chouine/{pattern}")})


def tests_of(root: Path, part: str) -> dict[str, set[str]]:
    """The test files of a part, with their words."""
    paths = sorted(path for folder in PLACES[part][1] for path in root.glob(f"tests/{folder}/**/test_*.py"))
    return {
        (name := path.relative_to(root).as_posix()): words_of(name + path.read_text(encoding="utf-8"))
        for path in paths
    }


if __name__ == "__main__":
    main()
