"""Print random docstrings, comments and paragraphs for review: `python -m tools.texts [SEED]`."""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Iterator
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
DOCSTRINGS, COMMENTS, PARAGRAPHS = 30, 10, 10
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings() -> Iterator[str]:
    """Every docstring of the package, attribute docstrings included, with its place."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, DOCUMENTED):
                own = ast.get_docstring(node)
                if own:
                    yield f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'module')}\n{own}"
                for name, text in attribute_docstrings(node.body):
                    yield f"{path.relative_to(ROOT)}: {name}\n{text}"


def attribute_docstrings(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The strings that follow assignments, each with its target."""
    for before, after in pairwise(body):
        match before, after:
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target), ast.Expr(
                ast.Constant(str(text))
            ):
                yield ast.unparse(target), cleandoc(text)


def comments() -> Iterator[str]:
    """Every comment of the package, with its place and line; directives for tools are omitted."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.COMMENT and not token.string.startswith(
                    ("# noqa", "# type", "# fmt")
                ):
                    yield f"{path.relative_to(ROOT)}: {token.start[0]}\n{token.line.strip()}"


def paragraphs() -> Iterator[str]:
    """Every prose paragraph of the documents, with its place."""
    for path in sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]):
        for text in path.read_text(encoding="utf-8").split("\n\n"):
            if len(text.split()) > 20 and not text.startswith(("|", "```", "    ", "#", "<")):
                yield f"{path.relative_to(ROOT)}:\n{text}"


def main() -> None:
    """Print a sample."""
    rng = Random(sys.argv[1] if len(sys.argv) > 1 else "1")
    for texts, number in ((docstrings(), DOCSTRINGS), (comments(), COMMENTS), (paragraphs(), PARAGRAPHS)):
        print(*rng.sample(list(texts), number), sep="\n\n", end="\n\n")


if __name__ == "__main__":
    main()
