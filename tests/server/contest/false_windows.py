"""Run `chouine` as Windows would: `python -m tests.server.contest.false_windows concours open …`.

What our modules see of `os`, `signal`, `socket` and `sys` lacks what Windows lacks; so do imports. A file may not have
a name that Windows refuses, nor be renamed or deleted while it is open; the registry says that `.js` is plain text; no
time zones but tzdata's; a clock that fails near 1970, as the C library's does there. Call it with `-X
warn_default_encoding`: a text is never in the system's own encoding.
"""

from __future__ import annotations

import builtins
import mimetypes
import os
import re
import signal
import socket
import sys
import warnings
import zoneinfo
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

NO_MODULES = {
    "crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource", "spwd", "syslog",
    "termios", "tty",
}  # fmt: skip
"""Modules of the standard library that do not exist on Windows."""
LACKS: dict[str, re.Pattern[str]] = {
    "os": re.compile(
        r"fork.*|register_at_fork|[gs]ete?[ug]id|[gs]etres.*|[gs]etre.*|getgroups|setgroups|initgroups|getpgid|getpgrp|setpgid"
        r"|setsid|getsid|killpg|l?chown|fchown|fchmod|lchmod|mkfifo|mknod|nice|[gs]etpriority|wait|wait3|wait4|waitid|W(NO|UN|CO|EX|IF|TE|ST).*"
        r"|sysconf.*|confstr.*|pathconf.*|fpathconf|uname|f?statvfs|sync|fdatasync|p(read|write)v?|readv|writev|sendfile"
        r"|sched_.*|SCHED_.*|getloadavg|openpty|login_tty|ctermid|ttyname|tc[gs]etpgrp|posix_.*|POSIX_.*|chroot|fchdir|lockf"
        r"|F_T?LOCK|F_ULOCK|EX_.*|eventfd.*|memfd_create|copy_file_range|O_(DIRECTORY|CLOEXEC|NOFOLLOW|NONBLOCK|SYNC|DSYNC|NOCTTY|PATH)"
        r"|major|minor|makedev|environb|getenvb|fsencodeb"
    ),
    "signal": re.compile(
        r"SIG(?!ABRT$|BREAK$|FPE$|ILL$|INT$|SEGV$|TERM$|_DFL$|_IGN$)[A-Z0-9_]+|ITIMER.*|alarm|pause|[gs]etitimer|siginterrupt"
        r"|sig(wait.*|pending|timedwait)|pthread_.*|pidfd.*"
    ),
    "socket": re.compile(
        r"AF_(UNIX|NETLINK|PACKET)|SO_REUSEPORT|TCP_USER_TIMEOUT|MSG_DONTWAIT|MSG_NOSIGNAL|CMSG_.*"
    ),
}
"""Names of these modules that do not exist on Windows."""
REFUSED = re.compile(r'[<>:"|?*\x00-\x1f]|[ .]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
"""Names that Windows gives to no file."""


class Lacking:
    """A module without what Windows lacks."""

    def __init__(self, module: Any, lacks: re.Pattern[str] | None, **other: object) -> None:
        self.module, self.lacks, self.other = module, lacks, other

    def __getattr__(self, name: str) -> Any:
        if name in self.other:
            return self.other[name]
        if self.lacks and self.lacks.fullmatch(name):
            raise AttributeError(f"module {self.module.__name__!r} has no attribute {name!r} on Windows")
        return getattr(self.module, name)


class WindowsTime(datetime):
    """`datetime` with the C library of Windows, which has no local time before 1970 and looks a day back for it."""

    def astimezone(self, tz: tzinfo | None = None) -> Any:
        if self.tzinfo is None and self.replace(tzinfo=None) < datetime(1970, 1, 3):  # noqa: DTZ001  # it is naive
            raise OSError(22, "Invalid argument")
        return super().astimezone(tz)


MODULES: dict[str, Any] = {
    "os": Lacking(os, LACKS["os"], name="nt"),
    "signal": Lacking(signal, LACKS["signal"]),
    "socket": Lacking(socket, LACKS["socket"]),
    "sys": Lacking(sys, None, platform="win32"),
}


def import_ours(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002  # as it is called
    locals: Mapping[str, Any] | None = None,  # noqa: A002
    fromlist: tuple[str, ...] = (),
    level: int = 0,
) -> Any:
    """`__import__` for our modules: Windows's modules, and none that it lacks."""
    ours = str((globals or {}).get("__name__", "")).startswith("chouine")
    if ours and not level and name.partition(".")[0] in NO_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    if ours and name in MODULES:
        lacking = MODULES[name]
        for wanted in fromlist or ():
            getattr(lacking, wanted)
        return lacking
    found = import_as_usual(name, globals, locals, fromlist, level)
    if ours and name == "datetime":
        return Lacking(found, None, datetime=WindowsTime)
    return found


import_as_usual: Callable[..., Any] = builtins.__import__


def open_files() -> set[Path]:
    """The files that this process has open."""
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the folder itself, closed since
            found.add(each.readlink())
    return found


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what Windows refuses of a file. An audit hook."""
    if event in {"open", "sqlite3.connect", "os.mkdir"} and isinstance(arguments[0], str | Path):
        name = Path(arguments[0]).name
        if REFUSED.search(name) and name not in {"", ":memory:"}:
            raise OSError(22, "Windows gives this name to no file", name)
    if event in {"os.rename", "os.remove"}:
        touched = {Path(each).resolve() for each in arguments[:2] if isinstance(each, str | Path)}
        if touched & open_files():
            raise PermissionError(13, "[WinError 32] it is being used by another process", str(touched))


def become_windows() -> None:
    """From here on, for modules that are imported later."""
    builtins.__import__ = import_ours  # type: ignore[assignment]  # any names, and what stands for a module
    mimetypes.add_type("text/plain", ".js")
    zoneinfo.reset_tzpath(())
    sys.addaudithook(watch)
    warnings.filterwarnings("error", category=EncodingWarning, module="chouine")


if __name__ == "__main__":
    become_windows()
    from chouine.cli import main

    sys.exit(main(sys.argv[1:]))
