"""Names as people write them: which can be shown, and which are the same.

A name is kept and shown as typed. All comparisons use `plain_name`, all suspicion `twins`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count, repeat

from chouine.confusables import LOOK_ALIKES
from chouine.errors import ChouineError

BLANK = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Signs that show nothing or turn the direction of writing: Default_Ignorable_Code_Point, and blank letters."""
APOSTROPHES = str.maketrans(dict.fromkeys("´`ʹʻʼʽˈ′＇", "’"))
NAME_LENGTH = 24
"""Most characters of a name at a table."""
MOST_MARKS = 2
"""Most marks on one letter; Vietnamese needs none after composition, Arabic two."""
JAPANESE = {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK"}
"""Scripts that are written together."""
COMMON = {"MODIFIER", "IDEOGRAPHIC", "VERTICAL", "SCRIPT"}
"""First words of the names of letters that belong to no script."""
LETTERS = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
)
SAINTS = {"st": "saint", "ste": "sainte", "sts": "saints", "stes": "saintes"}
LOOKS = {sign: word[0] for word in LOOK_ALIKES.split() for sign in word[1:]}
ALIKE = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})


class NameRefused(ChouineError, ValueError):
    """A name that cannot be shown; `code` is `name/…`."""


def display_name(text: str, most: int) -> str:
    """A name as it will be shown, at most `most` characters; empty for nothing. Raises `NameRefused`."""
    name = display_text(text, most)
    if not name and text.split():
        raise NameRefused("name/blank")
    if name and not any(map(str.isalpha, name)):
        raise NameRefused("name/no-letter", name=name)
    if len(scripts_of(name)) > 1:
        raise NameRefused("name/scripts", name=name)
    return name


def display_text(text: str, most: int) -> str:
    """A text on one line without invisible signs, cut to `most` characters. Raises `NameRefused` for heaped marks."""
    line = one_line(text, most)
    if re.search(rf"(^| )\u0001|\u0001{{{MOST_MARKS + 1}}}", "".join(map(shape, line))):
        raise NameRefused("name/marks", most=MOST_MARKS)
    return line


def one_line(text: str, most: int) -> str:
    """A text on one line without invisible signs, cut to `most` characters, but not between a letter and its marks."""
    seen = "".join(
        " " if unicodedata.category(sign) == "Zs" else sign
        for sign in BLANK.sub("", text.translate(APOSTROPHES))
        if sign.isprintable() or unicodedata.category(sign) == "Zs"
    )
    line = " ".join(BLANK.sub("", unicodedata.normalize("NFKC", seen)).split())
    end = min(most, len(line))
    while end < len(line) and shape(line[end]) == "\u0001":
        end -= 1
    return line[:end].strip()


def shape(sign: str) -> str:
    """A mark as U+0001; any other sign as it is."""
    return "\u0001" if unicodedata.category(sign) in ("Mn", "Me") else sign


def scripts_of(name: str) -> set[str]:
    """The scripts of a name's letters, as Unicode names letters begin; those of Japanese count as one."""
    found = {unicodedata.name(sign, "?").split()[0] for sign in name if sign.isalpha()} - COMMON
    return found - JAPANESE | {"JAPANESE"} if found & JAPANESE else found


def plain_name(text: str) -> str:
    """A name for comparison: small letters without accents, apostrophes and hyphens. `ST-CALAIS` is `saint calais`."""
    return " ".join(SAINTS.get(word, word) for word in words_of(text))


def words_of(text: str) -> list[str]:
    """A text's words in small letters without accents; an apostrophe joins, any other sign divides."""
    seen = BLANK.sub("", text.translate(APOSTROPHES).casefold())
    bare = (
        unicodedata.normalize("NFKD", re.sub(r"\bs/", "sur ", seen))
        .casefold()
        .translate(LETTERS)
        .replace("’", "")
        .replace("'", "")
    )
    letters = (
        sign for sign in bare if not unicodedata.combining(sign) and unicodedata.category(sign) != "Me"
    )
    return "".join(
        sign if sign.isalnum() or unicodedata.category(sign)[0] == "M" else " " for sign in letters
    ).split()


def person_key(name: str) -> str:
    """A person's name for comparison, whatever the order of its words: `Bordier Jean` is `Jean Bordier`."""
    return " ".join(sorted(plain_name(name).split()))


def is_found(asked: str, *texts: str) -> bool:
    """Whether each word that is searched stands in one of these texts."""
    plain = [*map(plain_name, texts), *(" ".join(words_of(text)) for text in texts)]
    heap = " ".join(plain)
    # `legall` finds Le Gall: what is searched may also begin a word and go on without its blanks
    joined = ["".join(words[at:]) for text in plain for words in [text.split()] for at in range(len(words))]
    return all(
        word in heap or SAINTS.get(word, word) in heap or any(map(str.startswith, joined, repeat(word)))
        for word in words_of(asked)
    )


def begins(asked: str, name: str) -> bool:
    """Whether each word that is searched begins one of a name's, each another."""
    words = plain_name(name).split()
    for word in sorted(plain_name(asked).split(), key=len, reverse=True):
        own = next((one for one in words if one.startswith(word)), None)
        if own is None:
            return False
        words.remove(own)
    return True


def twins(one: str, other: str) -> bool:
    """Whether two names are or look the same: letters of other scripts, `l` and `I`, `0` and `O`, `rn` and `m`."""
    return plain_name(one) == plain_name(other) or look_of(one) == look_of(other)


def look_of(name: str) -> str:
    """What a name looks like at a glance."""
    words = latin_words(name) or [unicodedata.normalize("NFKC", name)]
    return "".join(words).translate(ALIKE).replace("rn", "m").replace("vv", "w")


def latin_words(name: str) -> list[str]:
    """A text's words without accents, letters of other scripts replaced by the Latin ones that they look like."""
    signs = unicodedata.normalize("NFKC", name)
    return words_of("".join(LOOKS.get(sign) or LOOKS.get(sign.upper(), sign) for sign in signs))


def another_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number appended if it has a twin among those taken. An empty name stays empty."""
    if not name:
        return ""
    others = [*filter(None, taken)]
    plain, looks = set(map(plain_name, others)), set(map(look_of, others))
    numbered = (f"{name[: NAME_LENGTH - 3].rstrip()} {number}" for number in count(2))
    return next(
        one for one in chain([name], numbered) if plain_name(one) not in plain and look_of(one) not in looks
    )


def free_name(names: Sequence[str], taken: Collection[str]) -> str:
    """The first name without a twin among those taken; empty if there is none."""
    return next((name for name in names if not any(twins(name, other) for other in taken)), "")
