"""What Windows lacks, and what the desk does there: on a false Windows, since the tests run elsewhere."""

from __future__ import annotations

import ast
import asyncio
import ctypes
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chouine.cli.windows import console_guard, loop_factory
from tests.server.contest.false_windows import LACKS, NO_MODULES

Calls = list[tuple[Any, ...]]


def false_windows(calls: Calls, window: int) -> SimpleNamespace:
    def call(name: str, answer: object = 1) -> Callable[..., object]:
        def record(*arguments: object) -> object:
            if name == "GetConsoleMode":
                arguments[1]._obj.value = 0x1F7  # type: ignore[attr-defined]  # what `byref` refers to
                return 1
            calls.append((name, *arguments))
            return answer

        return record

    kernel = SimpleNamespace(
        GetConsoleWindow=call("GetConsoleWindow", window),
        GetStdHandle=call("GetStdHandle", 3),
        **{
            name: call(name)
            for name in ("GetConsoleMode", "SetConsoleMode", "SetConsoleTitleW", "SetThreadExecutionState")
        },
    )
    user = SimpleNamespace(GetSystemMenu=call("GetSystemMenu", 77), DeleteMenu=call("DeleteMenu"))
    return SimpleNamespace(kernel32=kernel, user32=user)


def test_the_cross_is_gone_clicks_freeze_nothing_and_all_is_as_before_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: Calls = []
    monkeypatch.setattr(ctypes, "windll", false_windows(calls, 0x51), raising=False)
    with console_guard("Chouine"):
        assert ("DeleteMenu", 77, 0xF060, 0) in calls
        assert ("SetConsoleMode", 3, 0x1B7) in calls
        assert ("SetThreadExecutionState", 0x80000001) in calls
        assert ("SetConsoleTitleW", "Chouine") in calls
        calls.clear()
    assert calls == [
        ("SetThreadExecutionState", 0x80000000), ("GetSystemMenu", 0x51, True), ("SetConsoleMode", 3, 0x1F7),
    ]  # fmt: skip


def test_without_a_window_of_its_own_nothing_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Calls = []
    monkeypatch.setattr(ctypes, "windll", false_windows(calls, 0), raising=False)
    with console_guard("Chouine"):
        pass
    assert not any(name in ("DeleteMenu", "GetSystemMenu") for name, *_ in calls)


def test_elsewhere_it_does_nothing() -> None:
    with console_guard("Chouine"):
        pass


class Leaving(OSError):
    """As Windows says that a connection is no more."""

    winerror = 64


class FalseProactor:
    """A proactor to which a phone comes that leaves at once, then one that stays, then nobody: no file is left."""

    def __init__(self) -> None:
        self.answers: list[Exception | str] = [
            Leaving("left"),
            ConnectionResetError("reset"),
            "phone",
            OSError("none"),
        ]
        self._loop = asyncio.get_running_loop()

    def accept(self, _: object) -> asyncio.Future[str]:
        answer, future = self.answers.pop(0), self._loop.create_future()
        if isinstance(answer, str):
            future.set_result(answer)
        else:
            future.set_exception(answer)
        return future


class FalseLoop:
    def __init__(self, proactor: FalseProactor) -> None:
        self.proactor = proactor

    def set_exception_handler(self, handler: Callable[[Any, dict[str, Any]], None]) -> None:
        self.handler = handler


def test_a_phone_that_leaves_while_it_is_connected_does_not_end_the_listening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asyncio, "IocpProactor", FalseProactor, raising=False)
    monkeypatch.setattr(asyncio, "ProactorEventLoop", FalseLoop, raising=False)
    told: list[object] = []

    async def serve() -> None:
        make = loop_factory()
        assert make is not None
        loop: Any = make()
        assert await loop.proactor.accept(None) == "phone"
        with pytest.raises(OSError, match="none"):  # an error of this machine is reported as usual
            await loop.proactor.accept(None)
        usual = SimpleNamespace(default_exception_handler=told.append)
        for fault in (Leaving("left"), KeyError("ours")):
            loop.handler(usual, {"exception": fault})

    asyncio.run(serve())
    (context,) = told
    assert isinstance(context, dict)
    assert isinstance(context["exception"], KeyError)


def test_elsewhere_the_loop_is_the_usual_one() -> None:
    assert loop_factory() is None
    assert loop_factory(asyncio.new_event_loop) is asyncio.new_event_loop


ELSEWHERE = {
    "players/process.py": "ends a program's children by their group, which only POSIX has",
    "server/workers.py": "worker processes of a server with Redis",
}
"""Modules that ask for what Windows lacks, and why."""
METHODS = {
    "add_signal_handler",
    "remove_signal_handler",
    "add_reader",
    "add_writer",
    "is_mount",
    "symlink_to",
}
"""Methods of paths and loops that fail on Windows, or ask for rights there."""
GUARDS = ("hasattr", "platform", "os.name")


def lacking(tree: ast.AST, *, guarded: bool = False) -> Iterator[tuple[int, str]]:
    """What a module asks for that Windows lacks, unless it looks before or expects to fail: line and name."""
    if not guarded:
        yield from asked_of(tree)
    for field, value in ast.iter_fields(tree):
        below = guarded or (field != "test" and is_guard(tree))
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from lacking(child, guarded=below)
                below |= (
                    isinstance(child, ast.If) and is_guard(child) and isinstance(child.body[-1], ast.Return)
                )


def is_guard(node: ast.AST) -> bool:
    """Whether what is below a node runs only where it exists, or may fail there."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return any(word in ast.unparse(node.test) for word in GUARDS)
    if isinstance(node, ast.BoolOp):
        return any(word in ast.unparse(node.values[0]) for word in GUARDS)
    if isinstance(node, ast.Try):
        return any(
            word in ast.unparse(one.type or node)
            for one in node.handlers
            for word in ("ImportError", "AttributeError")
        )
    if isinstance(node, ast.With):
        return any(
            f"suppress({word}" in ast.unparse(one)
            for one in node.items
            for word in ("ImportError", "AttributeError")
        )
    return False


def asked_of(node: ast.AST) -> Iterator[tuple[int, str]]:
    """What this node alone asks for."""
    match node:
        case ast.Import(names=names):
            yield from ((node.lineno, one.name) for one in names if one.name.partition(".")[0] in NO_MODULES)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            if module.partition(".")[0] in NO_MODULES:
                yield node.lineno, module
            elif module in LACKS:
                yield from ((node.lineno, one.name) for one in names if LACKS[module].fullmatch(one.name))
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in LACKS and LACKS[name].fullmatch(
            attr
        ):
            yield node.lineno, f"{name}.{attr}"
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in METHODS:
            yield node.lineno, attr
        case ast.Call(func=ast.Attribute(attr="fromtimestamp"), args=[_], keywords=[]):
            yield node.lineno, "fromtimestamp without a zone: near 1970 it has no local time there"
        case ast.Call(func=func, keywords=keywords) as call:
            given = {one.arg for one in keywords}
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            words = [
                one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            if "encoding" in given:
                return
            if (name == "read_text" and not call.args) or (name == "write_text" and len(call.args) == 1):
                yield call.lineno, f"{name} without its encoding"
            if "text" in given and name in ("run", "Popen", "check_output"):
                yield call.lineno, f"{name} of a text without its encoding"
            if name == "open" and any(re.fullmatch(r"[rwax+t]+", word) for word in words):
                yield call.lineno, "open without its encoding"


def test_nothing_is_asked_for_that_windows_lacks() -> None:
    sources = Path("src/chouine"), Path("packaging/chouine-table/src")
    found = {
        f"{path.relative_to(root)}:{line}": name
        for root in sources
        for path in sorted(root.rglob("*.py"))
        if str(path.relative_to(root)) not in ELSEWHERE
        for line, name in lacking(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "asked",
    [
        "import fcntl", "from signal import SIGKILL", "import os\nos.getuid()", "os.open(x, os.O_DIRECTORY)",
        "loop.add_signal_handler(1, f)", "datetime.fromtimestamp(0)", "path.read_text()", "path.open('w')",
        "subprocess.run(x, text=True)", "if x:\n    import resource", "path.is_mount()",
    ],
)  # fmt: skip
def test_what_windows_lacks_is_seen(asked: str) -> None:
    assert list(lacking(ast.parse(asked)))


@pytest.mark.parametrize(
    "asked",
    [
        "try:\n    import fcntl\nexcept ImportError:\n    pass", "with suppress(AttributeError):\n    os.nice(5)",
        "if hasattr(os, 'getuid'):\n    os.getuid()", "if sys.platform != 'win32':\n    import resource",
        "os.kill(1, signal.SIGTERM)", "os.access(x, os.W_OK)", "path.open('rb')", "path.read_text(encoding='utf-8')",
    ],
)  # fmt: skip
def test_what_looks_before_is_let_pass(asked: str) -> None:
    assert not list(lacking(ast.parse(asked)))
