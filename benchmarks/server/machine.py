"""The memory of a small machine: `python -m benchmarks.server.machine FOLDER [--minutes 5]`, as root on Debian.

Makes a clean Debian in FOLDER with mmdebstrap, installs the program there by the commands of `docs/deploy.md`, and
serves SQLite from it to 40 tables of two people and 10 of one person against level 8, in a control group of 1 GB.
Prints the memory every half minute, and what `chouine doctor` says inside.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from benchmarks.server.generator import Options
from benchmarks.server.nodes import ROOT, crowds
from tests.ports import free_port
from tests.server.page import blocks

LIMIT = 1_000_000_000
"""Bytes of memory of the machine."""
PACKAGES = "python3-venv,curl,ca-certificates"
TABLES = (
    (40, {"format": "1x1", "chair-0": "me", "chair-1": "friend"}),
    (
        10,
        {"format": "1x1", "chair-0": "me", "chair-1": "level:8"},
    ),
)
"""Tables, with the form of each."""
SETTINGS = {"XDG_CACHE_HOME": "/var/cache", "CHOUINE_DATABASE_URL": "sqlite:////var/lib/chouine/chouine.db"}
USER = "nobody"
WAYS = Path("/etc/resolv.conf"), Path("/etc/pip.conf"), Path("/etc/ssl/certs/ca-certificates.crt")
"""This machine's way to the packages."""


@dataclass(frozen=True)
class Machine:
    """A Debian in a folder."""

    root: Path

    def install(self) -> None:
        """Make it, unless it is there, and install the sources as the page says."""
        if not (self.root / "opt/chouine").is_symlink():
            do("mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", self.root)
            for file in filter(Path.exists, WAYS):
                (self.root / file.relative_to("/")).write_bytes(file.read_bytes())
            sources = self.root / "usr/src/chouine"
            sources.mkdir(parents=True)
            do("sh", "-c", f"git -C {ROOT} archive HEAD | tar x -C {sources}")
            (commands,) = (block.text for block in blocks("sh") if "NEW=" in block.text)
            self.run(["bash", "-ec", f"cd /usr/src/chouine\n{commands}"], user="root").check_returncode()
        (self.root / "dev/shm").mkdir(exist_ok=True)  # where processes keep their locks
        (self.root / "dev/shm").chmod(0o1777)
        for folder in ("var/lib/chouine", "var/lib/chouine-backups", "var/cache/chouine"):
            (self.root / folder).mkdir(exist_ok=True)
            do("chroot", self.root, "chown", USER, f"/{folder}")

    def run(self, command: list[str], user: str = USER) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603
            ["chroot", f"--userspec={user}", str(self.root), *command],  # noqa: S607
            env=os.environ | SETTINGS,
            text=True,
            check=False,
        )

    @contextmanager
    def serving(self, port: int, group: Path) -> Iterator[None]:
        """Serve as the unit does, all processes in a control group."""
        command = ["chroot", f"--userspec={USER}", str(self.root), "/opt/chouine/bin/chouine", "serve"]
        join = f'echo $$ > {group}/cgroup.procs; exec "$@"'
        serve = subprocess.Popen(  # noqa: S603
            ["sh", "-c", join, "sh", *command, "--no-browser", "--port", f"{port}"],  # noqa: S607
            env=os.environ | SETTINGS | {"CHOUINE_PER_ADDRESS": "1000"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            if serve.stdout is None or not serve.stdout.readline().startswith("Chouine: "):
                raise RuntimeError("the server does not start")
            yield
        finally:
            serve.terminate()
            serve.wait(20)


def do(*command: str | Path) -> None:
    """Run a command; raises `CalledProcessError` if it fails."""
    subprocess.run(command, check=True)  # noqa: S603


@contextmanager
def mount_proc(root: Path) -> Iterator[None]:
    """The list of processes, which a folder lacks."""
    do("mount", "-t", "proc", "proc", root / "proc")
    try:
        yield
    finally:
        do("umount", "--lazy", root / "proc")


@contextmanager
def control_group() -> Iterator[Path]:
    """A control group with the machine's memory, of either version of Linux's control groups."""
    one = Path("/sys/fs/cgroup/memory/chouine-machine")
    group, limit = (
        (one, "memory.limit_in_bytes")
        if one.parent.is_dir()
        else (
            Path("/sys/fs/cgroup/chouine-machine"),
            "memory.max",
        )
    )
    group.mkdir()
    (group / limit).write_text(str(LIMIT))
    try:
        yield group
    finally:
        group.rmdir()


def memory_of(group: Path) -> str:
    """Megabytes (10⁶ bytes) of a group's processes: resident, with pages that several share counted once (PSS)."""
    sizes = []
    for number in (group / "cgroup.procs").read_text().split():
        rollup = Path(f"/proc/{number}/smaps_rollup").read_text()
        (pss,) = (line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:"))
        sizes.append(int(pss) * 1024 / 1e6)
    return f"{sum(sizes):.0f} MB = {' + '.join(f'{size:.0f}' for size in sizes)}"


def peak_of(group: Path) -> int:
    """The most bytes that a group had, with the kernel's copies of files, which it gives up where memory is needed."""
    (peak,) = (
        file for name in ("memory.max_usage_in_bytes", "memory.peak") if (file := group / name).is_file()
    )
    return int(peak.read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=5.0)
    args = parser.parse_args()
    machine, port = Machine(args.folder.absolute()), free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        machine.install()
        stack.enter_context(mount_proc(machine.root))
        group = stack.enter_context(control_group())
        stack.enter_context(machine.serving(port, group))
        playing = [
            Options(
                addresses=[f"http://127.0.0.1:{port}"],
                matches=tables,
                first=1000 * nth,
                seconds=60 * args.minutes + 60,
                pace=4.0,
                terms=terms,
            )
            for nth, (tables, terms) in enumerate(TABLES)
        ]
        print(f"before anybody plays: {memory_of(group)}", flush=True)
        people = stack.enter_context(crowds(playing, folder))
        for nth in range(round(2 * args.minutes)):
            sleep(30)
            print(f"{nth / 2 + 0.5} min: {memory_of(group)}", flush=True)
        for crowd in people:
            told = crowd.stop()
            print(f"{len(told.answered)} moves, {told.counts}, {len(told.stuck)} stuck", flush=True)
        print(f"peak of the group, files in memory too: {peak_of(group) / 1e6:.0f} MB")
        for command in (
            ["backup", "/var/lib/chouine-backups/chouine-now.db"],
            ["doctor", f"http://127.0.0.1:{port}"],
        ):
            status = machine.run(["/opt/chouine/bin/chouine", *command]).returncode
            print(f"{command[0]}: exit code {status}", flush=True)


if __name__ == "__main__":
    main()
