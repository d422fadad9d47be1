"""Run programs in processes forked from one that has already imported them: importing takes about a second."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from multiprocessing import forkserver, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
ENVIRONMENT = dict(os.environ)
"""As it was before any test changed it."""

IMPORTED = [
    "chouine.cli.serve",
    "chouine.server.app",
    "chouine.server.protocol",
    "alembic.command",
    "aiosqlite",
    "uvicorn",
    "chouine.cli.desk",
    "chouine.server.contest.app",
    "tests.server.preload",
]
"""What each program finds imported."""
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(IMPORTED)
Program = Callable[[Sequence[str]], int | None]
"""Called with the arguments; returns the exit status."""


class ForkedProcess:
    """A subset of the interface of `subprocess.Popen`; standard output is read from `stdout`."""

    def __init__(self, program: Program, arguments: Sequence[str], errors: Path | None = None) -> None:
        """Start the program. `errors`: file to append standard error to; by default it is that of the tests."""
        begin_to_import()
        heard, said = CONTEXT.Pipe(duplex=False)
        values = program, list(arguments), said, errors, dict(os.environ), Path.cwd()
        self.process = CONTEXT.Process(target=begin, args=values)
        self.process.start()
        said.close()
        self.stdout = os.fdopen(os.dup(heard.fileno()), encoding="utf-8")
        heard.close()

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    @property
    def returncode(self) -> int | None:
        return self.process.exitcode

    def poll(self) -> int | None:
        return self.process.exitcode

    def send_signal(self, sign: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, sign)

    def kill(self) -> None:
        self.process.kill()

    def wait(self, seconds: float) -> int:
        self.process.join(seconds)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired("a forked program", seconds)
        return self.process.exitcode


def begin_to_import() -> None:
    """Start the process that imports, if it is not there: elsewhere it would find no test's module, and say nothing."""
    with chdir(ROOT), patch.dict(os.environ, ENVIRONMENT, clear=True):
        forkserver.ensure_running()


def run_chouine(arguments: Sequence[str], errors: Path) -> tuple[int, str]:
    """Run `chouine` with these arguments; its exit status and standard error."""
    from chouine.cli import main

    errors.unlink(missing_ok=True)
    process = ForkedProcess(main, arguments, errors)
    with process.stdout:
        status = process.wait(PATIENCE)
    return status, errors.read_text()


def begin(
    program: Program,
    arguments: Sequence[str],
    said: Connection,
    errors: Path | None,
    environment: Mapping[str, str],
    folder: Path,
) -> None:
    """The main function of the child process: restores environment, folder and standard streams as a shell would."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(said.fileno(), 1)
    said.close()
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
    if errors is not None:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
    try:
        status = program(arguments)
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 1
    sys.stdout.flush()
    os._exit(status or 0)  # otherwise the exit would wait for child processes that have not been stopped yet
