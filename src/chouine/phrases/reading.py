"""What is wrong with a text, a deal or a record: the codes `syntax/…`, `deal/…` and `checksum/…`."""

PHRASES = {
    "syntax/preset": (
        "Règles inconnues : {token}. Connues : {known}.",
        "Unknown rules: {token}. Known: {known}.",
    ),
    "syntax/option": ("Option inconnue : {token}. Connues : {known}.", "Unknown option: {token}. Known: {known}."),
    "syntax/option-value": (
        "Valeur inconnue dans {token}. Possibles : {known}.",
        "Unknown value in {token}. It may be: {known}.",
    ),
    "syntax/option-twice": ("Option donnée deux fois : {token}.", "Option given twice: {token}."),
    "syntax/packets": (
        "On ne donne par paquets qu'à deux joueurs (§3) : {token}.",
        "Packets are dealt with two seats only (§3): {token}.",
    ),
}
