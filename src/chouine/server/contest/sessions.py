"""Who is signed in at a contest's desk, and the delays that keep the PINs from being guessed."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from secrets import token_urlsafe
from time import monotonic
from typing import Literal, Self, get_args

from chouine.contest.errors import ActRefused
from chouine.server.contest.contest_store import ContestStore, now

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
        return cls(**json.loads(text))

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
            session = DeskSession.parse(text)
            if now() - session.since < LASTING * 1000:
                self.known[which] = session
            else:
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
