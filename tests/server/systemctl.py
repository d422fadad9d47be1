"""A stand-in for systemd where it does not run: starts the commands of real units, under a folder in place of `/`.

Called as `systemctl` is. It reads units with their drop-ins, settings files and specifiers; it sets no limits on rights
and starts no timers.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

ROOT = Path(os.environ.get("SYSTEMCTL_ROOT", "/nowhere"))
UNITS = "etc/systemd/system"
SYSTEM = re.compile(r"(?<![\w.])/(opt|etc|var)(?=/)")


def in_folder(text: str, root: Path = ROOT) -> str:
    """A text with the paths of the system below the folder."""
    return SYSTEM.sub(lambda found: f"{root}{found[0]}", text)


class Unit:
    """A unit's settings, with those of its drop-ins."""

    def __init__(self, name: str) -> None:
        self.name = name if name.endswith(".timer") else f"{name.removesuffix('.service')}.service"
        stem, _, kind = self.name.rpartition(".")
        first, at, self.instance = stem.partition("@")
        self.settings = defaultdict[str, list[str]](list)
        files = [ROOT / UNITS / f"{first}{at}.{kind}"]
        assert files[0].is_file(), f"there is no unit {self.name}"
        for folder in (f"{first.partition('-')[0]}-.{kind}.d", f"{first}{at}.{kind}.d"):
            files += sorted((ROOT / UNITS / folder).glob("*.conf"))
        for file in files:
            for line in file.read_text().splitlines():
                if "=" in line and not line.startswith("#"):
                    name, _, value = line.partition("=")
                    self.settings[name].append(value.replace("%i", self.instance).replace("%%", "%"))

    def environment(self) -> dict[str, str]:
        """The variables, later ones replacing earlier ones; those of files replace those of the unit."""
        found = [word for line in self.settings["Environment"] for word in shlex.split(line)]
        for name in self.settings["EnvironmentFile"]:
            file = Path(in_folder(name.removeprefix("-")))
            if file.exists() or not name.startswith("-"):
                found += [word for line in file.read_text().splitlines() for word in shlex.split(line)]
        return os.environ | {
            name: in_folder(value) for name, _, value in (each.partition("=") for each in found)
        }

    def commands(self, setting: str) -> Iterator[list[str]]:
        """The commands of a setting, as lists of words."""
        variables = self.environment()
        for line in self.settings[setting]:
            words = list[str]()
            for word in shlex.split(line):
                whole = re.fullmatch(r"\$(\w+)", word)
                words += shlex.split(variables.get(whole[1], "")) if whole else [word.replace("$$", "$")]
            yield [in_folder(word) for word in words]

    @property
    def running(self) -> Path:
        """The file with the process's number."""
        return ROOT / "run" / self.name

    def start(self) -> int:
        """Start it; a oneshot unit is waited for."""
        if self.name.endswith(".timer"):
            return 0
        for what, base in (("StateDirectory", "lib"), ("CacheDirectory", "cache")):
            for name in " ".join(self.settings[what]).split():
                (ROOT / "var" / base / "private" / name).mkdir(parents=True, exist_ok=True, mode=0o700)
                with suppress(FileExistsError):  # a link, as systemd makes it for a dynamic user
                    (ROOT / "var" / base / name).symlink_to(Path("private") / name)
        with (ROOT / "journal").open("a") as journal:
            if "oneshot" in self.settings["Type"]:
                commands = [*self.commands("ExecStart"), *self.commands("ExecStartPost")]
                return next(filter(None, (self.call(each, journal) for each in commands)), 0)
            (command,) = self.commands("ExecStart")
            process = subprocess.Popen(
                command, env=self.environment(), stdout=journal, stderr=journal, start_new_session=True
            )
        self.running.parent.mkdir(exist_ok=True)
        self.running.write_text(str(process.pid))
        return 0

    def call(self, command: list[str], journal: TextIO) -> int:
        """Run a command; returns its exit status."""
        return subprocess.run(
            command, env=self.environment(), stdout=journal, stderr=journal, check=False
        ).returncode

    def stop(self) -> None:
        """End it and wait until it has ended; as by systemd it is killed after `TimeoutStopSec`."""
        if not self.running.exists():
            return
        number = int(self.running.read_text())
        self.running.unlink()
        # systemd's own 90 seconds, unless the unit says another
        (*_, seconds) = "90", *self.settings["TimeoutStopSec"]
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGTERM)
            deadline = time.monotonic() + float(seconds)
            while not has_ended(number):
                if time.monotonic() > deadline:
                    os.killpg(number, signal.SIGKILL)
                time.sleep(0.02)


def has_ended(number: int) -> bool:
    """Whether a process that may be nobody's child has ended."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def stop_all(root: Path) -> None:
    """End all that was started below a folder."""
    for file in (root / "run").glob("*"):
        with suppress(ProcessLookupError):
            os.killpg(int(file.read_text()), signal.SIGKILL)


def main(arguments: Sequence[str]) -> int:
    verb, *names = [word for word in arguments if not word.startswith("--")]
    units = [Unit(name) for name in names]
    if verb in ("stop", "restart"):
        for unit in units:
            unit.stop()
    if verb in ("start", "restart") or (verb == "enable" and "--now" in arguments):
        return max(unit.start() for unit in units)
    assert verb in ("stop", "enable", "daemon-reload"), verb
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
