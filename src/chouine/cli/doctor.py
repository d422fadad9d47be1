"""Try a running installation from outside and on its own machine; say what is wrong and what to set."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from gettext import gettext as _
from gettext import ngettext
from pathlib import Path
from typing import TYPE_CHECKING

from chouine.cli.arguments import from_environment
from chouine.cli.databases import CannotOpen, check_redis, database_url, file_of
from chouine.plaintext import escape_controls

if TYPE_CHECKING:
    from chouine.server.doctor.findings import Finding
    from chouine.server.doctor.inside import NodeSettings

USUAL = "http://127.0.0.1:8000"
"""The address that is tried where no setting names one."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Try a running server as a visitor's browser would: HTTPS, the first page, the cookie, a form, the stream of"
        " moves, headers, notifications. It opens a table and erases it again. Where the server's settings are in the"
        " environment, its database, disk, backups, mail server, Redis and workers are looked at too. For each trouble"
        " one line says what is wrong and what to set; the exit code is then 1."
    )
    parser.add_argument(
        "url",
        nargs="?",
        metavar="URL",
        default=from_environment("CHOUINE_PUBLIC_URL", USUAL),
        help=_("the site's address (default: CHOUINE_PUBLIC_URL, else port 8000 of this machine)"),
    )
    parser.add_argument(
        "--backups",
        type=Path,
        default=Path("/var/lib/chouine-backups"),
        metavar=_("FOLDER"),
        help=_("where backups lie (default: %(default)s)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace) -> int:
    """Print a line for each trouble, and how many checks were made; 1 if anything is wrong."""
    found = asyncio.run(examine(args))
    wrong = [finding for finding in found if finding.state == "wrong"]
    if args.json:
        print(json.dumps(as_json(args.url, found), ensure_ascii=False))
        return 1 if wrong else 0
    for finding in wrong:
        print(escape_controls(str(finding)))
    skipped = [finding.check for finding in found if finding.state == "skipped"]
    if skipped:
        print(
            _("Not looked at, since nothing here needs or names it: %(checks)s.")
            % {"checks": ", ".join(skipped)}
        )
    made = len(found) - len(skipped)
    if not wrong:
        said = ngettext("%(num)s check, and nothing is wrong.", "%(num)s checks, and nothing is wrong.", made)
        print(said % {"num": made})
    return 1 if wrong else 0


def as_json(url: str, found: list[Finding]) -> dict[str, object]:
    """The findings for a program."""
    checks = [{"check": one.check, "state": one.state, "code": one.code, "says": str(one)} for one in found]
    return {"url": url, "ok": all(one.state != "wrong" for one in found), "checks": checks}


async def examine(args: argparse.Namespace) -> list[Finding]:
    """What came of all checks, those on this machine only where it has the server's settings."""
    from chouine.server.doctor.browser import Browser
    from chouine.server.doctor.findings import Finding, Trouble
    from chouine.server.doctor.inside import Inside
    from chouine.server.doctor.outside import Outside

    try:
        found = await Outside(Browser(args.url)).look()
    except Trouble as trouble:  # no address at all
        found = [Finding("page", "wrong", trouble.code, trouble.data)]
    try:
        check_redis(os.environ.get("CHOUINE_REDIS_URL", ""))
    except CannotOpen as error:
        return [*found, Finding("redis", "wrong", "redis", {"why": error})]
    try:
        settings = settings_here(args)
    except CannotOpen as error:
        return [*found, Finding("database", "wrong", "database", {"why": error})]
    return found + (await Inside(settings).look() if settings else [])


def settings_here(args: argparse.Namespace) -> NodeSettings | None:
    """The server's settings in the environment; None where there are none. Raises `CannotOpen`."""
    from chouine.server.doctor.inside import NodeSettings

    named, redis = os.environ.get("CHOUINE_DATABASE_URL", ""), os.environ.get("CHOUINE_REDIS_URL", "")
    if not named:
        return None
    database = database_url(named)
    return NodeSettings(
        database,
        file_of(database),
        redis,
        os.environ.get("CHOUINE_SMTP_URL", ""),
        os.environ.get("CHOUINE_MAIL_FROM", ""),
        os.environ.get("CHOUINE_TRUSTED_PROXIES", ""),
        public=args.url.startswith("https://"),
        backups=args.backups,
    )
