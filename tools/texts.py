"""Draw docstrings and paragraphs to be read as a stranger would: `python -m tools.texts [SEED]`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
DOCSTRINGS, PARAGRAPHS = 30, 10
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings() -> Iterator[str]:
    """Every docstring of the package, with its place."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
                yield f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'module')}\n{text}"


def paragraphs() -> Iterator[str]:
    """Every paragraph of the documents that is prose, with its place."""
    for path in sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]):
        for text in path.read_text(encoding="utf-8").split("\n\n"):
            if len(text.split()) > 20 and not text.startswith(("|", "```", "    ", "#", "<")):
                yield f"{path.relative_to(ROOT)}:\n{text}"


def main() -> None:
    """Print what a seed draws."""
    rng = Random(sys.argv[1] if len(sys.argv) > 1 else "1")
    for texts, number in ((docstrings(), DOCSTRINGS), (paragraphs(), PARAGRAPHS)):
        print(*rng.sample(list(texts), number), sep="\n\n", end="\n\n")


if __name__ == "__main__":
    main()
