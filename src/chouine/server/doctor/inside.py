"""What the server's own machine shows: its database, disk, backups, mail server, push services, Redis and workers."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from aiosmtplib import SMTPAuthenticationError, SMTPException, SMTPSenderRefused
from redis.exceptions import RedisError

from chouine.phrases import reason_in_words
from chouine.server.database import Damaged, Unreachable
from chouine.server.doctor.findings import Finding, NotLookedAt, Trouble, examine
from chouine.server.heartbeat import BEAT, seconds
from chouine.server.migrations import needed_version
from chouine.server.proxies import Proxies
from chouine.server.push.mail import Mailer
from chouine.server.schema import VERSION
from chouine.server.store import Store
from chouine.server.workers import backlog_at

OLDEST = 2 * 86_400.0
"""Seconds that the newest backup may be old: one a night is made."""
LEAST = 0.2
"""Part of a disk that should be free."""
AWRY = 2.0
"""Seconds by which this machine's clock may differ from the database server's."""
SILENT = 15 * BEAT
"""Seconds without a heartbeat after which no node is at work."""
PUSH = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com")
"""The push services of Chrome and Edge, of Firefox, and of Safari."""


@dataclass(frozen=True)
class NodeSettings:
    """The nodes' settings, as they have them in their environment."""

    database: str
    """The database's URL with its driver; empty: none is named here."""
    file: Path | None = None
    """The database's file, for SQLite."""
    redis: str = ""
    smtp: str = field(default="", repr=False)
    mail_from: str = ""
    proxies: str = ""
    public: bool = False
    """Whether the public address has HTTPS, without which nothing is pushed."""
    backups: Path = Path("/var/lib/chouine-backups")
    push: Sequence[str] = PUSH
    port: int = 443
    """The port of push services."""
    usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage
    """The bytes of a folder's disk: all, those used, those free."""
    deadline: float = 10.0
    """Seconds for each connection."""


class Inside:
    """The checks of a machine that has the nodes' settings."""

    def __init__(self, settings: NodeSettings) -> None:
        self.settings = settings

    async def look(self) -> list[Finding]:
        """What came of each check."""
        return await examine(
            [
                ("database", self.check_database),
                ("private", self.check_private),
                ("disk", self.check_disk),
                ("backup", self.check_backup),
                ("proxies", self.check_proxies),
                ("mail", self.check_mail),
                ("push services", self.check_push_services),
                ("redis", self.check_redis),
            ]
        )

    async def check_database(self) -> None:
        """Of this program's schema, written to by a node, and by the same clock."""
        if not self.settings.database:
            raise NotLookedAt
        file = self.settings.file
        if file is not None and not file.is_file():
            raise Trouble("database", why=file)
        store = Store.at(self.settings.database)
        try:
            async with asyncio.timeout(self.settings.deadline):
                asked, now, came = time.time(), await store.now(), time.time()
                found, alive = await store.shape(), await store.setting("alive")
                oldest = await store.oldest_writer() if found > VERSION else found
        except (Unreachable, Damaged, TimeoutError) as error:
            raise Trouble("database", why=reason_in_words(error)) from error
        finally:
            await store.close()
        if found < needed_version() or oldest > VERSION:
            raise Trouble("schema", found=found, ours=VERSION)
        if (apart := max(asked - now, now - came)) > AWRY:
            raise Trouble("clock", seconds=round(apart))
        if now - (last := seconds(alive or "")) > SILENT:
            raise Trouble("no-node", seconds=round(now - last) if alive else "∞")

    async def check_private(self) -> None:
        for file in (self.settings.file, *self.backups()[-1:]):
            if file is not None and file.is_file() and stat.S_IMODE(file.stat().st_mode) & 0o077:
                raise Trouble("private", file=file)

    async def check_disk(self) -> None:
        folders = [self.settings.backups, *([self.settings.file.parent] if self.settings.file else [])]
        for folder in folders:
            with suppress(FileNotFoundError):
                total, _, free = self.settings.usage(folder)
                if free < LEAST * total:
                    raise Trouble("disk", folder=folder, percent=100 * free // total)

    def backups(self) -> list[Path]:
        """The backups, the newest last."""
        return sorted(self.settings.backups.glob("chouine-*.db"), key=lambda path: path.stat().st_mtime)

    async def check_backup(self) -> None:
        if not self.settings.database:
            raise NotLookedAt
        folder, found = self.settings.backups, self.backups()
        if not found:
            raise Trouble("no-backup", folder=folder)
        if (age := time.time() - found[-1].stat().st_mtime) > OLDEST:
            raise Trouble("old-backup", folder=folder, days=int(age // 86_400))

    async def check_proxies(self) -> None:
        try:
            if Proxies.of(self.settings.proxies).everyone:
                raise Trouble("everybody")
        except ValueError as error:
            raise Trouble("proxies") from error

    async def check_mail(self) -> None:
        """The mail server takes the password and the sender; no letter is sent."""
        try:
            mailer = Mailer.of(self.settings.smtp, self.settings.mail_from)
        except ValueError as error:
            raise Trouble("mail-setting", why=error) from error
        if mailer is None:
            raise NotLookedAt
        try:
            await mailer.try_out(self.settings.deadline)
        except SMTPAuthenticationError as error:
            raise Trouble("mail-password") from error
        except SMTPSenderRefused as error:
            raise Trouble("mail-sender", sender=mailer.sender) from error
        except (OSError, ValueError, SMTPException) as error:
            raise Trouble("mail-server", why=reason_in_words(error, type(error).__name__)) from error

    async def check_push_services(self) -> None:
        if not self.settings.public:
            raise NotLookedAt
        context = ssl.create_default_context()
        for host in self.settings.push:
            try:
                async with asyncio.timeout(self.settings.deadline):
                    _, writer = await asyncio.open_connection(host, self.settings.port, ssl=context)
                    writer.transport.abort()
            except OSError as error:
                raise Trouble("push-services", host=host) from error

    async def check_redis(self) -> None:
        if not self.settings.redis:
            raise NotLookedAt
        try:
            async with asyncio.timeout(self.settings.deadline):
                workers = (await backlog_at(self.settings.redis)).workers
        except (RedisError, OSError) as error:
            raise Trouble("redis", why=reason_in_words(error, type(error).__name__)) from error
        if not workers:
            raise Trouble("no-worker")
