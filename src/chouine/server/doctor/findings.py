"""What the doctor finds: for each trouble one sentence, with what is wrong and what to set."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from gettext import gettext as _

from chouine.phrases.catalogue import N_

TROUBLES = {
    "address": N_(
        "“%(url)s” is no address of a site: write https:// and its name, as in CHOUINE_PUBLIC_URL."
    ),
    "name": N_("The name %(host)s leads nowhere: correct CHOUINE_PUBLIC_URL, or enter the name in the DNS."),
    "refused": N_("Nothing answers at %(where)s: start proxy and node, and open the port in the firewall."),
    "silent": N_(
        "No whole answer from %(where)s in %(seconds)s s: look at the network and the machine's load."
    ),
    "cut": N_("%(where)s breaks off in the middle of an answer: look at the network and the proxy's log."),
    "certificate": N_("Browsers refuse the certificate (%(why)s): correct CHOUINE_SITE, and open port 80."),
    "tls": N_("There is no HTTPS at %(where)s: let the proxy serve it, or correct CHOUINE_PUBLIC_URL."),
    "renewal": N_("The certificate ends on %(day)s and is not renewed: open port 80, see the proxy's log."),
    "plain": N_("http:// does not lead to https:// here: open port 80, and let the proxy lead on."),
    "http2": N_("The proxy lacks HTTP/2, so a browser opens only six tables: switch it on there."),
    "moved": N_("The address leads on to %(to)s: write that one in CHOUINE_PUBLIC_URL."),
    "away": N_("No node is ready behind %(where)s (%(status)s): start one, and name it in CHOUINE_NODES."),
    "stranger": N_("Another program answers at %(where)s (%(status)s): correct CHOUINE_SITE, CHOUINE_NODES."),
    "host": N_(
        "The node refuses the site's name: set CHOUINE_PUBLIC_URL to %(url)s; the proxy must pass on Host."
    ),
    "trusted": N_(
        "The node knows nothing of HTTPS: CHOUINE_TRUSTED_PROXIES, and X-Forwarded-Proto by the proxy."
    ),
    "no-cookie": N_("The cookie does not reach the browser: let the proxy pass on Set-Cookie."),
    "cookie-lost": N_("The browser's cookie does not reach the node: let the proxy pass on Cookie."),
    "post": N_("A form is refused (%(status)s): let the proxy pass on POST and Origin; see the node's log."),
    "public-url": N_(
        "Forms are taken for another site's: set CHOUINE_PUBLIC_URL to %(url)s, and pass on Host."
    ),
    "limits": N_(
        "Too much from one address (429): CHOUINE_TRUSTED_PROXIES; for a hall, CHOUINE_PER_ADDRESS."
    ),
    "links": N_("Links for friends begin with “%(seen)s”: set CHOUINE_PUBLIC_URL to %(url)s."),
    "stream-held": N_("Moves are held back: let the proxy not buffer answers of type text/event-stream."),
    "stream-cut": N_(
        "The stream of moves is cut off after %(seconds)s s: let the proxy wait more than 15 s."
    ),
    "headers": N_("The header %(header)s is not what the node sends: let the proxy leave it alone."),
    "inside": N_("%(path)s is open to the internet: let the proxy answer 404, as deploy/Caddyfile does."),
    "no-push": N_("The site offers no notifications: set CHOUINE_PUBLIC_URL to %(url)s."),
    "legal": N_("The site does not say who answers for it: set CHOUINE_LEGAL."),
    "program": N_("The nodes run another version than this program (%(version)s): restart them."),
    "clock": N_("The server's clock and this one differ by %(seconds)s s: let both be set by NTP."),
    "database": N_("The database cannot be opened (%(why)s): correct CHOUINE_DATABASE_URL."),
    "schema": N_(
        "The database has schema %(found)s, this program %(ours)s: install the same version for all."
    ),
    "no-node": N_("No node has written here for %(seconds)s s: CHOUINE_DATABASE_URL must be the nodes' own."),
    "private": N_("Others may read %(file)s, with every pack and the server's key: chmod go= %(file)s"),
    "disk": N_(
        "The disk of %(folder)s has %(percent)s %% left: chouine prune, fewer backups, or a larger disk."
    ),
    "no-backup": N_("There is no backup in %(folder)s: systemctl enable --now chouine-backup.timer"),
    "old-backup": N_("The newest backup in %(folder)s is %(days)s days old: journalctl -u chouine-backup"),
    "mail-setting": N_("No e-mail can be sent: %(why)s. Correct CHOUINE_SMTP_URL and CHOUINE_MAIL_FROM."),
    "mail-server": N_("The mail server is out of reach or not safe (%(why)s): correct CHOUINE_SMTP_URL."),
    "mail-password": N_("The mail server refuses the password: correct CHOUINE_SMTP_URL, percent-encoded."),
    "mail-sender": N_("The mail server does not send for %(sender)s: correct CHOUINE_MAIL_FROM."),
    "push-services": N_(
        "The push service %(host)s is out of reach: let nodes reach port 443 and name servers."
    ),
    "redis": N_("Redis does not answer (%(why)s): start it, or correct CHOUINE_REDIS_URL and its password."),
    "no-worker": N_("No worker takes the computers' moves: systemctl enable --now chouine-worker"),
    "everybody": N_(
        "CHOUINE_TRUSTED_PROXIES trusts everybody, who may forge addresses: name the proxy alone."
    ),
    "proxies": N_("CHOUINE_TRUSTED_PROXIES cannot be read: write addresses and networks such as 10.0.0.0/8."),
}
"""The English sentence of each trouble, by its code."""


class Trouble(Exception):
    """Something is wrong: the code of its sentence and what the sentence names."""

    def __init__(self, code: str, **data: object) -> None:
        super().__init__(code)
        self.code, self.data = code, data


class NotLookedAt(Exception):
    """A check for which something is missing, such as a setting that this installation does without."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check. `state`: `right`, `wrong`, or `skipped`."""

    check: str
    state: str
    code: str = ""
    data: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """The sentence in the language of gettext; empty unless something is wrong."""
        return _(TROUBLES[self.code]) % self.data if self.code else ""


Check = Callable[[], Awaitable[None]]
"""Raises `Trouble` or `NotLookedAt`, or does neither where all is right."""


async def examine(checks: Sequence[tuple[str, Check]]) -> list[Finding]:
    """Make checks, each with its name, one after the other."""
    found = []
    for name, check in checks:
        try:
            await check()
            found.append(Finding(name, "right"))
        except Trouble as trouble:
            found.append(Finding(name, "wrong", trouble.code, trouble.data))
        except NotLookedAt:
            found.append(Finding(name, "skipped"))
    return found
