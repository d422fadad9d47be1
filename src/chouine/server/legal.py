"""Who answers for a public server: read from one settings file, shown on its pages and in `security.txt`."""

from __future__ import annotations

from gettext import gettext as _
from pathlib import Path
from typing import Self

import msgspec
import msgspec.toml

from chouine.server.push.mail import address_in


class LegalNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom the law wants named (France: LCEN; contact: GDPR, article 13). One line of text each."""

    host: str
    """Name, address and telephone of the company whose machine it is."""
    contact: str
    """E-mail address for everything."""
    publisher: str = ""
    """Name and address of whoever publishes the site; empty for a private person, whom the host knows."""
    director: str = ""
    """Director of publication, where an association or a company publishes it."""
    security: str = ""
    """E-mail address for reports of vulnerabilities, if it is another."""
    backups: str = ""
    """Where copies of the backups are kept besides, and for how long, if they are."""

    @classmethod
    def of(cls, file: str) -> Self | None:
        """Read a TOML file; None without a name. Raises `ValueError` with a sentence that says what is wrong."""
        if not file:
            return None
        try:
            legal = msgspec.toml.decode(Path(file).read_bytes(), type=cls)
            for address in filter(None, (legal.contact, legal.security)):
                address_in(address)
        except OSError as error:
            raise ValueError(
                _("cannot read %(file)s: %(why)s") % {"file": file, "why": error.strerror}
            ) from error
        except (ValueError, UnicodeDecodeError) as error:
            where = {"file": file, "why": str(error).partition("\n")[0]}
            raise ValueError(
                _("%(file)s: %(why)s. It needs host and contact; see docs/deploy.md") % where
            ) from error
        return legal
