"""The page on running a server: its blocks of commands, run on a machine below a temporary folder."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple, Self

from tests.patience import PATIENCE
from tests.ports import free_port
from tests.server.systemctl import in_folder, stop_all

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "deploy.md"
BLOCK = re.compile(
    r"(?:^<!-- (?P<marker>[^\n]*) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)
PORTS = ("8000", "8001", "8900")
"""The ports of the page, each replaced by a free one."""

WITHOUT_COMPILER = 'import sys\nsys.modules["numba"] = None\n'
"""Each program of the page begins with this: loading what is compiled takes a server three seconds of processor."""


class Block(NamedTuple):
    """A block of the page. `marker`: the comment before it."""

    marker: str
    language: str
    text: str

    def runs(self, journey: str) -> bool:
        """Whether it is one of the commands of a journey: `one` machine or `many` nodes."""
        verb, _, journeys = self.marker.partition(": ")
        return verb == "run" and journey in journeys.split()


def blocks(language: str) -> list[Block]:
    """The page's blocks of a language."""
    found = (
        Block(each["marker"] or "", each["language"], each["text"])
        for each in BLOCK.finditer(PAGE.read_text())
    )
    return [block for block in found if block.language == language]


@dataclass
class Machine:
    """A folder in place of `/`, in which the commands of a page are run."""

    root: Path
    journey: str
    given: dict[str, str] = field(default_factory=dict)
    """Words of the page, and what is true on this machine instead."""
    variables: dict[str, str] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=lambda: {port: free_port() for port in PORTS})

    done: list[str] = field(default_factory=list)
    """The blocks that have been run."""

    def __post_init__(self) -> None:
        for folder in ("etc/systemd/system", "etc/caddy", "opt", "var/tmp", "var/lib", "bin"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "opt" / "chouine").symlink_to(Path(sys.executable).parents[1])
        tool = self.root / "bin" / "systemctl"
        tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m tests.server.systemctl "$@"\n')
        tool.chmod(0o755)
        (self.root / "lib").mkdir()
        (self.root / "lib" / "sitecustomize.py").write_text(WITHOUT_COMPILER)

    def true_here(self, text: str) -> str:
        """The page's commands with this machine's folders, ports and addresses."""
        for said, meant in {**self.given, **{port: str(own) for port, own in self.ports.items()}}.items():
            text = text.replace(said, meant)
        return in_folder(text, self.root)

    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.root),
            "LANG": "C.UTF-8",
            "SYSTEMCTL_ROOT": str(self.root),
            "NEW": f"{self.root}/opt/chouine",  # the page's installation sets it
            "PYTHONPATH": str(self.root / "lib"),
            **self.variables,
        }

    def run(self, commands: str, typed: str = "") -> str:
        """Run commands as one types them into a shell that stays open; returns what they print."""
        kept = self.root / "shell"
        kept.touch()
        script = f". {kept}\n{self.true_here(commands)}\nexport -p > {kept}"
        with TemporaryFile("w+") as printed, TemporaryFile("w+") as complained:
            # Files, not pipes: a server left in the background by a command that fails would keep a pipe open.
            running = subprocess.Popen(
                ["bash", "-ec", script],
                cwd=ROOT,
                env=self.environment(),
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=complained,
                text=True,
                start_new_session=True,
            )
            try:
                running.communicate(typed, timeout=4 * PATIENCE)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(running.pid, signal.SIGKILL)
                running.wait()
            printed.seek(0)
            complained.seek(0)
            answer = printed.read()
            assert running.returncode == 0, f"{commands}\n{answer}\n{complained.read()}\n{self.journal}"
        return answer

    def run_block(self, *words: str, typed: str = "") -> str:
        """Run the one block of this journey that has these words."""
        (block,) = (block for block in self.blocks() if all(word in block for word in words))
        self.done.append(block)
        return self.run(block, typed)

    def blocks(self) -> list[str]:
        """The commands of this journey."""
        return [block.text for block in blocks("sh") if block.runs(self.journey)]

    @property
    def not_done(self) -> list[str]:
        return [block for block in self.blocks() if block not in self.done]

    @property
    def journal(self) -> str:
        """What units have printed."""
        file = self.root / "journal"
        return file.read_text() if file.exists() else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        stop_all(self.root)
