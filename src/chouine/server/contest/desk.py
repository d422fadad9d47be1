"""Who works at a contest's desk: roles, the PIN that others join by, and the cookie that remembers them."""

from __future__ import annotations

import gzip
import hmac
import secrets
from collections import Counter
from collections.abc import Callable
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
"""What each role may change; whoever works here may read everything."""
WRONG_PINS = 20
"""Wrong PINs after which nobody joins until the desk shows a new one."""
LANGUAGES: dict[str, Language] = {"fr": "fr", "en": "en"}


@dataclass(frozen=True, slots=True)
class DeskWorker:
    """Somebody at the desk, as their cookie says."""

    role: Role
    name: str
    """What the log calls them."""
    csrf: str

    def may(self, what: str) -> bool:
        return what in MAY[self.role]


class Desk:
    """One contest being run. Who has joined stays when the program is started again; the PIN is another then."""

    def __init__(self, store: ContestStore, address: str) -> None:
        self.store = store
        self.address = address
        """Where other devices find it, without a slash at the end."""
        self.closing = False
        """Whether the program is about to end: streams are not held open."""
        self._shown: dict[object, bytes] = {}
        self._stamp: object = None
        self.former = former_people(store.path.parent, store.path)
        """Suggested at the door."""
        self.joined = Counter[str]()
        for line in store.contest.lines:
            role, _, number = line.by.partition(" ")
            self.joined[role] = max(self.joined[role], int(number) if number.isdecimal() else 0)
        self.key = store.key.encode()
        self.opening = secrets.token_urlsafe(16)
        """What the address opened on this laptop carries: it makes its browser the desk."""
        self.pin = new_pin()
        self.wrong = 0

    def once(self, key: object, page: Callable[[], str]) -> bytes:
        """A page that all see alike, packed: made once for all who ask before the next act, or for half a minute."""
        stamp = self.store.contest.head.n, self.store.register, now() // 30_000
        if stamp != self._stamp:
            self._stamp, self._shown = stamp, {}
        if key not in self._shown:
            self._shown[key] = gzip.compress(page().encode(), 6)
        return self._shown[key]

    @property
    def shut(self) -> bool:
        """Whether so many wrong PINs were tried that this one is out of use."""
        return self.wrong >= WRONG_PINS

    def join(self, pin: str) -> bool:
        """Whether a PIN is right; too many wrong ones put it out of use."""
        if not self.shut and hmac.compare_digest(pin.encode(), self.pin.encode()):
            return True
        self.wrong += 1
        return False

    def name(self, role: Role) -> str:
        """What the log calls the next device in a role: no person's name, for nothing there can be erased."""
        self.joined[role] += 1
        return f"{role} {self.joined[role]}"

    def renew_pin(self) -> None:
        """Another PIN, the wrong ones forgotten; whoever has joined stays."""
        self.pin, self.wrong = new_pin(), 0

    def cookie(self, role: Role, name: str) -> str:
        """What a worker's browser keeps."""
        text = f"{role}.{name.encode().hex()}"
        return f"{text}.{self._sign(text)}"

    def worker(self, cookie: str) -> DeskWorker | None:
        """Who a cookie is; None for one that is not ours."""
        text, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(text).encode()):
            return None
        role, _, name = text.partition(".")
        found = next(one for one in ROLES if one == role)
        return DeskWorker(found, bytes.fromhex(name).decode(), self._sign(f"csrf.{cookie}"))

    def table_key(self, table: int) -> str:
        """What a table's own address carries: made from the seed, so that printed codes outlive this program."""
        return hmac.digest(self.store.seed.encode(), f"table {table}".encode(), "sha256").hex()[:16]

    def _sign(self, text: str) -> str:
        return hmac.digest(self.key, text.encode(), "sha256").hex()[:32]


def new_pin() -> str:
    return f"{secrets.randbelow(1_000_000):06}"
