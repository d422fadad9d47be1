"""The worst words, kept out of the names and titles that strangers see. All else is for the keeper of the server.

Our own short list: the lists in packages refuse many honest names, or know no French. Words that are also surnames or
villages (Bâtard, Cocu, Nègre; Bitche, Pussy) are left out.
"""

from __future__ import annotations

import re

from chouine.names import NameRefused, display_name, latin_words

WHOLE = """
baiseur bamboula bite bitch bougnoule branlette branleur branleuse chink connard connasse couille cunt encule enculer
enfoire fag faggot fdp fuck goebbels gouine himmler hitler kike nazi nigga nigger paki pede pedo petasse poufiasse
pouffiasse putain pute rapist salaud salopard salope shit shite siegheil slut suceuse tafiole tarlouze tranny trouduc
trouducul twat violeur wanker whore youpin youtre
"""
"""Refused as a word of a name, also in the plural or before a number, and as the whole of one in pieces: `c.o.n…`."""
INSIDE = (
    "arsehole",
    "asshole",
    "bougnoul",
    "filsdepute",
    "fuck",
    "hitler",
    "niquetamere",
    "nigger",
    "pedophil",
)
"""Refused wherever a word of a name has them: no honest name does."""
REFUSED = frozenset(WHOLE.split())
BOT = "BOT "
"""Begins the name of a program, and of nobody else."""
FIGURES = [str.maketrans("03457@$€!1", f"oeastasei{one}") for one in "il"]
"""Signs written for letters; a 1 stands for two of them."""


def decent_name(text: str, most: int) -> str:
    """A name as it will be shown, at most `most` characters. Raises `NameRefused`.

    Refused are also the worst words, even in a simple disguise, and the mark of programs.
    """
    name = display_name(text, most)
    if is_rude(name):
        raise NameRefused("name/rude")
    if looks_marked(name):
        raise NameRefused("name/bot")
    return name


def looks_marked(name: str) -> bool:
    """Whether a name begins with what looks like the mark of programs."""
    first = name.partition(" ")[0]
    return first.isupper() and latin_words(first) == latin_words(BOT)


def is_rude(name: str) -> bool:
    """Whether a name has one of the worst words."""
    words = [word for word in re.split(r"[^\w@$€!]|_", name) if word]
    bare = {word.strip("0123456789!") for word in words}
    looks = {look for word in (*words, *bare) for look in looks_of(word)}
    looks |= {look.rstrip("sx") for look in looks} | looks_of("".join(words))
    return not looks.isdisjoint(REFUSED) or any(part in look for look in looks for part in INSIDE)


def looks_of(word: str) -> set[str]:
    """What a word may be read as: with letters for signs, and for a letter written thrice or more one, or two."""
    read = {"".join(latin_words(word.translate(figures))) for figures in FIGURES}
    return read | {re.sub(r"(.)\1{2,}", letters, each) for each in read for letters in (r"\1", r"\1\1")}
