"""What the package has, something uses: its own code, a page, a document or a benchmark. Tests alone are no use."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.test_function_names import ROOT, SOURCES, modules

OUTSIDE = ("benchmarks", "tools")
"""Folders of programs that use the package."""
WORDS = re.compile(r"\w+")
CODE = {
    ".html": re.compile(r"\{[{%].*?[%}]\}", re.DOTALL),
    ".js": re.compile(r".+"),
    ".md": re.compile(r"```.*?```|`[^`]+`", re.DOTALL),
}
"""What of a file is code, by its ending."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    """The modules of the package, each by its dotted name, and those outside it that use it."""
    for module, tree in modules():
        yield "chouine." + module.removesuffix(".py").removesuffix("/__init__").replace("/", "."), tree
    for folder in OUTSIDE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.name, ast.parse(path.read_text(encoding="utf-8"))


def words_elsewhere() -> set[str]:
    """The words of the code in templates, scripts and documents."""
    paths = [*SOURCES.rglob("*.html"), *SOURCES.rglob("*.js"), *(ROOT / "docs").rglob("*.md")]
    pieces = [
        piece for path in paths for piece in CODE[path.suffix].findall(path.read_text(encoding="utf-8"))
    ]
    return {word for piece in pieces for word in WORDS.findall(piece)}


def names_used(tree: ast.AST) -> set[str]:
    """The names that a piece of code reads, imports, takes from a module or writes as a text."""
    aliases = {
        one.asname or one.name.rpartition(".")[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                found.add(name)
            case ast.Attribute(value=ast.Name(id=alias), attr=name) if alias in aliases:
                found.add(name)
            case ast.ImportFrom(names=names):
                found.update(one.name for one in names)
            case ast.Constant(value=str(text)) if len(text) < 200:  # annotations and generated code
                found.update(WORDS.findall(text))
    return found


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The functions, classes and constants of a module. A decorator may register what it stands before."""
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if not node.decorator_list:
                yield node.name, node
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node


def test_nothing_is_used_by_tests_alone() -> None:
    everything = [(module, tree, names_used(tree)) for module, tree in trees()]
    elsewhere, users = words_elsewhere(), Counter(name for _, _, used in everything for name in used)
    found = []
    for module, tree, used in everything:
        for name, own in definitions(tree) if module.startswith("chouine.") else ():
            if name in elsewhere or name.startswith("__") or users[name] > (name in used):
                continue
            if not any(name in names_used(node) for node in tree.body if node is not own):
                found.append(f"{module}: {name}")
    assert not found, "\n".join(found)
