"""The people at a contest's desk: roles, the PIN by which others join, and the cookie that identifies them."""

from __future__ import annotations

import gzip
import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from chouine.desk.contest_store import ContestStore, now
from chouine.desk.former import former_people
from chouine.phrases import Language

Role = Literal["desk", "referee", "entry", "results", "screen"]
ROLES: tuple[Role, ...] = get_args(Role)
MAY: dict[Role, frozenset[str]] = {
    "desk": frozenset({"entry", "draw", "results", "correct"}),
    "referee": frozenset({"draw", "results", "correct"}),
    "entry": frozenset({"entry"}),
    "results": frozenset({"results"}),
    "screen": frozenset(),
}
"""What each role may change; every role may read everything."""
WRONG_PINS = 20
"""After this many wrong PINs nobody can join until the desk renews the PIN."""
LANGUAGES: dict[str, Language] = {"fr": "fr", "en": "en"}


@dataclass(frozen=True, slots=True)
class DeskWorker:
    """A signed-in helper."""

    role: Role
    name: str
    """Their name in the log."""
    csrf: str

    def may(self, what: str) -> bool:
        return what in MAY[self.role]


class Desk:
    """A running contest. Helpers stay signed in when the program restarts, but the PIN is new."""

    def __init__(self, store: ContestStore, addresses: Callable[[], Sequence[str]]) -> None:
        self.store = store
        self.addresses = addresses
        """Asks for the addresses for other devices, without a slash at the end, likeliest first."""
        self.chosen = ""
        self.closing = False
        """Whether the program is stopping: streams then end."""
        self._shown: dict[object, bytes] = {}
        self._stamp: object = None
        self.former = former_people(store.path.parent, store.path)
        """Players of earlier contests, suggested at entry."""
        self.joined = Counter[str]()
        for line in store.contest.lines:
            role, _, number = line.by.partition(" ")
            self.joined[role] = max(self.joined[role], int(number) if number.isdecimal() else 0)
        self.key = store.key.encode()
        self.opening = secrets.token_urlsafe(16)
        """The secret in the address opened on this laptop, which signs its browser in as the desk."""
        self.pin = new_pin()
        self.wrong = 0

    def once(self, key: object, page: Callable[[], str]) -> bytes:
        """A compressed page that is the same for everyone, cached until the next act or for half a minute."""
        stamp = self.store.contest.head.n, self.store.register, now() // 30_000
        if stamp != self._stamp:
            self._stamp, self._shown = stamp, {}
        if key not in self._shown:
            self._shown[key] = gzip.compress(page().encode(), 6)
        return self._shown[key]

    @property
    def shut(self) -> bool:
        """Whether the PIN is blocked after too many wrong ones."""
        return self.wrong >= WRONG_PINS

    def join(self, pin: str) -> bool:
        """Whether a PIN is right. Too many wrong ones block it."""
        if not self.shut and hmac.compare_digest(pin.encode(), self.pin.encode()):
            return True
        self.wrong += 1
        return False

    def name(self, role: Role) -> str:
        """The log's name for the next device in a role: not a person's, since the log cannot be erased."""
        self.joined[role] += 1
        return f"{role} {self.joined[role]}"

    @property
    def address(self) -> str:
        """The address for other devices: the one chosen, while this laptop has it."""
        found = self.addresses()
        return self.chosen if self.chosen in found else found[0]

    def renew_pin(self) -> None:
        """Make a new PIN and reset the count of wrong ones. Helpers stay signed in."""
        self.pin, self.wrong = new_pin(), 0

    def cookie(self, role: Role, name: str) -> str:
        """A helper's cookie."""
        text = f"{role}.{name.encode().hex()}"
        return f"{text}.{self._sign(text)}"

    def worker(self, cookie: str) -> DeskWorker | None:
        """The helper of a cookie; None for a cookie that this desk did not make."""
        text, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(text).encode()):
            return None
        role, _, name = text.partition(".")
        found = next(one for one in ROLES if one == role)
        return DeskWorker(found, bytes.fromhex(name).decode(), self._sign(f"csrf.{cookie}"))

    def table_key(self, table: int) -> str:
        """The secret in a table's address: derived from the seed, so that printed codes survive a restart."""
        return hmac.digest(self.store.seed.encode(), f"table {table}".encode(), "sha256").hex()[:16]

    def _sign(self, text: str) -> str:
        return hmac.digest(self.key, text.encode(), "sha256").hex()[:32]


def new_pin() -> str:
    return f"{secrets.randbelow(1_000_000):06}"
