"""Why the system, SQLite or another machine refuses, in words that may stand within a sentence."""

import re
from collections.abc import Iterator
from errno import (
    EACCES,
    EADDRINUSE,
    EADDRNOTAVAIL,
    ECONNABORTED,
    ECONNREFUSED,
    ECONNRESET,
    EDQUOT,
    EEXIST,
    EFBIG,
    EHOSTUNREACH,
    EIO,
    EISDIR,
    ELOOP,
    ENAMETOOLONG,
    ENETUNREACH,
    ENOENT,
    ENOSPC,
    EOVERFLOW,
    EPERM,
    EROFS,
    ETIMEDOUT,
)

from chouine.phrases.catalogue import N_

PHRASES = {
    "file/none": N_("there is no such file."),
    "file/folder": N_("this is a folder, not a file."),
    "file/forbidden": N_("access is denied."),
    "file/exists": N_("there is a file of this name already."),
    "file/full": N_("the disk is full."),
    "file/read-only": N_("this disk can only be read."),
    "file/failing": N_("the disk fails: look at it, and at its cable."),
    "file/busy": N_("another program is writing to this file."),
    "file/damaged": N_("this file is damaged."),
    "file/not-opened": N_("this file cannot be opened: may you read and write it, and its folder?"),
    "file/too-large": N_("this disk takes no file as large as this."),
    "file/endless": N_("this is too much to be read, or has no end."),
    "file/loop": N_("this link leads to itself."),
    "file/long-name": N_("this name is too long."),
    "net/refused": N_("nothing answers at this address and port."),
    "net/silent": N_("no answer came in time."),
    "net/cut": N_("the connection was cut off."),
    "net/no-way": N_("there is no way through the network to this machine."),
    "net/no-name": N_("no machine of this name is known."),
    "net/taken": N_("another program has this port."),
    "net/not-own": N_("this machine does not have this address."),
    "net/not-safe": N_("no safe connection (TLS) is possible."),
    "net/expired": N_("the certificate has expired."),
    "net/not-yet": N_("the certificate is not valid yet: is the clock right?"),
    "net/unknown-issuer": N_("nobody whom this machine trusts has signed the certificate."),
    "net/other-name": N_("the certificate is for another name."),
    "net/not-http": N_("what answers there is no web server."),
    "net/password": N_("the user or the password is not accepted."),
    "net/no-database": N_("there is no database of this name."),
    "net/too-many": N_("the database takes no more connections."),
    "net/starting": N_("the database is just starting or ending."),
}

REASONS: dict[int | str, str] = {
    ENOENT: "file/none",
    EISDIR: "file/folder",
    EACCES: "file/forbidden",
    EPERM: "file/forbidden",
    EEXIST: "file/exists",
    ENOSPC: "file/full",
    EDQUOT: "file/full",
    EROFS: "file/read-only",
    EFBIG: "file/too-large",
    EIO: "file/failing",
    ELOOP: "file/loop",
    EOVERFLOW: "file/endless",
    ENAMETOOLONG: "file/long-name",
    "FULL": "file/full",
    "READONLY": "file/read-only",
    "IOERR": "file/failing",
    "BUSY": "file/busy",
    "LOCKED": "file/busy",
    "CORRUPT": "file/damaged",
    "NOTADB": "file/damaged",
    "CANTOPEN": "file/not-opened",
    ECONNREFUSED: "net/refused",
    ETIMEDOUT: "net/silent",
    ECONNRESET: "net/cut",
    ECONNABORTED: "net/cut",
    ENETUNREACH: "net/no-way",
    EHOSTUNREACH: "net/no-way",
    EADDRINUSE: "net/taken",
    EADDRNOTAVAIL: "net/not-own",
    "X509 9": "net/not-yet",
    "X509 10": "net/expired",
    "X509 18": "net/unknown-issuer",
    "X509 19": "net/unknown-issuer",
    "X509 20": "net/unknown-issuer",
    "X509 21": "net/unknown-issuer",
    "X509 62": "net/other-name",
    "X509 64": "net/other-name",
    "28000": "net/password",
    "28P01": "net/password",
    "3D000": "net/no-database",
    "53300": "net/too-many",
    "57P01": "net/starting",
    "57P03": "net/starting",
    "gaierror": "net/no-name",
    "SSLError": "net/not-safe",
    "TimeoutError": "net/silent",
    "ConnectionRefusedError": "net/refused",
    "AuthenticationError": "net/password",
    "ConnectionError": "net/cut",
    "HTTPException": "net/not-http",
}
"""Codes of sentences by the numbers of the system, SQLite, certificates and PostgreSQL, and by classes of errors."""
NUMBER = re.compile(r"\[Errno (\d+)\]")
"""The system's number in a text: an error of several attempts to connect has none of its own."""


def reason_code(fault: BaseException) -> str:
    """The code of why the system, SQLite or another machine refuses; empty where there is no sentence for it.

    Libraries wrap the system's errors: any number in what the error came of says more than a class.
    """
    errors = [*causes(fault)]
    keys = [key for keys in (numbers_of, classes_of) for each in errors for key in keys(each)]
    return next(filter(None, (REASONS.get(key, "") for key in keys)), "")


def causes(fault: BaseException) -> Iterator[BaseException]:
    """An error, and the errors that caused it."""
    waiting, found = [fault], list[BaseException]()
    while waiting:
        each = waiting.pop(0)
        if each in found:
            continue
        found.append(each)
        yield each
        before = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
        inner = (getattr(each, "reason", None), getattr(each, "orig", None), before)
        waiting += [one for one in inner if isinstance(one, BaseException)]


def numbers_of(fault: BaseException) -> Iterator[int | str]:
    """The numbers of an error."""
    name = str(getattr(fault, "sqlite_errorname", "")).split("_")  # such as SQLITE_IOERR_WRITE
    yield name[1] if name[1:] else str(getattr(fault, "sqlstate", ""))
    yield f"X509 {getattr(fault, 'verify_code', '')}"
    if isinstance(fault, OSError) and not {"gaierror", "SSLError"} & {*classes_of(fault)}:  # with own numbers
        found = NUMBER.search(str(fault))
        yield fault.errno or (int(found[1]) if found else 0)


def classes_of(fault: BaseException) -> list[str]:
    """The names of an error's classes, the narrowest first."""
    return [kind.__name__ for kind in type(fault).__mro__]
