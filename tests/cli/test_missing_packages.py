"""Of a package that is not installed a command says by which extra it comes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from chouine.cli.texts import EXTRAS, missing_package

ROOT = Path(__file__).parents[2]
EXTRA = re.compile(r"pip install 'chouine\[(\w+)\]'$")


def extras() -> dict[str, set[str]]:
    """The packages of each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = project["project"]["optional-dependencies"].items()
    return {extra: {re.split(r"[\[<>=;~! ]", one, maxsplit=1)[0] for one in needs} for extra, needs in found}


def all_packages() -> set[str]:
    """The packages of all extras."""
    return {package for packages in extras().values() for package in packages}


def imported_modules() -> Iterator[str]:
    """Every module that is imported anywhere in the package, by its first name."""
    for path in (ROOT / "src" / "chouine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.partition(".")[0]


def test_the_extra_that_is_named_has_the_package_and_none_smaller_has() -> None:
    by_module = {name: {one.lower() for one in found} for name, found in packages_distributions().items()}
    for module in sorted({*imported_modules(), *EXTRAS}):
        packages = by_module.get(module, {module})
        having = [extra for extra, needs in extras().items() if packages & needs]
        if not having:
            continue
        said = missing_package("x", ModuleNotFoundError(name=f"{module}.part"))
        found = EXTRA.search(said)
        assert found, said
        assert found[1] in having, said
        assert len(extras()[found[1]]) == min(len(extras()[extra]) for extra in having), said


def test_a_module_of_ours_is_no_package() -> None:
    with pytest.raises(ModuleNotFoundError):
        missing_package("x", ModuleNotFoundError(name="chouine.none"))


def test_a_command_s_help_needs_no_package_or_says_which() -> None:
    """A command's module may need one as soon as it is imported."""
    modules = [name for name, found in packages_distributions().items() if {*found} & all_packages()]
    tried = f"""
import sys
from chouine.cli import COMMANDS, main
sys.modules |= dict.fromkeys({modules})
for name in COMMANDS:
    try:
        print(name, main([name, "--help"]))
    except SystemExit as left:
        print(name, left.code)
"""
    run = subprocess.run([sys.executable, "-c", tried], capture_output=True, encoding="utf-8", check=True)
    for line in run.stderr.splitlines():
        assert re.fullmatch(r"chouine \w+ .* pip install 'chouine\[\w+\]'", line)
    assert f"\nsaison {2 if run.stderr else 0}\n" in run.stdout


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("encode", "fast"),
        ("opponents", "fast"),
        ("dataset", "fast"),
        ("vector", "research"),
        ("single", "research"),
    ],
)
def test_a_module_of_environments_says_which_extra_it_needs(module: str, extra: str) -> None:
    """Without NumPy and Gymnasium, as after an installation without extras."""
    without = "import sys; sys.modules |= dict.fromkeys(['numpy', 'numba', 'gymnasium', 'pettingzoo'])"
    tried = (
        f"try: import chouine.envs.{module}\nexcept ImportError as error: print(type(error).__name__, error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"{without}\n{tried}"], capture_output=True, encoding="utf-8", check=True
    )
    assert re.fullmatch(
        rf"MissingPackage \w+ is not installed: pip install 'chouine\[{extra}\]'\.\n", run.stdout
    )
