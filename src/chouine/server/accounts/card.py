"""A member's card: twelve words, or a short secret in a QR code, which mean the same 88 random bits.

A twelfth word checks the other eleven, so that a slip is told from a wrong card. Only a digest is stored. It is not
stretched: at 2^88 nobody tries them all, here or with the digest in hand.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from unicodedata import normalize

from chouine.phrases import Language
from chouine.server.accounts.wordlists import TOLD_BY, WORDS

RANDOM = 11
"""Random bytes of a card, a word each."""
WRITTEN = re.compile(r"[A-Za-z0-9_-]{15}")
"""How a card's secret is written in an address."""
LONGEST = 400
"""Most characters that are read as words."""


def without_accents(text: str) -> str:
    """A text in small letters without accents."""
    apart = normalize("NFKD", text.lower().replace("œ", "oe"))
    return "".join(sign for sign in apart if not "\u0300" <= sign <= "\u036f")


PLACES = {
    language: {without_accents(word)[:TOLD_BY]: place for place, word in enumerate(words)}
    for language, words in WORDS.items()
}


def new_secret() -> bytes:
    """The secret of a new card."""
    return secrets.token_bytes(RANDOM)


def words_of(secret: bytes, language: Language) -> list[str]:
    """The twelve words of a card."""
    return [WORDS[language][each] for each in (*secret, check_of(secret))]


def check_of(secret: bytes) -> int:
    """The place of the word that checks the others."""
    return hashlib.sha256(b"check " + secret).digest()[0]


def secret_in(text: str) -> bytes | None:
    """The secret in words as somebody types them, in either language; None if a word is wrong.

    Accents, capitals, numbers and whatever else stands between the words do not matter.
    """
    typed = re.findall(r"[a-z]+", without_accents(text[:LONGEST]))
    for places in PLACES.values():
        found = [places.get(word[:TOLD_BY]) for word in typed]
        if len(found) == RANDOM + 1 and None not in found:
            *secret, check = bytes(place for place in found if place is not None)
            if check_of(bytes(secret)) == check:
                return bytes(secret)
    return None


def text_of(secret: bytes) -> str:
    """A secret as it stands in the address of a card's QR code."""
    return urlsafe_b64encode(secret).decode().rstrip("=")


def secret_written(text: str) -> bytes | None:
    """The secret in such an address; None if there is none."""
    return urlsafe_b64decode(f"{text}=") if WRITTEN.fullmatch(text) else None


def digest_of(secret: bytes) -> str:
    """The digest under which a card is stored."""
    return hashlib.sha256(b"card " + secret).hexdigest()
