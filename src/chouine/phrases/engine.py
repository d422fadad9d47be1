"""Players and the engine protocol: what could not be read, and what went wrong with a program that plays."""

PHRASES = {
    "player/unknown": (
        "Joueur inconnu : {token}. Connus : {known}.",
        "Unknown player: {token}. Known: {known}.",
    ),
}
