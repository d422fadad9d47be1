"""A copy of the sources in which how-tos are followed, step by step, as a contributor would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from venv import EnvBuilder

from babel.messages.pofile import read_po

from tests.test_links import ROOT

STEP = re.compile(
    r"(?:^`(?P<path>[^`\n]+)`:\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
CATALOGUE = Path("src/chouine/phrases/locale/fr/LC_MESSAGES/chouine.po")
PROGRAMS = "chouine", "pytest"
CHECK = ".venv/bin/pytest -q -n 0 "


class Tree:
    """A copy of the tracked files, with an environment whose `chouine` is the copy's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
        )
        for name in filter(None, listed.stdout.split("\0")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
        self._make_environment()

    def _make_environment(self) -> None:
        """`.venv` with the packages of this one: only the package itself is another."""
        EnvBuilder(symlinks=True).create(self.folder / ".venv")
        (packages,) = (self.folder / ".venv/lib").glob("python3*/site-packages")
        paths = self.folder / "src", sysconfig.get_path("purelib")
        (packages / "tree.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
        for name in PROGRAMS:
            program = self.folder / ".venv/bin" / name
            program.write_text(f'#!/bin/sh\nexec "$(dirname "$0")/python" -m {name} "$@"\n', encoding="utf-8")
            program.chmod(0o755)

    def follow(self, *pages: str) -> list[str]:
        """Take each step: write its files, apply its differences, run its commands. The tests that they name are left.

        All translations are entered together at the end, and the tests may be run in one process.
        """
        tests: list[str] = []
        translations: dict[Path, str] = {}
        for page in pages:
            for path, language, text in steps(page):
                if language == "po":
                    catalogue = Path(path) if path else CATALOGUE
                    translations[catalogue] = f"{translations.get(catalogue, '')}\n{text}"
                elif path:
                    (self.folder / path).write_text(text, encoding="utf-8")
                elif language == "diff":
                    self.run("git", "apply", "-", typed=text)
                else:
                    for command in text.splitlines():
                        if command.startswith(CHECK):
                            tests += command.removeprefix(CHECK).split()
                        else:
                            self.run("bash", "-ec", command)
        if translations:
            self.translate(translations)
        return tests

    def translate(self, given: dict[Path, str]) -> None:
        """Enter the translations where `make messages` left them empty, which it does not accept in French."""
        self.run(".venv/bin/python", "-m", "tools.messages", expected=int(CATALOGUE in given))
        for path, text in given.items():
            catalogue = (self.folder / path).read_text(encoding="utf-8")
            for message in read_po(BytesIO(text.encode())):
                if message.id:
                    empty = f'msgid "{message.id}"\nmsgstr ""'
                    assert empty in catalogue
                    catalogue = catalogue.replace(empty, f'msgid "{message.id}"\nmsgstr "{message.string}"')
            (self.folder / path).write_text(catalogue, encoding="utf-8")
        self.run(".venv/bin/python", "-m", "tools.messages")

    def run(self, *command: str, typed: str | None = None, expected: int = 0) -> str:
        """What a command prints; it must end with the expected status."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expected, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout


def steps(page: str) -> Iterator[tuple[str, str, str]]:
    """The blocks of a how-to in order: the path of a new file or "", the language, the text."""
    for found in STEP.finditer((ROOT / "docs/howto" / page).read_text(encoding="utf-8")):
        yield found["path"] or "", found["language"], found["text"]
