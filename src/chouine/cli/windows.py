"""What only Windows needs while a desk or a table is open.

A window that stays open, a laptop that stays awake, a socket that goes on listening.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import wintypes
from typing import Any

INPUT = -10
"""`STD_INPUT_HANDLE`."""
QUICK_EDIT, EXTENDED = 0x40, 0x80
"""`ENABLE_QUICK_EDIT_MODE`: a click into the window selects text and stops the program that writes there. It is only
changed together with `ENABLE_EXTENDED_FLAGS`."""
CLOSE, BY_COMMAND = 0xF060, 0
"""`SC_CLOSE`, the cross of a window, and `MF_BYCOMMAND`."""
AWAKE, FROM_NOW_ON = 0x1, 0x80000000
"""`ES_SYSTEM_REQUIRED`, `ES_CONTINUOUS`."""


@contextmanager
def console_guard(title: str) -> Iterator[None]:
    """Give the window this title and no cross, let no click freeze it, and keep the laptop awake.

    The window of Windows Terminal keeps its cross: each act is on the disk, so that closing it loses nothing. A lid
    that is shut still sends the laptop to sleep. Does nothing on other systems.
    """
    windll: Any = getattr(ctypes, "windll", None)
    if windll is None:
        yield
        return
    kernel, user = windll.kernel32, windll.user32
    kernel.GetConsoleWindow.restype = wintypes.HWND
    kernel.GetStdHandle.restype = wintypes.HANDLE
    user.GetSystemMenu.restype = wintypes.HMENU
    user.GetSystemMenu.argtypes = [wintypes.HWND, wintypes.BOOL]
    user.DeleteMenu.argtypes = [wintypes.HMENU, wintypes.UINT, wintypes.UINT]
    kernel.GetConsoleMode.argtypes = [wintypes.HANDLE, wintypes.LPDWORD]
    kernel.SetConsoleMode.argtypes = [wintypes.HANDLE, wintypes.DWORD]
    kernel.SetConsoleTitleW(title)
    kernel.SetThreadExecutionState(FROM_NOW_ON | AWAKE)
    window, entry, mode = kernel.GetConsoleWindow(), kernel.GetStdHandle(INPUT), wintypes.DWORD()
    has_mode = kernel.GetConsoleMode(entry, ctypes.byref(mode))
    if window:
        user.DeleteMenu(user.GetSystemMenu(window, False), CLOSE, BY_COMMAND)  # noqa: FBT003  # the menu itself
    if has_mode:
        kernel.SetConsoleMode(entry, mode.value & ~QUICK_EDIT | EXTENDED)
    try:
        yield
    finally:
        kernel.SetThreadExecutionState(FROM_NOW_ON)
        if window:
            user.GetSystemMenu(window, True)  # noqa: FBT003  # as it was
        if has_mode:
            kernel.SetConsoleMode(entry, mode.value)


RESET = (64, 1236)
"""`ERROR_NETNAME_DELETED`, `ERROR_CONNECTION_ABORTED`: what Windows says of a connection that is no more."""
LoopFactory = Callable[[], asyncio.AbstractEventLoop] | None


def loop_factory(usual: LoopFactory = None) -> LoopFactory:
    """What makes the loop of a server: `usual`, but on Windows a loop that goes on listening.

    There Python's own closes its socket if a phone leaves while it is being connected, and then the desk hears nobody
    any more (CPython's issue 93821).
    """
    proactor = getattr(asyncio, "IocpProactor", None)
    return usual if proactor is None else lambda: patient_loop(proactor)


def patient_loop(proactor: type[Any]) -> asyncio.AbstractEventLoop:
    """Windows's loop on this class of proactor, which it makes patient; of connections that break it tells nothing."""

    class Patient(proactor):  # type: ignore[misc]  # known on Windows alone
        def accept(self, listener: Any) -> asyncio.Future[Any]:
            accept_once = super().accept

            async def accept_next() -> Any:
                while True:
                    try:
                        return await accept_once(listener)
                    except OSError as fault:
                        if not (isinstance(fault, ConnectionError) or getattr(fault, "winerror", 0) in RESET):
                            raise

            return asyncio.ensure_future(accept_next(), loop=self._loop)

    made: Any = getattr(asyncio, "ProactorEventLoop")(Patient())  # noqa: B009  # known on Windows alone
    made.set_exception_handler(tell_unless_left)
    loop: asyncio.AbstractEventLoop = made
    return loop


def tell_unless_left(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Print an error as usual, but no traceback of a browser that has gone: nobody at a desk can read it."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)
