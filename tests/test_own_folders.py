"""A run of tests that was killed leaves servers and folders, which the next one clears; those of others stay."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.own_folders import own_folder
from tests.patience import PATIENCE, wait_until

RUN = """
import subprocess, sys, tempfile
from tests.own_folders import own_folder
tempfile.tempdir = sys.argv[1]
folder = own_folder("probe")
data = folder / "data"
data.mkdir()
print(folder, flush=True)
server = subprocess.Popen(["sleep", "1000"], cwd=data)
print(server.pid, flush=True)
server.wait()
"""


def test_what_a_killed_run_left_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    command = [sys.executable, "-c", RUN, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        folder, server = Path(run.stdout.readline().strip()), int(run.stdout.readline())
        mine = own_folder("probe")
        assert folder.exists()  # it is at work
        run.send_signal(signal.SIGKILL)
        run.wait(PATIENCE)
    other = own_folder("probe")
    assert {*tmp_path.iterdir()} == {mine, other}
    wait_until("the end of the server", lambda: not is_at_work(server))


def is_at_work(process: int) -> bool:
    """Whether a process runs, or at least is no zombie that nobody has waited for."""
    try:
        return "(zombie)" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False
