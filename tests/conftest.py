"""How hard Hypothesis looks, which tests are of the inner loop, and what is said of those left out."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.needs import left_out, starts_a_server

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # before NumPy is there: threads of many processes wait busily
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]  # else httpx looks for it at each request in-process

settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly",
    max_examples=5_000,  # a partie each, by some thirty laws
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
    """Let the programs that tests start heed Ctrl-C: a shell has what it starts in the background ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: it is not searched for garbage, which takes a third of the collecting."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts a server or a browser; what a busy machine makes it miss is tried once more. Longest first."""
    for item in items:
        if starts_a_server(item):
            item.add_marker("serving")
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was left out, in a line for each reason."""
    for line in left_out(terminalreporter.getreports("skipped")):
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where `CI=true` nothing may be left out."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and reporter.getreports("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
