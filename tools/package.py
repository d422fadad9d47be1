"""Build the package for publication and test it in isolation: `make package`.

Builds the wheel and the source archive, and the wheel of `chouine-table`, checks their descriptions, and installs
the first in an empty environment. There the first programs run, and the tests of the core from the unpacked archive.
Then pip adds extras, as error messages advise; the programs of the documentation, both commands and the environments'
tests run. Kernels for advice are compiled in advance by every Python that the package is for and that is here, and must
not be compiled again by any of them. What passes is left in `dist`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from platform import machine
from shutil import copytree, rmtree

from chouine.compilations import SHIPPED
from tools.desktop import PROGRAMS, start_program

ROOT = Path(__file__).parents[1]
BLOCKS = re.compile(r"```python\n(.*?)```", re.DOTALL)
TABLE = "packaging/chouine-table"
CORE = (
    "tests/rules",
    "tests/partie",
    "tests/notation",
    "tests/match",
    "tests/players",
    "tests/test_first_page.py",
)
LEARNING = ("tests/envs/test_chouine_v0.py", "tests/envs/test_single.py", "tests/envs/test_spiel.py")
"""Our environments' tests, including those of PettingZoo, Gymnasium and OpenSpiel."""
PAGES = ("docs/programmers.md", "docs/research.md")
AHEAD = machine() in {"x86_64", "AMD64"}
COMPILED_AHEAD = """
from chouine.fast.compiler import announce_with
announce_with(lambda name, seconds: exit(f"{name} is compiled"))
from chouine.rules import Rules
from chouine.school.readiness import compile_advice
compile_advice(Rules())
"""
NEEDED = ("pytest", "pytest-timeout", "pytest-xdist", "pytest-cov", "hypothesis", "numpy")


def do(*command: object, cwd: Path = ROOT, **settings: str) -> None:
    """Run a command, or exit with its status; `settings` are added to its environment."""
    print("$", *command, flush=True)
    words = list(map(str, command))
    status = subprocess.run(words, cwd=cwd, env=os.environ | settings, check=False).returncode  # noqa: S603
    if status:
        sys.exit(status)


def versions() -> list[str]:
    """The versions of Python that the package is for."""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "classifiers"
    ]
    return [version for each in classifiers if (version := each.rpartition(" :: ")[2]).startswith("3.")]


def compile_ahead(uv: Path, folder: Path) -> Iterator[Path]:
    """Compile kernels into the package with each Python that is here or that uv can get; yields these Pythons."""
    for version in versions():
        python = folder / f"python{version}" / "bin" / "python"
        if subprocess.run([uv, "venv", "-q", "--python", version, python.parents[1]], check=False).returncode:  # noqa: S603
            print(
                f"There is no Python {version} here: whoever installs the package there compiles at first use."
            )
            continue
        do(uv, "pip", "install", "-q", "--python", python, "--require-hashes", "-r", "requirements/fast.txt")
        do(python, "-m", "chouine", "warm", "--ship", PYTHONPATH=str(ROOT / "src"))
        yield python


def try_programs(python: Path, record: Path, folder: Path) -> None:
    """Run the programs as installed: help, an analysis, a server's first page; exit with 1 if that has no table."""
    do(python.with_name("chouine"), "--help", cwd=folder)
    do(python.with_name("chouine"), "analyse", "--worlds", "100", record, cwd=folder)
    home = os.environ | {"HOME": str(folder)}
    for program in ([python.with_name("chouine"), "serve"], [python.with_name("chouine-table")]):
        print("$", *program, flush=True)
        with start_program([*program], folder, home) as browser:
            if PROGRAMS["Chouine"] not in browser.page(browser.opening):
                sys.exit("there is no first page")


def main() -> None:
    uv = Path(sys.executable).with_name("uv")
    constraints = ROOT / "requirements" / "dev.txt"
    with tempfile.TemporaryDirectory() as folder:
        dist, python = Path(folder) / "dist", Path(folder) / "venv" / "bin" / "python"
        try:
            rmtree(SHIPPED, ignore_errors=True)  # what an earlier run left
            ahead = list(compile_ahead(uv, Path(folder))) if AHEAD else []
            do(uv, "build", "-q", "--python", sys.executable, "--out-dir", dist)
            do(uv, "build", "-q", "--python", sys.executable, "--out-dir", dist, "--wheel", ROOT / TABLE)
        finally:
            rmtree(SHIPPED, ignore_errors=True)  # a checkout compiles its own changes
        (wheel,), (archive,), (table,) = map(dist.glob, ("chouine-*.whl", "*.tar.gz", "chouine_table-*.whl"))
        do(uv, "tool", "run", "-q", "twine", "check", "--strict", wheel, archive, table)
        do(uv, "venv", "-q", "--seed", "--python", sys.executable, python.parents[1])
        do(uv, "pip", "install", "-q", "--python", python, wheel)
        first_programs = "\n".join(BLOCKS.findall((ROOT / "docs" / "package.md").read_text(encoding="utf-8")))
        do(python, "-I", "-W", "error", "-c", first_programs, cwd=Path(folder))
        with tarfile.open(archive) as sources:
            sources.extractall(folder, filter="data")
        do(uv, "pip", "install", "-q", "--python", python, "-c", constraints, *NEEDED)
        (unpacked,) = Path(folder).glob("chouine-*")
        do(python, "-m", "pytest", "-q", "-n", 2, *CORE, cwd=unpacked)
        for each in ahead:
            do(uv, "pip", "install", "-q", "--python", each, "--no-deps", wheel)
            do(
                each,
                "-I",
                "-c",
                COMPILED_AHEAD,
                CHOUINE_CACHE_DIR=str(Path(folder) / "cache" / each.parts[-3]),
            )
        do(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "chouine[research]")
        do(uv, "pip", "install", "-q", "--python", python, "-c", constraints, f"{wheel}[server,wasm]", table)
        try_programs(python, unpacked / "tests" / "records" / "lavardin.cgn", Path(folder))
        for page in PAGES:
            for program in BLOCKS.findall((unpacked / page).read_text(encoding="utf-8")):
                do(python, "-I", "-c", program, cwd=unpacked)
        do(python, "-m", "pytest", "-q", "-n", 2, *LEARNING, cwd=unpacked)
        copytree(dist, ROOT / "dist", dirs_exist_ok=True)


if __name__ == "__main__":
    main()
