"""A child process that exchanges lines. Every wait has a time limit: the program may be slow, silent or dead."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from time import monotonic

from chouine.errors import ChouineError
from chouine.plaintext import escape_controls

LONGEST_LINE = 65536
"""Bytes that a line of the protocol may have."""
PARTING = 0.5
"""Seconds until a program that was told to quit, or has closed a pipe, must have exited."""


class EngineFault(ChouineError):
    """A program breached the engine protocol, as the subclass says; the program is ended.

    Nothing in its sentence acts on the terminal that shows it.
    """

    def __init__(self, code: str, **data: object) -> None:
        escaped = {
            name: escape_controls(part) if isinstance(part, str) else part for name, part in data.items()
        }
        super().__init__(code, **escaped)


class EngineNotStarted(EngineFault):
    """There is no such program, or it may not be run."""


class EngineDied(EngineFault):
    """It exited, was killed, or closed its input or output."""


class EngineSilent(EngineFault):
    """It gave no whole answer in time, or no longer reads."""


class EngineNonsense(EngineFault):
    """Its answer cannot be read, or is not legal."""


class EngineOverlong(EngineFault):
    """It sent an endless line."""


def not_started(error: Exception) -> str:
    """The code of the reason why a program could not be started."""
    match error:
        case FileNotFoundError():
            return "engine/none"
        case PermissionError():
            return "engine/forbidden"
        case OSError():
            return "engine/start"
        case _:
            return "engine/command-line"


def text_of(line: bytes) -> str:
    """A line as text, with escapes in place of control characters, which would act on the terminal that shows it."""
    return escape_controls(line.decode("utf-8", "replace").strip())


class Process:
    """The program of a command line, started without a shell and killed with its children.

    Its standard error is this process's.
    """

    def __init__(self, command: str) -> None:
        self.command = command
        self.heard = b""
        its_input, written = os.pipe()
        os.set_blocking(written, False)
        self.input = os.fdopen(written, "wb", buffering=0)
        self.output, its_output = os.pipe()
        try:
            self.child = subprocess.Popen(  # noqa: S603 - the program that was asked for, without a shell
                shlex.split(command),
                stdin=its_input,
                stdout=its_output,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            self.input.close()
            os.close(self.output)
            raise EngineNotStarted(not_started(error), command=command) from None
        finally:
            os.close(its_input)
            os.close(its_output)

    def send(self, line: str) -> None:
        """Send a line. The pipe holds thousands of lines before the program must read."""
        data = (line + "\n").encode()
        try:
            written = self.input.write(data) or 0
        except BrokenPipeError:
            raise self.end_fault() from None
        if written < len(data):
            raise EngineSilent("engine/deaf", command=self.command)

    def close_input(self) -> None:
        """End the program's input."""
        self.input.close()

    def receive(self, seconds: float, since: float) -> str:
        """The program's next line, which must be complete within `seconds` after `since`."""
        while b"\n" not in self.heard and len(self.heard) <= LONGEST_LINE:
            if not self.speaks(since + seconds - monotonic()):
                raise self.late_fault(seconds)
            more = os.read(self.output, LONGEST_LINE)
            if not more:
                raise self.end_fault()
            self.heard += more
        line, _, self.heard = self.heard.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise EngineOverlong("engine/long-line", command=self.command, most=LONGEST_LINE)
        return text_of(line)

    def waiting_line(self) -> str:
        """The first line that has come and was not received, as yet; empty if there is none. Waits for nothing."""
        with DefaultSelector() as selector:
            selector.register(self.output, EVENT_READ)
            if len(self.heard) <= LONGEST_LINE and selector.select(0):
                self.heard += os.read(self.output, LONGEST_LINE)
        return text_of(self.heard.partition(b"\n")[0])

    def late_fault(self, seconds: float) -> EngineFault:
        """The fault of a program that gave no whole line in time."""
        if not self.heard or self.speaks(PARTING):
            return EngineSilent("engine/silent", command=self.command, seconds=seconds)
        begun = text_of(self.heard)[:100]
        return EngineSilent("engine/unfinished", command=self.command, seconds=seconds, token=begun)

    def end_fault(self) -> EngineFault:
        """The fault of a program that has closed its input or output, usually by exiting."""
        try:
            status = self.child.wait(PARTING)
        except subprocess.TimeoutExpired:
            return EngineDied("engine/ended", command=self.command)
        if status < 0:
            return EngineDied("engine/killed", command=self.command, signal=-status)
        return EngineDied("engine/exited", command=self.command, status=status)

    def speaks(self, seconds: float) -> bool:
        """Whether output or an exit comes within this many seconds."""
        if seconds <= 0:
            return False
        with DefaultSelector() as selector:
            selector.register(self.output, EVENT_READ)
            return bool(selector.select(seconds))

    def part(self, last_word: str) -> None:
        """Send a last line and give the program a moment to exit."""
        with suppress(EngineFault, subprocess.TimeoutExpired):
            self.send(last_word)
            self.child.wait(PARTING)
        self.end()

    def kill(self) -> None:
        """Kill the program and its children at once; whoever waits for it learns that it has ended."""
        with suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill the program and its children, and dispose of it."""
        self.kill()
        self.child.wait()
        self.input.close()
        os.close(self.output)
