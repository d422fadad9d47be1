"""Why a name is refused: the codes `name/…`."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "name/blank": N_("This name would show nothing: it holds only invisible signs. Write one with letters."),
    "name/no-letter": N_("“%(name)s” is no name: a name has at least one letter."),
    "name/marks": N_("Too many accents on one letter: at most %(most)s."),
    "name/scripts": N_("“%(name)s” mixes letters of several alphabets: write the whole name in one."),
}
