"""Hypothesis profiles, markers of slow tests, and the summary of skipped tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, Phase, settings

from tests.needs import left_out, starts_a_server

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy is imported: idle BLAS threads of many processes spin
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # else httpx tries to import it at each in-process request

ON_CI = os.environ.get("CI") == "true"
MEMORY = Path("/dev/shm")  # noqa: S108
"""A file system in memory, on Linux."""
ENOUGH = 6 * 2**30
"""Bytes for the temporary files of all processes, most of them PostgreSQL databases."""


def keep_in_memory() -> None:
    """Put temporary files into memory if it has room: a database waits for the disk at each act, half of a test's time.

    Each child process, and with it each process of tests, inherits the choice; who sets TMPDIR has chosen.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    found = os.statvfs(MEMORY)
    if (
        found.f_bavail * found.f_frsize >= ENOUGH and not found.f_flag & os.ST_NOEXEC
    ):  # some tests write programs
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


keep_in_memory()
settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly",
    max_examples=5_000,  # a partie each, for some thirty properties
    deadline=None,
    print_blob=True,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-playthroughs",
        action="store_true",
        help="write tests/playthroughs/*.txt anew: review the difference before committing it",
    )


def pytest_configure() -> None:
    """Restore Ctrl-C for child processes: a shell starts background jobs with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Seek doctests in the package only: each module here would be imported for them, and looked through."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Turn the garbage collector off while collecting, and exempt what was collected: saves a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests with a server or browser; run tests marked `first` before others."""
    for item in items:
        if starts_a_server(item):
            item.add_marker("serving")
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report skipped tests, one line for each reason."""
    for line in left_out(terminalreporter.getreports("skipped")):
        terminalreporter.write_line(f"{line}: with CI=true, a failure" if ON_CI else line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a test was skipped and `CI=true`."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if ON_CI and reporter and reporter.getreports("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def _write_no_logs_to_a_closed_file() -> Iterator[None]:
    """A command that a test runs sends the log to the standard error of that test, which ends with it."""
    yield
    if "structlog" in sys.modules:
        sys.modules["structlog"].reset_defaults()
