"""Passkeys: what a browser is asked to sign, and whether it did.

A challenge is not stored: it bears a keyed digest that binds it to the visitor, and its time. Once answered it is
counted as spent, so that no answer is good twice.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from starlette.requests import Request

from chouine.errors import ChouineError
from chouine.server.accounts.members import Credential, Members
from chouine.server.limits import Rate
from chouine.server.push.letters import forget_spent, spend
from chouine.server.sent_json import decode_sent
from chouine.server.services import services_of
from chouine.server.visitors import MASK, Secrets, Visitor

GOOD_FOR = 15 * 60
"""Seconds for which a challenge may be answered."""
RANDOM, TIME = MASK, 8
"""Lengths in bytes of a challenge's first parts."""
LONGEST = 20_000
"""Most characters of an answer."""
LONGEST_ID = 1023
"""Most bytes of a passkey's identifier (WebAuthn, § 5.8.3)."""


class PasskeyRefused(ChouineError):
    """An answer that signs nobody in; `code` is `account/…`."""


@dataclass(frozen=True, slots=True)
class Party:
    """The site as passkeys know it: the name they are bound to, and its origins."""

    id: str
    origins: tuple[str, ...]


def party_of(request: Request) -> Party | None:
    """The site that answers a request; None if browsers make no passkeys for it: without HTTPS, or without a name."""
    site = services_of(request).site
    base = urlsplit(site.base(request))
    host = base.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        secure = base.scheme == "https" or host == "localhost" or host.endswith(".localhost")
        return Party(host, site.origins(request.scope)) if secure else None
    return None


def new_challenge(held: Secrets, visitor: Visitor, now: float) -> bytes:
    """A challenge for a visitor."""
    return held.challenge(visitor, held.mask() + int(now).to_bytes(TIME))


def options_to_create(party: Party, challenge: bytes, handle: bytes, name: str, others: Sequence[Any]) -> str:
    """What a browser needs to make a passkey, as JSON. `others`: the member's, so that none is made twice."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers import structs

    options = generate_registration_options(
        rp_id=party.id,
        rp_name="Chouine",
        user_name=name,
        user_id=handle,
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=one.raw) for one in others],
    )
    return options_to_json(options)


def options_to_enter(party: Party, challenge: bytes) -> str:
    """What a browser needs to sign in by any of its passkeys for this site, as JSON."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers import structs

    preferred = structs.UserVerificationRequirement.PREFERRED
    return options_to_json(
        generate_authentication_options(rp_id=party.id, challenge=challenge, user_verification=preferred)
    )


async def read_new_passkey(
    members: Members, held: Secrets, visitor: Visitor, party: Party, answer: str
) -> Credential:
    """The passkey that a browser has just made. Raises `PasskeyRefused`."""
    from webauthn import verify_registration_response
    from webauthn.helpers.exceptions import WebAuthnException

    challenge = await spend_challenge(members, held, visitor, answer)
    try:
        made = verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=[*party.origins],
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise PasskeyRefused("account/passkey-refused") from error
    if len(made.credential_id) > LONGEST_ID or await members.holder(digest_of(made.credential_id)):
        raise PasskeyRefused("account/passkey-refused")
    return Credential(
        "passkey",
        digest_of(made.credential_id),
        raw=made.credential_id,
        key=made.credential_public_key,
        counter=made.sign_count,
    )


async def is_added(members: Members, guest: str, answer: str) -> bool:
    """Whether the passkey of an answer signs this member in already: it was sent before, and that answer lost."""
    from webauthn.helpers import parse_registration_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    with suppress(WebAuthnException, ValueError, KeyError, TypeError):
        row = await members.holder(digest_of(parse_registration_credential_json(answer[:LONGEST]).raw_id))
        return row is not None and row.guest == guest
    return False


async def read_sign_in(members: Members, held: Secrets, visitor: Visitor, party: Party, answer: str) -> str:
    """What the passkey that signed is stored as. Raises `PasskeyRefused`, also for one whose counter was copied."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    challenge = await spend_challenge(members, held, visitor, answer)
    try:
        given = parse_authentication_credential_json(answer)
        row = await members.holder(digest_of(given.raw_id))
        if row is None or row.kind != "passkey":
            raise PasskeyRefused("account/passkey-unknown")
        found = verify_authentication_response(
            credential=given,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=[*party.origins],
            credential_public_key=row.key,
            credential_current_sign_count=row.counter,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise PasskeyRefused("account/passkey-refused") from error
    if not await members.note_use(row.id, found.new_sign_count, row.counter):
        raise PasskeyRefused("account/passkey-refused")
    return str(row.id)


async def spend_challenge(members: Members, held: Secrets, visitor: Visitor, answer: str) -> bytes:
    """The challenge that an answer names, which is then spent. Raises `PasskeyRefused` if it is not good."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        data = base64url_to_bytes(decode_sent(answer[:LONGEST], dict[str, Any])["response"]["clientDataJSON"])
        challenge = parse_client_data_json(data).challenge
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise PasskeyRefused("account/passkey-refused") from error
    fresh, now = challenge[: RANDOM + TIME], members.tables.clock()
    begun = int.from_bytes(fresh[RANDOM:])
    own = secrets.compare_digest(challenge, held.challenge(visitor, fresh))
    what, once = held.spending_digest(f"challenge:{challenge.hex()}"), Rate(1, GOOD_FOR)

    def change(connection: sa.Connection) -> bool:
        forget_spent(connection, now)
        return spend(connection, what, once, now)

    if (
        not own
        or not 0 <= now - begun + 1 <= GOOD_FOR
        or not await members.tables.store.database.write(change)
    ):
        raise PasskeyRefused("account/stale")
    return challenge


def digest_of(identifier: bytes) -> str:
    """The digest under which a passkey is stored."""
    return hashlib.sha256(b"passkey " + identifier).hexdigest()
