"""A contest's desk: roles and the PINs by which others join, who is signed in, and the score sheets of its tables."""

from __future__ import annotations

import gzip
import hmac
import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from time import monotonic
from typing import Literal, Self, get_args

from chouine.contest import Round
from chouine.contest.log import parse_record
from chouine.errors import ActRefused
from chouine.server.contest.contest_store import ContestStore, now
from chouine.server.contest.folders import former_people

Role = Literal["desk", "referee", "entry", "results", "screen"]
ROLES: tuple[Role, ...] = get_args(Role)
FREE = 3
"""Wrong PINs that an address may try in a role without waiting."""
LONGEST_WAIT = 600
"""Seconds of the longest wait after a wrong PIN."""
LASTING = 2 * 24 * 3600
"""Seconds after which a browser must sign in again."""


@dataclass(frozen=True, slots=True)
class DeskSession:
    """A signed-in browser."""

    role: Role
    name: str
    """Its name in the log, such as `results 2`."""
    label: str
    """The name that its user gave, or empty; it is shown at the desk, and forgotten on signing out."""
    address: str
    """Its network address."""
    since: int
    """Milliseconds since 1970."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The session of a stored text. Raises `ActRefused` for any other, such as one of another version."""
        return parse_record(cls, text)

    def __str__(self) -> str:
        """The session as stored."""
        return json.dumps(asdict(self), ensure_ascii=False)


class Sessions:
    """The signed-in browsers by the digest of their cookie, stored in the contest's file on this laptop."""

    def __init__(self, store: ContestStore) -> None:
        self.store = store
        self.known: dict[str, DeskSession] = {}
        self.seen: dict[str, int] = {}
        """The time of each one's last request, in milliseconds since 1970; none since the program started."""
        for which, text in store.sessions.items():
            with suppress(ActRefused):
                session = DeskSession.parse(text)
                if now() - session.since < LASTING * 1000:
                    self.known[which] = session
                    continue
            with suppress(ActRefused):
                store.keep_session(which, None)

    def of(self, cookie: str) -> DeskSession | None:
        """The session of a cookie; None for a browser that is not signed in, or was signed out."""
        which = digest(cookie)
        session = self.known.get(which)
        if session is not None:
            self.seen[which] = now()
        return session

    def open(self, role: Role, name: str, label: str, address: str) -> str:
        """Sign a browser in; returns its cookie. If the disk refuses, only until the program stops: all can be read."""
        cookie, session = token_urlsafe(24), DeskSession(role, name, label, address, now())
        with suppress(ActRefused):
            self.store.keep_session(digest(cookie), str(session))
        self.known[digest(cookie)] = session
        return cookie

    def close(self, which: str) -> None:
        """Sign a browser out, by its digest."""
        self.known.pop(which, None)
        self.store.keep_session(which, None)


class WrongPins:
    """Wrong PINs by address and role. Each makes that address wait, twice as long every time; others do not."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, Role], tuple[int, float]] = {}

    def check(self, address: str, role: Role, *, right: bool) -> None:
        """Count a PIN. Raises `ActRefused` for a wrong one, and for any while the address has to wait."""
        count, until = self.counts.get((address, role), (0, 0.0))
        left = until - monotonic()
        if left > 0:
            raise ActRefused("contest/pin-wait", seconds=int(left) + 1)
        if right:
            self.counts.pop((address, role), None)
            return
        wait = min(2 ** min(count + 1 - FREE, 20), LONGEST_WAIT) if count >= FREE else 0
        self.counts[address, role] = count + 1, monotonic() + wait
        raise ActRefused("contest/pin")

    def forget(self, role: Role) -> None:
        """Start to count a role's wrong PINs anew."""
        self.counts = {key: count for key, count in self.counts.items() if key[1] != role}

    def many(self, role: Role) -> int:
        """Wrong PINs of a role tried from all addresses."""
        return sum(count for (_, tried), (count, _) in self.counts.items() if tried == role)


def digest(cookie: str) -> str:
    """What the file holds of a cookie: nobody can sign in with it."""
    return sha256(cookie.encode(errors="replace")).hexdigest()


MAY: dict[Role, frozenset[str]] = {
    "desk": frozenset({"entry", "draw", "results", "correct", "close", "erase", "sign in"}),
    "referee": frozenset({"draw", "results", "correct"}),
    "entry": frozenset({"entry"}),
    "results": frozenset({"results"}),
    "screen": frozenset(),
}
"""What each role may change; every role may read everything but who is signed in, and the PINs."""


@dataclass(frozen=True, slots=True)
class DeskWorker:
    """A signed-in helper."""

    role: Role
    name: str
    """Their name in the log."""
    csrf: str
    session: str
    """The digest of its cookie."""

    def may(self, what: str) -> bool:
        return what in MAY[self.role]


@dataclass(frozen=True, slots=True)
class SharedSheet:
    """The score sheet of a match, whichever phones write it."""

    acts: tuple[str, ...] = ()
    phones: Mapping[int, str] = field(default_factory=dict)
    """The phone by which each seat confirmed."""
    restored: bool = False
    """Whether it is a phone's copy, read after a restart, on which nobody has acted since."""


class Desk:
    """A running contest. Helpers stay signed in when the program restarts, but the PINs are new."""

    def __init__(self, store: ContestStore, addresses: Callable[[], Sequence[str]]) -> None:
        self.store = store
        self.addresses = addresses
        """Asks for the addresses for other devices, without a slash at the end, likeliest first."""
        self.drill = False
        """Whether it is a drill (see `drill`)."""
        self.looking = False
        """Whether this laptop's browser only looks."""
        self.chosen = ""
        self.closing = False
        """Whether the program is stopping: streams then end."""
        self._shown: dict[object, bytes] = {}
        self._stamp: object = None
        self.former = former_people(store.path.parent, store.path)
        """Players of earlier contests, suggested at entry."""
        self.joined = Counter[str]()
        for line in store.contest.lines:
            self._count(line.by)
        self.sessions = Sessions(store)
        for session in self.sessions.known.values():
            self._count(session.name)
        self.opening = secrets.token_urlsafe(16)
        """The secret in the address opened on this laptop, which signs its browser in as the desk."""
        self.pins = {role: new_pin() for role in ROLES[1:]}
        """A PIN for each role but the desk's, which is this laptop's."""
        self.wrong = WrongPins()
        self.sheets: dict[str, SharedSheet] = {}
        """Score sheets of matches in progress."""

    def cached_page(self, key: object, page: Callable[[], str]) -> bytes:
        """A compressed page that is the same for everyone, cached until the next act or for half a minute."""
        stamp = self.store.contest.head.n, self.store.register, now() // 30_000
        if stamp != self._stamp:
            self._stamp, self._shown = stamp, {}
        if key not in self._shown:
            self._shown[key] = gzip.compress(page().encode(), 6)
        return self._shown[key]

    def check_pin(self, role: Role, pin: str, address: str) -> None:
        """Raise `ActRefused` for a wrong PIN, and while the address must wait. In one thread: tries at once add up."""
        expected = self.pins.get(role, "")
        right = hmac.compare_digest(pin.encode(), expected.encode()) and bool(expected)
        self.wrong.check(address, role, right=right)

    def name(self, role: Role) -> str:
        """The log's name for the next device in a role: not a person's, since the log cannot be erased."""
        self.joined[role] += 1
        return f"{role} {self.joined[role]}"

    @property
    def address(self) -> str:
        """The address for other devices: the one chosen, while this laptop has it."""
        found = self.addresses()
        return self.chosen if self.chosen in found else found[0]

    @property
    def alone(self) -> bool:
        """Whether no other device can reach this laptop."""
        return "//127." in self.address

    def _count(self, name: str) -> None:
        """Give no other device the name of one that the log or a session holds."""
        role, _, number = name.partition(" ")
        self.joined[role] = max(self.joined[role], int(number) if number.isdecimal() else 0)

    def renew_pin(self, role: Role) -> None:
        """Make a new PIN for a role, and sign out everybody who is in it."""
        self.pins[role] = new_pin()
        self.wrong.forget(role)
        for which, session in list(self.sessions.known.items()):
            if session.role == role:
                self.sessions.close(which)

    def worker(self, cookie: str) -> DeskWorker | None:
        """The helper of a cookie; None for one that is not signed in."""
        session = self.sessions.of(cookie)
        if session is None:
            return None
        return DeskWorker(session.role, session.name, csrf_of(cookie), digest(cookie))

    def table_key(self, round_: Round, table: int) -> str:
        """The secret in the address of a table's sheet in a round; a round drawn anew has others.

        It is derived from the seed, so that printed slips survive a restart and another laptop.
        """
        of = f"table {round_.stage} {round_.number} {round_.drawn} {table}"
        return hmac.digest(self.store.seed.encode(), of.encode(), "sha256").hex()[:16]


def csrf_of(secret: str) -> str:
    """The token in the forms of a browser that holds this secret."""
    return hmac.digest(secret.encode(), b"csrf", "sha256").hex()[:32]


def new_pin() -> str:
    return f"{secrets.randbelow(1_000_000):06}"
